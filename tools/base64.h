// Base64 as RFC 4648 section 4 has it: how opaque bytes travel in a line of JSON.

#ifndef RUNLOG_TOOLS_BASE64_H_
#define RUNLOG_TOOLS_BASE64_H_

#include <optional>
#include <string>
#include <string_view>

namespace runlog::tools {

std::string EncodeBase64(std::string_view bytes);

/// Nullopt unless `text` is exactly what EncodeBase64 writes: padded, no white space, no stray
/// bits.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_BASE64_H_
