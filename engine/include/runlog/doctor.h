// runlog/doctor.h - why a store does not open, and what each way on would lose.

#ifndef RUNLOG_DOCTOR_H_
#define RUNLOG_DOCTOR_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <runlog/export.h>
#include <runlog/status.h>

namespace runlog {

/// One reason not to open.
struct Finding {
  std::string file;  ///< Name inside the folder.
  StatusCode code = StatusCode::kCorruption;
  std::string what;
  /// StoreOptions::accept_loss gets past it. False: only a backup helps.
  bool can_be_accepted = false;
};

struct Diagnosis {
  /// A process writes the store now. It opened it, so the logs were not looked at again.
  bool is_held = false;
  std::vector<Finding> findings;  ///< Empty: it opens.
  /// Opening with accept_loss would succeed past every finding.
  bool can_be_accepted = false;
  /// The newest commit that would be there; absent where the tables cannot be read.
  std::optional<std::uint64_t> have_commit;
  /// The newest commit that may have been acknowledged as durable, as far as is known.
  std::uint64_t want_commit = 0;
  std::uint64_t epoch = 1;    ///< Of the last process that wrote the store.
  bool closed_clean = false;  ///< That process closed it.
};

/// Looks at the store in `folder` and changes no byte of it.
/// Errors: kNotFound (no store there), kInvalidArgument, kUnsupported, kCorruption (FORMAT itself),
///         kIoError. What keeps the store from opening is no error here but a finding.
RUNLOG_EXPORT Result<Diagnosis> Diagnose(const std::filesystem::path& folder);

}  // namespace runlog

#endif  // RUNLOG_DOCTOR_H_
