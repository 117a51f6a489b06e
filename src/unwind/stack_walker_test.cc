// SPDX-License-Identifier: Apache-2.0
#include "unwind/stack_walker.h"

#include <execinfo.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "unwind/loaded_modules.h"
#include "unwind/stack_shapes.h"

namespace pyrometer::unwind {
namespace {

// Reads this process through the kernel, which knows no red zones.
struct KernelReader {
  bool Read(uint64_t address, void* out, size_t size) const {
    iovec local{out, size};
    iovec remote{reinterpret_cast<void*>(address), size};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
  }
};

StackBounds OwnStack() {
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  const auto start = reinterpret_cast<uint64_t>(low);
  return {start, start + size};
}

// One walk from a signal handler beside glibc's backtrace at the same instant.
struct Comparison {
  std::array<NativeFrame, 256> frames;
  std::array<void*, 300> expected;
  size_t frame_count = 0;
  size_t expected_count = 0;
  WalkEnd end = WalkEnd::kFull;
};

Comparison g_last;
StackBounds g_stack;
RowCache g_cache;
std::atomic<int> g_samples = 0;
std::atomic<int> g_mismatches = 0;
Comparison g_first_mismatch;

// backtrace() also sees the handler and the trampoline; the rest is ours.
bool Agree(const Comparison& c) {
  if (c.end != WalkEnd::kRoot || c.frame_count > c.expected_count) return false;
  const size_t skipped = c.expected_count - c.frame_count;
  for (size_t i = 0; i < c.frame_count; ++i) {
    if (reinterpret_cast<uint64_t>(c.expected[skipped + i]) != c.frames[i].pc) return false;
  }
  return true;
}

void OnSignal(int, siginfo_t*, void* context) {
  const int saved_errno = errno;
  g_last.frame_count = WalkStack(LoadedModules(), KernelReader(), KernelReader(), g_cache,
                                 FromUcontext(*static_cast<const ucontext_t*>(context)), g_stack,
                                 g_last.frames, &g_last.end);
  g_last.expected_count = static_cast<size_t>(
      backtrace(g_last.expected.data(), static_cast<int>(g_last.expected.size())));
  ++g_samples;
  if (!Agree(g_last) && g_mismatches++ == 0) g_first_mismatch = g_last;
  errno = saved_errno;
}

void Interrupt() { raise(SIGUSR1); }

std::string Describe(const Comparison& c) {
  std::ostringstream out;
  out << "end " << static_cast<int>(c.end) << std::hex << "\n ours ";
  for (size_t i = 0; i < c.frame_count; ++i) out << ' ' << c.frames[i].pc;
  out << "\n glibc";
  for (size_t i = 0; i < c.expected_count; ++i) out << ' ' << c.expected[i];
  return out.str();
}

class StackWalkerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!LoadedModules::Available()) GTEST_SKIP() << "needs glibc 2.35 or later";
    g_stack = OwnStack();
    g_cache = {};
    g_samples = 0;
    g_mismatches = 0;
    void* warm_up[1];
    backtrace(warm_up, 1);  // loads libgcc, which must not happen in the handler
    struct sigaction action{};
    action.sa_sigaction = OnSignal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGUSR1, &action, nullptr);
  }
  void TearDown() override { signal(SIGUSR1, SIG_DFL); }

  // ThreadSanitizer calls handlers when it likes to, from a function of its own: whom the signal
  // has interrupted is then not on the stack.
#ifdef __SANITIZE_THREAD__
  static constexpr bool kInterrupts = false;
#else
  static constexpr bool kInterrupts = true;
#endif

  void ExpectAgreement(size_t least_frames) {
    EXPECT_EQ(g_samples, 1);
    EXPECT_TRUE(Agree(g_last)) << Describe(g_last);
    EXPECT_GE(g_last.frame_count, least_frames);
  }
};

TEST_F(StackWalkerTest, NestedCalls) {
  shapes::Nested(50, Interrupt);
  ExpectAgreement(52);
}

TEST_F(StackWalkerTest, VariableSizeFrame) {
  shapes::VariableSize(12345, Interrupt);
  ExpectAgreement(4);
}

TEST_F(StackWalkerTest, LargeFrame) {
  shapes::Large(Interrupt);
  ExpectAgreement(4);
}

TEST_F(StackWalkerTest, RealignedFrame) {
  shapes::Realigned(333, Interrupt);
  ExpectAgreement(4);
}

TEST_F(StackWalkerTest, CallbackFromTheCLibrary) {
  shapes::ThroughQsort(Interrupt);
  ExpectAgreement(5);
}

TEST_F(StackWalkerTest, CatchBlock) {
  shapes::AfterThrow(Interrupt);
  ExpectAgreement(4);
}

TEST_F(StackWalkerTest, HandlerOfTheProgram) {
  if (!kInterrupts) GTEST_SKIP() << "no signal interrupts anything";
  struct sigaction action{};
  action.sa_handler = [](int) { Interrupt(); };
  sigaction(SIGUSR2, &action, nullptr);
  raise(SIGUSR2);
  signal(SIGUSR2, SIG_DFL);
  ExpectAgreement(6);
}

TEST_F(StackWalkerTest, OtherThread) {
  std::thread([] {
    g_stack = OwnStack();
    shapes::Nested(3, Interrupt);
  }).join();
  ExpectAgreement(6);
}

TEST_F(StackWalkerTest, FramesAreNestedIntervals) {
  shapes::Nested(10, Interrupt);
  for (size_t i = 1; i < g_last.frame_count; ++i) {
    EXPECT_EQ(g_last.frames[i].sp, g_last.frames[i - 1].cfa);
    EXPECT_GT(g_last.frames[i].sp, g_last.frames[i - 1].sp);
  }
}

TEST_F(StackWalkerTest, RandomInstants) {
  if (!kInterrupts) GTEST_SKIP() << "no signal interrupts anything";
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  timer_t timer;
  ASSERT_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
  std::mt19937 random(99);
  // As long as a busy machine needs for enough of them.
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::steady_clock::now() - begin; };
  while (passed() < std::chrono::milliseconds(500) ||
         (g_samples <= 100 && passed() < std::chrono::seconds(60))) {
    // One shot: a slow handler must not be interrupted by its own timer.
    const itimerspec once{{0, 0}, {0, static_cast<long>(20'000 + random() % 200'000)}};
    timer_settime(timer, 0, &once, nullptr);
    shapes::Busy(3);
  }
  timer_delete(timer);
  EXPECT_GT(g_samples, 100);
  EXPECT_EQ(g_mismatches, 0) << "of " << g_samples << ", first: " << Describe(g_first_mismatch);
}

TEST_F(StackWalkerTest, OutputTooSmall) {
  shapes::Nested(10, Interrupt);
  Registers leaf{.ip = g_last.frames[0].pc, .sp = g_last.frames[0].sp};
  WalkEnd end;
  std::array<NativeFrame, 1> one;
  EXPECT_EQ(
      WalkStack(LoadedModules(), KernelReader(), KernelReader(), g_cache, leaf, g_stack, one, &end),
      1u);
  EXPECT_EQ(end, WalkEnd::kFull);
  EXPECT_EQ(
      WalkStack(LoadedModules(), KernelReader(), KernelReader(), g_cache, leaf, g_stack, {}, &end),
      0u);
}

// Walks over a made-up stack and modules, word by word.
class MadeUpStackTest : public testing::Test {
 protected:
  static constexpr uint64_t kStack = 0x7000;
  static constexpr uint64_t kModule = 0x100000;
  static constexpr uint64_t kGenerated = 0x900000;

  struct Finder {
    bool Find(uint64_t pc, Module* module) const {
      *module = {kModule, kModule + 0x1000, 0};
      return module->Contains(pc);
    }
  };
  struct Reader {
    const std::vector<uint64_t>& words;
    bool Read(uint64_t address, void* out, size_t size) const {
      if (address < kStack || address + size > kStack + words.size() * 8) return false;
      std::memcpy(out, reinterpret_cast<const char*>(words.data()) + (address - kStack), size);
      return true;
    }
  };

  // A row for the frame at `pc`: leaf pcs are looked up as they are, return
  // addresses one byte before.
  void Row(uint64_t pc, UnwindRow row) {
    row.ra_where = UnwindRow::Where::kAtCfa;
    row.ra_offset = -8;
    cache_.Put(pc, {row, pc, pc + 1});
  }
  static UnwindRow SpPlus(int32_t offset) {
    UnwindRow row{};
    row.kind = UnwindRow::Kind::kPlain;
    row.base = UnwindRow::Base::kSp;
    row.cfa_offset = offset;
    return row;
  }
  std::vector<uint64_t> Walk(Registers leaf) {
    std::array<NativeFrame, 32> frames;
    const StackBounds bounds{kStack, kStack + words_.size() * 8};
    const size_t count =
        WalkStack(Finder(), Reader{words_}, Reader{words_}, cache_, leaf, bounds, frames, &end_);
    std::vector<uint64_t> pcs;
    for (size_t i = 0; i < count; ++i) pcs.push_back(frames[i].pc);
    return pcs;
  }

  RowCache cache_{};
  std::vector<uint64_t> words_ = std::vector<uint64_t>(16);
  WalkEnd end_ = WalkEnd::kFull;
};

using testing::ElementsAre;

TEST_F(MadeUpStackTest, ZeroReturnAddressIsTheRoot) {
  Row(kModule, SpPlus(8));
  EXPECT_THAT(Walk({.ip = kModule, .sp = kStack}), ElementsAre(kModule));
  EXPECT_EQ(end_, WalkEnd::kRoot);
}

TEST_F(MadeUpStackTest, ReturnAddressesAreLookedUpOneByteBefore) {
  Row(kModule, SpPlus(8));
  words_[0] = kModule + 0x21;
  Row(kModule + 0x20, SpPlus(16));
  EXPECT_THAT(Walk({.ip = kModule, .sp = kStack}), ElementsAre(kModule, kModule + 0x21));
  EXPECT_EQ(end_, WalkEnd::kRoot);
}

TEST_F(MadeUpStackTest, SignalFramesMakeTheNextPcExact) {
  UnwindRow trampoline = SpPlus(8);
  trampoline.is_signal_frame = true;
  Row(kModule, trampoline);
  words_[0] = kModule + 0x20;
  Row(kModule + 0x20, SpPlus(16));
  EXPECT_THAT(Walk({.ip = kModule, .sp = kStack}), ElementsAre(kModule, kModule + 0x20));
  EXPECT_EQ(end_, WalkEnd::kRoot);
}

TEST_F(MadeUpStackTest, CfaOutsideTheStackEnds) {
  Row(kModule, SpPlus(8 * 17));
  EXPECT_THAT(Walk({.ip = kModule, .sp = kStack}), ElementsAre(kModule));
  EXPECT_EQ(end_, WalkEnd::kBadStack);
}

TEST_F(MadeUpStackTest, CfaThatDoesNotRiseEnds) {
  Row(kModule, SpPlus(8));
  words_[0] = kModule + 1;  // called from itself, with a frame of no size
  Row(kModule, SpPlus(0));
  EXPECT_THAT(Walk({.ip = kModule, .sp = kStack + 8}), ElementsAre(kModule, kModule + 1));
  EXPECT_EQ(end_, WalkEnd::kBadStack);
}

TEST_F(MadeUpStackTest, UnknownFramePointerEndsWhereItIsNeeded) {
  UnwindRow row = SpPlus(16);
  row.base = UnwindRow::Base::kBp;
  Row(kModule, row);
  EXPECT_THAT(Walk({.ip = kModule, .sp = kStack}), ElementsAre(kModule));
  EXPECT_EQ(end_, WalkEnd::kBadStack);
}

TEST_F(MadeUpStackTest, GeneratedCodeByFramePointer) {
  words_[2] = kStack + 6 * 8;
  words_[3] = kGenerated + 0x500;
  words_[6] = 0;
  words_[7] = kModule + 0x31;
  Row(kModule + 0x30, SpPlus(64));
  EXPECT_THAT(Walk({.ip = kGenerated, .sp = kStack, .bp = kStack + 16}),
              ElementsAre(kGenerated, kGenerated + 0x500, kModule + 0x31));
  EXPECT_EQ(end_, WalkEnd::kRoot);
}

TEST_F(MadeUpStackTest, FramePointerToNowhereEnds) {
  words_[2] = kStack + 6 * 8;
  words_[3] = 0x12345678;
  EXPECT_THAT(Walk({.ip = kGenerated, .sp = kStack, .bp = kStack + 16}), ElementsAre(kGenerated));
  EXPECT_EQ(end_, WalkEnd::kNoModule);
}

TEST_F(MadeUpStackTest, ImplausibleFramePointersEnd) {
  words_[3] = kModule;
  for (const uint64_t bp : {kStack + 17, kStack - 8, kStack + 15 * 8, uint64_t{0}, ~uint64_t{7}}) {
    EXPECT_THAT(Walk({.ip = kGenerated, .sp = kStack, .bp = bp}), ElementsAre(kGenerated));
    EXPECT_EQ(end_, WalkEnd::kNoModule);
  }
}

TEST_F(MadeUpStackTest, ModuleWithoutTables) {
  EXPECT_THAT(Walk({.ip = kModule + 5, .sp = kStack}), ElementsAre(kModule + 5));
  EXPECT_EQ(end_, WalkEnd::kNoRow);
}

TEST(RowCacheTest, RowServesItsRangeInsideTheBlock) {
  RowCache cache{};
  UnwindRow row{};
  row.kind = UnwindRow::Kind::kRoot;
  cache.Put(0x1010, {row, 0x1008, 0x1800});
  EXPECT_EQ(cache.Find(0x1007), nullptr);
  EXPECT_NE(cache.Find(0x1008), nullptr);
  EXPECT_NE(cache.Find(0x107f), nullptr);
}

TEST(RowCacheTest, KeepsTwoRowsOfABlock) {
  RowCache cache{};
  for (uint64_t pc : {0x1000, 0x1001, 0x1002}) cache.Put(pc, {UnwindRow{}, pc, pc + 1});
  EXPECT_EQ(cache.Find(0x1000), nullptr);
  EXPECT_NE(cache.Find(0x1001), nullptr);
  EXPECT_NE(cache.Find(0x1002), nullptr);
}

TEST(RowCacheTest, RefusesARangeWithoutItsPc) {
  RowCache cache{};
  cache.Put(0x1000, {UnwindRow{}, 0x1001, 0x1002});
  cache.Put(0x1000, {UnwindRow{}, 0x1001, 0x1000});
  EXPECT_EQ(cache.Find(0x1000), nullptr);
  EXPECT_EQ(cache.Find(0x1001), nullptr);
}

TEST(RowCacheTest, ForgetsWithTheGeneration) {
  RowCache cache{};
  UnwindRow row{};
  row.kind = UnwindRow::Kind::kRoot;
  cache.Put(0x1234, {row, 0x1234, 0x1235});
  cache.UseGeneration(0);
  ASSERT_NE(cache.Find(0x1234), nullptr);
  EXPECT_EQ(*cache.Find(0x1234), row);
  EXPECT_EQ(cache.Find(0x1235), nullptr);
  cache.UseGeneration(1);
  EXPECT_EQ(cache.Find(0x1234), nullptr);
}

}  // namespace
}  // namespace pyrometer::unwind
