// The command line as a table: help, dispatch and checks come from the rows.

#ifndef RUNLOG_TOOLS_CLI_H_
#define RUNLOG_TOOLS_CLI_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/console.h"
#include "tools/exit_code.h"

namespace runlog::tools {

/// Which numbers an option takes, both ends inclusive.
struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
};

/// What a command declares its arguments to. The fields must live as long as the command's Runner.
class Flags {
 public:
  class Parser;  // cli.cc: hides the command line library
  explicit Flags(Parser& parser) : parser_(parser) {}

  /// Arguments without a name, in the order they are declared.
  void Positional(const char* name, std::string& field, const char* help);
  void OptionalPositional(const char* name, std::optional<std::string>& field, const char* help);
  void Positionals(const char* name, std::vector<std::string>& field, const char* help);

  /// `name` is "--limit", `value` the word for its argument in the help.
  void Text(const char* name, const char* value, std::optional<std::string>& field,
            const char* help);
  /// Takes one value and repeats.
  void Texts(const char* name, const char* value, std::optional<std::vector<std::string>>& field,
             const char* help);
  void Number(const char* name, std::optional<std::int64_t>& field, NumberRange range,
              const char* help);
  void Choice(const char* name, std::string& field, std::vector<std::string> choices,
              const char* help);
  void RequiredChoice(const char* name, std::string& field, std::vector<std::string> choices,
                      const char* help);
  void Switch(const char* name, bool& field, const char* help);

 private:
  Parser& parser_;
};

using Runner = std::function<ExitCode(Console&)>;

/// One row: `runlog <name> <arguments>`.
struct Command {
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  /// Declares the flags; the Runner owns them.
  Runner (*declare)(Flags&);
};

/// The table of a program.
struct Program {
  std::string_view name;
  std::string_view summary;
  std::span<const Command> commands;
};

/// Runs the command that `arguments` (without the program's name) start with, `help` or `version`.
ExitCode RunProgram(const Program& program, std::span<const char* const> arguments,
                    Console& console);

}  // namespace runlog::tools

#endif  // RUNLOG_TOOLS_CLI_H_
