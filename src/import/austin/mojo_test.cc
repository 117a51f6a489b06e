// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/austin/austin.h"
#include "import/testing/damaged.h"
#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ExpectSoundWhenDamaged;
using testing::FactTexts;
using testing::Import;
using ::testing::IsEmpty;
using testing::LossTexts;
using testing::SampleTexts;

// Writes events of a MOJO file.
class MojoFile {
 public:
  explicit MojoFile(int version) : version_(version) {
    bytes_ = "MOJ";
    Number(version);
  }

  MojoFile& Metadata(const char* key, const char* value) { return Event(1).Text(key).Text(value); }
  MojoFile& Stack(int64_t pid, const char* tid) {
    Event(2).Number(pid);
    if (version_ >= 3) Number(0);
    return Text(tid);
  }
  MojoFile& String(int64_t key, const char* text) { return Event(11).Number(key).Text(text); }
  MojoFile& Frame(int64_t key, int64_t file, int64_t name, int64_t line) {
    Event(3).Number(key).Number(file).Number(name).Number(line);
    for (int i = 0; version_ >= 2 && i < 3; ++i) Number(1);
    return *this;
  }
  MojoFile& Reference(int64_t key) { return Event(5).Number(key); }
  MojoFile& Kernel(const char* name) { return Event(6).Text(name); }
  MojoFile& Time(int64_t us) { return Event(9).Number(us); }
  MojoFile& Memory(int64_t bytes) { return Event(10).Number(bytes); }

  MojoFile& Event(uint8_t event) {
    bytes_ += static_cast<char>(event);
    return *this;
  }
  MojoFile& Number(int64_t number) {
    auto left = static_cast<uint64_t>(number < 0 ? -number : number);
    uint64_t byte = (left & 0x3f) | (number < 0 ? 0x40 : 0);
    left >>= 6;
    for (; left != 0; left >>= 7) {
      bytes_ += static_cast<char>(byte | 0x80);
      byte = left & 0x7f;
    }
    bytes_ += static_cast<char>(byte);
    return *this;
  }
  MojoFile& Text(const char* text) {
    bytes_.append(text).push_back('\0');
    return *this;
  }
  const std::string& Bytes() const { return bytes_; }

 private:
  int version_;
  std::string bytes_;
};

// A stack of two frames, with what they refer to.
MojoFile& Begin(MojoFile& file) {
  file.Metadata("austin", "3.7.0").Metadata("interval", "100").Metadata("mode", "cpu");
  file.Stack(300, "1f").String(700, "app.py").String(800, "main").String(801, "work");
  return file.Frame(5, 700, 800, 3).Frame(6, 700, 801, 1000);
}

TEST(Mojo, FramesAreDefinedThenReferredTo) {
  for (const int version : {1, 2, 3}) {
    MojoFile file(version);
    Begin(file).Reference(5).Reference(6).Kernel("do_read").Time(1'000'000);
    file.Stack(300, "20").Reference(5).Event(7).Time(2);
    const auto profile = Import(file.Bytes());
    ASSERT_TRUE(profile.ok()) << profile.error().message;
    EXPECT_THAT(SampleTexts(profile.value()),
                ElementsAre("main (app.py:3);work (app.py:1000);do_read [] kernel 1000000000 1",
                            "main (app.py:3);<garbage collection> [] native 2000 1"));
    EXPECT_EQ(profile.value().threads[0].info.tid, 31u);
    EXPECT_EQ(profile.value().threads[1].info.tid, 32u);
    EXPECT_THAT(LossTexts(profile.value()), IsEmpty());
  }
}

TEST(Mojo, AllMetrics) {
  MojoFile file(3);
  Begin(file).Reference(5).Time(10).Event(8).Memory(4096);
  file.Stack(300, "1f").Reference(5).Time(20).Memory(-4096);
  const auto profile = Import(file.Bytes());
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:3) other 10000 1", "main (app.py:3) python 20000 1"));
  EXPECT_EQ(profile.value().memory_changes[0].allocated.bytes, 4096u);
}

TEST(Mojo, NamesAreOfAProcess) {
  MojoFile file(3);
  Begin(file).Reference(5).Time(1);
  file.Stack(301, "1f").String(700, "b.py").String(800, "run").Frame(5, 700, 800, 9);
  file.Reference(5).Time(2).Stack(302, "1f").Reference(5).Time(3);
  const auto profile = Import(file.Bytes());
  EXPECT_THAT(
      SampleTexts(profile.value()),
      ElementsAre("main (app.py:3) python 1000 1", "run (b.py:9) python 2000 1", " native 3000 1"));
  EXPECT_THAT(LossTexts(profile.value()), ElementsAre("frames that are missing: 1"));
}

TEST(Mojo, TheSameStackAgain) {
  MojoFile file(4);
  Begin(file).Reference(5).Reference(6).Time(1);
  file.Event(14).Number(9).Number(800).Reference(5);  // a task that waits
  file.Stack(300, "1f").Event(13).Time(2);
  const auto profile = Import(file.Bytes());
  EXPECT_THAT(SampleTexts(profile.value()),
              ElementsAre("main (app.py:3);work (app.py:1000) python 1000 1",
                          "main (app.py:3);work (app.py:1000) python 2000 1"));
  EXPECT_THAT(FactTexts(profile.value()), Contains("note: stacks of tasks that wait are left out"));
}

TEST(Mojo, OtherVersionsAreRefused) {
  EXPECT_FALSE(Import("MOJ\x05", "mojo").ok());
  EXPECT_FALSE(RecognisesMojo("MOJ", true));
  EXPECT_FALSE(RecognisesMojo("MOJ;x 1\n", true));
}

TEST(Mojo, WhateverIsBroken) {
  MojoFile file(4);
  Begin(file).Reference(5).Reference(6).Time(100'000).Event(8).Memory(-70'000);
  file.Stack(300, "1f").Event(13).Kernel("k").Time(2);
  ExpectSoundWhenDamaged(file.Bytes(), "mojo");
}

}  // namespace
}  // namespace pyrometer::import_
