// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/change_judge.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "analyze/stats/distributions.h"
#include "analyze/stats/growth.h"

namespace pyrometer::analyze {
namespace {

using metric::Metric;

// By which seconds of the same machine differ from run to run, before any is looked at.
constexpr double kMachineNoise = 0.05;
// The same between runs side by side: where a run's memory happens to lie, and the seed
// of its hashes. 0.1 to 1.1 % were measured; runs seldom tell when it is more.
constexpr double kPairNoise = 0.015;
// How differently functions follow the speed of the machine.
constexpr double kSlopeDeviation = 0.5;
// Waits depend on others; so runs must tell how much, and these only keep away from 0.
constexpr double kWaitNoise = 0.3, kWaitNoiseNs = 10e6;
constexpr size_t kLeastWaitRuns = 3;
// Memory differs by the hash seed, caches of the system, and when the peak falls.
constexpr double kMemoryNoise = 0.01, kMemoryNoiseBytes = 64 * 1024;

// A metric with less in a run does not matter, and would cost the others power.
constexpr double kLeastTimeShare = 0.01, kLeastBytes = 1e6;
// Rows with less of the whole are listed, but not tested: they would cost others power.
constexpr double kLeastShare = 0.001;
// Fewer cannot be significant: all on one side is an accident once in 2^7.
constexpr uint64_t kLeastSamples = 8;
// Fewer than these are tested exactly, too.
constexpr uint64_t kFewSamples = 100;
// The parts of the chances for an accident. Lines and call paths of a function share
// that of their function.
constexpr double kTotalShare = 0.1, kFunctionShare = 0.9, kInsideShare = 0.5;
// Of call paths and lines with less, there are too many.
constexpr double kLeastListedShare = 0.0005;
constexpr size_t kMostListed = 5000;
constexpr double kPowerZ = 0.8416212335729143;  // four times out of five

bool IsOnCpu(Metric metric) {
  switch (metric) {
    case Metric::kCpu:
    case Metric::kPython:
    case Metric::kNative:
    case Metric::kKernel:
    case Metric::kGc:
      return true;
    default:
      return false;
  }
}

NoiseModel NoiseOf(Metric metric, bool with_speed, bool paired) {
  if (metric::IsMemory(metric)) return {.relative = kMemoryNoise, .absolute = kMemoryNoiseBytes};
  if (!IsOnCpu(metric)) return {.relative = kWaitNoise, .absolute = kWaitNoiseNs};
  if (paired) return {.relative = kPairNoise};
  if (!with_speed) return {.relative = std::hypot(kCpuNoise, kMachineNoise)};
  return {.relative = kCpuNoise, .slope_deviation = kSlopeDeviation};
}

void SetP(Change& change, double p) {
  change.p = std::min(1.0, p);
  change.significant = change.judged && change.p < kSignificantP;
}

}  // namespace

std::string WhyNotJudged(Metric metric, const DiffRows& rows) {
  double all = 0, elapsed_ns = 0;
  size_t runs[2] = {};
  for (size_t run = 0; run < rows.run_count(); ++run) {
    all += rows.Run(run).totals[metric].value;
    elapsed_ns += static_cast<double>(rows.Run(run).elapsed_ns);
    ++runs[rows.IsNew(run) ? 1 : 0];
  }
  const double least = metric::IsMemory(metric)
                           ? kLeastBytes * static_cast<double>(rows.run_count())
                           : (metric == Metric::kCpu ? 0 : kLeastTimeShare * elapsed_ns);
  if (all <= least) return "there is hardly any";
  if (metric::IsMemory(metric) || IsOnCpu(metric)) return "";
  if (std::min(runs[0], runs[1]) >= kLeastWaitRuns) return "";
  return "it differs from run to run: three runs of each side are needed to judge it";
}

ChangeJudge::ChangeJudge(const DiffRows& rows, Metric metric, RunSpeeds* speeds, size_t metrics)
    : rows_(rows),
      metric_(metric),
      speeds_(IsOnCpu(metric) ? speeds : nullptr),
      metrics_(std::max<size_t>(1, metrics)),
      paired_(rows.paired() && IsOnCpu(metric)),
      why_not_(WhyNotJudged(metric, rows)),
      noise_(NoiseOf(metric, speeds_ != nullptr, paired_)) {
  for (size_t run = 0; run < rows.run_count(); ++run) {
    totals_.push_back(rows.Run(run).totals[metric]);
    all_.Add(totals_.back());
  }
}

RunSum ChangeJudge::SumOf(const DiffRows::Row& row, size_t run) const {
  return row.runs[run] == nullptr ? RunSum{} : (*row.runs[run])[metric_];
}

RunSum ChangeJudge::SumOf(const DiffRows::Row& row) const {
  RunSum sum;
  for (size_t run = 0; run < row.runs.size(); ++run) sum.Add(SumOf(row, run));
  return sum;
}

bool ChangeJudge::IsTested(const DiffRows::Row& row) const {
  const RunSum sum = SumOf(row);
  return why_not_.empty() && sum.value >= kLeastShare * all_.value &&
         (sum.samples >= kLeastSamples || sum.squares == 0);
}

// The variances are those of rows that have not changed, so that a row which is
// missing in a run is not taken for one that is known exactly.
std::vector<RunValue> ChangeJudge::ValuesOf(const DiffRows::Row& row) const {
  const RunSum sum = SumOf(row);
  const double share = all_.value > 0 ? sum.value / all_.value : 0;
  double weight = sum.value > 0 ? sum.squares / sum.value : 0;
  // The samples of the row alone are too few to go by; those of memory that are known
  // exactly say so.
  if (!metric::IsMemory(metric_) && all_.value > 0)
    weight = std::max(weight, all_.squares / all_.value);
  if (!metric::IsMemory(metric_)) weight *= 1 - share;  // the whole is known from clocks
  const std::vector<Speed::Estimate>* speeds =
      speeds_ == nullptr ? nullptr : &speeds_->Without(row.function);
  std::vector<RunValue> values;
  for (size_t run = 0; run < row.runs.size(); ++run) {
    RunValue value{.value = SumOf(row, run).value,
                   .variance = share * totals_[run].value * weight,
                   .now = rows_.IsNew(run)};
    if (speeds != nullptr) {
      value.log_speed = (*speeds)[run].log;
      value.log_speed_variance = (*speeds)[run].variance;
    }
    if (paired_) value.pair = rows_.PairOf(run);
    values.push_back(value);
  }
  return values;
}

double ChangeJudge::FewSamplesP(const DiffRows::Row& row) const {
  double counts[2] = {}, exposures[2] = {};
  const std::vector<RunValue> values = ValuesOf(row);
  for (size_t run = 0; run < values.size(); ++run) {
    const bool side = rows_.IsNew(run);
    counts[side] += static_cast<double>(SumOf(row, run).samples);
    if (totals_[run].value > 0)
      exposures[side] += std::exp(values[run].log_speed) *
                         static_cast<double>(totals_[run].samples) / totals_[run].value;
  }
  const double all = counts[0] + counts[1];
  if (all >= kFewSamples || !(exposures[0] > 0) || !(exposures[1] > 0)) return 0;
  return BinomialP(counts[1], all, exposures[1] / (exposures[0] + exposures[1]));
}

ChangeJudge::Judged ChangeJudge::JudgeRow(const DiffRows::Row& row) const {
  Judged judged{
      .row = &row, .tested = IsTested(row), .fit = FitChange(ValuesOf(row), noise_, scatter_)};
  Change& change = judged.change;
  change.base = judged.fit.base;
  change.now = judged.fit.now;
  change.difference = judged.fit.difference;
  change.low = judged.fit.low;
  change.high = judged.fit.high;
  change.judged = judged.tested;
  for (size_t run = 0; run < row.runs.size(); ++run)
    (rows_.IsNew(run) ? change.new_samples : change.base_samples) += SumOf(row, run).samples;
  if (!judged.tested) return judged;
  change.accident_p = judged.fit.p;
  if (SumOf(row).squares > 0) change.accident_p = std::max(judged.fit.p, FewSamplesP(row));
  return judged;
}

std::vector<ChangeJudge::Judged> ChangeJudge::JudgeFunctions() {
  std::vector<Fit> fits;
  for (const DiffRows::Row& row : rows_.functions())
    if (IsTested(row)) fits.push_back(FitChange(ValuesOf(row), noise_, 1));
  scatter_ = CommonScatter(fits);
  std::vector<Judged> functions;
  double roots = 0;
  for (const DiffRows::Row& row : rows_.functions()) {
    functions.push_back(JudgeRow(row));
    if (functions.back().tested) roots += std::sqrt(SumOf(row).value);
  }
  for (Judged& judged : functions) {
    if (!judged.tested) continue;
    // Where there is more, a change matters more.
    judged.budget = kFunctionShare * std::sqrt(SumOf(*judged.row).value) / roots /
                    static_cast<double>(metrics_);
    SetP(judged.change, judged.change.accident_p / judged.budget);
  }
  return functions;
}

void ChangeJudge::LeaveChanged() {
  constexpr size_t kMostChanged = 50;
  std::vector<bool> left(rows_.functions().size());
  for (size_t round = 0; round < kMostChanged && speeds_ != nullptr; ++round) {
    const std::vector<Judged> functions = JudgeFunctions();
    std::optional<uint32_t> clearest;
    for (uint32_t i = 0; i < functions.size(); ++i)
      if (!left[i] && functions[i].change.significant &&
          (!clearest || functions[i].change.p < functions[*clearest].change.p))
        clearest = i;
    if (!clearest) return;
    left[*clearest] = true;
    speeds_->Leave(*clearest);
  }
}

Change ChangeJudge::JudgeTotal() const {
  std::vector<RunValue> values;
  const std::vector<Speed::Estimate> speeds =
      speeds_ == nullptr ? std::vector<Speed::Estimate>(totals_.size()) : speeds_->All();
  Change change{.judged = why_not_.empty() && all_.value > 0};
  for (size_t run = 0; run < totals_.size(); ++run) {
    // The time of the whole is known from clocks, its memory from samples.
    values.push_back({totals_[run].value, metric::IsMemory(metric_) ? totals_[run].squares : 0,
                      speeds[run].log, speeds[run].variance, rows_.IsNew(run)});
    if (paired_) values.back().pair = rows_.PairOf(run);
    (rows_.IsNew(run) ? change.new_samples : change.base_samples) += totals_[run].samples;
  }
  const Fit fit = FitChange(values, noise_, scatter_);
  change.base = fit.base;
  change.now = fit.now;
  change.difference = fit.difference;
  change.low = fit.low;
  change.high = fit.high;
  if (change.judged) change.accident_p = fit.p;
  SetP(change, change.accident_p * static_cast<double>(metrics_) / kTotalShare);
  return change;
}

std::vector<ChangeJudge::Judged> ChangeJudge::JudgeInside(
    const std::vector<DiffRows::Row>& rows, const std::vector<Judged>& functions) const {
  std::vector<Judged> inside;
  std::unordered_map<uint32_t, std::vector<size_t>> tested;  // by function
  for (const DiffRows::Row& row : rows) {
    if (!(SumOf(row).value > kLeastListedShare * all_.value)) continue;
    inside.push_back(JudgeRow(row));
    if (inside.back().tested) tested[row.function].push_back(inside.size() - 1);
  }
  for (const auto& [function, list] : tested) {
    // What is inside of a function that was too little to be tested has no chance.
    const double budget = kInsideShare * functions[function].budget;
    std::vector<double> chances;
    for (const size_t i : list) chances.push_back(inside[i].change.accident_p);
    chances = AdjustForMany(std::move(chances), list.size());
    for (size_t i = 0; i < list.size(); ++i)
      SetP(inside[list[i]].change,
           budget > 0 ? std::max(functions[function].change.p, chances[i] / budget) : 1);
  }
  return inside;
}

std::vector<DiffRow> ChangeJudge::List(std::vector<Judged> rows, bool lines) const {
  std::erase_if(rows, [&](const Judged& judged) { return SumOf(*judged.row).value == 0; });
  std::stable_sort(rows.begin(), rows.end(), [](const Judged& a, const Judged& b) {
    if (a.change.significant != b.change.significant) return a.change.significant;
    return std::abs(a.change.difference) > std::abs(b.change.difference);
  });
  rows.resize(std::min(rows.size(), kMostListed));
  const std::vector<CodeTable::Entry>& functions = rows_.code().functions();
  std::vector<DiffRow> listed;
  for (const Judged& judged : rows) {
    DiffRow row{.change = judged.change};
    if (lines)
      row.code = rows_.code().lines()[judged.row->code];
    else if (judged.row->function < functions.size())
      row.code = functions[judged.row->function];
    for (const uint32_t function : judged.row->path)
      row.path.push_back(functions[function].place().function);
    listed.push_back(std::move(row));
  }
  return listed;
}

// Of the function with most, that a test among so many would still show.
void ChangeJudge::SetDetectable(const std::vector<Judged>& functions, MetricDiff& diff) const {
  const Judged* most = nullptr;
  for (const Judged& judged : functions)
    if (judged.tested && judged.row->function < rows_.code().functions().size() &&
        (most == nullptr || SumOf(*judged.row).value > SumOf(*most->row).value))
      most = &judged;
  if (most == nullptr) return;
  const double bound = StudentBound(kSignificantP * most->budget, most->fit.freedom);
  diff.detectable = (bound + kPowerZ) * most->fit.deviation;
  diff.detectable_in = rows_.code().functions()[most->row->function].place().function;
}

MetricDiff ChangeJudge::Judge() {
  MetricDiff diff{.judged = why_not_.empty(), .why_not = why_not_};
  const std::vector<Judged> functions = JudgeFunctions();
  diff.total = JudgeTotal();
  diff.functions = List(functions, false);
  diff.lines = List(JudgeInside(rows_.lines(), functions), true);
  diff.paths = List(JudgeInside(rows_.paths(), functions), false);
  SetDetectable(functions, diff);
  return diff;
}

}  // namespace pyrometer::analyze
