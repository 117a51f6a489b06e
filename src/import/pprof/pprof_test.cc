// SPDX-License-Identifier: Apache-2.0
#include "import/pprof/pprof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <protozero/pbf_writer.hpp>

#include "import/testing/damaged.h"
#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

using protozero::pbf_writer;
using testing::AmountTexts;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ExpectSoundWhenDamaged;
using testing::FactTexts;
using ::testing::HasSubstr;
using testing::Import;
using ::testing::IsEmpty;
using testing::LossTexts;
using testing::SampleTexts;

// Writes a small profile.proto.
class PprofFile {
 public:
  PprofFile& Type(const char* name, const char* unit, uint32_t to = 1) {
    pbf_writer type(file_, to);
    type.add_int64(1, Text(name));
    type.add_int64(2, Text(unit));
    return *this;
  }
  PprofFile& Number(uint32_t field, int64_t value) {
    file_.add_int64(field, value);
    return *this;
  }
  PprofFile& Mapping(uint64_t id, const char* path) {
    pbf_writer mapping(file_, 3);
    mapping.add_uint64(1, id);
    mapping.add_int64(5, Text(path));
    return *this;
  }
  PprofFile& Function(uint64_t id, const char* name, const char* file, int64_t line = 0) {
    pbf_writer function(file_, 5);
    function.add_uint64(1, id);
    function.add_int64(2, Text(name));
    function.add_int64(4, Text(file));
    function.add_int64(5, line);
    return *this;
  }
  struct Line {
    uint64_t function;
    int64_t line;
  };
  PprofFile& Location(uint64_t id, const std::vector<Line>& lines, uint64_t mapping = 0,
                      uint64_t address = 0) {
    pbf_writer location(file_, 4);
    location.add_uint64(1, id);
    location.add_uint64(2, mapping);
    location.add_uint64(3, address);
    for (const auto& [function, number] : lines) {
      pbf_writer line(location, 4);
      line.add_uint64(1, function);
      line.add_int64(2, number);
    }
    return *this;
  }
  struct Label {
    const char* key;
    const char* text;
    int64_t number = 0;
  };
  // Locations are innermost first.
  PprofFile& Sample(const std::vector<uint64_t>& locations, const std::vector<int64_t>& values,
                    const std::vector<Label>& labels = {}) {
    pbf_writer sample(file_, 2);
    sample.add_packed_uint64(1, locations.begin(), locations.end());
    sample.add_packed_int64(2, values.begin(), values.end());
    for (const auto& [key, text, number] : labels) {
      pbf_writer label(sample, 3);
      label.add_int64(1, Text(key));
      if (*text != '\0') label.add_int64(2, Text(text));
      if (number != 0) label.add_int64(3, number);
    }
    return *this;
  }
  std::string Bytes() {
    std::string bytes = bytes_;
    pbf_writer file(bytes);
    for (const std::string& text : texts_) file.add_string(6, text);
    return bytes;
  }

  int64_t Text(const std::string& text) {
    const auto [it, fresh] = numbers_.try_emplace(text, texts_.size());
    if (fresh) texts_.push_back(text);
    return static_cast<int64_t>(it->second);
  }

 private:
  std::string bytes_;
  pbf_writer file_{bytes_};
  std::vector<std::string> texts_{""};
  std::map<std::string, size_t> numbers_{{"", 0}};
};

// main in app.py calls work, which calls memcpy of libc.
PprofFile Program() {
  PprofFile file;
  file.Function(1, "main", "app.py", 1).Function(2, "work", "app.py", 5).Function(3, "memcpy", "");
  file.Mapping(1, "/lib/libc.so.6");
  file.Location(1, {{1, 3}}).Location(2, {{2, 7}}).Location(3, {{3, 0}}, 1, 0x10);
  return file;
}

TEST(Pprof, OwnMetricsComeBack) {
  PprofFile file = Program();
  file.Type("samples", "count").Type("cpu", "nanoseconds").Type("python", "nanoseconds");
  file.Type("native", "nanoseconds").Type("io_wait", "nanoseconds").Type("wall", "nanoseconds");
  file.Sample({2, 1}, {10, 700, 600, 100, 300, 1000});
  const auto profile = Import(file.Bytes());
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:3);work (app.py:7) python 600 6",
                          "main (app.py:3);work (app.py:7) native 100 1",
                          "main (app.py:3);work (app.py:7) io 300 3"));
  EXPECT_EQ(profile.value().codes[0].first_line, 1u);
  EXPECT_THAT(LossTexts(profile.value()), IsEmpty());
}

TEST(Pprof, WhatIsLeftOfCpuAndWallIsNotLost) {
  PprofFile file = Program();
  file.Type("cpu-time", "nanoseconds").Type("wall-time", "microseconds");
  file.Sample({3, 2, 1}, {400, 1}).Sample({1}, {0, 2});
  const auto profile = Import(file.Bytes());
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:3);work (app.py:7);memcpy [/lib/libc.so.6] native 400 1",
                          "main (app.py:3);work (app.py:7);memcpy [/lib/libc.so.6] other 600 1",
                          "main (app.py:3) other 2000 1"));
}

TEST(Pprof, CountsStandForThePeriod) {
  PprofFile file = Program();
  file.Type("samples", "count").Type("cpu", "nanoseconds", 11).Number(12, 2'000'000);
  file.Sample({1}, {3});
  const auto profile = Import(file.Bytes());
  EXPECT_THAT(SampleTexts(profile.value()), ElementsAre("main (app.py:3) python 6000000 3"));
  EXPECT_EQ(profile.value().processes[0].info.sample_period_ns, 2'000'000u);
}

TEST(Pprof, HeapOfGo) {
  PprofFile file = Program();
  file.Type("alloc_objects", "count").Type("alloc_space", "bytes");
  file.Type("inuse_objects", "count").Type("inuse_space", "bytes");
  file.Sample({1}, {10, 1000, 4, 400}).Sample({2, 1}, {1, 50, 0, 0});
  const auto profile = Import(file.Bytes());
  const profile::Profile& heap = profile.value();
  ASSERT_EQ(heap.memory_peaks.size(), 1u);
  EXPECT_EQ(heap.memory_peaks[0].parts[0].amount.bytes, 400u);
  EXPECT_EQ(heap.memory_survivors[0].parts[0].amount.blocks, 4u);
  uint64_t allocated = 0;
  for (const format::MemoryChange& change : heap.memory_changes)
    allocated += change.allocated.bytes;
  EXPECT_EQ(allocated, 1050u);
  EXPECT_EQ(heap.samples.size(), 0u);
}

TEST(Pprof, UnknownTypesAreTakenOrNamed) {
  PprofFile file = Program();
  file.Type("beans", "count").Type("frob", "milliseconds");
  file.Sample({1}, {3, 5});
  const auto profile = Import(file.Bytes());
  EXPECT_THAT(SampleTexts(profile.value()), ElementsAre("main (app.py:3) python 5000000 1"));
  EXPECT_THAT(FactTexts(profile.value()),
              Contains("note: time is what the file calls frob/milliseconds"));
  EXPECT_THAT(AmountTexts(profile.value()), ElementsAre("main (app.py:3) beans 3 count"));
}

TEST(Pprof, CountsKeepTheirNamesAndBecomeNoTime) {
  PprofFile file = Program();
  file.Type("contentions", "count").Type("goroutines", "goroutines").Type("cpu", "beans");
  file.Sample({1}, {3, 5, 7});
  const auto profile = Import(file.Bytes());
  EXPECT_THAT(SampleTexts(profile.value()), IsEmpty());
  EXPECT_THAT(AmountTexts(profile.value()), ElementsAre("main (app.py:3) contentions 3 count",
                                                        "main (app.py:3) goroutines 5 goroutines",
                                                        "main (app.py:3) cpu/beans 7 beans"));
}

TEST(Pprof, ThreadsAndProcesses) {
  PprofFile file = Program();
  file.Type("cpu", "nanoseconds");
  file.Sample({1}, {1},
              {{"process", "app"}, {"pid", "", 12}, {"thread", "worker"}, {"tid", "", 13}});
  file.Sample({1}, {2}, {{"thread_name", "other"}, {"span", "x"}});
  file.Sample({1}, {3}, {{"thread_id", "77"}});
  const auto profile = Import(file.Bytes());
  const auto& threads = profile.value().threads;
  ASSERT_EQ(threads.size(), 3u);
  EXPECT_EQ(threads[0].info.tid, 13u);
  EXPECT_EQ(threads[0].info.name, "worker");
  EXPECT_EQ(threads[1].info.name, "other");
  EXPECT_EQ(threads[2].info.tid, 77u);
  EXPECT_EQ(profile.value().processes[0].info.pid, 12u);
  EXPECT_THAT(profile.value().processes[0].info.argv, ElementsAre("app"));
  EXPECT_THAT(FactTexts(profile.value()), Contains("note: labels that are left out: span"));
}

TEST(Pprof, InlinedCallsAreFrames) {
  PprofFile file = Program();
  file.Type("cpu", "nanoseconds").Function(4, "inlined", "lib.c");
  file.Location(4, {{4, 9}, {3, 1}}, 1).Sample({4, 1}, {5});
  EXPECT_THAT(
      SampleTexts(Import(file.Bytes()).value()),
      ElementsAre("main (app.py:3);memcpy [/lib/libc.so.6];inlined [/lib/libc.so.6] native 5 1"));
}

TEST(Pprof, WhatIsMissingIsCounted) {
  PprofFile file = Program();
  file.Type("cpu", "nanoseconds").Location(7, {{99, 1}}, 42, 0xbeef).Location(1, {{2, 1}});
  file.Sample({7, 1}, {5}).Sample({8}, {6}).Sample({1}, {1, 2}).Sample({1}, {-4});
  const auto profile = Import(file.Bytes());
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:3);0xbeef [] native 5 1", " native 6 1"));
  EXPECT_THAT(LossTexts(profile.value()),
              ElementsAre("functions that are missing: 1", "locations that are missing: 1",
                          "locations without an id of their own: 1", "mappings that are missing: 1",
                          "samples without a value of each type: 1", "values below zero: 1"));
}

TEST(Pprof, TooManyTypesAreRefused) {
  PprofFile file = Program();
  for (int i = 0; i < 1000; ++i) file.Type("cpu", "nanoseconds");
  EXPECT_FALSE(Import(file.Bytes()).ok());
}

TEST(Pprof, KernelByItsMapping) {
  PprofFile file = Program();
  file.Type("cpu", "nanoseconds").Mapping(2, "[kernel.kallsyms]").Function(5, "do_read", "");
  file.Location(5, {{5, 0}}, 2).Sample({5, 1}, {5});
  EXPECT_THAT(SampleTexts(Import(file.Bytes()).value()),
              ElementsAre("main (app.py:3);do_read [[kernel.kallsyms]] kernel 5 1"));
}

TEST(Pprof, DeepStacksLoseTheirMiddle) {
  PprofFile file = Program();
  file.Type("cpu", "nanoseconds");
  std::vector<uint64_t> path(1'000'000, 2);
  path.back() = 1;
  file.Sample(path, {5}).Sample({2, 1}, {1});
  const auto profile = Import(file.Bytes());
  EXPECT_EQ(profile.value().stacks.size(), 1 + ProfileMaker::kMaxDepth);
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("stacks with more than 2000 frames: 1"));
}

TEST(Pprof, OtherFilesAreNotTakenForIt) {
  for (const std::string_view text : {"hello", "\x0a\x02\x0a\x00", "\x0a\x04\x40\x01\x50\x02"})
    EXPECT_FALSE(RecognisesPprof(text, true)) << text;
  std::string bytes = Program().Type("cpu", "nanoseconds").Bytes();
  EXPECT_TRUE(RecognisesPprof(bytes, true));
  bytes.pop_back();
  EXPECT_FALSE(RecognisesPprof(bytes, true));
  EXPECT_TRUE(RecognisesPprof(bytes, false));
}

TEST(Pprof, WhateverIsBroken) {
  PprofFile file = Program();
  file.Type("samples", "count").Type("cpu", "nanoseconds").Type("space", "bytes");
  file.Number(9, 1'700'000'000'000'000'000).Number(10, 1'000'000'000).Number(13, file.Text("tool"));
  file.Sample({3, 2, 1}, {1, 2, 3}, {{"thread", "w"}, {"pid", "", 4}}).Sample({1}, {1, 1, 1});
  ExpectSoundWhenDamaged(file.Bytes(), "pprof");
}

}  // namespace
}  // namespace pyrometer::import_
