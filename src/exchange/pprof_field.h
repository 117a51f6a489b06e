// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Field numbers of profile.proto, for its reader and its writer.
namespace pyrometer::pprof_field {

constexpr uint32_t kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5,
                   kString = 6, kTime = 9, kDuration = 10, kPeriodType = 11, kPeriod = 12,
                   kComment = 13, kDefaultSampleType = 14, kLast = 15;
namespace value_type {
constexpr uint32_t kType = 1, kUnit = 2;
}
namespace sample {
constexpr uint32_t kLocation = 1, kValue = 2, kLabel = 3;
}
namespace label {
constexpr uint32_t kKey = 1, kText = 2, kNumber = 3;
}
namespace mapping {
constexpr uint32_t kId = 1, kFilename = 5, kBuildId = 6, kHasFunctions = 7, kHasFilenames = 8,
                   kHasLines = 9, kHasInlined = 10;
}
namespace location {
constexpr uint32_t kId = 1, kMapping = 2, kAddress = 3, kLine = 4;
}
namespace line {
constexpr uint32_t kFunction = 1, kLine = 2;
}
namespace function {
constexpr uint32_t kId = 1, kName = 2, kSystemName = 3, kFilename = 4, kStartLine = 5;
}

}  // namespace pyrometer::pprof_field
