// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/report.h"

namespace pyrometer::analyze {
namespace {

double PercentOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double View::CpuPercent(uint64_t ns) const { return PercentOf(ns, total.cpu().ns); }

double View::ElapsedPercent(uint64_t ns) const { return PercentOf(ns, elapsed_ns); }

double View::Percent(format::Activity activity, uint64_t ns) const {
  return format::IsOnCpu(activity) ? CpuPercent(ns) : ElapsedPercent(ns);
}

uint64_t View::WithoutGc(format::Activity activity) const {
  const size_t i = static_cast<size_t>(activity);
  return total[activity].ns - (i < gc_ns_of.size() ? gc_ns_of[i] : 0);
}

double LeakStats::SurvivalPercent() const {
  return freed.bytes >= allocated.bytes ? 0
                                        : PercentOf(allocated.bytes - freed.bytes, allocated.bytes);
}

std::string_view NameOf(Verdict::Kind kind) {
  using Kind = Verdict::Kind;
  using metric::Metric;
  switch (kind) {
    case Kind::kNoSamples:
      return "no_samples";
    case Kind::kCpu:
      return metric::InfoOf(Metric::kCpu).name;
    case Kind::kWait:
      return metric::InfoOf(Metric::kWait).name;
    case Kind::kGilContention:
      return metric::InfoOf(Metric::kGilWait).name;
    case Kind::kGarbageCollection:
      return metric::InfoOf(Metric::kGc).name;
    case Kind::kMemoryPeak:
      return metric::InfoOf(Metric::kLiveAtPeak).name;
    case Kind::kMemoryGrowth:
      return "growth";
    case Kind::kCopies:
      return metric::InfoOf(Metric::kCopied).name;
    case Kind::kDeclared:
      return "declared";
  }
  return "";
}

const std::string* SourceFile::Line(uint32_t number) const {
  return number == 0 || number > lines.size() ? nullptr : &lines[number - 1];
}

}  // namespace pyrometer::analyze
