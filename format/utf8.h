// UTF-8 checks of ids and text.

#ifndef RUNLOG_FORMAT_UTF8_H_
#define RUNLOG_FORMAT_UTF8_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace runlog::format {

/// The byte at which `text` stops being UTF-8 (overlong forms and surrogates are not), or nullopt.
std::optional<std::size_t> InvalidUtf8At(std::string_view text);

/// Code points in valid UTF-8.
std::size_t CountCharacters(std::string_view utf8);

/// The byte of the first control character (C0, DEL, C1) in valid UTF-8, or nullopt.
std::optional<std::size_t> ControlCharacterAt(std::string_view utf8);

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_UTF8_H_
