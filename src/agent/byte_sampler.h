// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace pyrometer::agent {

// -log(u) of a uniform u in (0, 1], given as 53 random bits. Without libm, which
// the agent does not link: the exponent, and for the mantissa m in [1, 2) the
// series of log(m) = 2 artanh((m - 1) / (m + 1)), exact to 1e-9.
inline double ExponentialOf(uint64_t bits53) {
  constexpr double kLog2 = 0.693147180559945309;
  const auto bits = std::bit_cast<uint64_t>(static_cast<double>(bits53 + 1) * 0x1p-53);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const double m = std::bit_cast<double>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  const double t = (m - 1) / (m + 1);
  const double t2 = t * t;
  double sum = 0;
  for (int k = 19; k >= 1; k -= 2) sum = sum * t2 + 1.0 / k;
  return -(exponent * kLog2 + 2 * t * sum);
}

// Chooses which requests of one thread are sampled. Bytes are marked by a Poisson
// process, on average one in `interval`; a request is sampled if it holds a mark,
// with probability 1 - exp(-bytes / interval). Who weighs each sample by the
// inverse of that probability gets sums that are right on average, whatever the
// sizes, and also when the interval changes between samples. Requests of a certain
// size and above are all sampled: they are few, and a profile of large arrays is
// then exact.
//
// The hot path is one subtraction and one test:
//   if ((sampler.left -= bytes) < 0) use(sampler.Decide(bytes));
// Below zero, not at it: that is the sign of the difference, for which the processor needs no
// comparison.
//
// Zero-initialised memory is a sampler that has not drawn yet. Trivial, so that
// it can be thread-local without a constructor.
// Thread-safety: one thread. Signal-safety: a handler on the same thread may
// only make it miss a few bytes.
struct ByteSampler {
  // Adaptive between these: small programs get fine profiles, and programs that
  // allocate gigabytes a second pay no more for it.
  static constexpr uint64_t kFinest = 64 << 10;
  static constexpr uint64_t kCoarsest = 64 << 20;
  // log(100): a request this many intervals long has a mark with 99 % anyway.
  static constexpr double kCertain = 4.60517;

  struct Decision {
    bool sampled = false;
    uint64_t interval = 0;  // 0: certain
  };

  int64_t left;     // bytes before the next mark, or before where one must look again
  uint64_t beyond;  // what was drawn beyond that
  uint64_t interval;
  uint64_t certain;  // requests of this size are sampled with certainty
  uint64_t random;

  // When samples are taken: the marked ones, and the certain ones.
  struct Pace {
    uint64_t sampled_ns;   // the last one
    uint64_t mean_gap_ns;  // running mean

    void Add(uint64_t now_ns) {
      constexpr uint64_t kMemory = 16;  // samples that it looks back
      const uint64_t gap = now_ns - sampled_ns;
      sampled_ns = now_ns;
      mean_gap_ns = mean_gap_ns - mean_gap_ns / kMemory + gap / kMemory;
    }
  };
  Pace marked;
  Pace large;

  bool drawn() const { return interval != 0; }

  // `gap_ns`: what Adapt takes for the distance between samples so far.
  void Start(uint64_t first_interval, uint64_t seed, uint64_t now_ns, uint64_t gap_ns) {
    random = seed;
    marked = large = {now_ns, gap_ns};
    left = 0;
    interval = first_interval;
    certain = CertainAt(first_interval);
    Draw();
  }

  // REQUIRES: drawn(), and `bytes` have just been taken from `left`, which is
  // negative now.
  Decision Decide(uint64_t bytes) {
    if (bytes >= certain) {
      left += static_cast<int64_t>(bytes);
      return {true, 0};
    }
    left += static_cast<int64_t>(beyond);
    beyond = 0;
    PutBeyond();
    if (left >= 0) return {};
    const Decision decision{true, interval};
    left = 0;
    Draw();
    return decision;
  }

  // After a sample: keeps the mean distance in time between samples of its kind
  // above `period_ns`, if need be by a coarser interval or a larger certain size,
  // but not finer than `finest`.
  void Adapt(const Decision& decision, uint64_t now_ns, uint64_t period_ns, uint64_t finest) {
    constexpr uint64_t kMuchTooRare = 4;  // what is made finer must not be too fine at once
    Pace& pace = decision.interval == 0 ? large : marked;
    pace.Add(now_ns);
    const bool often = pace.mean_gap_ns < period_ns;
    const bool rare = pace.mean_gap_ns > kMuchTooRare * period_ns;
    if (decision.interval == 0) {
      if (certain < CertainAt(finest) || (often && certain < CertainAt(kCoarsest))) {
        certain *= 2;
        pace.mean_gap_ns *= 2;
      } else if (rare && certain >= 2 * CertainAt(finest)) {
        certain /= 2;
        pace.mean_gap_ns /= 2;
        PutBeyond();
      }
    } else if (interval < finest || (often && interval < kCoarsest)) {
      Redraw(interval * 2);
      pace.mean_gap_ns *= 2;
    } else if (rare && interval >= 2 * finest) {
      Redraw(interval / 2);
      pace.mean_gap_ns /= 2;
    }
  }

 private:
  static uint64_t CertainAt(uint64_t bytes) {
    return static_cast<uint64_t>(kCertain * static_cast<double>(bytes));
  }

  // `left` stays below `certain`, so that certain requests always end up in Decide.
  void PutBeyond() {
    const auto limit = static_cast<int64_t>(certain) - 1;
    if (left <= limit) return;
    beyond += static_cast<uint64_t>(left - limit);
    left = limit;
  }

  // What is left of a draw is exponential again: it may be drawn anew.
  void Redraw(uint64_t bytes) {
    interval = bytes;
    left = 0;
    Draw();
  }

  // Adds the distance to the next mark.
  void Draw() {
    const double distance = ExponentialOf(Random() >> 11) * static_cast<double>(interval);
    left += static_cast<int64_t>(distance);
    beyond = 0;
    PutBeyond();
  }

  // splitmix64.
  uint64_t Random() {
    uint64_t z = random += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};

}  // namespace pyrometer::agent
