// SPDX-License-Identifier: Apache-2.0
#include "agent/doors/recording.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "agent/engines/fake_engine.h"
#include "base/scoped_fd.h"
#include "gtest/gtest.h"
#include "transport/ring.h"

extern "C" int pyrometer_control(int command);

// This program is one that the agent is in: its hooks stand before malloc, memcpy,
// pthread_create and all the rest, from the first instruction on.
namespace pyrometer::agent {
namespace {

namespace fs = std::filesystem;

constexpr Moment kLate{.before_main = false, .chooses_allocators = false};

size_t LinesOf(const char* path, const char* prefix = "") {
  std::ifstream file(path);
  size_t lines = 0;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(prefix)) ++lines;
  return lines;
}

size_t Timers() { return LinesOf("/proc/self/timers", "ID:"); }

size_t Descriptors() {
  const fs::directory_iterator files("/proc/self/fd");
  return static_cast<size_t>(std::distance(fs::begin(files), fs::end(files)));
}

size_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t pages = 0;
  file >> pages >> pages;
  return pages * 4096;
}

// What a program does: the answer is the same whoever looks on.
uint64_t Work() {
  uint64_t sum = 0;
  std::vector<std::vector<uint64_t>> kept;
  for (uint64_t i = 0; i < 20; ++i) {
    kept.emplace_back(5000 + i, i);
    for (const uint64_t value : kept.back()) sum += value * value % 7;
    if (kept.size() > 8) kept.erase(kept.begin());
  }
  return sum;
}

// Has begun, and waits for its end.
class WaitingThread {
 public:
  WaitingThread() { begun_.get_future().wait(); }
  ~WaitingThread() {
    end_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> begun_, end_;
  std::thread thread_{[this] {
    begun_.set_value();
    end_.get_future().wait();
  }};
};

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    char folder[] = "/tmp/pyrometer_recording_XXXXXX";
    folder_ = mkdtemp(folder);
    // There is a collector.
    lock_ = base::ScopedFd(
        open((folder_ + "/" + base::kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    flock(lock_.get(), LOCK_EX);
    std::strcpy(options_.session, folder_.c_str());
    static const bool kPrepared = (Prepare(options_), true);
    EXPECT_TRUE(kPrepared);
    TakeTold();
  }
  ~RecordingTest() override {
    EXPECT_TRUE(Stop());
    fs::remove_all(folder_);
  }

  // The headers of all rings of the session, which are then removed.
  std::vector<std::unique_ptr<transport::RingHeader>> TakeRings() {
    std::vector<std::unique_ptr<transport::RingHeader>> rings;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() != base::kRingSuffix) continue;
      rings.push_back(std::make_unique<transport::RingHeader>());
      std::ifstream file(entry.path(), std::ios::binary);
      file.read(reinterpret_cast<char*>(rings.back().get()), sizeof(transport::RingHeader));
      fs::remove(entry.path());
    }
    return rings;
  }

  base::RecordOptions options_;

 private:
  std::string folder_;
  base::ScopedFd lock_;
};

TEST_F(RecordingTest, EnginesAreToldInOrder) {
  ASSERT_TRUE(Start(options_, kLate));
  EXPECT_EQ(TakeTold(), "describe thread_start start");
  std::thread(Work).join();
  EXPECT_EQ(TakeTold(), "thread_start thread_end");
  pyrometer_control(2);
  EXPECT_EQ(TakeTold(), "pause");
  pyrometer_control(1);
  EXPECT_EQ(TakeTold(), "resume");
  ASSERT_TRUE(Stop());
  EXPECT_EQ(TakeTold(), "stop thread_end");
}

TEST_F(RecordingTest, ThreadsThatAreThereAlreadyAreToldBeforeTheStart) {
  auto waits = std::make_unique<WaitingThread>();
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(Start(options_, kLate));
    EXPECT_EQ(TakeTold(), "describe thread_start thread_start start");
    EXPECT_EQ(Timers(), 2);
    ASSERT_TRUE(Stop());
    EXPECT_EQ(TakeTold(), "stop thread_end thread_end");
    EXPECT_EQ(Timers(), 0);
  }
  waits.reset();
  EXPECT_EQ(TakeTold(), "");
}

TEST_F(RecordingTest, BeginsPaused) {
  options_.off = true;
  ASSERT_TRUE(Start(options_, kLate));
  EXPECT_EQ(TakeTold(), "describe thread_start start pause");
}

TEST_F(RecordingTest, AForkedChildIsARecordingOfItsOwn) {
  const uint64_t expected = Work();
  for (const bool children : {true, false}) {
    options_.children = children;
    ASSERT_TRUE(Start(options_, kLate));
    const auto waits = std::make_unique<WaitingThread>();
    TakeTold();
    const pid_t child = fork();
    if (child == 0) {
      const bool as_told =
          TakeTold() == (children ? "describe fork_child thread_goes_on" : "fork_child_off");
      const bool timed = Timers() == (children ? 1 : 0);
      const bool right = Work() == expected;
      const bool ended = Stop() && Timers() == 0;
      const bool again = Start(options_, kLate) && Timers() == 1 && Stop() && Timers() == 0;
      _exit(as_told && timed && right && ended && again ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "children: " << children;
    EXPECT_EQ(TakeTold(), "");
    ASSERT_TRUE(Stop());
  }
}

TEST_F(RecordingTest, IsNotBegunTwiceAndMayBeEndedTwice) {
  EXPECT_TRUE(Stop());
  ASSERT_TRUE(Start(options_, kLate));
  EXPECT_FALSE(Start(options_, kLate));
  EXPECT_TRUE(Stop());
  EXPECT_TRUE(Stop());
  EXPECT_EQ(pyrometer_control(0), 0);
}

TEST_F(RecordingTest, WithoutACollectorThereIsNone) {
  std::strcat(options_.session, "/not_there");
  EXPECT_FALSE(Start(options_, kLate));
  EXPECT_EQ(TakeTold(), "");
}

// What is left must not depend on how often.
struct Traces {
  size_t timers, descriptors, maps, resident_bytes;
};
Traces TracesOfNow() {
  return {Timers(), Descriptors(), LinesOf("/proc/self/maps"), ResidentBytes()};
}

TEST_F(RecordingTest, LeavesNothingBehindHoweverOften) {
  constexpr int kRounds = 1000, kWarmUp = 100;
  const uint64_t expected = Work();
  std::promise<void> end;
  std::shared_future<void> ended = end.get_future().share();
  // Is there all the time, and works in some rounds while they begin and end.
  std::atomic<uint64_t> wrong{0};
  std::thread stays([&] {
    while (ended.wait_for(std::chrono::milliseconds(2)) != std::future_status::ready)
      if (Work() != expected) ++wrong;
  });
  uint64_t signals = 0, samples = 0, memory_samples = 0;
  Traces before{};
  for (int round = 0; round < kRounds; ++round) {
    if (round == kWarmUp) before = TracesOfNow();
    const auto work = [&] { wrong += Work() != expected; };
    std::thread older(work);  // than the recording
    ASSERT_TRUE(Start(options_, kLate)) << round;
    std::thread inside(work);
    std::thread outlives(work);
    inside.join();
    older.join();
    ASSERT_TRUE(Stop()) << round;
    outlives.join();
    const auto rings = TakeRings();
    ASSERT_EQ(rings.size(), 1);
    EXPECT_EQ(rings[0]->recording.load(), transport::RecordingState::kStopped);
    signals += rings[0]->counters.signals;
    samples += rings[0]->counters.samples;
    memory_samples += rings[0]->counters.memory_samples;
    TakeTold();
  }
  const Traces after = TracesOfNow();
  end.set_value();
  stays.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(signals, 0);
  EXPECT_GT(samples, 0);
  EXPECT_GT(memory_samples, kRounds);
  EXPECT_EQ(before.timers, 0);
  EXPECT_EQ(after.timers, 0);
  EXPECT_EQ(after.descriptors, before.descriptors);
  // Stacks and arenas of the C library come and go by twos and threes.
  EXPECT_LE(after.maps, before.maps + 12);
  EXPECT_LE(after.resident_bytes, before.resident_bytes + (size_t{4} << 20));
}

}  // namespace
}  // namespace pyrometer::agent
