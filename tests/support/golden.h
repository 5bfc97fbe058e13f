// The hex of FORMAT.md: its blocks "```golden NAME".

#ifndef RUNLOG_TESTS_SUPPORT_GOLDEN_H_
#define RUNLOG_TESTS_SUPPORT_GOLDEN_H_

#include <cctype>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace runlog::testing {

/// "00 0a ff", for messages a person can compare with the page.
inline std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!hex.empty()) hex.push_back(' ');
    hex.push_back(kDigits[byte >> 4U]);
    hex.push_back(kDigits[byte & 0x0fU]);
  }
  return hex;
}

/// Each golden block's hex, written as Hex writes it.
inline std::map<std::string, std::string> GoldenBlocks() {
  constexpr std::string_view kOpening = "```golden ";
  std::map<std::string, std::string> blocks;
  std::string* block = nullptr;
  std::ifstream page(RUNLOG_SOURCE_DIR "/format/FORMAT.md");
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with(kOpening)) {
      block = &blocks[line.substr(kOpening.size())];
    } else if (line.starts_with("```")) {
      block = nullptr;
    } else if (block != nullptr) {
      for (const char c : line) {
        if (std::isxdigit(static_cast<unsigned char>(c)) == 0) continue;
        if (block->size() % 3 == 2) block->push_back(' ');
        block->push_back(c);
      }
    }
  }
  return blocks;
}

/// The hex of the block `name`, or nothing where the page has none.
inline std::string Golden(const std::string& name) {
  return GoldenBlocks()[name];
}

}  // namespace runlog::testing

#endif  // RUNLOG_TESTS_SUPPORT_GOLDEN_H_
