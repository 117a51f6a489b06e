// SPDX-License-Identifier: Apache-2.0
#include "import/perfetto/perfetto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <protozero/pbf_writer.hpp>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

using protozero::pbf_writer;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ExpectSoundWhenDamaged;
using testing::FactTexts;
using ::testing::HasSubstr;
using testing::Import;
using ::testing::IsEmpty;
using testing::LossTexts;
using testing::SampleTexts;

// Writes packets of a trace, all of one sequence.
class Trace {
 public:
  template <class Fill>
  Trace& Packet(Fill fill, uint64_t time = 0, uint32_t flags = 0) {
    pbf_writer packet(trace_, 1);
    if (time != 0) packet.add_uint64(8, time);
    packet.add_uint32(10, 1);
    if (flags != 0) packet.add_uint32(13, flags);
    fill(packet);
    return *this;
  }
  // main in app.py calls read of a library.
  Trace& Interned() {
    return Packet([](pbf_writer& packet) {
      pbf_writer interned(packet, 12);
      Text(interned, 5, 1, "main");
      Text(interned, 5, 2, "read");
      Text(interned, 18, 1, "app.py");
      {
        pbf_writer mapping(interned, 19);
        mapping.add_uint64(1, 4);
        mapping.add_uint64(7, 8);
        mapping.add_uint64(7, 9);
      }
      Text(interned, 17, 8, "lib");
      Text(interned, 17, 9, "libc.so.6");
      for (const uint64_t id : {1, 2}) {
        pbf_writer frame(interned, 6);
        frame.add_uint64(1, id);
        frame.add_uint64(2, id);
        if (id == 1) {
          frame.add_uint64(5, 1);
          frame.add_uint32(6, 3);
          frame.add_enum(7, 3);
        } else {
          frame.add_uint64(3, 4);
        }
      }
      pbf_writer stack(interned, 7);
      stack.add_uint64(1, 5);
      stack.add_uint64(2, 1);
      stack.add_uint64(2, 2);
    });
  }
  Trace& Defaults(const char* name, int32_t unit, const std::vector<const char*>& followers = {}) {
    return Packet(
        [&](pbf_writer& packet) {
          pbf_writer defaults(packet, 59);
          pbf_writer samples(defaults, 100);
          samples.add_string(1, "some.tool");
          Counter(samples, 2, name, unit);
          for (const char* const follower : followers) Counter(samples, 3, follower, unit);
        },
        0, 1);
  }
  Trace& Sample(uint64_t time, const std::vector<uint64_t>& weights, uint64_t stack = 5) {
    return Packet(
        [&](pbf_writer& packet) {
          pbf_writer sample(packet, 135);
          {
            pbf_writer task(sample, 1);
            task.add_uint32(2, 12);
            task.add_uint32(3, 13);
          }
          sample.add_uint64(6, stack);
          sample.add_uint64(11, weights[0]);
          for (size_t i = 1; i < weights.size(); ++i) sample.add_uint64(14, weights[i]);
        },
        time);
  }
  Trace& Track(uint64_t uuid, uint64_t parent, const char* name, uint64_t pid = 0,
               uint64_t tid = 0) {
    return Packet([&](pbf_writer& packet) {
      pbf_writer track(packet, 60);
      track.add_uint64(1, uuid);
      track.add_uint64(5, parent);
      if (tid == 0) {
        track.add_string(2, name);
        return;
      }
      pbf_writer thread(track, 4);
      thread.add_uint64(1, pid);
      thread.add_uint64(2, tid);
      thread.add_string(5, name);
    });
  }
  Trace& Event(uint64_t time, uint64_t track, int32_t type, const char* name = "") {
    return Packet(
        [&](pbf_writer& packet) {
          pbf_writer event(packet, 11);
          event.add_enum(9, type);
          event.add_uint64(11, track);
          if (*name != '\0') event.add_string(23, name);
        },
        time);
  }
  const std::string& Bytes() const { return bytes_; }

 private:
  static void Text(pbf_writer& to, uint32_t field, uint64_t id, const char* text) {
    pbf_writer entry(to, field);
    entry.add_uint64(1, id);
    entry.add_bytes(2, std::string(text));
  }
  static void Counter(pbf_writer& to, uint32_t field, const char* name, int32_t unit) {
    pbf_writer counter(to, field);
    counter.add_string(2, name);
    counter.add_enum(3, unit);
  }

  std::string bytes_;
  pbf_writer trace_{bytes_};
};

constexpr char kStack[] = "main (app.py:3);read [/lib/libc.so.6]";

TEST(Perfetto, StackSamples) {
  Trace trace;
  trace.Defaults("wall", 1, {"cpu", "native"}).Interned();
  trace.Sample(5000, {1000, 600, 600}).Sample(7000, {10, 0, 0}).Track(2, 0, "worker", 12, 13);
  const auto profile = Import(trace.Bytes());
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()), ElementsAre(std::string(kStack) + " native 600 1",
                                                        std::string(kStack) + " other 400 1",
                                                        std::string(kStack) + " other 10 1"));
  EXPECT_THAT(profile.value().samples.time_ns, ElementsAre(0, 0, 2000));
  EXPECT_EQ(profile.value().threads[0].info.name, "worker");
  EXPECT_THAT(LossTexts(profile.value()), IsEmpty());
}

TEST(Perfetto, WhatIsClearedIsUnknown) {
  Trace trace;
  trace.Defaults("cpu", 1).Interned().Sample(1, {5});
  trace.Packet([](pbf_writer&) {}, 0, 1).Sample(2, {6});
  const auto profile = Import(trace.Bytes());
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre(std::string(kStack) + " native 5 1", " native 6 1"));
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("stacks that are missing: 1"));
}

TEST(Perfetto, BytesAreMemory) {
  Trace trace;
  trace.Defaults("allocated", 4).Interned().Sample(1, {4096});
  const auto profile = Import(trace.Bytes());
  EXPECT_EQ(profile.value().memory_changes[0].allocated.bytes, 4096u);
}

TEST(Perfetto, SamplesOfPerf) {
  Trace trace;
  trace.Packet([](pbf_writer& packet) {
    pbf_writer defaults(packet, 59);
    pbf_writer perf(defaults, 12);
    pbf_writer timebase(perf, 1);
    timebase.add_uint64(2, 1000);
  });
  trace.Interned().Packet(
      [](pbf_writer& packet) {
        pbf_writer sample(packet, 66);
        sample.add_uint32(2, 12);
        sample.add_uint32(3, 13);
        sample.add_uint64(4, 5);
      },
      100);
  EXPECT_THAT(SampleTexts(Import(trace.Bytes()).value()),
              ElementsAre(std::string(kStack) + " native 1000000 1"));
}

TEST(Perfetto, SlicesAreStacksWhereNothingElseIs) {
  Trace trace;
  trace.Track(1, 0, "main", 12, 13);
  trace.Event(100, 1, 1, "outer").Event(130, 1, 1, "inner").Event(150, 1, 2).Event(160, 1, 2);
  trace.Event(170, 1, 2).Event(180, 1, 1, "open").Event(90, 9, 3);
  const auto profile = Import(trace.Bytes());
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(
      SampleTexts(profile.value()),
      ElementsAre("outer [] native 30 1", "outer [];inner [] native 20 1", "outer [] native 10 1"));
  EXPECT_EQ(profile.value().threads[0].info.name, "main");
  EXPECT_THAT(LossTexts(profile.value()),
              ElementsAre("ends of slices that have no begin: 1", "slices that have no end: 1"));
  EXPECT_THAT(FactTexts(profile.value()),
              Contains("note: counters and instants that are left out: 1"));
}

TEST(Perfetto, SlicesAreRegionsBesideSamples) {
  Trace trace;
  trace.Defaults("cpu", 1).Interned().Sample(100, {5});
  trace.Track(1, 0, "main", 12, 13).Track(3, 1, "regions");
  trace.Event(120, 3, 1, "step").Event(150, 3, 2);
  const auto profile = Import(trace.Bytes());
  EXPECT_EQ(profile.value().samples.size(), 1u);
  ASSERT_EQ(profile.value().regions.size(), 1u);
  EXPECT_EQ(profile.value().regions[0].begin_ns, 20u);
  EXPECT_EQ(profile.value().regions[0].length_ns, 30u);
  EXPECT_EQ(profile.value().Text(profile.value().regions[0].name), "step");
  EXPECT_EQ(profile.value().regions[0].thread, profile.value().samples.thread[0]);
}

TEST(Perfetto, TimesAsWhatPassed) {
  Trace trace;
  trace.Packet([](pbf_writer& packet) {
    pbf_writer snapshot(packet, 6);
    for (const uint64_t id : {6, 64}) {
      pbf_writer clock(snapshot, 1);
      clock.add_uint32(1, static_cast<uint32_t>(id));
      clock.add_uint64(2, id == 6 ? 9'000'000 : 5000);
      clock.add_bool(3, id == 64);
      clock.add_uint64(4, id == 64 ? 1000 : 1);
    }
  });
  trace.Packet([](pbf_writer& packet) {
    pbf_writer defaults(packet, 59);
    defaults.add_uint32(58, 64);
  });
  trace.Event(2, 1, 1, "a").Event(3, 1, 2);
  EXPECT_THAT(SampleTexts(Import(trace.Bytes()).value()), ElementsAre("a [] native 3000 1"));
}

std::string Packed(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  packed.resize(size);
  std::string trace;
  pbf_writer writer(trace);
  pbf_writer packet(writer, 1);
  packet.add_bytes(50, packed);
  return trace;
}

TEST(Perfetto, PackedPackets) {
  Trace trace;
  trace.Defaults("cpu", 1).Interned().Sample(1, {5});
  EXPECT_THAT(SampleTexts(Import(Packed(trace.Bytes())).value()),
              ElementsAre(std::string(kStack) + " native 5 1"));
  // Packed in packed, and a bomb.
  EXPECT_FALSE(Import(Packed(Packed(trace.Bytes()))).ok());
  EXPECT_FALSE(Import(Packed(std::string(65 << 20, '\0'))).ok());
}

TEST(Perfetto, OtherFilesAreNotTakenForIt) {
  for (const std::string_view text : {"hello", "\x0a\x02\x08\x01", "\x12\x02\x08\x01"})
    EXPECT_FALSE(RecognisesPerfetto(text, true)) << text;
}

TEST(Perfetto, WhateverIsBroken) {
  Trace trace;
  trace.Defaults("wall", 1, {"cpu"}).Interned().Sample(5000, {1000, 600});
  trace.Track(1, 0, "main", 12, 13).Event(100, 1, 1, "outer").Event(130, 1, 2);
  ExpectSoundWhenDamaged(trace.Bytes(), "perfetto");
  ExpectSoundWhenDamaged(Packed(trace.Bytes()), "perfetto");
}

}  // namespace
}  // namespace pyrometer::import_
