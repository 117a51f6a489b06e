// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pyrometer::agent {

// Chooses which requests of one thread are sampled. The bytes that it asks for are cut into
// pieces of `interval` bytes, each with one mark at a random place; a request is sampled if it
// holds a mark, and stands for all bytes of the piece. Sums of what samples stand for are right
// on average, whatever the sizes, and also when the interval changes from piece to piece. The sum
// over all requests is right to a piece in every run, and that of a line that asks for most of
// them nearly so: marks that fell anywhere (a Poisson process) would scatter by the root of their
// number. Requests of a certain size and above are all sampled, and left out of the pieces.
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
  struct Decision {
    bool sampled = false;
    uint32_t marks = 0;   // 0: certain
    uint64_t weight = 0;  // bytes that it stands for, if not certain
  };

  // Between which sizes something adapts.
  struct Range {
    uint64_t finest;
    uint64_t coarsest;
  };

  int64_t left;       // bytes before the next mark, or before where one must look again
  uint64_t beyond;    // bytes before the mark beyond that
  uint64_t piece;     // size of the piece that the next mark is in
  uint64_t behind;    // bytes from that mark to the end of its piece
  uint64_t interval;  // size of the next piece
  uint64_t certain;   // requests of this size are sampled with certainty
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

    // Makes *size larger where samples come more often than once in `period_ns`, and smaller
    // where they are rare. Their mean distance then follows.
    void Adapt(uint64_t* size, uint64_t period_ns, Range range) {
      constexpr uint64_t kMuchTooRare = 4;  // what is made finer must not be too fine at once
      const bool often = mean_gap_ns < period_ns;
      const bool rare = mean_gap_ns > kMuchTooRare * period_ns;
      if (*size < range.finest || (often && *size < range.coarsest)) {
        *size *= 2;
        mean_gap_ns *= 2;
      } else if (rare && *size >= 2 * range.finest) {
        *size /= 2;
        mean_gap_ns /= 2;
      }
    }
  };
  Pace marked;
  Pace large;

  bool drawn() const { return interval != 0; }

  // `gap_ns`: what is taken for the distance between samples so far.
  void Start(uint64_t first_interval, uint64_t first_certain, uint64_t seed, uint64_t now_ns,
             uint64_t gap_ns) {
    random = seed;
    marked = large = {now_ns, gap_ns};
    left = 0;
    behind = 0;
    interval = first_interval;
    certain = first_certain;
    Draw();
    PutBeyond();
  }

  // REQUIRES: drawn(), and `bytes` have just been taken from `left`, which is
  // negative now.
  Decision Decide(uint64_t bytes) {
    if (bytes >= certain) {
      left += static_cast<int64_t>(bytes);
      return {true, 0, 0};
    }
    left += static_cast<int64_t>(beyond);
    beyond = 0;
    Decision decision;
    while (left < 0) {
      decision.sampled = true;
      ++decision.marks;
      decision.weight += piece;
      Draw();
    }
    PutBeyond();
    return decision;
  }

  // After a sample of that kind, at `now_ns`: keeps the mean distance in time between such
  // samples above `period_ns`, if need be by larger pieces or a larger certain size.
  void AdaptInterval(uint64_t now_ns, uint64_t period_ns, Range range) {
    marked.Add(now_ns);
    marked.Adapt(&interval, period_ns, range);
  }
  void AdaptCertain(uint64_t now_ns, uint64_t period_ns, Range range) {
    large.Add(now_ns);
    large.Adapt(&certain, period_ns, range);
    PutBeyond();
  }

 private:
  // `left` stays below `certain`, so that certain requests always end up in Decide.
  void PutBeyond() {
    const auto limit = static_cast<int64_t>(certain) - 1;
    if (left <= limit) return;
    beyond += static_cast<uint64_t>(left - limit);
    left = limit;
  }

  // From one mark to that of the next piece. `left` is counted from the byte with the mark.
  void Draw() {
    piece = interval;
    const auto before =
        static_cast<uint64_t>(static_cast<unsigned __int128>(Random()) * piece >> 64);
    left += static_cast<int64_t>(behind + before);
    behind = piece - before;
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
