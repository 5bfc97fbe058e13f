// Keys and values of every family as text that fits on a line.

#ifndef RUNLOG_ENGINE_ROW_TEXT_H_
#define RUNLOG_ENGINE_ROW_TEXT_H_

#include <string>
#include <string_view>

#include "format/key_space.h"

namespace runlog::engine {

/// Long texts are cut after this many bytes; their length is said.
inline constexpr std::size_t kTextBytesMax = 200;

/// What the bytes mean, or that they mean nothing.
std::string DescribeKey(format::Family family, std::string_view key);
/// The key says which kind of row it is. Of every family but `events`.
std::string DescribeValue(format::Family family, std::string_view key, std::string_view value);

/// A value of `events`, which can only be read with its thread_id.
std::string DescribeEvent(std::string_view key, std::string_view value, std::string_view thread_id);

/// In hexadecimal, cut.
std::string Hex(std::string_view bytes);

/// In quotes, control characters and what is not UTF-8 escaped, cut.
std::string Quote(std::string_view text);

}  // namespace runlog::engine

#endif  // RUNLOG_ENGINE_ROW_TEXT_H_
