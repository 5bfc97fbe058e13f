// runlog/store_view.h - a store, opened for reading beside whoever writes it.

#ifndef RUNLOG_STORE_VIEW_H_
#define RUNLOG_STORE_VIEW_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include <runlog/export.h>
#include <runlog/options.h>
#include <runlog/reader.h>
#include <runlog/status.h>
#include <runlog/tail.h>

namespace runlog {

enum class ViewKind : std::uint8_t {
  kReadOnly = 1,   ///< Nobody wrote the store when it was opened.
  kSecondary = 2,  ///< A writer is or may be alive; may show a commit whose fsync is not done.
};

/// What a view is opened for.
enum class ViewUse : std::uint8_t {
  kRead = 1,    ///< Read-only where nobody writes; then it never changes, whoever comes later.
  kFollow = 2,  ///< Always a secondary: shows what a writer commits, also one that starts later.
};

/// A finding of Verify.
struct Fault {
  std::string kind;       ///< Stable, for example "checksum", "index_missing", "count".
  std::string thread_id;  ///< Empty where it concerns the store.
  std::uint64_t seq = 0;  ///< 0 where it concerns no single event.
  std::string family;
  std::string detail;
};

struct VerifySummary {
  std::uint64_t events = 0;
  std::uint64_t threads = 0;
  std::uint64_t runs = 0;
  std::uint64_t index_entries = 0;
  std::uint64_t pending_purge = 0;  ///< Hidden events whose bytes are still there: not faults.
  std::uint64_t faults = 0;
};

/// Reads a store that another process may be writing. Never changes a byte of its folder.
class RUNLOG_EXPORT StoreView {
 public:
  /// Errors: kNotFound (no store there), kInvalidArgument (it is another user's or may be written
  ///         by others), kUnsupported, kCorruption, kIoError.
  static Result<std::unique_ptr<StoreView>> Open(const std::filesystem::path& folder,
                                                 const StoreOptions& options = {},
                                                 ViewUse use = ViewUse::kRead);
  ~StoreView();
  StoreView(const StoreView&) = delete;
  StoreView& operator=(const StoreView&) = delete;

  ViewKind kind() const;
  /// The last commit the view shows.
  std::uint64_t last_commit() const;

  /// Shows what the writer has committed since. A read-only view never changes.
  Status Refresh();

  const Reader& reader() const;
  /// A tail that refreshes the view every 100 ms while it waits.
  Result<Tail> OpenTail(const TailRequest& request);

  /// Checks every checksum, every event against every index both ways, figures, digests, marks,
  /// gaps and records. `report` is called for each fault as it is found, `progress` now and then
  /// with the number of events checked; either may be empty.
  Result<VerifySummary> Verify(const std::function<void(const Fault&)>& report,
                               const std::function<void(std::uint64_t)>& progress = {}) const;

  /// Every key and value of every family, decoded and in hex, one line each.
  Status Dump(std::ostream& out) const;

 private:
  class Impl;
  explicit StoreView(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace runlog

#endif  // RUNLOG_STORE_VIEW_H_
