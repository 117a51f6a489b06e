// SPDX-License-Identifier: Apache-2.0
#include "profile/profile_loader.h"

#include <algorithm>
#include <utility>

#include "format/layout.h"
#include "profile/element_copies.h"
#include "profile/helper_programs.h"
#include "profile/mapped_file.h"
#include "profile/profile_builder.h"
#include "profile/source_frames.h"

namespace pyrometer::profile {
namespace {

base::Status CheckReadable(const format::ReadReport& report) {
  switch (report.outcome) {
    case format::ReadOutcome::kEmpty:
      return base::Error{"the file is empty"};
    case format::ReadOutcome::kNotACapture:
      return base::Error{"not a pyrometer capture"};
    case format::ReadOutcome::kNewerVersion:
      return base::Error{"written by a newer pyrometer (format version " +
                         std::to_string(report.version) + "; this one reads up to " +
                         std::to_string(format::kFormatVersion) + ")"};
    case format::ReadOutcome::kRead:
      break;
  }
  if (report.blocks_read > 0) return {};
  return base::Error{"the capture holds no records (" + std::to_string(report.bytes_lost) +
                     " bytes lost)"};
}

// A recording that was cut off later than its last snapshot has newer samples,
// of time or of memory.
bool EndsWithSnapshot(const Profile& profile) {
  const auto snapshot = std::ranges::find_if(profile.counters, [](const auto& counter) {
    return counter.Is(metric::Counter::kSnapshotAt);
  });
  if (snapshot == profile.counters.end()) return false;
  const auto seen = [&](uint64_t time_ns) { return time_ns <= snapshot->value; };
  return std::ranges::all_of(profile.samples.time_ns, seen) &&
         std::ranges::all_of(profile.memory_levels, seen, &format::MemoryLevel::time_ns);
}

}  // namespace

base::Result<Profile> LoadProfile(std::span<const uint8_t> file, const format::ReadLimits& limits,
                                  const std::function<void(size_t done)>& progress) {
  // Hardly any recording has less for a sample, with all that it refers to.
  constexpr size_t kLeastBytesPerSample = 4;
  constexpr size_t kMostExpected = size_t{1} << 25;
  ProfileBuilder builder;
  builder.ExpectSamples(std::min(file.size() / kLeastBytesPerSample, kMostExpected));
  const format::ReadReport report = format::CaptureReader::Read(file, builder, limits, progress);
  if (const base::Status status = CheckReadable(report); !status.ok()) return status.error();
  Profile profile = builder.Take();
  NameHelperPrograms(profile);
  AddElementCopies(profile);
  profile.load = {.bytes_read = report.bytes_read,
                  .bytes_lost = report.bytes_lost,
                  .blocks_skipped = report.blocks_skipped,
                  .records_invalid = report.records_invalid,
                  .orderly_end = report.orderly_end,
                  .still_running = !report.orderly_end && EndsWithSnapshot(profile)};
  ExpandSourceFrames(profile);
  return profile;
}

base::Result<Profile> LoadProfileFile(const std::string& path) {
  const base::Result<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return base::Error{path + ": " + file.error().message};
  base::Result<Profile> profile = LoadProfile(file.value().bytes());
  if (!profile.ok()) return base::Error{path + ": " + profile.error().message};
  return profile;
}

}  // namespace pyrometer::profile
