#include "tools/table.h"

#include <algorithm>
#include <utility>

#include "format/utf8.h"

namespace runlog::tools {
namespace {

constexpr std::size_t kBlockRows = 1000;
constexpr std::size_t kCellCharactersMax = 72;
constexpr std::string_view kCut = "...";

bool StartsCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
}

}  // namespace

std::string Shorten(std::string_view utf8, std::size_t characters) {
  std::size_t count = 0;
  std::size_t cut = 0;  // where the last characters have to go to make room for kCut
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    if (!StartsCharacter(utf8[at])) continue;
    if (count == characters - kCut.size()) cut = at;
    if (++count > characters) return EscapeControls(utf8.substr(0, cut)) + std::string(kCut);
  }
  return EscapeControls(utf8);
}

void FormatFlag::Declare(Flags& flags) {
  flags.Choice("--format", format, {"jsonl", "table"},
               "one JSON object a line (the default), or a table for people");
}

Table::Table(Console& console, std::vector<std::string> heads)
    : console_(console), heads_(std::move(heads)), widths_(heads_.size()) {
  for (std::size_t i = 0; i < heads_.size(); ++i)
    widths_[i] = heads_[i].size();
}

void Table::Row(std::vector<std::string> cells) {
  for (std::string& cell : cells)
    cell = Shorten(cell, kCellCharactersMax);
  rows_.push_back(std::move(cells));
  if (rows_.size() == kBlockRows) PrintBlock();
}

void Table::End() {
  PrintBlock();
}

void Table::PrintBlock() {
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths_[i] = std::max(widths_[i], format::CountCharacters(row[i]));
    }
  }
  if (!std::exchange(head_printed_, true)) PrintRow(heads_);
  for (const auto& row : rows_)
    PrintRow(row);
  rows_.clear();
}

void Table::PrintRow(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += cells[i];
    if (i + 1 == cells.size()) break;
    line.append(widths_[i] - format::CountCharacters(cells[i]) + 2, ' ');
  }
  console_.PrintLine(line);
}

}  // namespace runlog::tools
