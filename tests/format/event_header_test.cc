// The 40 bytes in front of an event's body. Goal: they are the bytes of FORMAT.md, and what another
// format would write there is refused. Method: the bytes written out, one changed at a time.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <runlog/event.h>
#include <runlog/limits.h>
#include <runlog/status.h>

#include "format/event_codec.h"
#include "tests/format/sample_events.h"

namespace runlog::format {
namespace {

constexpr EventKey kKey = {.thread = ThreadNumber{258}, .seq = 7};

constexpr EventHeader kHeader = {.content_kind = ContentKind::kJson,
                                 .is_volatile = true,
                                 .redacted = true,
                                 .event_class = EventClass(0x41),
                                 .run = RunNumber{0x01020304},
                                 .owner = OwnerNumber{5},
                                 .body_bytes = 0x0a0b,
                                 .commit = 0x1112131415161718,
                                 .body_hash = 0x2122232425262728};

std::string HeaderBytes(const EventHeader& header, const EventKey& key = kKey,
                        std::string_view thread_id = kThread) {
  const EventHeaderBytes bytes = EncodeEventHeader(header, key, thread_id);
  return {bytes.data(), bytes.size()};
}

TEST(EventHeaderTest, AHeaderHasTheBytesOfTheFormat) {
  const std::string bytes = HeaderBytes(kHeader);
  const std::string sealed(
      "\x01\x0e\x41\x00"
      "\x04\x03\x02\x01"
      "\x05\x00\x00\x00"
      "\x0b\x0a\x00\x00"
      "\x18\x17\x16\x15\x14\x13\x12\x11"
      "\x28\x27\x26\x25\x24\x23\x22\x21",
      32);
  EXPECT_EQ(bytes.substr(0, 32), sealed);
  const std::string place("\x02\x01\0\0\0\0\0\0\x07\0\0\0\0\0\0\0", 16);
  const std::uint64_t seal = Hash64(sealed + place + std::string(kThread));
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(static_cast<std::uint8_t>(bytes[32 + i]), static_cast<std::uint8_t>(seal >> 8 * i));
  }
}

TEST(EventHeaderTest, AHeaderReadsBackAsItWasWritten) {
  EXPECT_EQ(*PeekEventHeader(HeaderBytes(kHeader)), kHeader);
  EXPECT_EQ(*PeekEventHeader(HeaderBytes(kHeader) + "body"), kHeader);
  EXPECT_EQ(*PeekEventHeader(HeaderBytes(EventHeader())), EventHeader());
}

TEST(EventHeaderTest, AHeaderOfAnotherFormatIsCorrupt) {
  const auto message = [](std::size_t byte, char value) {
    std::string bytes = HeaderBytes(kHeader);
    bytes[byte] = value;
    const Result<EventHeader> header = PeekEventHeader(bytes);
    return header.ok() ? "read" : header.status().ToString();
  };
  EXPECT_EQ(message(0, 2), "kCorruption: event value: version 2");
  EXPECT_EQ(message(0, 0), "kCorruption: event value: version 0");
  EXPECT_EQ(message(1, 0x10), "kCorruption: event value: unknown flags 0x10");
  EXPECT_EQ(message(1, '\x80'), "kCorruption: event value: unknown flags 0x80");
  EXPECT_EQ(message(3, 1), "kCorruption: event value: reserved byte is not 0");
  EXPECT_EQ(PeekEventHeader(HeaderBytes(kHeader).substr(0, 39)).status().ToString(),
            "kCorruption: event value: 39 bytes, its header has 40");
}

}  // namespace
}  // namespace runlog::format
