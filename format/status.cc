#include <cassert>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <runlog/status.h>

namespace runlog {

std::string_view StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "kOk";
    case StatusCode::kInvalidArgument:
      return "kInvalidArgument";
    case StatusCode::kTooLarge:
      return "kTooLarge";
    case StatusCode::kNotFound:
      return "kNotFound";
    case StatusCode::kConflict:
      return "kConflict";
    case StatusCode::kFenced:
      return "kFenced";
    case StatusCode::kGone:
      return "kGone";
    case StatusCode::kTrimmed:
      return "kTrimmed";
    case StatusCode::kEpochChanged:
      return "kEpochChanged";
    case StatusCode::kOverloaded:
      return "kOverloaded";
    case StatusCode::kLocked:
      return "kLocked";
    case StatusCode::kReadOnly:
      return "kReadOnly";
    case StatusCode::kNoSpace:
      return "kNoSpace";
    case StatusCode::kUnsupported:
      return "kUnsupported";
    case StatusCode::kCorruption:
      return "kCorruption";
    case StatusCode::kDataLoss:
      return "kDataLoss";
    case StatusCode::kIoError:
      return "kIoError";
    case StatusCode::kUnknown:
      return "kUnknown";
    case StatusCode::kClosed:
      return "kClosed";
  }
  return "(no status code)";
}

Status::Status(StatusCode code, std::string message)
    : state_(std::make_unique<State>(State{code, std::move(message)})) {
  assert(code != StatusCode::kOk && "success has no message");
}

Status::Status(const Status& other)
    : state_(other.state_ ? std::make_unique<State>(*other.state_) : nullptr) {}

Status& Status::operator=(const Status& other) {
  if (this != &other) state_ = other.state_ ? std::make_unique<State>(*other.state_) : nullptr;
  return *this;
}

std::string Status::ToString() const {
  if (ok()) return "OK";
  return std::string(StatusCodeName(code())).append(": ").append(message());
}

}  // namespace runlog
