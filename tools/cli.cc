#include "tools/cli.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "tools/version.h"

namespace runlog::tools {

// The only place that knows CLI11. Values arrive as text and are converted here: CLI11's own
// conversions read "" and out-of-range numbers in ways of their own.
class Flags::Parser {
 public:
  Parser(std::string_view usage, std::string_view summary)
      : app_(std::string(summary), std::string(usage)) {}

  CLI::App& app() { return app_; }

  CLI::Option& Add(const char* name, const char* value, const char* help,
                   std::function<void(const std::vector<std::string>&)> take) {
    CLI::Option* option = app_.add_option(
        name,
        [take = std::move(take)](const std::vector<std::string>& values) {
          take(values);
          return true;
        },
        help);
    return *option->type_name(value)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }

 private:
  CLI::App app_;
};

namespace {

std::int64_t ParseNumber(const char* name, const std::string& text, NumberRange range) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || stop != end || error != std::errc()) {
    throw CLI::ValidationError(name, fmt::format("'{}' is no whole number in range", text));
  }
  if (number < range.first || number > range.last) {
    throw CLI::ValidationError(
        name, fmt::format("{} is not from {} to {}", number, range.first, range.last));
  }
  return number;
}

CLI::Option& AddChoice(Flags::Parser& parser, const char* name, std::string& field,
                       std::vector<std::string> choices, const char* help) {
  const std::string words = fmt::format("{}", fmt::join(choices, "|"));
  return parser.Add(name, words.c_str(), help,
                    [&field, name, words, choices = std::move(choices)](const auto& values) {
                      if (std::ranges::find(choices, values.front()) == choices.end()) {
                        throw CLI::ValidationError(
                            name, fmt::format("'{}' is none of {}", values.front(), words));
                      }
                      field = values.front();
                    });
}

const Command* FindCommand(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.commands, name, &Command::name);
  return found == program.commands.end() ? nullptr : &*found;
}

void PrintTable(const Program& program, Console& console) {
  std::size_t width = 0;
  for (const Command& command : program.commands) {
    width = std::max(width, command.name.size() + 1 + command.arguments.size());
  }
  console.PrintLine(fmt::format("{}: {}", program.name, program.summary));
  console.PrintLine("");
  for (const Command& command : program.commands) {
    console.PrintLine(fmt::format("  {} {:<{}}  {}", program.name,
                                  fmt::format("{} {}", command.name, command.arguments), width,
                                  command.summary));
  }
  console.PrintLine("");
  console.PrintLine(fmt::format("{0} COMMAND --help has the options of a command.", program.name));
}

ExitCode UsageError(const Program& program, std::string_view reason, Console& console) {
  console.Say(fmt::format("{}; `{} help` has the list", reason, program.name));
  return ExitCode::kUsage;
}

ExitCode RunCommand(const Command& command, std::string_view usage,
                    std::span<const char* const> arguments, Console& console) {
  Flags::Parser parser(usage, command.summary);
  Flags flags(parser);
  const Runner run = command.declare(flags);
  // CLI11 takes its arguments from the back.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    parser.app().parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    std::string help = parser.app().help();
    while (help.ends_with('\n'))
      help.pop_back();
    console.PrintLine(help);
    return ExitCode::kDone;
  } catch (const CLI::ParseError& error) {
    console.Say(fmt::format("{}; `{} --help` has the options", error.what(), usage));
    return ExitCode::kUsage;
  }
  return run(console);
}

ExitCode Help(const Program& program, std::span<const char* const> arguments, Console& console) {
  if (arguments.empty()) {
    PrintTable(program, console);
    return ExitCode::kDone;
  }
  const Command* command = FindCommand(program, arguments.front());
  if (command == nullptr) {
    return UsageError(program, fmt::format("no command '{}'", arguments.front()), console);
  }
  const char* const help[] = {"--help"};
  return RunCommand(*command, fmt::format("{} {}", program.name, command->name), help, console);
}

}  // namespace

void Flags::Positional(const char* name, std::string& field, const char* help) {
  parser_.Add(name, "", help, [&field](const auto& values) { field = values.front(); }).required();
}

void Flags::OptionalPositional(const char* name, std::optional<std::string>& field,
                               const char* help) {
  parser_.Add(name, "", help, [&field](const auto& values) { field = values.front(); });
}

void Flags::Positionals(const char* name, std::vector<std::string>& field, const char* help) {
  parser_.Add(name, "", help, [&field](const auto& values) { field = values; })
      .required()
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Flags::Text(const char* name, const char* value, std::optional<std::string>& field,
                 const char* help) {
  parser_.Add(name, value, help, [&field](const auto& values) { field = values.front(); });
}

void Flags::Texts(const char* name, const char* value,
                  std::optional<std::vector<std::string>>& field, const char* help) {
  parser_.Add(name, value, help, [&field](const auto& values) { field = values; })
      .multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Flags::Number(const char* name, std::optional<std::int64_t>& field, NumberRange range,
                   const char* help) {
  parser_.Add(name, "N", help, [&field, name, range](const auto& values) {
    field = ParseNumber(name, values.front(), range);
  });
}

void Flags::Choice(const char* name, std::string& field, std::vector<std::string> choices,
                   const char* help) {
  AddChoice(parser_, name, field, std::move(choices), help);
}

void Flags::RequiredChoice(const char* name, std::string& field, std::vector<std::string> choices,
                           const char* help) {
  AddChoice(parser_, name, field, std::move(choices), help).required();
}

void Flags::Switch(const char* name, bool& field, const char* help) {
  parser_.app().add_flag_callback(
      name, [&field] { field = true; }, help);
}

ExitCode RunProgram(const Program& program, std::span<const char* const> arguments,
                    Console& console) {
  if (arguments.empty()) return UsageError(program, "which command?", console);
  const std::string_view name = arguments.front();
  const std::span<const char* const> rest = arguments.subspan(1);
  if (name == "help" || name == "--help" || name == "-h") return Help(program, rest, console);
  if (name == "version" || name == "--version") {
    console.PrintLine(VersionLine(program.name));
    return ExitCode::kDone;
  }
  const Command* command = FindCommand(program, name);
  if (command == nullptr) return UsageError(program, fmt::format("no command '{}'", name), console);
  return RunCommand(*command, fmt::format("{} {}", program.name, name), rest, console);
}

}  // namespace runlog::tools
