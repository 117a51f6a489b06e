// SPDX-License-Identifier: Apache-2.0
#include "analyze/testing/example_profile.h"

#include <algorithm>
#include <string>

namespace pyrometer::analyze::testing {
namespace {

using enum format::Activity;

constexpr char kPipeline[] = R"(import json
import socket
import threading

import numpy as np

from scoring import score


def load(host):
	with socket.create_connection(host) as conn:
		data = conn.recv(1 << 20)
	return json.loads(data)


def normalise(rows):
    table = np.array(rows, dtype=float)
    return (table - table.mean(axis=0)) / table.std(axis=0)  # zero mean and unit variance by column, ignoring nothing


@functools.cache
def compare(left, right):
    """How alike two rows are (名前 = names are ignored)."""
    total = 0.0
    for a, b in zip(left, right):
        if a != b:
            total += score(a, b)
    return total


def best_pairs(rows):
    pairs = [(i, j) for i in range(len(rows)) for j in range(i)]
    return sorted(pairs, key=lambda p: compare(rows[p[0]], rows[p[1]]))


def flush():
    while True:
        item = queue.get()
        sink.write(item)


def main():
    rows = load(("data.example", 80))
    table = normalise(rows)
    flusher = threading.Thread(target=flush, name="flusher")
    print(best_pairs(table)[:10])


main()
)";

constexpr char kScoring[] = R"(import math


def score(a, b):
    weight = math.exp(-abs(a - b))
    return weight * weight if weight < 1 else 1.0
)";

constexpr char kProject[] = "/home/user/project/";

// `count` samples of 10 ms each.
void Add(ProfileBuilder& profile, const std::string& stack, format::Activity activity, int count) {
  for (int i = 0; i < count; ++i) profile.Add(stack, activity, 0.01);
}

// `bytes` of small objects, sampled every 64 KiB.
format::MemoryAmount Small(uint64_t bytes) {
  const uint64_t samples = bytes / 65536;
  return {.bytes = samples * 65536,
          .blocks = samples * 1024,
          .samples = samples,
          .variance_kib2 = samples * 64 * 64};
}

constexpr uint64_t kMb = 1'000'000;
constexpr double kSlice = 0.1;  // seconds

// What the pipeline reads, the table that it makes, and a cache that only grows.
void AddMemory(ProfileBuilder& profile, const std::string& main, const std::string& app) {
  using enum format::MemoryKind;
  const std::string load = main + "43 > " + app + "load@10:";
  const std::string table = main + "44 > " + app + "normalise@16:";
  const std::string array = table + "17 > /venv/lib/python3.12/site-packages/numpy/core.py|" +
                            "array@10:12 > npy_alloc [/venv/numpy/umath.so]";
  const std::string pairs = main + "46 > " + app + "best_pairs@31:32";
  const std::string cache = main + "46 > " + app + "best_pairs@31:33 > " + app +
                            "best_pairs.<locals>.<lambda>@33:33 > " + app + "compare@21:27";
  profile.Memory("_PyImport [/usr/bin/python3.12]", kPython, kSlice, Small(9 * kMb));
  profile.Memory(load + "12", kPython, 0.9, Exactly(48 * kMb));
  profile.Memory(load + "12", kCopied, 0.9, Exactly(48 * kMb));
  profile.Memory(load + "13", kPython, 1.1, Small(63 * kMb));
  profile.Memory(load + "12", kPython, 1.2, {}, Exactly(48 * kMb), 48 * kMb);
  profile.Memory(array, kNative, 1.3, Exactly(160 * kMb));
  profile.Memory(array, kCopied, 1.3, Exactly(160 * kMb));
  profile.Memory(table + "18", kNative, 1.5, Exactly(320 * kMb, 2), Exactly(160 * kMb), 320 * kMb);
  profile.Memory(array, kNative, 1.6, {}, Exactly(160 * kMb), 160 * kMb);
  profile.Memory(load + "13", kPython, 1.6, {}, Small(63 * kMb));
  profile.Memory(pairs, kPython, 1.7, Small(77 * kMb));
  for (int slice = 18; slice <= 44; ++slice)
    profile.Memory(cache, kPython, kSlice * slice, Small(2'000'000), Small(200'000));
  profile.Peak(1.42, array, kNative, Exactly(160 * kMb))
      .Peak(1.42, table + "18", kNative, Exactly(320 * kMb, 2))
      .Peak(1.42, load + "13", kPython, Small(63 * kMb))
      .Peak(1.42, "_PyImport [/usr/bin/python3.12]", kPython, Small(9 * kMb));
  profile.Survivor(4.46, cache, kPython, "tuple", Small(31 * kMb))
      .Survivor(4.46, cache, kPython, "float", Small(17 * kMb))
      .Survivor(4.46, pairs, kPython, "tuple", Small(77 * kMb))
      .Survivor(4.46, table + "18", kNative, "", Exactly(160 * kMb))
      .Survivor(4.46, "_PyImport [/usr/bin/python3.12]", kPython, "", Small(9 * kMb));
  for (int slice = 1; slice <= 44; ++slice) {
    const uint64_t python = slice < 9    ? 9
                            : slice < 11 ? 57
                            : slice < 12 ? 120
                            : slice < 16 ? 72
                            : slice < 17 ? 9
                            : slice < 18 ? 86
                                         : 86 + (static_cast<uint64_t>(slice) - 17) * 9 / 5;
    const uint64_t native = slice < 13 ? 0 : slice < 14 ? 160 : slice < 15 ? 480 : 160;
    const uint64_t arenas = slice < 11 ? 10 : slice < 17 ? 76 : std::max<uint64_t>(88, python + 2);
    const uint64_t small = slice >= 9 && slice < 12 ? python - 48 : python;
    profile.Level(kSlice * slice, {.rss_bytes = (python - small + native + arenas + 21) * kMb,
                                   .pss_bytes = (python - small + native + arenas + 17) * kMb,
                                   .python_bytes = python * kMb,
                                   .native_bytes = native * kMb,
                                   .arena_bytes = arenas * kMb,
                                   .small_bytes = small * kMb});
  }
}

}  // namespace

ProfileBuilder ExampleProfile() {
  ProfileBuilder profile;
  const std::string app = kProject + std::string("pipeline.py|");
  const std::string scoring = kProject + std::string("scoring.py|");
  const std::string main = app + "<module>@1:49 > " + app + "main@42:";
  const std::string pairs = main + "46 > " + app + "best_pairs@31:33 > " + app +
                            "best_pairs.<locals>.<lambda>@33:33 > " + app + "compare@21:";
  profile.profile().run.command = {"python", "pipeline.py", "--all"};
  profile.profile().processes[0].info.argv = {"python", "pipeline.py", "--all"};
  profile.Elapsed(4.47);
  Add(profile, main + "43 > " + app + "load@10:12 > recv [/usr/lib/libc.so.6]", kIoWait, 88);
  Add(profile, main + "43 > " + app + "load@10:12", kKernel, 6);
  Add(profile,
      main + "43 > " + app + "load@10:13 > /usr/lib/python3.12/json/decoder.py|" +
          "JSONDecoder.raw_decode@343:353 > scan_once [/usr/lib/_json.so]",
      kNative, 23);
  Add(profile,
      main + "44 > " + app + "normalise@16:17 > /venv/lib/python3.12/site-packages/" +
          "numpy/core.py|array@10:12 > DOUBLE_cast [/venv/numpy/umath.so]",
      kNative, 14);
  Add(profile, main + "44 > " + app + "normalise@16:18 > DOUBLE_subtract [/venv/numpy/umath.so]",
      kNative, 19);
  Add(profile, main + "44 > " + app + "normalise@16:18", kPython, 2);
  Add(profile, pairs + "25", kPython, 61);
  Add(profile, pairs + "26", kPython, 22);
  Add(profile, pairs + "27", kPython, 40);
  Add(profile, pairs + "27 > " + scoring + "score@4:5", kPython, 71);
  Add(profile, pairs + "27 > " + scoring + "score@4:5 > exp [/usr/lib/libm.so.6]", kNative, 38);
  Add(profile, pairs + "27 > " + scoring + "score@4:6", kPython, 33);
  Add(profile, main + "46 > " + app + "best_pairs@31:32", kPython, 9);
  Add(profile, main + "46 > " + app + "best_pairs@31:33 > list_sort [/usr/bin/python3.12]", kNative,
      5);
  Add(profile, "/usr/lib/python3.12/threading.py|_shutdown@1:7", kPython, 3);
  Add(profile, "_dl_relocate [/lib64/ld-linux-x86-64.so.2]", kNative, 4);
  AddMemory(profile, main, app);
  profile.profile().threads[0].end =
      format::ThreadEnd{format::ThreadId(0), 4'470'000'000, 3'520'000'000, ""};
  profile.Thread(104, "flusher");
  Add(profile, app + "flush@36:38 > pthread_cond_wait [/usr/lib/libc.so.6]", kLockWait, 310);
  Add(profile, app + "flush@36:39", kPython, 6);
  Add(profile, app + "flush@36:39", kGilWait, 9);
  profile.Process(117, 1.2, 2.1);
  profile.profile().processes.back().info.argv = {"python", "-c", "print('child')"};
  profile.profile().processes.back().end->exit_code = -1;
  profile.profile().processes.back().end->exit_signal = 9;
  Add(profile, "<string>|<module>:1", kPython, 12);
  Add(profile, "<string>|<module>:1", kSleep, 70);
  profile.Memory("<string>|<module>:1", format::MemoryKind::kPython, 1.3, Small(4 * kMb));
  profile.Source(kProject + std::string("pipeline.py"), kPipeline);
  profile.Source(kProject + std::string("scoring.py"), kScoring);
  profile.Counter(format::CounterKind::kLoss, "records_dropped", 0);
  profile.Counter(format::CounterKind::kLoss, "samples_skipped", 3);
  profile.Counter(format::CounterKind::kCost, "sampling", 10'400'000);
  profile.Counter(format::CounterKind::kCost, "collector", 121'000'000);
  return profile;
}

ProfileBuilder WithoutMemory(ProfileBuilder profile) {
  profile.profile().memory_changes.clear();
  profile.profile().memory_peaks.clear();
  profile.profile().memory_survivors.clear();
  profile.profile().memory_levels.clear();
  return profile;
}

ProfileBuilder WithoutTime(ProfileBuilder profile) {
  profile.profile().samples = {};
  return profile;
}

}  // namespace pyrometer::analyze::testing
