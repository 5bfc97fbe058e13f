// runlog/status.h - how runlog says what went wrong.
//
// Every call that can fail returns a Status or a Result<T>. A code says what the caller should do;
// the message names the field, the value and the limit, and is for people: never parse it.

#ifndef RUNLOG_STATUS_H_
#define RUNLOG_STATUS_H_

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <runlog/export.h>

namespace runlog {

/// What kind of failure, named for what the caller should do. Values are stable.
enum class StatusCode : std::uint8_t {
  kOk = 0,
  kInvalidArgument = 1,  ///< The request can never succeed as written: fix it.
  kTooLarge = 2,         ///< A size is over its limit: send less.
  kNotFound = 3,         ///< There is no such store, event or run.
  kConflict = 4,         ///< The store is not in the state the request expected: re-read, decide.
  kFenced = 5,           ///< Another holder has taken over: stop writing.
  kGone = 6,             ///< The thread's incarnation in the request has ended: start over.
  kTrimmed = 7,          ///< The cursor is older than what retention keeps.
  kEpochChanged = 8,     ///< Acknowledged data may have been lost since the cursor was made.
  kOverloaded = 9,       ///< No room before the deadline: back off and retry.
  kLocked = 10,          ///< Another process writes this store.
  kReadOnly = 11,        ///< The store takes no writes, and says why.
  kNoSpace = 12,         ///< The disk is full.
  kUnsupported = 13,     ///< The store's format is newer than this build.
  kCorruption = 14,      ///< Stored bytes are wrong: stop, verify, restore.
  kDataLoss = 15,        ///< Acknowledged data is missing.
  kIoError = 16,         ///< The device refused.
  kUnknown = 17,         ///< The write may or may not have happened: resolve before retrying.
  kClosed = 18,          ///< The store or tail was closed or cancelled.
};

/// The stable name of `code`, for example "kConflict". The same name is used by the API, the
/// command line and the server.
RUNLOG_EXPORT std::string_view StatusCodeName(StatusCode code);

/// Success, or a code and a message. One pointer wide; success allocates nothing.
class [[nodiscard]] RUNLOG_EXPORT Status {
 public:
  Status() noexcept = default;
  /// Requires: `code` is not kOk.
  Status(StatusCode code, std::string message);

  Status(const Status& other);
  Status& operator=(const Status& other);
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;
  ~Status() = default;

  static Status Ok() noexcept { return {}; }

  bool ok() const noexcept { return state_ == nullptr; }
  StatusCode code() const noexcept { return state_ ? state_->code : StatusCode::kOk; }
  std::string_view message() const noexcept {
    return state_ ? std::string_view(state_->message) : std::string_view();
  }

  /// Whether a failed write certainly left nothing behind. True for every code but kUnknown.
  bool nothing_written() const noexcept { return code() != StatusCode::kUnknown; }

  /// "OK" or "kConflict: message".
  std::string ToString() const;

 private:
  struct State {
    StatusCode code;
    std::string message;
  };
  std::unique_ptr<State> state_;
};

/// A value, or the Status that says why there is none. Named after std::expected.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    assert(!status_.ok() && "a Result without a value needs an error");
  }

  bool ok() const noexcept { return value_.has_value(); }
  const Status& status() const noexcept { return status_; }

  /// Requires: ok().
  const T& value() const& {
    assert(ok());
    return *value_;
  }
  T& value() & {
    assert(ok());
    return *value_;
  }
  T&& value() && {
    assert(ok());
    return std::move(*value_);
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace runlog

#endif  // RUNLOG_STATUS_H_
