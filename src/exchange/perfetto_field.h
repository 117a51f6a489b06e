// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Field numbers of perfetto_trace.proto, for its reader and its writer.
namespace pyrometer::perfetto_field {

constexpr uint32_t kPacket = 1;
namespace packet {
constexpr uint32_t kClocks = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInterned = 12,
                   kFlags = 13, kCompressed = 50, kClock = 58, kDefaults = 59,
                   kTrackDescriptor = 60, kPerfSample = 66, kStackSample = 135;
}

// What holds for all packets of a sequence.
namespace defaults {
constexpr uint32_t kTrackEvent = 11, kPerfSample = 12, kClock = 58, kStackSample = 100;
}
namespace sample_defaults {
constexpr uint32_t kSource = 1, kPrimary = 2, kFollower = 3;
}
namespace snapshot {
constexpr uint32_t kClocks = 1;
}
namespace clock {
constexpr uint32_t kId = 1, kTimestamp = 2, kIncremental = 3, kMultiplier = 4;
}

namespace stack_sample {
constexpr uint32_t kTask = 1, kTaskId = 2, kInlineStack = 5, kStack = 6, kPrimary = 9,
                   kPrimaryId = 10, kPrimaryWeight = 11, kFollowers = 12, kFollowerIds = 13,
                   kFollowerWeights = 14;
}
namespace perf_sample {
constexpr uint32_t kPid = 2, kTid = 3, kStack = 4;
}
// What a sample has an amount of.
namespace value {
constexpr uint32_t kId = 1, kName = 2, kUnit = 3, kUnitText = 4, kMultiplier = 5;
}
namespace task {
constexpr uint32_t kId = 1, kPid = 2, kTid = 3;
}

// Data that is named by a number elsewhere.
namespace interned {
constexpr uint32_t kEventNames = 2, kFunctionNames = 5, kFrames = 6, kCallstacks = 7,
                   kMappingPaths = 17, kSourcePaths = 18, kMappings = 19, kTasks = 48,
                   kCounters = 50;
}
namespace text {
constexpr uint32_t kId = 1, kText = 2;
}
namespace frame {
constexpr uint32_t kId = 1, kFunctionName = 2, kMapping = 3, kOffset = 4, kSourcePath = 5,
                   kLine = 6, kKind = 7;
}
namespace callstack {
constexpr uint32_t kId = 1, kFrames = 2;
}
namespace inline_callstack {
constexpr uint32_t kFrames = 1, kName = 1, kFile = 2, kLine = 3;
}
namespace mapping {
constexpr uint32_t kId = 1, kPath = 7;
}

namespace track {
constexpr uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8;
}
namespace process {
constexpr uint32_t kPid = 1, kName = 6;
}
namespace thread {
constexpr uint32_t kPid = 1, kTid = 2, kName = 5;
}
// The counter of a track.
namespace counter {
constexpr uint32_t kUnit = 3;
}
namespace event {
constexpr uint32_t kType = 9, kNameId = 10, kTrack = 11, kName = 23, kCounterValue = 30;
}

}  // namespace pyrometer::perfetto_field
