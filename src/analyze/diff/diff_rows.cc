// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/diff_rows.h"

#include <map>

#include "analyze/diff/run_pairs.h"

namespace pyrometer::analyze {

DiffRows::DiffRows(std::span<const RunAmounts> base, std::span<const RunAmounts> now)
    : base_count_(base.size()), pairs_(FindPairs(base, now)) {
  for (const RunAmounts& run : base) runs_.push_back(&run);
  for (const RunAmounts& run : now) runs_.push_back(&run);
  std::vector<CodeTable::Indices> indices(runs_.size());
  for (const CodeTable::Side side : {CodeTable::Side::kNew, CodeTable::Side::kBase})
    for (size_t i = 0; i < runs_.size(); ++i)
      if (IsNew(i) == (side == CodeTable::Side::kNew))
        indices[i] = code_.Add(ListingOf(*runs_[i]), side);

  functions_.resize(code_.functions().size() + 1);
  for (uint32_t i = 0; i < functions_.size(); ++i)
    functions_[i] = {.runs = std::vector<const RunSums*>(runs_.size()), .function = i};
  lines_.resize(code_.lines().size());
  for (uint32_t i = 0; i < lines_.size(); ++i)
    lines_[i] = {.runs = std::vector<const RunSums*>(runs_.size()),
                 .function = code_.lines()[i].function,
                 .code = i};
  std::map<std::vector<uint32_t>, size_t> known;
  for (size_t run = 0; run < runs_.size(); ++run) {
    for (size_t i = 0; i < runs_[run]->functions.size(); ++i)
      functions_[indices[run].functions[i]].runs[run] = &runs_[run]->functions[i].sums;
    functions_.back().runs[run] = &runs_[run]->outside;
    for (size_t i = 0; i < runs_[run]->lines.size(); ++i)
      lines_[indices[run].lines[i]].runs[run] = &runs_[run]->lines[i].sums;
    for (const RunAmounts::Path& path : runs_[run]->paths) {
      std::vector<uint32_t> functions;
      for (const uint32_t function : path.functions)
        functions.push_back(indices[run].functions[function]);
      const auto [it, fresh] = known.try_emplace(functions, paths_.size());
      if (fresh)
        paths_.push_back({.runs = std::vector<const RunSums*>(runs_.size()),
                          .function = functions.back(),
                          .path = functions});
      paths_[it->second].runs[run] = &path.sums;
    }
  }
}

}  // namespace pyrometer::analyze
