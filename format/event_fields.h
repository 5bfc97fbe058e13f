// The checks an event passes before it is encoded, and its JSON in the form that is stored.

#ifndef RUNLOG_FORMAT_EVENT_FIELDS_H_
#define RUNLOG_FORMAT_EVENT_FIELDS_H_

#include <string>
#include <string_view>

#include <runlog/event.h>
#include <runlog/limits.h>
#include <runlog/status.h>

namespace runlog::format {

/// Checks the ids, names and labels of `event` and that `at` is in range.
Status CheckEnvelope(std::string_view thread_id, const Event& event, Timestamp at);

/// Content, metadata and extra as they are stored. The views point into the event or, where text
/// had to be rewritten, into this object.
class StoredFields {
 public:
  StoredFields() = default;
  StoredFields(const StoredFields&) = delete;
  StoredFields& operator=(const StoredFields&) = delete;

  /// Checks the fields of `event` against JSON, UTF-8 and `limits` and takes them over.
  Status Read(const Event& event, const Limits& limits);

  const Content& content() const { return content_; }
  std::string_view metadata() const { return metadata_; }  // empty: `{}`
  std::string_view extra() const { return extra_; }        // empty: none
  std::string_view task_id() const { return task_id_; }
  std::string_view caller() const { return caller_; }
  std::string_view content_type() const { return content_type_; }
  std::string_view content_role() const { return content_role_; }

 private:
  Status ReadMetadata(std::string_view metadata);
  Status ReadContent(const Content& content);
  Status ReadJsonContent(std::string_view json);
  Status ReadExtra(std::string_view extra);

  Content content_;
  std::string_view metadata_, extra_;
  std::string task_id_, caller_, content_type_, content_role_;
  std::string rewritten_content_, rewritten_metadata_, rewritten_extra_;
};

}  // namespace runlog::format

#endif  // RUNLOG_FORMAT_EVENT_FIELDS_H_
