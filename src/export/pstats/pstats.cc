// SPDX-License-Identifier: Apache-2.0
#include "export/pstats/pstats.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string_view>

#include "base/grouped_rows.h"
#include "export/core/call_graph.h"

namespace pyrometer::export_ {
namespace {

constexpr const char kNoFile[] = "~";  // as of built-in functions

// Values in the marshal format of Python; see Python/marshal.c there.
class Marshal {
 public:
  explicit Marshal(std::ostream& out) : out_(out) {}

  void BeginDict() { out_.put('{'); }
  void EndDict() { out_.put('0'); }
  void BeginTuple(uint32_t items) {
    out_.put('(');
    Bytes(items);
  }
  void Text(std::string_view text) {
    out_.put('u');
    Bytes(static_cast<uint32_t>(text.size()));
    out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  void Integer(uint64_t number) {
    out_.put('i');
    Bytes(static_cast<uint32_t>(std::min<uint64_t>(number, std::numeric_limits<int32_t>::max())));
  }
  void Real(double number) {
    out_.put('g');
    Bytes(std::bit_cast<uint64_t>(number));
  }

 private:
  template <class Number>
  void Bytes(Number number) {
    for (size_t i = 0; i < sizeof(number); ++i) out_.put(static_cast<char>(number >> (8 * i)));
  }

  std::ostream& out_;
};

class Pstats {
 public:
  Pstats(const Exchange& from, Metric metric, std::ostream& out)
      : from_(from), metric_(metric), marshal_(out), graph_(from, CallGraph::Callers::kFunctions) {}

  void Write() {
    const base::GroupedRows calls(graph_.calls().size(), from_.functions().size(),
                                  [this](size_t i) { return graph_.calls()[i].callee; });
    marshal_.BeginDict();
    for (uint32_t function = 0; function < from_.functions().size(); ++function) {
      const CallGraph::Cost& its = graph_.functions()[function];
      if (its.total[metric_] == 0) continue;
      WriteKey(function);
      marshal_.BeginTuple(5);
      WriteTimes(its);
      marshal_.BeginDict();
      for (const uint32_t number : calls.Of(function)) {
        const CallGraph::Call& call = graph_.calls()[number];
        if (call.total[metric_] == 0) continue;
        WriteKey(call.caller);
        marshal_.BeginTuple(4);
        WriteTimes(call);
      }
      marshal_.EndDict();
    }
    marshal_.EndDict();
  }

 private:
  void WriteKey(uint32_t function) {
    const Exchange::Function& its = from_.functions()[function];
    marshal_.BeginTuple(3);
    marshal_.Text(its.file == 0 ? kNoFile : from_.Text(its.file));
    marshal_.Integer(its.first_line);
    marshal_.Text(from_.Text(its.name));
  }
  // Of a function or of a call.
  void WriteTimes(const auto& of) {
    const uint64_t seen = std::max<uint64_t>(1, of.total[Metric::kSamples]);
    marshal_.Integer(seen);
    marshal_.Integer(seen);
    marshal_.Real(static_cast<double>(of.self[metric_]) / 1e9);
    marshal_.Real(static_cast<double>(of.total[metric_]) / 1e9);
  }

  const Exchange& from_;
  const Metric metric_;
  Marshal marshal_;
  const CallGraph graph_;
};

}  // namespace

void WritePstats(const Exchange& from, const ExchangeOptions& options, std::ostream& out) {
  Pstats(from, options.metric.value_or(Metric::kCpu), out).Write();
}

}  // namespace pyrometer::export_
