// SPDX-License-Identifier: Apache-2.0
// What probe.h promises to probes, over a target that has no agent.
#include "capture/core/probe.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture/core/process_capture.h"
#include "format/capture_reader.h"
#include "format/memory_sink.h"
#include "format/testing/text_dump.h"

namespace pyrometer::capture {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using transport::RecordingState;
using transport::RecordType;

constexpr RunClock kClock{1'000};
constexpr format::Activity kAdded = format::Activity::kRunWait;  // no tick of the CPU's own

// Has the records that it was told.
class FakeTarget final : public Target {
 public:
  FakeTarget() : Target({.pid = getpid(), .layout = *cpython::FindLayout(0x030c00f0)}) {}

  RecordingState recording() const override { return recording_; }
  void SetRecording(RecordingState state) override { recording_ = state; }
  bool Drain(const Visit& visit) override {
    for (const auto& [type, bytes] : std::exchange(records_, {})) {
      if (type == RecordType::kNone) return false;
      visit(type, bytes);
    }
    return true;
  }

  template <class Record>
  void Tell(RecordType type, const Record& record, size_t frames = 0) {
    std::vector<uint8_t> bytes(sizeof record + frames * sizeof(transport::StackFrame));
    std::memcpy(bytes.data(), &record, sizeof record);
    records_.emplace_back(type, std::move(bytes));
  }
  // What comes behind makes no sense.
  void Break() { records_.emplace_back(RecordType::kNone, std::vector<uint8_t>()); }

 private:
  std::vector<std::pair<RecordType, std::vector<uint8_t>>> records_;
  RecordingState recording_ = RecordingState::kOn;
};

// What a RecordingProbe answers.
struct Answers {
  std::vector<RecordType> takes{RecordType::kSample};
  bool polls = true;
  bool accepts = true;
  bool adds = false;  // kAdded to samples
  ThreadExit of_thread{};
  uint64_t peak_rss_bytes = 0;
};

using Log = std::vector<std::string>;

// Writes down each call.
class RecordingProbe final : public Probe {
 public:
  RecordingProbe(std::string name, const Answers& answers, Log* log)
      : name_(std::move(name)), answers_(answers), log_(log) {}

  std::vector<RecordType> Takes() const override { return answers_.takes; }
  void ThreadStarted(const ThreadCapture& thread) override { Note("start {}", thread.tid); }
  void ThreadEnded(const ThreadCapture& thread, ThreadExit& exit) override {
    Note("end {} at {}, clock {}", thread.tid, exit.end_ns,
         exit.cpu_ns ? std::to_string(*exit.cpu_ns) : "unknown");
    exit.seen_cpu_ns = answers_.of_thread.seen_cpu_ns;
    exit.name = answers_.of_thread.name;
  }
  void OnSample(const ThreadCapture& thread, const transport::SampleRecord& /*record*/,
                format::Sample& sample) override {
    const bool was_added_to = sample.activity == kAdded;
    Note("sample {}{}", thread.tid, was_added_to ? ", added to" : "");
    if (answers_.adds) sample.activity = kAdded;
  }
  bool OnRecord(const Record& record) override {
    if (record.thread != nullptr)
      Note("record of {}, {} frames", record.thread->tid, record.thread->stack.frames.size());
    else
      Note("record of {} bytes", record.bytes.size());
    return answers_.accepts;
  }
  void Meet(uint64_t now_ns) override { Note("meet {}", now_ns); }
  bool Poll(uint64_t now_ns, PollBudget& /*budget*/) override {
    Note("poll {}", now_ns);
    return answers_.polls;
  }
  void Pause(uint64_t now_ns) override { Note("pause {}", now_ns); }
  void Resume(uint64_t now_ns) override { Note("resume {}", now_ns); }
  void Flush() override { Note("flush"); }
  void Checkpoint(uint64_t now_ns) override { Note("checkpoint {}", now_ns); }
  void End(uint64_t now_ns, format::ProcessEnd& end) override {
    Note("end {}", now_ns);
    end.peak_rss_bytes = answers_.peak_rss_bytes;
  }
  void Report(Counters& /*counters*/) const override { Note("report"); }

 private:
  template <class... Values>
  void Note(fmt::format_string<Values...> text, Values&&... values) const {
    log_->push_back(name_ + ": " + fmt::format(text, std::forward<Values>(values)...));
  }

  std::string name_;
  const Answers& answers_;
  Log* log_;
};

class ProbeTest : public ::testing::Test {
 protected:
  // A process with probes of these names.
  struct Process {
    FakeTarget* target;
    std::unique_ptr<ProcessCapture> capture;

    void StartThread(uint32_t tid) {
      transport::ThreadStart start{};
      start.tid = tid;
      target->Tell(RecordType::kThreadStart, start);
    }
    void EndThread(uint32_t tid, uint64_t at_ns, uint64_t cpu_ns) {
      transport::ThreadEnd end{};
      end.tid = tid;
      end.time_ns = kClock.start_ns + at_ns;
      end.cpu_ns = cpu_ns;
      target->Tell(RecordType::kThreadEnd, end);
    }
    void Sample(uint32_t tid) {
      transport::SampleRecord sample{};
      sample.tid = tid;
      target->Tell(RecordType::kSample, sample);
    }
    void Allocate(uint32_t tid, uint32_t frames) {
      transport::MemorySample sample{};
      sample.tid = tid;
      sample.frames = frames;
      target->Tell(RecordType::kMemorySample, sample, frames);
    }
    void Free() { target->Tell(RecordType::kMemoryFree, transport::MemoryFree{}); }
    void Round(uint64_t now_ns) {
      PollBudget budget;
      capture->Drain();
      capture->Meet(now_ns);
      capture->Poll(now_ns, budget);
    }
    void End(uint64_t now_ns) {
      const format::ProcessEnd end;
      capture->End(now_ns, &end);
    }
  };

  Process Begin(std::vector<std::string> names = {"a"}) {
    auto target = std::make_unique<FakeTarget>();
    FakeTarget* const told = target.get();
    const ProbeMaker make = [&](const ProbeContext&) {
      Probes probes;
      for (const std::string& name : names)
        probes.push_back(std::make_unique<RecordingProbe>(name, answers_[name], &log_));
      return probes;
    };
    return {told, std::make_unique<ProcessCapture>(std::move(target), make, base::RecordOptions{},
                                                   kClock, stacks_, writer_)};
  }
  Log TakeLog() { return std::exchange(log_, {}); }
  std::vector<std::string> Written(const char* kind) {
    EXPECT_TRUE(writer_.Flush().ok());
    format::testing::TextDump dump;
    EXPECT_EQ(format::CaptureReader::Read(sink_.bytes(), dump).records_invalid, 0u);
    return dump.LinesOf(kind);
  }

  std::map<std::string, Answers> answers_;
  Log log_;

 private:
  format::MemorySink sink_;
  format::CaptureWriter writer_{sink_, {}};
  StackTable stacks_{writer_};
};

TEST_F(ProbeTest, WhatIsOfAThreadComesBetweenItsStartAndItsEnd) {
  Process process = Begin();
  process.StartThread(1);
  process.Sample(1);
  process.EndThread(1, 7, 5);
  process.StartThread(1);  // another, with its number
  process.Round(10);
  EXPECT_THAT(TakeLog(), ElementsAre("a: start 1", "a: sample 1", "a: end 1 at 7, clock 5",
                                     "a: start 1", "a: meet 10", "a: poll 10"));
}

TEST_F(ProbeTest, PauseAndResumeComeInTurnBetweenRecordsAndPolls) {
  Process process = Begin();
  process.target->SetRecording(RecordingState::kPaused);
  process.StartThread(1);
  process.Round(10);
  process.Round(20);
  process.target->SetRecording(RecordingState::kOn);
  process.Round(30);
  process.target->SetRecording(RecordingState::kStopped);
  process.Round(40);
  EXPECT_THAT(TakeLog(), ElementsAre("a: start 1", "a: pause 10", "a: meet 10", "a: poll 10",
                                     "a: meet 20", "a: poll 20", "a: resume 30", "a: meet 30",
                                     "a: poll 30", "a: pause 40", "a: meet 40", "a: poll 40"));
}

TEST_F(ProbeTest, AProcessThatEndsBeforeItsRecordsWereReadIsDrainedFirst) {
  Process process = Begin();
  process.StartThread(1);
  process.Round(10);
  TakeLog();
  process.Sample(1);
  process.StartThread(2);
  process.End(20);
  EXPECT_THAT(TakeLog(), ElementsAre("a: sample 1", "a: start 2", "a: end 1 at 20, clock unknown",
                                     "a: end 2 at 20, clock unknown", "a: end 20", "a: report"));
}

TEST_F(ProbeTest, RecordsThatMakeNoSenseAreTheLastButNotTheEnd) {
  Process process = Begin();
  process.StartThread(1);
  process.target->Break();
  process.StartThread(2);
  process.Round(10);
  process.Sample(1);
  process.Round(20);
  process.End(30);
  EXPECT_THAT(TakeLog(),
              ElementsAre("a: start 1", "a: meet 10", "a: poll 10", "a: meet 20", "a: poll 20",
                          "a: end 1 at 30, clock unknown", "a: end 30", "a: report"));
}

TEST_F(ProbeTest, AProcessThatBecomesAnotherProgramHasProbesOfItsOwnThen) {
  Process before = Begin({"before"});
  before.StartThread(1);
  before.Round(10);
  Process after = Begin({"after"});
  after.StartThread(1);
  before.End(20);
  after.Round(30);
  EXPECT_THAT(TakeLog(),
              ElementsAre("before: start 1", "before: meet 10", "before: poll 10",
                          "before: end 1 at 20, clock unknown", "before: end 20", "before: report",
                          "after: start 1", "after: meet 30", "after: poll 30"));
  EXPECT_THAT(Written("thread_end"), SizeIs(1));
}

TEST_F(ProbeTest, EachCallComesToAllInTheOrderOfTheList) {
  Process process = Begin({"b", "a"});
  process.StartThread(1);
  process.Sample(1);
  process.Round(10);
  process.End(20);
  const Log calls{"start 1", "sample 1", "meet 10", "poll 10", "end 1 at 20, clock unknown",
                  "end 20",  "report"};
  Log expected;
  for (const std::string& call : calls)
    for (const char* name : {"b: ", "a: "}) expected.push_back(name + call);
  EXPECT_THAT(TakeLog(), ElementsAreArray(expected));
}

TEST_F(ProbeTest, WhoWasPutOffComesFirstInTheNextRound) {
  Process process = Begin({"a", "b"});
  answers_["b"].polls = false;
  process.Round(10);
  answers_["b"].polls = true;
  process.Round(20);
  process.Round(30);
  EXPECT_THAT(TakeLog(), ElementsAre("a: meet 10", "b: meet 10", "a: poll 10", "b: poll 10",
                                     "a: meet 20", "b: meet 20", "b: poll 20", "a: poll 20",
                                     "a: meet 30", "b: meet 30", "a: poll 30", "b: poll 30"));
}

TEST_F(ProbeTest, ACheckpointIsMadeWholeThenFlushedThenReported) {
  Process process = Begin({"a", "b"});
  process.capture->Checkpoint(10);
  EXPECT_THAT(TakeLog(), ElementsAre("a: checkpoint 10", "b: checkpoint 10", "a: flush", "b: flush",
                                     "a: report", "b: report"));
}

TEST_F(ProbeTest, ASampleIsAddedToBeforeItIsKept) {
  answers_["a"].adds = true;
  Process process = Begin({"a", "b"});
  process.StartThread(1);
  process.Sample(1);
  process.End(10);
  EXPECT_THAT(TakeLog(), Contains("b: sample 1, added to"));
  EXPECT_THAT(Written("sample"),
              ElementsAre(HasSubstr(fmt::format(" activity={} ", static_cast<int>(kAdded)))));
}

TEST_F(ProbeTest, RecordsGoToThoseThatTakeTheirType) {
  answers_["a"].takes = {RecordType::kMemoryFree};
  answers_["b"].takes = {RecordType::kMemorySample};
  Process process = Begin({"a", "b"});
  process.StartThread(1);
  process.Sample(1);
  process.Allocate(1, 2);
  process.Free();
  process.target->Tell(RecordType::kMemoryAgain, transport::MemoryAgain{});
  process.capture->Drain();
  EXPECT_THAT(TakeLog(),
              ElementsAre("a: start 1", "b: start 1", "b: record of 1, 2 frames",
                          fmt::format("a: record of {} bytes", sizeof(transport::MemoryFree))));
  process.End(10);
  EXPECT_THAT(Written("counter"), Not(Contains(HasSubstr("damaged"))));
}

TEST_F(ProbeTest, RecordsThatAProbeOrNobodyCanReadAreDamaged) {
  answers_["a"].takes = {RecordType::kMemoryFree};
  answers_["a"].accepts = false;
  Process process = Begin();
  process.Free();
  process.target->Tell(RecordType{transport::kRecordTypes}, transport::MemoryFree{});
  process.target->Tell(RecordType::kThreadStart, transport::RecordHeader{});
  process.End(10);
  EXPECT_THAT(Written("counter"), Contains(HasSubstr("'damaged_records' 3")));
}

TEST_F(ProbeTest, WhatAProbeKnowsOfTheEndOfAThreadIsWritten) {
  answers_["a"].of_thread.seen_cpu_ns = 40;
  answers_["a"].of_thread.name = "worker";
  Process process = Begin();
  process.StartThread(1);
  process.End(10);
  EXPECT_THAT(Written("thread_end"), ElementsAre(HasSubstr("cpu=40 name='worker'")));
}

TEST_F(ProbeTest, WhatAProbeKnowsOfTheEndOfTheProcessIsWritten) {
  answers_["a"].peak_rss_bytes = 4096;
  Process process = Begin();
  process.End(10);
  EXPECT_THAT(Written("process_end"), ElementsAre(HasSubstr("peak_rss=4096")));
}

}  // namespace
}  // namespace pyrometer::capture
