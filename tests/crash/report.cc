#include "tests/crash/report.h"

#include <sstream>

namespace runlog::testing {

std::string Report::Line() const {
  std::ostringstream line;
  line << static_cast<std::uint64_t>(kind) << ' ' << seed << ' ' << first_seq << ' ' << count << ' '
       << commit << ' ' << (replayed ? 1 : 0) << ' ' << found.seed << ' ' << found.index << " .\n";
  return line.str();
}

std::optional<Report> ParseReport(std::string_view line) {
  std::istringstream words{std::string(line)};
  Report report;
  std::uint64_t kind = 0;
  std::string end;
  words >> kind >> report.seed >> report.first_seq >> report.count >> report.commit >>
      report.replayed >> report.found.seed >> report.found.index >> end;
  if (!words || end != "." || kind < 1 || kind > 4) return std::nullopt;
  report.kind = static_cast<ReportKind>(kind);
  return report;
}

}  // namespace runlog::testing
