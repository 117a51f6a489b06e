// SPDX-License-Identifier: Apache-2.0
#include "analyze/report/ranks.h"

#include <algorithm>
#include <tuple>

namespace pyrometer::analyze {
namespace {

uint64_t MedianElapsed(const std::vector<RankStats>& rows) {
  std::vector<uint64_t> elapsed;
  for (const RankStats& row : rows) elapsed.push_back(row.elapsed_ns());
  std::sort(elapsed.begin(), elapsed.end());
  const size_t half = elapsed.size() / 2;
  return elapsed.size() % 2 != 0 ? elapsed[half] : (elapsed[half - 1] + elapsed[half]) / 2;
}

}  // namespace

std::map<uint64_t, uint64_t> RanksByPid(const Report& report, std::string_view variable) {
  std::map<uint64_t, uint64_t> ranks;
  for (const Counter& fact : report.facts)
    if (fact.key == metric::KeyOf(metric::Counter::kRank, variable)) ranks[fact.pid] = fact.value;
  return ranks;
}

RankTable CompareRanks(const Report& report) {
  for (const std::string_view variable : metric::kRankVariables) {
    const std::map<uint64_t, uint64_t> ranks = RanksByPid(report, variable);
    std::map<uint64_t, RankStats> rows;
    for (const ProcessReport& process : report.processes) {
      const auto rank = ranks.find(process.pid);
      if (rank == ranks.end()) continue;
      const uint64_t end_ns = process.start_ns + process.view.elapsed_ns;
      const auto [it, fresh] = rows.try_emplace(rank->second);
      RankStats& row = it->second;
      row.rank = rank->second;
      row.start_ns = fresh ? process.start_ns : std::min(row.start_ns, process.start_ns);
      row.end_ns = std::max(row.end_ns, end_ns);
      row.cpu_ns += process.view.total.cpu().ns;
      row.wait_ns += process.view.total.wait().ns;
      ++row.processes;
    }
    if (rows.size() < 2) continue;
    RankTable table;
    table.variable = variable;
    for (const auto& [rank, row] : rows) table.rows.push_back(row);
    table.median_elapsed_ns = MedianElapsed(table.rows);
    std::sort(table.rows.begin(), table.rows.end(), [](const RankStats& a, const RankStats& b) {
      return std::tuple(b.elapsed_ns(), a.rank) < std::tuple(a.elapsed_ns(), b.rank);
    });
    return table;
  }
  return {};
}

}  // namespace pyrometer::analyze
