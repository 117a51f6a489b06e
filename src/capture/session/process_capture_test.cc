// SPDX-License-Identifier: Apache-2.0
// A process that has an agent, with all probes.
#include "capture/core/process_capture.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "capture/probes/all_probes.h"
#include "capture/targets/ring_target.h"
#include "format/capture_reader.h"
#include "format/memory_sink.h"
#include "format/testing/text_dump.h"
#include "transport/ring_writer.h"

namespace pyrometer::capture {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using transport::RecordType;

// A ring that an agent in this very process could have made, at time 0 of the run.
class MadeRing {
 public:
  MadeRing() : path_(::testing::TempDir() + "process_capture_test." + std::to_string(getpid())) {
    const base::ScopedFd fd(open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    EXPECT_EQ(ftruncate(fd.get(), kBytes), 0);
    map_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    auto* header = static_cast<transport::RingHeader*>(map_);
    header->version = transport::kRingVersion;
    header->pid = static_cast<uint32_t>(getpid());
    header->ring_bytes = kRingBytes;
    header->state = transport::ProcessState::kActive;
    header->layout = *cpython::FindLayout(0x030c00f0);
    header->magic = transport::kRingMagic;
    writer_ = transport::RingWriter(header, static_cast<uint8_t*>(map_) + transport::kHeaderBytes);
  }
  ~MadeRing() {
    munmap(map_, kBytes);
    unlink(path_.c_str());
  }

  const std::string& path() const { return path_; }
  transport::RingHeader& header() { return *writer_.header(); }

  template <class Record>
  void Write(RecordType type, const Record& record,
             const std::vector<transport::StackFrame>& frames = {}) {
    const size_t more = frames.size() * sizeof(transport::StackFrame);
    const uint32_t bytes = transport::RingWriter::Aligned(sizeof record + more);
    uint8_t* out = writer_.Reserve(bytes);
    ASSERT_NE(out, nullptr);
    transport::RingWriter::Fill(out, record);
    if (more != 0) std::memcpy(out + sizeof record, frames.data(), more);
    transport::RingWriter::Commit(out, bytes, type);
  }

 private:
  static constexpr size_t kRingBytes = 65536;
  static constexpr size_t kBytes = transport::kHeaderBytes + kRingBytes;

  std::string path_;
  void* map_;
  transport::RingWriter writer_;
};

class ProcessCaptureTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kTid = 1;

  // Takes over what is in the ring, and ends the process 1 s after its start.
  std::vector<std::string> Capture(const base::RecordOptions& options, const char* kind) {
    format::MemorySink sink;
    format::CaptureWriter writer(sink, {});
    StackTable stacks(writer);
    auto ring = RingMapping::Open(ring_.path());
    EXPECT_TRUE(ring.has_value());
    ProcessCapture process(std::make_unique<RingTarget>(std::move(*ring)), make_probes_, options,
                           {}, stacks, writer);
    process.End(1'000'000'000, nullptr);
    EXPECT_TRUE(writer.Flush().ok());
    dump_ = {};
    EXPECT_EQ(format::CaptureReader::Read(sink.bytes(), dump_).records_invalid, 0u);
    return dump_.LinesOf(kind);
  }

  void StartThread() {
    transport::ThreadStart start{};
    start.tid = kTid;
    start.is_main = 1;
    ring_.Write(RecordType::kThreadStart, start);
  }
  // Stacks are told apart by their depth: `shared` frames as before and `more`.
  void Sample(uint32_t shared, uint32_t more) {
    transport::SampleRecord sample{};
    sample.tid = kTid;
    sample.cpu_ns = 1;
    sample.shared = shared;
    sample.frames = more;
    ring_.Write(RecordType::kSample, sample, Frames(more));
  }
  void Allocate(uint64_t address, uint32_t shared, uint32_t more, uint32_t seen = 0) {
    transport::MemorySample sample{};
    sample.tid = kTid;
    sample.kind = transport::MemoryKind::kNative;
    sample.address = address;
    sample.bytes = 100;
    sample.seen = seen;
    sample.shared = shared;
    sample.frames = more;
    ring_.Write(RecordType::kMemorySample, sample, Frames(more));
  }
  // On the stack that the request before had which said `seen`.
  void AllocateAgain(uint64_t address, uint32_t seen) {
    transport::MemoryAgain again{};
    again.tid = kTid;
    again.kind = transport::MemoryKind::kNative;
    again.address = address;
    again.bytes = 10;
    again.seen = seen;
    ring_.Write(RecordType::kMemoryAgain, again);
  }
  void Free(uint64_t address) {
    transport::MemoryFree free{};
    free.kind = transport::MemoryKind::kNative;
    free.address = address;
    ring_.Write(RecordType::kMemoryFree, free);
  }

  MadeRing ring_;
  ProbeMaker make_probes_ = MakeAllProbes;
  format::testing::TextDump dump_;

 private:
  static std::vector<transport::StackFrame> Frames(uint32_t count) {
    return std::vector<transport::StackFrame>(count, {1, transport::StackFrame::kOmitted, 0});
  }
};

TEST_F(ProcessCaptureTest, SamplesOfTimeAndMemoryShareTheStackOfTheirThread) {
  StartThread();
  Sample(0, 3);
  Allocate(0x10, 2, 0);
  Allocate(0x20, 2, 2);
  Sample(1, 0);
  Free(0x10);
  EXPECT_THAT(Capture({}, "memory_change"),
              ElementsAre("memory_change time=1000000000 thread=0 stack=2 kind=1 "
                          "allocated=100/1/1/0 freed=100/1/1/0 high=100",
                          "memory_change time=1000000000 thread=0 stack=4 kind=1 "
                          "allocated=100/1/1/0 freed=0/0/0/0 high=100"));
  EXPECT_THAT(dump_.LinesOf("sample"), Contains(HasSubstr("stack=3 activity=1")));
  EXPECT_THAT(dump_.LinesOf("sample"), Contains(HasSubstr("stack=1 activity=1")));
  EXPECT_THAT(dump_.LinesOf("memory_survivors"),
              ElementsAre("memory_survivors process=0 time=1000000000 parts=[0:4:1:0=100/1/1/0]"));
  EXPECT_THAT(dump_.LinesOf("memory_level"), SizeIs(1));
}

// As when a library is unloaded and another one is mapped there.
TEST_F(ProcessCaptureTest, TheSameAddressIsOtherCodeWhenItsModuleIsAnother) {
  const auto load = [this](uint64_t bias) {
    transport::ModuleRecord module{};
    module.bias = bias;
    ring_.Write(RecordType::kModule, module);
  };
  const auto sample = [this] {
    transport::SampleRecord record{};
    record.tid = kTid;
    record.flags = transport::kFullStack;
    record.frames = 1;
    ring_.Write(RecordType::kSample, record, {{0x5000, transport::StackFrame::kNative, 0}});
  };
  StartThread();
  load(0x1000);
  sample();
  sample();
  load(0x2000);
  sample();
  EXPECT_THAT(Capture({}, "sample"),
              ElementsAre(HasSubstr("stack=1 "), HasSubstr("stack=1 "), HasSubstr("stack=2 ")));
}

TEST_F(ProcessCaptureTest, WhatTheProgramBeforeAnExecHasUsedIsNotCountedAgain) {
  transport::ThreadStart start{};
  start.tid = kTid;
  start.is_main = 1;
  start.cpu_ns = 5'000'000'000;
  ring_.Write(RecordType::kThreadStart, start);
  transport::SampleRecord sample{};
  sample.tid = kTid;
  sample.flags = transport::kFullStack;
  sample.cpu_ns = 5'010'000'000;
  ring_.Write(RecordType::kSample, sample);
  transport::ThreadEnd end{};
  end.tid = kTid;
  end.cpu_ns = 5'020'000'000;
  ring_.Write(RecordType::kThreadEnd, end);
  EXPECT_THAT(Capture({}, "sample"), Contains(HasSubstr("weight=20000000 ")));
  EXPECT_THAT(dump_.LinesOf("thread_end"), ElementsAre(HasSubstr("cpu=20000000 ")));
}

// A thread with samples at these times of its CPU clock, and its end.
class WeightTest : public ProcessCaptureTest {
 protected:
  std::vector<std::string> Weights(const std::vector<uint64_t>& samples_ns, uint64_t end_ns) {
    ring_.header().first_sample_ns = 4'000'000;
    StartThread();
    for (const uint64_t cpu_ns : samples_ns) {
      transport::SampleRecord sample{};
      sample.tid = kTid;
      sample.flags = transport::kFullStack;
      sample.cpu_ns = cpu_ns;
      sample.time_ns = cpu_ns;
      ring_.Write(RecordType::kSample, sample);
    }
    transport::ThreadEnd end{};
    end.tid = kTid;
    end.time_ns = end.cpu_ns = end_ns;
    ring_.Write(RecordType::kThreadEnd, end);
    base::RecordOptions options;
    options.clock = base::Clock::kTimer;
    return Capture(options, "sample");
  }
};

TEST_F(WeightTest, AllTogetherAreTheClockOfTheThread) {
  EXPECT_THAT(Weights({1'000'000, 6'000'000, 9'000'000}, 12'500'000),
              ElementsAre(HasSubstr("weight=4166667 "), HasSubstr("weight=5208333 "),
                          HasSubstr("weight=3125000 ")));
}

TEST_F(WeightTest, TheOnlyOneOfAThreadThatLastedAPeriodIsAllOfIt) {
  EXPECT_THAT(Weights({3'000'000}, 5'000'000), ElementsAre(HasSubstr("weight=5000000 ")));
}

TEST_F(WeightTest, TheOnlyOneOfAShorterThreadStandsForThoseThatHadNone) {
  // A period, and an eighth of what the thread itself has used less.
  EXPECT_THAT(Weights({500'000}, 1'000'000), ElementsAre(HasSubstr("weight=3625000 ")));
}

TEST_F(WeightTest, TimeWithoutRecordingCountsForNobody) {
  ring_.header().recording = transport::RecordingState::kPaused;
  EXPECT_THAT(Weights({500'000}, 9'000'000), ElementsAre(HasSubstr("weight=500000 ")));
}

TEST_F(ProcessCaptureTest, AThreadThatTellsAgainThatItIsThereIsTheSame) {
  transport::ThreadStart start{};
  start.tid = kTid;
  start.time_ns = 100'000'000;
  ring_.Write(RecordType::kThreadStart, start);
  start.pthread = 0x7000;
  ring_.Write(RecordType::kThreadStart, start);
  start.time_ns = 200'000'000;  // another, with its number
  ring_.Write(RecordType::kThreadStart, start);
  EXPECT_THAT(Capture({}, "thread"), ElementsAre(HasSubstr("start=100"), HasSubstr("start=200")));
}

// Nobody can have polled it: it was gone before its ring was read.
TEST_F(ProcessCaptureTest, AThreadThatIsTooShortToBeSeenHasWaitedAllTheSame) {
  transport::ThreadStart start{};
  start.tid = kTid;
  start.time_ns = 100'000'000;
  start.cpu_ns = 10'000;
  ring_.Write(RecordType::kThreadStart, start);
  transport::ThreadEnd end{};
  end.tid = kTid;
  end.time_ns = 108'000'000;
  end.cpu_ns = 510'000;
  ring_.Write(RecordType::kThreadEnd, end);
  EXPECT_THAT(Capture({}, "sample"),
              ElementsAre(AllOf(HasSubstr("time=108000000 "), HasSubstr("activity=9 "),
                                HasSubstr("weight=7500000 "))));
}

TEST_F(ProcessCaptureTest, WithoutTimeThereAreNoSamplesOfIt) {
  StartThread();
  Sample(0, 3);
  Allocate(0x10, 3, 1);
  base::RecordOptions options;
  options.cpu = false;
  EXPECT_THAT(Capture(options, "sample"), IsEmpty());
  EXPECT_THAT(dump_.LinesOf("memory_change"), ElementsAre(HasSubstr("stack=4")));
  EXPECT_THAT(dump_.LinesOf("process"), ElementsAre(HasSubstr("clock='' period=0")));
}

TEST_F(ProcessCaptureTest, WithoutMemoryThereIsNothingOfIt) {
  StartThread();
  Allocate(0x10, 0, 1);
  Sample(1, 1);
  base::RecordOptions options;
  options.memory = false;
  EXPECT_THAT(Capture(options, "sample"), Contains(HasSubstr("stack=2 activity=1")));
  for (const char* kind : {"memory_change", "memory_peak", "memory_survivors", "memory_level"})
    EXPECT_THAT(dump_.LinesOf(kind), IsEmpty());
}

TEST_F(ProcessCaptureTest, RequestsNameStacksThatWereSeen) {
  StartThread();
  Allocate(0x1000, 0, 1, 1);
  Allocate(0x2000, 1, 1, 2);
  Sample(2, 1);
  AllocateAgain(0x3000, 1);
  Allocate(0x4000, 3, 1, 2);
  AllocateAgain(0x5000, 2);
  EXPECT_THAT(
      Capture({}, "memory_survivors"),
      ElementsAre(HasSubstr("parts=[0:1:1:0=110/2/2/0 0:2:1:0=100/1/1/0 0:4:1:0=110/2/2/0]")));
}

TEST_F(ProcessCaptureTest, DamagedRecordsAreCounted) {
  StartThread();
  AllocateAgain(0x10, 0);
  AllocateAgain(0x10, 9);
  Allocate(0x10, 5, 0);                // shares what is not there
  transport::MemorySample stranger{};  // of a thread that nobody knows
  stranger.tid = 99;
  ring_.Write(RecordType::kMemorySample, stranger);
  transport::MemoryFree copied{};
  copied.kind = transport::MemoryKind::kCopied;
  ring_.Write(RecordType::kMemoryFree, copied);
  transport::GreenletRecord greenlets{};
  greenlets.tid = 99;
  ring_.Write(RecordType::kGreenlets, greenlets);
  EXPECT_THAT(Capture({}, "counter"), Contains("counter process=0 kind=0 'damaged_records' 6"));
}

TEST_F(ProcessCaptureTest, CostsLossesAndTheAllocatorAreTold) {
  transport::RingHeader& header = ring_.header();
  header.counters.memory_samples = 7;
  header.counters.memory_ns = 8;
  header.counters.blocks_refused = 9;
  header.counters.frees_lost = 10;
  std::memset(header.memory.allocator, 'x', sizeof header.memory.allocator);
  const auto lines = Capture({}, "counter");
  EXPECT_THAT(lines, Contains("counter process=0 kind=1 'memory_samples' 7"));
  EXPECT_THAT(lines, Contains("counter process=0 kind=1 'memory_sampling' 8"));
  EXPECT_THAT(lines, Contains(HasSubstr("'memory_samples_refused' 9")));
  EXPECT_THAT(lines, Contains(HasSubstr("'memory_frees_lost' 10")));
  EXPECT_THAT(lines, Contains("counter process=0 kind=2 'malloc_library: " + std::string(128, 'x') +
                              "' 1"));
}

// To record something else takes a class like this, and its place in the list.
class FreeCounter final : public Probe {
 public:
  std::vector<RecordType> Takes() const override { return {RecordType::kMemoryFree}; }
  bool OnRecord(const Record& /*record*/) override {
    ++frees_;
    return true;
  }
  void Report(Counters& counters) const override {
    counters.Count(metric::Counter::kMemoryUnmatched, frees_);
  }

 private:
  uint64_t frees_ = 0;
};

TEST_F(ProcessCaptureTest, AProbeThatIsAddedToTheListRecordsBesideTheOthers) {
  make_probes_ = [](const ProbeContext& context) {
    Probes probes = MakeAllProbes(context);
    probes.push_back(std::make_unique<FreeCounter>());
    return probes;
  };
  StartThread();
  Allocate(0x10, 0, 1);
  Allocate(0x20, 1, 0);
  Free(0x10);
  EXPECT_THAT(Capture({}, "counter"), Contains("counter process=0 kind=2 'memory_unmatched' 1"));
  EXPECT_THAT(dump_.LinesOf("memory_survivors"), ElementsAre(HasSubstr("=100/1/1/0]")));
}

TEST_F(ProcessCaptureTest, TheAllocatorOfTheSystemIsNotWorthAWord) {
  EXPECT_THAT(Capture({}, "counter"), Not(Contains(HasSubstr("malloc"))));
}

}  // namespace
}  // namespace pyrometer::capture
