// SPDX-License-Identifier: Apache-2.0
#include "export/report/json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/words/verdict_sentence.h"
#include "export/report/json_memory.h"
#include "export/report/json_names.h"

namespace pyrometer::export_ {
namespace {

using analyze::Amount;
using analyze::Breakdown;
using analyze::Report;
using analyze::View;
using metric::Metric;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;

double Seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

// Bytes that are not UTF-8 become U+FFFD instead of an exception.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Intervals are those of a share of `whole`.
Json TimeJson(const Breakdown& time, const Breakdown& whole, const View& view) {
  Json json = Json::object();
  for (size_t i = 0; i < format::kActivityCount; ++i) {
    const auto activity = format::Activity(i);
    const Amount amount = time[activity];
    if (amount.ns == 0 && amount.samples == 0) continue;
    const analyze::Interval interval =
        amount.SecondsOf(format::IsOnCpu(activity) ? whole.cpu() : whole.wait());
    json[NameOf(metric::Of(activity))] = {{"seconds", Seconds(amount.ns)},
                                          {"percent", view.Percent(activity, amount.ns)},
                                          {"samples", amount.samples},
                                          {"low", interval.low},
                                          {"high", interval.high}};
  }
  return json;
}

Json TimeJson(const Breakdown& time, const View& view) { return TimeJson(time, view.total, view); }

// Time of tasks that wait there, of a line or a function.
Json AwaitJson(const auto& row) {
  return {{"self", Seconds(row.self.await_ns())},
          {"scoped", Seconds(row.scoped.await_ns())},
          {"total", Seconds(row.total.await_ns())}};
}

// CPU time of workers, of a line or a function.
Json WorkerJson(const auto& row) {
  return {{"self", Seconds(row.self.worker_ns())},
          {"scoped", Seconds(row.scoped.worker_ns())},
          {"total", Seconds(row.total.worker_ns())}};
}

// What the recording declares, of a row, by name.
Json DeclaredJson(const auto& row, const Report& report) {
  Json json = Json::object();
  for (const metric::Info& info : report.metrics.declared()) {
    const Amount total = row.total[info.metric];
    if (total.ns != 0)
      json[std::string(info.name)] = {{"self", row.self[info.metric].ns},
                                      {"scoped", row.scoped[info.metric].ns},
                                      {"total", total.ns}};
  }
  return json;
}

// Which metrics that are, and what they are counted in.
Json MetricsJson(const Report& report) {
  Json json = Json::array();
  for (const metric::Info& info : report.metrics.declared())
    json.push_back({{"name", info.name},
                    {"title", info.title},
                    {"unit", metric::UnitName(info)},
                    {"value", report.merged.total[info.metric].ns}});
  return json;
}

Json FileJson(const analyze::FileStats& file, const Report& report, const View& view) {
  Json lines = Json::array();
  for (const analyze::LineStats& line : file.lines) {
    const std::string* text = file.source ? report.sources[*file.source].Line(line.line) : nullptr;
    lines.push_back({{"line", line.line},
                     {"function", line.function},
                     {"source", text != nullptr ? Json(*text) : Json(nullptr)},
                     {"self", TimeJson(line.self, view)},
                     {"scoped", TimeJson(line.scoped, view)},
                     {"total", TimeJson(line.total, view)},
                     {SecondsOf(Metric::kGc), Seconds(line.self.gc_ns())},
                     {SecondsOf(Metric::kAwait), AwaitJson(line)},
                     {SecondsOf(Metric::kWorker), WorkerJson(line)},
                     {"memory", MemoryPartsJson(line.memory, view)},
                     {"metrics", DeclaredJson(line, report)}});
  }
  Json functions = Json::array();
  for (const analyze::FunctionStats& function : file.functions) {
    functions.push_back({{"name", function.name},
                         {"first_line", function.first_line},
                         {"self", TimeJson(function.self, view)},
                         {"scoped", TimeJson(function.scoped, view)},
                         {"total", TimeJson(function.total, view)},
                         {SecondsOf(Metric::kGc), Seconds(function.self.gc_ns())},
                         {SecondsOf(Metric::kAwait), AwaitJson(function)},
                         {SecondsOf(Metric::kWorker), WorkerJson(function)},
                         {"memory", MemoryPartsJson(function.memory, view)},
                         {"metrics", DeclaredJson(function, report)}});
  }
  return {{"path", file.path},
          {"in_scope", file.in_scope},
          {"self", TimeJson(file.self, view)},
          {"scoped", TimeJson(file.scoped, view)},
          {"total", TimeJson(file.total, view)},
          {"memory", MemoryPartsJson(file.memory, view)},
          {"metrics", DeclaredJson(file, report)},
          {"lines", std::move(lines)},
          {"functions", std::move(functions)}};
}

// The part of the on-CPU activities that is garbage collection.
Json GcJson(const View& view) {
  Json json = Json::object();
  for (size_t i = 0; i < view.gc_ns_of.size(); ++i)
    json[NameOf(metric::Of(format::Activity(i)))] = Seconds(view.gc_ns_of[i]);
  return json;
}

Json ImportJson(const analyze::ImportStats& import, const View& view) {
  return {{"path", import.path.empty() ? Json(nullptr) : Json(import.path)},
          {"seconds", Seconds(import.time.time_ns())},
          {"totals", TimeJson(import.time, view)}};
}

Json NativeJson(const analyze::NativeFunctionStats& native, const View& view) {
  return {{"name", native.name.empty() ? Json(nullptr) : Json(native.name)},
          {"module", native.module},
          {"self", TimeJson(native.self, view)},
          {"total", TimeJson(native.total, view)}};
}

Json PlaceJson(const analyze::Place& place) {
  return {{"path", place.path}, {"function", place.function}, {"line", place.line}};
}

Json ThreadJson(const analyze::ThreadStats& thread, const View& view) {
  return {{"pid", thread.pid},
          {"tid", thread.tid},
          {"name", thread.name},
          {"main", thread.main},
          {"start_seconds", Seconds(thread.start_ns)},
          {"end_seconds", Seconds(thread.end_ns)},
          {"clock_cpu_seconds",
           thread.clock_cpu_ns ? Json(Seconds(*thread.clock_cpu_ns)) : Json(nullptr)},
          {"totals", TimeJson(thread.time, thread.time, view)},
          {SecondsOf(Metric::kWorker), Seconds(thread.time.worker_ns())},
          {"works_for",
           thread.works_for == analyze::Place() ? Json(nullptr) : PlaceJson(thread.works_for)},
          {"memory", MemoryStatsJson(thread.memory, view)}};
}

Json RunJson(const Report& report) {
  return {{"pyrometer_version", report.run.pyrometer_version},
          {"command", report.run.command},
          {"working_directory", report.run.working_directory},
          {"operating_system", report.run.operating_system},
          {"start_unix_seconds", Seconds(report.run.start_unix_ns)},
          {"options", report.run.options}};
}

Json ExitJson(const std::optional<format::ProcessEnd>& end) {
  if (!end) return nullptr;
  return {{"code", end->exit_code < 0 ? Json(nullptr) : Json(end->exit_code)},
          {"signal", end->exit_signal == 0 ? Json(nullptr) : Json(end->exit_signal)},
          {"user_cpu_seconds", Seconds(end->user_cpu_ns)},
          {"system_cpu_seconds", Seconds(end->system_cpu_ns)},
          {"peak_rss_bytes", end->peak_rss_bytes}};
}

Json CountersJson(const std::vector<analyze::Counter>& counters) {
  Json json = Json::array();
  for (const analyze::Counter& counter : counters) {
    const metric::CounterKey& key = counter.key;
    json.push_back({{"id", metric::IdOf(key)},
                    {"pid", counter.pid},
                    {"class", metric::NameOf(metric::ClassOf(key))},
                    {"value", counter.value},
                    {"unit", metric::UnitName(metric::UnitOf(key))},
                    {"text", metric::TextOf(key)}});
  }
  return json;
}

// The sentence of a verdict, for the page: names as they are, and the place as one.
Json PiecesJson(const analyze::Verdict& verdict, bool first) {
  using Kind = analyze::Piece::Kind;
  constexpr const char* kKinds[] = {"text", "amount", "name", "place"};
  Json pieces = Json::array();
  for (const analyze::Piece& piece : VerdictSentence(verdict, first)) {
    Json json = {{"kind", kKinds[static_cast<size_t>(piece.kind)]}};
    if (piece.kind == Kind::kPlace) {
      json["path"] = verdict.path;
      json["function"] = verdict.function;
      json["line"] = verdict.line;
    } else {
      json["text"] = piece.text;
    }
    if (piece.headline) json["headline"] = true;
    pieces.push_back(std::move(json));
  }
  return pieces;
}

// With `pieces`, for the page, of each sentence.
Json VerdictsJson(const Report& report, bool pieces) {
  using Kind = analyze::Verdict::Kind;
  Json json = Json::array();
  for (const analyze::Verdict& verdict : report.verdicts) {
    const bool first = &verdict == &report.verdicts.front();
    const Kind kind = verdict.kind;
    const bool growth = kind == Kind::kMemoryGrowth;
    const bool memory = growth || kind == Kind::kMemoryPeak || kind == Kind::kCopies;
    const bool declared = kind == Kind::kDeclared;
    Json place = nullptr;
    if (!verdict.path.empty()) {
      place = {{"path", verdict.path},
               {"function", verdict.function},
               {"line", verdict.line},
               {"seconds", Seconds(verdict.place_ns)},
               {"bytes", memory ? Json(verdict.place_bytes) : Json(nullptr)},
               {"value", declared ? Json(verdict.place_bytes) : Json(nullptr)}};
    }
    json.push_back(
        {{"kind", analyze::NameOf(kind)},
         {"text", PrintableVerdict(verdict, first, report.run.working_directory)},
         {"metric", verdict.metric ? Json(report.metrics[*verdict.metric].name) : Json(nullptr)},
         {"seconds", Seconds(verdict.ns)},
         {"of_seconds", Seconds(verdict.of_ns)},
         {"workers_cpu_seconds",
          verdict.workers_ns == 0 ? Json(nullptr) : Json(Seconds(verdict.workers_ns))},
         {"outside_seconds", Seconds(verdict.outside_ns)},
         {"bytes", memory && !growth ? Json(verdict.bytes) : Json(nullptr)},
         {"value", declared ? Json(verdict.bytes) : Json(nullptr)},
         {"bytes_per_second", growth ? Json(verdict.bytes) : Json(nullptr)},
         {"probability", growth ? Json(verdict.probability) : Json(nullptr)},
         {"samples", verdict.samples},
         {"place", std::move(place)}});
    if (pieces) json.back()["pieces"] = PiecesJson(verdict, first);
  }
  return json;
}

Json GilWaitsJson(const std::vector<analyze::GilWaitStats>& waits) {
  Json json = Json::array();
  for (const analyze::GilWaitStats& wait : waits) {
    Json holder = nullptr;
    if (wait.holder_tid) holder = {{"tid", *wait.holder_tid}, {"name", wait.holder}};
    json.push_back({{"pid", wait.pid},
                    {"waiter", {{"tid", wait.waiter_tid}, {"name", wait.waiter}}},
                    {"holder", std::move(holder)},
                    {"seconds", Seconds(wait.wait_ns)},
                    {"samples", wait.samples}});
  }
  return json;
}

Json RegionsJson(const std::vector<analyze::RegionStats>& regions) {
  Json json = Json::array();
  for (const analyze::RegionStats& region : regions) {
    json.push_back({{"name", region.name},
                    {"count", region.count},
                    {SecondsOf(Metric::kWall), Seconds(region.wall_ns)},
                    {SecondsOf(Metric::kCpu), Seconds(region.cpu_ns)},
                    {"longest_seconds", Seconds(region.longest_ns)},
                    {"samples", region.samples}});
  }
  return json;
}

Json ProfiledFunctionsJson(const std::vector<analyze::ProfiledFunction>& functions) {
  Json json = Json::array();
  for (const analyze::ProfiledFunction& function : functions) {
    json.push_back(
        {{"path", function.path}, {"name", function.name}, {"first_line", function.first_line}});
  }
  return json;
}

Json OpenedJson(const analyze::OpenedPackages& opened) {
  if (opened.packages.empty()) return nullptr;
  return {{"packages", opened.packages},
          {"hidden_seconds", Seconds(opened.hidden_ns)},
          {"of_seconds", Seconds(opened.of_ns)},
          {"entry_point", opened.entry_point.empty() ? Json(nullptr) : Json(opened.entry_point)}};
}

Json PlacesJson(const std::vector<analyze::Place>& places) {
  Json json = Json::array();
  for (const analyze::Place& place : places) json.push_back(PlaceJson(place));
  return json;
}

Json AwaitTimeJson(const analyze::AwaitTime& time) {
  return {{"suspended_seconds", Seconds(time.suspended_ns)},
          {"ready_seconds", Seconds(time.ready_ns)},
          {"samples", time.samples}};
}

Json TaskJson(const analyze::TaskStats& task) {
  return {{"coroutine", task.coroutine},
          {"path", task.path},
          {"first_line", task.first_line},
          {"tasks", task.tasks},
          {"name", task.name.empty() ? Json(nullptr) : Json(task.name)},
          {"made_at", task.made_at == analyze::Place() ? Json(nullptr) : PlaceJson(task.made_at)},
          {SecondsOf(Metric::kCpu), Seconds(task.cpu_ns)},
          {"samples", task.samples},
          {"await", AwaitTimeJson(task.time)}};
}

Json AwaitStatsJson(const analyze::AwaitStats& await) {
  Json chains = Json::array();
  for (const analyze::AwaitStats::Chain& chain : await.chains)
    chains.push_back({{"frames", PlacesJson(chain.frames)}, {"await", AwaitTimeJson(chain.time)}});
  return {{"place", PlaceJson(await.place)},
          {"awaited", await.awaited.empty() ? Json(nullptr) : Json(await.awaited)},
          {"tasks", await.tasks},
          {"await", AwaitTimeJson(await.time)},
          {"chains", std::move(chains)}};
}

Json LoopBlockJson(const analyze::LoopBlockStats& block) {
  return {{"place", PlaceJson(block.place)},
          {"count", block.count},
          {"seconds", Seconds(block.total_ns)},
          {"samples", block.samples},
          {"longest",
           {{"seconds", Seconds(block.longest_ns)},
            {"begin_seconds", Seconds(block.begin_ns)},
            {"pid", block.pid},
            {"thread", {{"tid", block.tid}, {"name", block.thread}}},
            {"stack", PlacesJson(block.stack)}}}};
}

Json RanksJson(const analyze::RankTable& ranks) {
  if (ranks.rows.empty()) return nullptr;
  Json rows = Json::array();
  for (const analyze::RankStats& row : ranks.rows) {
    rows.push_back({{"rank", row.rank},
                    {"processes", row.processes},
                    {"start_seconds", Seconds(row.start_ns)},
                    {"elapsed_seconds", Seconds(row.elapsed_ns())},
                    {SecondsOf(Metric::kCpu), Seconds(row.cpu_ns)},
                    {SecondsOf(Metric::kWait), Seconds(row.wait_ns)}});
  }
  return {{"variable", ranks.variable},
          {"median_elapsed_seconds", Seconds(ranks.median_elapsed_ns)},
          {"rows", std::move(rows)}};
}

Json LoadJson(const profile::LoadReport& load) {
  return {{"orderly_end", load.orderly_end},       {"still_running", load.still_running},
          {"bytes_read", load.bytes_read},         {"bytes_lost", load.bytes_lost},
          {"blocks_skipped", load.blocks_skipped}, {"records_invalid", load.records_invalid}};
}

Json PageJson(const PageFacts& facts) {
  return {{"title", facts.title},
          {"end_ns", facts.end_ns},
          {"main_thread", facts.main_thread ? Json(*facts.main_thread) : Json(nullptr)},
          {"memory", facts.memory},
          {"pieces", facts.pieces},
          {"partial", facts.partial},
          {"rest", facts.rest}};
}

// Writes members and elements one at a time, a line each, so that no more than
// one of them is in memory as JSON.
class Writer {
 public:
  // With `facts` it is the `meta` of a page.
  Writer(const Report& report, const PageFacts* facts, std::ostream& out)
      : report_(report), facts_(facts), out_(out) {}

  void Write() {
    out_ << "{\n";
    Member("schema", "pyrometer.report");
    Member("version", kVersion);
    Member("run", RunJson(report_));
    Member("metrics", MetricsJson(report_));
    Member("verdicts", VerdictsJson(report_, facts_ != nullptr));
    Key("processes");
    out_ << '[';
    const char* separator = "\n";
    for (const analyze::ProcessReport& process : report_.processes) {
      out_ << std::exchange(separator, ",\n");
      WriteProcess(process);
    }
    out_ << "]";
    Key("merged");
    OpenObject();
    WriteView(report_.merged);
    CloseObject();
    Member("gil_waits", GilWaitsJson(report_.gil_waits));
    Member("regions", RegionsJson(report_.regions));
    Member("profiled_functions", ProfiledFunctionsJson(report_.profiled_functions));
    Member("lines_restricted", report_.lines_restricted);
    Member("opened", OpenedJson(report_.opened));
    Array("tasks", report_.tasks, TaskJson);
    Array("awaits", report_.awaits, AwaitStatsJson);
    Array("loop_blocks", report_.loop_blocks, LoopBlockJson);
    Array("growth", report_.leaks, LeakJson);
    Member("ranks", RanksJson(report_.ranks));
    Member("losses", CountersJson(report_.losses));
    Member("costs", CountersJson(report_.costs));
    Member("facts", CountersJson(report_.facts));
    Member("load", LoadJson(report_.load));
    if (facts_ != nullptr) Member("page", PageJson(*facts_));
    out_ << "\n}\n";
  }

 private:
  void WriteProcess(const analyze::ProcessReport& process) {
    OpenObject();
    Member("pid", process.pid);
    Member("parent_pid", process.parent_pid);
    Member("command", process.argv);
    Member("executable", process.executable);
    Member("interpreter", process.interpreter);
    Member("clock", process.clock);
    Member("sample_period_seconds", Seconds(process.sample_period_ns));
    Member("start_seconds", Seconds(process.start_ns));
    Member("exit", ExitJson(process.end));
    if (facts_ == nullptr) WriteView(process.view);
    CloseObject();
  }

  void WriteView(const View& view) {
    Member("elapsed_seconds", Seconds(view.elapsed_ns));
    Member("totals", TimeJson(view.total, view));
    Member("outside_scope", TimeJson(view.outside, view));
    Member("without_python", TimeJson(view.no_python, view));
    Member(SecondsOf(Metric::kGc), Seconds(view.total.gc_ns()));
    Member(SecondsOf(Metric::kGc) + "_of", GcJson(view));
    Member(SecondsOf(Metric::kImport), Seconds(view.total.import_ns()));
    Member(SecondsOf(Metric::kAwait), Seconds(view.total.await_ns()));
    Member(SecondsOf(Metric::kWorker), Seconds(view.total.worker_ns()));
    Member("memory", ViewMemoryJson(view));
    Array("imports", view.imports,
          [&](const analyze::ImportStats& import) { return ImportJson(import, view); });
    if (facts_ == nullptr) WriteRows(view);
    Array("threads", view.threads,
          [&](const analyze::ThreadStats& thread) { return ThreadJson(thread, view); });
  }

  void WriteRows(const View& view) {
    Array("files", view.files,
          [&](const analyze::FileStats& file) { return FileJson(file, report_, view); });
    Array("native_functions", view.native_functions,
          [&](const analyze::NativeFunctionStats& native) { return NativeJson(native, view); });
  }

  void OpenObject() {
    out_ << "{\n";
    first_ = true;
  }
  void CloseObject() {
    out_ << "}";
    first_ = false;
  }
  void Key(std::string_view name) {
    if (!std::exchange(first_, false)) out_ << ",\n";
    out_ << '"' << name << "\":";
  }
  void Member(std::string_view name, const Json& value) {
    Key(name);
    out_ << Dump(value);
  }
  template <class T, class ToJson>
  void Array(const char* name, const std::vector<T>& items, ToJson to_json) {
    Key(name);
    out_ << '[';
    const char* separator = "\n";
    for (const T& item : items) out_ << std::exchange(separator, ",\n") << Dump(to_json(item));
    out_ << ']';
  }

  const Report& report_;
  const PageFacts* const facts_;
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

void WriteJson(const Report& report, std::ostream& out) { Writer(report, nullptr, out).Write(); }

void WritePageMeta(const Report& report, const PageFacts& facts, std::ostream& out) {
  Writer(report, &facts, out).Write();
}

}  // namespace pyrometer::export_
