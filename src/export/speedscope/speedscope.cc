// SPDX-License-Identifier: Apache-2.0
#include "export/speedscope/speedscope.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "export/core/stack_sums.h"
#include "export/stream/json_stream.h"
#include "export/tables/process_list.h"

namespace pyrometer::export_ {
namespace {

// By this text speedscope knows its own files.
constexpr const char kSchema[] = "https://www.speedscope.app/file-format-schema.json";

// speedscope has no word for numbers of something.
std::string_view SpeedscopeUnit(metric::Unit unit) {
  return unit == metric::Unit::kCount ? "none" : metric::UnitName(unit);
}

// What one stack of one thread has of one metric.
struct Piece {
  Metric metric;
  uint32_t thread;
  uint32_t node;
  uint64_t value;

  auto profile() const { return std::tuple(metric, thread); }
};

std::vector<Piece> PiecesOf(const Exchange& from, const ExchangeOptions& options) {
  std::vector<Metric> metrics = from.Metrics();
  if (options.metric) metrics = {*options.metric};
  std::vector<Piece> pieces;
  StackSums sums(from);
  sums.ForEach([&](uint32_t node, std::span<const StackSums::Row> rows) {
    for (const StackSums::Row& row : rows)
      for (const Metric metric : metrics)
        if (const uint64_t value = row.values[metric]; value != 0)
          pieces.push_back({metric, sums.context(row.context).thread, node, value});
  });
  std::ranges::stable_sort(pieces, {}, &Piece::profile);
  return pieces;
}

class Speedscope {
 public:
  Speedscope(const Exchange& from, bool functions, std::ostream& out)
      : from_(from), functions_(functions), json_(out) {}

  void Write(const std::vector<Piece>& pieces) {
    json_.Object().Member("$schema", kSchema);
    json_.Member("exporter", ValidUtf8("pyrometer " + from_.profile().run.pyrometer_version));
    json_.Member("name", ValidUtf8(CommandTitle(from_.profile().run.command)));
    json_.Member("activeProfileIndex", ActiveProfile(pieces));
    json_.Key("shared").Object().Key("frames").Array();
    WriteFrames();
    json_.End().End().Key("profiles").Array();
    for (auto begin = pieces.begin(); begin != pieces.end();) {
      const auto end = std::find_if(
          begin, pieces.end(), [&](const Piece& p) { return p.profile() != begin->profile(); });
      WriteProfile({begin, end});
      begin = end;
    }
    json_.End().End();
  }

 private:
  // The first of the metric that is shown when there is but one.
  size_t ActiveProfile(const std::vector<Piece>& pieces) const {
    size_t number = 0;
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (i != 0 && pieces[i].profile() != pieces[i - 1].profile()) ++number;
      if (pieces[i].metric == from_.DefaultMetric()) return number;
    }
    return 0;
  }

  void WriteFrames() {
    const size_t count = functions_ ? from_.functions().size() : from_.frames().size();
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t function = functions_ ? i : from_.frames()[i].function;
      const Exchange::Function& its = from_.functions()[function];
      const uint32_t file = functions_ ? its.file : from_.frames()[i].file;
      const uint32_t line = functions_ ? its.first_line : from_.frames()[i].line;
      json_.Object().Member("name", from_.Text(its.name));
      if (file != 0) json_.Member("file", from_.Text(file));
      if (line != 0) json_.Member("line", line);
      json_.End();
    }
  }

  void WriteProfile(std::span<const Piece> pieces) {
    const Metric metric = pieces.front().metric;
    uint64_t total = 0;
    for (const Piece& piece : pieces) total = SaturatingSum(total, piece.value);
    json_.Object().Member("type", "sampled");
    json_.Member("name", std::string(from_.InfoOf(metric).name) + ": " +
                             from_.ThreadLabel(pieces.front().thread));
    json_.Member("unit", SpeedscopeUnit(from_.InfoOf(metric).unit));
    json_.Member("startValue", 0).Member("endValue", total);
    json_.Key("samples").Array();
    for (const Piece& piece : pieces) {
      path_.clear();
      from_.ForPath(piece.node, [&](uint32_t frame) {
        path_.push_back(functions_ ? from_.frames()[frame].function : frame);
      });
      json_.Array();
      for (size_t i = path_.size(); i-- > 0;) json_.Value(path_[i]);
      json_.End();
    }
    json_.End().Key("weights").Array();
    for (const Piece& piece : pieces) json_.Value(piece.value);
    json_.End().End();
  }

  const Exchange& from_;
  const bool functions_;
  JsonStream json_;
  std::vector<uint32_t> path_;
};

}  // namespace

void WriteSpeedscope(const Exchange& from, const ExchangeOptions& options, std::ostream& out) {
  Speedscope(from, options.functions, out).Write(PiecesOf(from, options));
}

}  // namespace pyrometer::export_
