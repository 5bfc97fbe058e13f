// Rows for people: columns in line, cells shortened, nothing that drives a terminal.

#ifndef RUNLOG_TOOLS_TABLE_H_
#define RUNLOG_TOOLS_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "tools/cli.h"
#include "tools/console.h"

namespace runlog::tools {

/// `--format`: jsonl for programs, table for people.
struct FormatFlag {
  std::string format = "jsonl";
  void Declare(Flags& flags);
  bool table() const { return format == "table"; }
};

class Table {
 public:
  Table(Console& console, std::vector<std::string> heads);

  /// One cell a head. Rows are printed in blocks, each as wide as it needs.
  void Row(std::vector<std::string> cells);
  /// Prints what is left.
  void End();

 private:
  void PrintBlock();
  void PrintRow(const std::vector<std::string>& cells);

  Console& console_;
  std::vector<std::string> heads_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
  bool head_printed_ = false;
};

/// `text` on one line and in at most `characters` of them, "..." at its end when it was cut.
std::string Shorten(std::string_view utf8, std::size_t characters);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_TABLE_H_
