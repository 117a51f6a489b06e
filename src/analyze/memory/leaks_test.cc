// SPDX-License-Identifier: Apache-2.0
#include "analyze/memory/leaks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "analyze/build_report.h"
#include "analyze/testing/profile_builder.h"

namespace pyrometer::analyze {
namespace {

using testing::Exactly;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using enum format::MemoryKind;

constexpr double kSlice = 0.5;  // seconds
constexpr uint64_t kInterval = 65536;

// `count` samples of small blocks, each of which stands for an interval.
format::MemoryAmount Sampled(uint64_t count) {
  return {.bytes = count * kInterval,
          .blocks = count * kInterval / 64,
          .samples = count,
          .variance_kib2 = count * 64 * 64};
}

// A program made of places that allocate and free, sample by sample.
class Program {
 public:
  Program(uint64_t seed, double seconds) : random_(seed), seconds_(seconds) {
    profile_.Elapsed(seconds);
  }

  // Blocks come at `rate` a second and live for `lifetime_s` on average; as many
  // as that makes are there from the beginning.
  Program& Churn(const std::string& place, double rate, double lifetime_s) {
    return Run(place, [=, this](double time, Deaths& deaths) {
      const bool first = time == kSlice;
      const uint64_t born = Poisson(first ? rate * lifetime_s : rate * kSlice);
      for (uint64_t i = 0; i < born; ++i)
        ++deaths[time + std::exponential_distribution(1 / lifetime_s)(random_)];
      return born;
    });
  }
  // Blocks come at `rate` a second and stay.
  Program& Leak(const std::string& place, double rate, double until_s = 1e9) {
    return Run(place, [=, this](double time, Deaths&) {
      return time > until_s ? 0 : Poisson(rate * kSlice);
    });
  }
  // A cache that takes `rate` blocks a second and is cleared every `period_s`, more or less.
  Program& Cache(const std::string& place, double rate, double period_s) {
    double clear = period_s * Uniform(0.2, 1.2);
    return Run(place, [=, this](double time, Deaths& deaths) mutable {
      if (time > clear) clear = time + period_s * Uniform(0.8, 1.2);
      const uint64_t born = Poisson(rate * kSlice);
      if (born != 0) deaths[clear] += born;
      return born;
    });
  }
  // Goes up or down by `size` blocks with equal chance, `rate` times a second.
  Program& Walk(const std::string& place, double rate, uint64_t size) {
    uint64_t live = 40 * size;
    bool first = true;
    return Run(place, [=, this](double time, Deaths& deaths) mutable {
      uint64_t born = first ? live : 0;
      first = false;
      for (uint64_t moves = Poisson(rate * kSlice); moves > 0; --moves) {
        if (random_() % 2 == 0 || live < size) {
          born += size;
          live += size;
        } else {
          deaths[time] += size;
          live -= size;
        }
      }
      return born;
    });
  }
  Program& Held(const std::string& place, uint64_t blocks) {
    bool first = true;
    return Run(place,
               [=](double, Deaths&) mutable { return std::exchange(first, false) ? blocks : 0; });
  }

  double Uniform(double low, double high) {
    return std::uniform_real_distribution(low, high)(random_);
  }
  testing::ProfileBuilder& profile() { return profile_; }
  std::vector<LeakStats> Leaks() const { return BuildReport(profile_.Build(), {}).leaks; }

 private:
  using Deaths = std::map<double, uint64_t>;  // how many blocks end, by time

  uint64_t Poisson(double mean) {
    return static_cast<uint64_t>(std::poisson_distribution<int>(mean)(random_));
  }
  template <class Births>
  Program& Run(const std::string& place, Births births) {
    Deaths deaths;
    for (double time = kSlice; time <= seconds_; time += kSlice) {
      const uint64_t born = births(time, deaths);
      uint64_t died = 0;
      for (; !deaths.empty() && deaths.begin()->first <= time; deaths.erase(deaths.begin()))
        died += deaths.begin()->second;
      if (born + died != 0) profile_.Memory(place, kPython, time, Sampled(born), Sampled(died));
    }
    return *this;
  }

  testing::ProfileBuilder profile_;
  std::mt19937_64 random_;
  double seconds_;
};

// 60 MB in use, of which a line leaks 1 MB a minute, for three minutes.
constexpr double kSteadyRate = 60e6 / kInterval / 5, kLeakRate = 1e6 / kInterval / 60;

TEST(Leaks, OneMegabyteAMinuteIsFoundWithinThree) {
  int found = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Program program(seed, 180);
    for (int i = 0; i < 6; ++i)
      program.Churn("churn:" + std::to_string(10 + i), kSteadyRate / 6, 5);
    program.Leak("handle:3", kLeakRate);
    const std::vector<LeakStats> leaks = program.Leaks();
    if (leaks.empty()) continue;
    ++found;
    EXPECT_THAT(leaks, SizeIs(1));
    EXPECT_EQ(leaks[0].place, (Place{"app.py", "handle", 3}));
    EXPECT_GE(leaks[0].probability, 1 - kFalseLeakBound);
    EXPECT_NEAR(leaks[0].bytes_per_second, 1e6 / 60, 0.6e6 / 60);
    EXPECT_EQ(leaks[0].SurvivalPercent(), 100);
  }
  EXPECT_GE(found, 98);
}

TEST(Leaks, RateIsInsideItsInterval) {
  int inside = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<LeakStats> leaks = Program(seed, 180).Leak("f:3", 1).Leaks();
    ASSERT_THAT(leaks, SizeIs(1));
    inside +=
        leaks[0].low_bytes_per_second <= kInterval && kInterval <= leaks[0].high_bytes_per_second;
  }
  EXPECT_GE(inside, 88);
}

// What programs do that do not leak.
void AddSteadyPlace(Program& program, uint64_t kind, const std::string& place) {
  switch (kind) {
    case 0:
      program.Churn(place, std::exp(program.Uniform(-3, 3)), std::exp(program.Uniform(-2, 5)));
      break;
    case 1:
      program.Walk(place, std::exp(program.Uniform(-2, 2)), 1);
      break;
    case 2:
      program.Walk(place, std::exp(program.Uniform(-2, 1)), 100);
      break;
    case 3:
      program.Cache(place, std::exp(program.Uniform(-1, 3)), program.Uniform(2, 60));
      break;
    case 4:
      program.Leak(place, std::exp(program.Uniform(-1, 3)), program.Uniform(1, 60));
      break;
    default:
      program.Held(place, 1 + static_cast<uint64_t>(program.Uniform(0, 500)));
  }
}

TEST(Leaks, SteadyProgramsAreAccusedNoMoreOftenThanStated) {
  int accused = 0;
  constexpr int kPrograms = 1000;
  for (int seed = 0; seed < kPrograms; ++seed) {
    Program program(static_cast<uint64_t>(seed), 180);
    for (uint64_t i = 0; i < 8; ++i)
      AddSteadyPlace(program, (static_cast<uint64_t>(seed) + i) % 6, "f:" + std::to_string(10 + i));
    accused += program.Leaks().empty() ? 0 : 1;
  }
  EXPECT_LE(accused, kPrograms * kFalseLeakBound);
}

// Each kind by itself, so that no kind hides behind the others.
class SteadyKindTest : public ::testing::TestWithParam<uint64_t> {};
TEST_P(SteadyKindTest, IsAccusedNoMoreOftenThanStated) {
  int accused = 0;
  constexpr int kPrograms = 1000;
  for (int seed = 0; seed < kPrograms; ++seed) {
    Program program(static_cast<uint64_t>(seed) + 5000, 180);
    AddSteadyPlace(program, GetParam(), "f:3");
    accused += program.Leaks().empty() ? 0 : 1;
  }
  EXPECT_LE(accused, kPrograms * kFalseLeakBound);
}
INSTANTIATE_TEST_SUITE_P(Kinds, SteadyKindTest, ::testing::Range(uint64_t{0}, uint64_t{6}));

TEST(Leaks, BufferThatIsGrownInPlaceIsFound) {
  Program program(1, 180);
  for (uint64_t i = 1; i <= 300; ++i)
    program.profile().Memory("main:9 > grow:3", kNative, 0.6 * static_cast<double>(i),
                             Exactly((i + 1) * 1'000'000),
                             i == 1 ? format::MemoryAmount() : Exactly(i * 1'000'000));
  const std::vector<LeakStats> leaks = program.Leaks();
  ASSERT_THAT(leaks, SizeIs(1));
  EXPECT_EQ(leaks[0].place.line, 3u);
  EXPECT_NEAR(leaks[0].bytes_per_second, 1e6 / 0.6, 1e5);
  EXPECT_EQ(leaks[0].live.bytes, 301'000'000u);
}

// As library code that is charged to the user's line: what it makes for itself
// comes and goes, what it returns stays.
TEST(Leaks, TemporariesOfTheSameLineDoNotHideIt) {
  Program program(2, 180);
  program.Leak("handle:3", 1).Churn("handle:3 > /usr/lib/python3.12/a.py|work:7", 40, 0.1);
  const std::vector<LeakStats> leaks = program.Leaks();
  ASSERT_THAT(leaks, SizeIs(1));
  EXPECT_EQ(leaks[0].place, (Place{"app.py", "handle", 3}));
  EXPECT_THAT(leaks[0].stack, SizeIs(1));
}

TEST(Leaks, WhatShutdownGivesBackWasStillThere) {
  Program program(3, 180);
  program.Leak("f:3", 1);
  const uint64_t bytes = program.Leaks().at(0).live.bytes;
  program.profile()
      .Memory("f:3", kPython, 180, {}, Sampled(bytes / kInterval))
      .Survivor(179.9, "f:3", kPython, "dict", Exactly(9'000'000))
      .Survivor(179.9, "f:3", kPython, "Session", Exactly(1'000'000))
      .Survivor(179.9, "g:4", kPython, "list", Exactly(5'000'000));
  const std::vector<LeakStats> leaks = program.Leaks();
  ASSERT_THAT(leaks, SizeIs(1));
  EXPECT_EQ(leaks[0].live.bytes, 10'000'000u);
  ASSERT_THAT(leaks[0].types, SizeIs(2));
  EXPECT_EQ(leaks[0].types[0].name, "dict");
}

TEST(Leaks, TheSameLineOfTwoProcessesIsOne) {
  Program program(4, 180);
  program.Leak("f:3", 1);
  program.profile().Process(200, 0, 180);
  program.Leak("f:3", 2);
  const std::vector<LeakStats> leaks = program.Leaks();
  ASSERT_THAT(leaks, SizeIs(1));
  EXPECT_EQ(leaks[0].processes, 2u);
  EXPECT_NEAR(leaks[0].bytes_per_second, 3 * kInterval, kInterval);
}

TEST(Leaks, FewBlocksProveNothing) {
  Program program(5, 180);
  for (int i = 1; i < 9; ++i)
    program.profile().Memory("f:3", kNative, 20.0 * i, Exactly(50'000'000));
  EXPECT_THAT(program.Leaks(), IsEmpty());
}

TEST(Leaks, ACodelessStackHasAPlaceToo) {
  Program program(6, 180);
  program.Leak("alloc [libfoo.so]", 1).Leak("", 1);
  const std::vector<LeakStats> leaks = program.Leaks();
  ASSERT_THAT(leaks, SizeIs(2));
  std::vector<std::string> names = {leaks[0].place.function, leaks[1].place.function};
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("alloc", "?"));
}

}  // namespace
}  // namespace pyrometer::analyze
