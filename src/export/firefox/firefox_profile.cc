// SPDX-License-Identifier: Apache-2.0
#include "export/firefox/firefox_profile.h"

#include <map>
#include <vector>

#include "base/grouped_rows.h"
#include "export/core/native_modules.h"
#include "export/core/thread_timeline.h"
#include "export/stream/json_stream.h"
#include "export/tables/process_list.h"
#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
constexpr int kProcessedVersion = 64;
constexpr int kGeckoVersion = 31;
constexpr int kLibraryResource = 1;
constexpr int kInterval = 1;  // the phase of a marker with a begin and an end
enum Category { kOther, kPython, kNative };

class FirefoxProfile {
 public:
  FirefoxProfile(Exchange& from, std::ostream& out)
      : from_(from),
        json_(out),
        modules_(from),
        timeline_(from),
        changes_(Grouped(from.profile().memory_changes.size(),
                         [&](size_t i) { return from.profile().memory_changes[i].thread.value; })),
        regions_(Grouped(from.profile().regions.size(),
                         [&](size_t i) { return from.profile().regions[i].thread.value; })),
        blocks_(Grouped(from.profile().loop_blocks.size(),
                        [&](size_t i) { return from.profile().loop_blocks[i].thread.value; })) {}

  void Write() {
    json_.Object();
    WriteMeta();
    WriteLibs();
    json_.Key("threads").Array();
    for (uint32_t i = 0; i < from_.threads().size(); ++i) WriteThread(i);
    json_.End();
    WriteCounters();
    // Last, because all of the above have named their texts.
    WriteShared();
    json_.End();
  }

 private:
  template <class GroupOf>
  base::GroupedRows Grouped(size_t rows, GroupOf group_of) const {
    return {rows, from_.threads().size(), group_of};
  }
  void Milliseconds(uint64_t ns) { json_.Fraction(ns, kNsPerMs); }
  template <class Write>
  void Column(const char* name, size_t count, Write write) {
    json_.Key(name).Array();
    for (size_t i = 0; i < count; ++i) write(i);
    json_.End();
  }
  // A column of one value or of nulls.
  void Fill(const char* name, size_t count, int value) {
    Column(name, count, [&](size_t) { json_.Value(value); });
  }
  void Nulls(const char* name, size_t count) {
    Column(name, count, [&](size_t) { json_.Null(); });
  }

  void WriteMeta() {
    const format::RunInfo& run = from_.profile().run;
    const std::string title = ValidUtf8(CommandTitle(run.command));
    const uint64_t period_ns = from_.profile().processes.empty()
                                   ? 0
                                   : from_.profile().processes.front().info.sample_period_ns;
    json_.Key("meta").Object();
    json_.Key("interval");
    Milliseconds(period_ns == 0 ? kNsPerMs : period_ns);
    json_.Key("startTime");
    Milliseconds(run.start_unix_ns);
    json_.Member("processType", 0).Member("product", title).Member("stackwalk", 1);
    json_.Member("version", kGeckoVersion);
    json_.Member("preprocessedProfileVersion", kProcessedVersion);
    json_.Member("symbolicated", true).Member("debug", false);
    json_.Member("importedFrom", ValidUtf8("pyrometer " + run.pyrometer_version));
    json_.Member("usesOnlyOneStackType", true).Member("keepProfileThreadOrder", true);
    json_.Member("sourceCodeIsNotOnSearchfox", true);
    json_.Key("sampleUnits").Object().Member("time", "ms").Member("eventDelay", "ms");
    json_.Member("threadCPUDelta", "ns").End();
    json_.Key("categories").Array();
    WriteCategory("Other", "grey");
    WriteCategory("Python", "yellow");
    WriteCategory("Native", "blue");
    json_.End().Key("markerSchema").Array();
    WriteSchema("region", "Region");
    WriteSchema("loop_block", "Event loop blocked");
    json_.End().End();
  }
  void WriteCategory(const char* name, const char* color) {
    json_.Object().Member("name", name).Member("color", color);
    json_.Key("subcategories").Array().Value("Other").End().End();
  }
  void WriteSchema(const char* name, const char* label) {
    json_.Object().Member("name", name).Member("tooltipLabel", label);
    json_.Member("tableLabel", "{marker.data.what}").Member("chartLabel", "{marker.data.what}");
    json_.Key("display").Array().Value("marker-chart").Value("marker-table");
    json_.Value("timeline-overview").End().Key("fields").Array().Object();
    json_.Member("key", "what")
        .Member("label", "Name")
        .Member("format", "string")
        .End()
        .End()
        .End();
  }

  void WriteLibs() {
    json_.Key("libs").Array();
    for (const NativeModules::Module& module : modules_.all()) {
      const std::string& path = from_.Text(module.path);
      const std::string name = path.substr(path.rfind('/') + 1);
      json_.Object().Member("arch", "").Member("name", name).Member("path", path);
      json_.Member("debugName", name).Member("debugPath", path);
      json_.Member("breakpadId", std::string(33, '0')).Member("codeId", module.build_id).End();
    }
    json_.End();
  }

  void WriteThread(uint32_t index) {
    const analyze::ThreadStats& thread = *from_.threads()[index];
    const uint32_t process = from_.profile().threads[index].info.process.value;
    const analyze::ProcessReport& its = from_.report().processes[process];
    json_.Object().Member("processType", "default").Member("name", ValidUtf8(thread.name));
    json_.Member("processName", from_.ProcessName(process)).Member("isMainThread", thread.main);
    json_.Member("pid", std::to_string(thread.pid)).Member("tid", thread.tid);
    json_.Key("processStartupTime");
    Milliseconds(its.start_ns);
    json_.Key("processShutdownTime");
    Milliseconds(EndOf(its));
    json_.Key("registerTime");
    Milliseconds(thread.start_ns);
    json_.Key("unregisterTime");
    Milliseconds(thread.end_ns);
    json_.Key("pausedRanges").Array().End();
    WriteSamples(timeline_.Of(index));
    WriteAllocations(changes_.Of(index));
    WriteMarkers(regions_.Of(index), blocks_.Of(index), thread.tid);
    json_.End();
  }

  uint32_t StackOf(format::StackId stack) const { return from_.NodeOf(stack) - 1; }

  // There, a sample stands at the begin of what it shows and lasts until the next one; its
  // CPU time is that since the one before. Where nothing is known, a sample has no stack.
  void WriteSamples(const std::vector<ThreadTimeline::Slice>& slices) {
    struct Sample {
      uint64_t time_ns;
      uint32_t node;  // 0: none
      uint64_t weight_ns;
      uint64_t cpu_ns;
    };
    std::vector<Sample> rows;
    uint64_t cpu_ns = 0;
    for (size_t i = 0; i < slices.size(); ++i) {
      const ThreadTimeline::Slice& slice = slices[i];
      rows.push_back({slice.begin_ns, slice.node, slice.weight_ns, cpu_ns});
      cpu_ns = slice.cpu_ns;
      if (i + 1 < slices.size() && slices[i + 1].begin_ns == slice.end_ns) continue;
      rows.push_back({slice.end_ns, 0, 0, cpu_ns});
      cpu_ns = 0;
    }
    json_.Key("samples").Object().Member("weightType", "tracing-ms");
    Column("stack", rows.size(), [&](size_t i) {
      if (rows[i].node == 0)
        json_.Null();
      else
        json_.Value(rows[i].node - 1);
    });
    Column("time", rows.size(), [&](size_t i) { Milliseconds(rows[i].time_ns); });
    Column("weight", rows.size(), [&](size_t i) { Milliseconds(rows[i].weight_ns); });
    Column("threadCPUDelta", rows.size(), [&](size_t i) { json_.Value(rows[i].cpu_ns); });
    json_.Member("length", rows.size()).End();
  }

  // What is freed has the place that had it, and a weight below 0.
  void WriteAllocations(std::span<const uint32_t> rows) {
    struct Allocation {
      const format::MemoryChange* change;
      int64_t bytes;
    };
    std::vector<Allocation> allocations;
    for (const uint32_t row : rows) {
      const format::MemoryChange& change = from_.profile().memory_changes[row];
      if (change.kind == format::MemoryKind::kCopied) continue;
      if (change.allocated.bytes != 0)
        allocations.push_back({&change, Signed(change.allocated.bytes)});
      if (change.freed.bytes != 0) allocations.push_back({&change, -Signed(change.freed.bytes)});
    }
    if (allocations.empty()) return;
    const size_t count = allocations.size();
    json_.Key("nativeAllocations").Object().Member("weightType", "bytes");
    Column("stack", count, [&](size_t i) { json_.Value(StackOf(allocations[i].change->stack)); });
    Column("time", count, [&](size_t i) { Milliseconds(allocations[i].change->time_ns); });
    Column("weight", count, [&](size_t i) { json_.Value(allocations[i].bytes); });
    json_.Member("length", count).End();
  }

  void WriteMarkers(std::span<const uint32_t> regions, std::span<const uint32_t> blocks,
                    uint64_t tid) {
    struct Marker {
      const char* type;
      std::string what;
      uint64_t begin_ns;
      uint64_t length_ns;
      std::optional<uint32_t> stack{};
    };
    std::vector<Marker> markers;
    const profile::Profile& profile = from_.profile();
    for (const uint32_t row : regions) {
      const format::RegionInfo& region = profile.regions[row];
      markers.push_back(
          {"region", ValidUtf8(profile.Text(region.name)), region.begin_ns, region.length_ns});
    }
    for (const uint32_t row : blocks) {
      const format::LoopBlock& block = profile.loop_blocks[row];
      const uint32_t frame = from_.nodes()[from_.NodeOf(block.stack)].frame;
      markers.push_back({"loop_block", from_.FrameLabel(frame), block.begin_ns, block.length_ns,
                         StackOf(block.stack)});
    }
    const size_t count = markers.size();
    json_.Key("markers").Object();
    Column("data", count, [&](size_t i) {
      json_.Object().Member("type", markers[i].type).Member("what", markers[i].what);
      if (markers[i].stack) {
        json_.Key("cause").Object().Member("tid", tid).Member("stack", *markers[i].stack).End();
      }
      json_.End();
    });
    Column("name", count, [&](size_t i) {
      const bool region = !markers[i].stack;
      json_.Value(from_.texts().Number(region ? markers[i].what : "event loop blocked"));
    });
    Column("startTime", count, [&](size_t i) { Milliseconds(markers[i].begin_ns); });
    Column("endTime", count, [&](size_t i) {
      Milliseconds(SaturatingSum(markers[i].begin_ns, markers[i].length_ns));
    });
    Fill("phase", count, kInterval);
    Fill("category", count, kOther);
    json_.Member("length", count).End();
  }

  void WriteCounters() {
    json_.Key("counters").Array();
    const std::vector<format::MemoryLevel>& levels = from_.profile().memory_levels;
    const base::GroupedRows by_process(levels.size(), from_.report().processes.size(),
                                       [&](size_t i) { return levels[i].process.value; });
    for (uint32_t i = 0; i < from_.report().processes.size(); ++i) {
      if (by_process.Of(i).empty()) continue;
      WriteCounter("Memory in use", i, by_process.Of(i), [](const format::MemoryLevel& level) {
        return SaturatingSum(SaturatingSum(level.python_bytes, level.native_bytes),
                             level.mapped_bytes);
      });
      WriteCounter("Resident memory", i, by_process.Of(i),
                   [](const format::MemoryLevel& level) { return level.rss_bytes; });
    }
    json_.End();
  }
  // Counters hold what has been added since the sample before.
  template <class Bytes>
  void WriteCounter(const char* name, uint32_t process, std::span<const uint32_t> rows,
                    Bytes bytes) {
    const std::vector<format::MemoryLevel>& levels = from_.profile().memory_levels;
    json_.Object().Member("name", name).Member("category", "Memory").Member("description", name);
    json_.Member("pid", std::to_string(from_.report().processes[process].pid));
    json_.Member("mainThreadIndex", MainThreadOf(process)).Key("samples").Object();
    Column("time", rows.size(), [&](size_t i) { Milliseconds(levels[rows[i]].time_ns); });
    int64_t before = 0;
    Column("count", rows.size(), [&](size_t i) {
      const int64_t now = Signed(bytes(levels[rows[i]]));
      json_.Value(now - before);
      before = now;
    });
    json_.Member("length", rows.size()).End();
    json_.Key("display").Object().Member("graphType", "line-accumulated").Member("unit", "bytes");
    json_.Member("color", "orange").Key("markerSchemaLocation").Null().Member("sortWeight", 20);
    json_.Member("label", name).Key("tooltipRows").Array().Object().Member("type", "value");
    json_.Member("source", "accumulated").Member("label", name).Key("format").Object();
    json_.Member("unit", "bytes").End().End().End().End().End();
  }
  uint32_t MainThreadOf(uint32_t process) const {
    uint32_t first = 0;
    for (uint32_t i = static_cast<uint32_t>(from_.threads().size()); i-- > 0;) {
      if (from_.profile().threads[i].info.process.value != process) continue;
      if (from_.threads()[i]->main) return i;
      first = i;
    }
    return first;
  }

  void WriteShared() {
    json_.Key("shared").Object();
    WriteStacks();
    WriteFrames();
    WriteFunctions();
    WriteResources();
    json_.Key("nativeSymbols").Object();
    for (const char* column : {"libIndex", "address", "name", "functionSize"}) Nulls(column, 0);
    json_.Member("length", 0).End().Key("sourceLocationTable").Object();
    for (const char* column : {"source", "line", "column"}) Nulls(column, 0);
    json_.Member("length", 0).End();
    WriteSources();
    Column("stringArray", from_.texts().size(),
           [&](size_t i) { json_.Value(from_.Text(static_cast<uint32_t>(i))); });
    json_.End();
  }
  void WriteStacks() {
    const std::vector<Exchange::Node>& nodes = from_.nodes();
    const size_t count = nodes.size() - 1;  // without the root
    json_.Key("stackTable").Object();
    Column("frame", count, [&](size_t i) { json_.Value(nodes[i + 1].frame); });
    Column("prefix", count, [&](size_t i) {
      if (nodes[i + 1].parent == 0) {
        json_.Null();
      } else {
        json_.Value(nodes[i + 1].parent - 1);
      }
    });
    json_.Member("length", count).End();
  }
  void WriteFrames() {
    const std::vector<Exchange::Frame>& frames = from_.frames();
    const size_t count = frames.size();
    json_.Key("frameTable").Object();
    Fill("address", count, -1);
    Fill("inlineDepth", count, 0);
    Column("category", count, [&](size_t i) {
      switch (from_.FunctionOf(frames[i]).kind) {
        case Exchange::Kind::kPython:
          json_.Value(int{kPython});
          break;
        case Exchange::Kind::kNative:
          json_.Value(int{kNative});
          break;
        case Exchange::Kind::kSpecial:
          json_.Value(int{kOther});
      }
    });
    Fill("subcategory", count, 0);
    Column("func", count, [&](size_t i) { json_.Value(frames[i].function); });
    Nulls("nativeSymbol", count);
    Nulls("innerWindowID", count);
    Column("line", count, [&](size_t i) { WriteLine(frames[i].line); });
    Nulls("column", count);
    Nulls("originalLocation", count);
    json_.Member("length", count).End();
  }
  void WriteLine(uint32_t line) {
    if (line == 0) {
      json_.Null();
    } else {
      json_.Value(line);
    }
  }
  void WriteFunctions() {
    const std::vector<Exchange::Function>& functions = from_.functions();
    const size_t count = functions.size();
    json_.Key("funcTable").Object();
    Column("isJS", count, [&](size_t) { json_.Value(false); });
    Column("relevantForJS", count, [&](size_t) { json_.Value(false); });
    Column("name", count, [&](size_t i) { json_.Value(functions[i].name); });
    Column("resource", count,
           [&](size_t i) { json_.Value(int64_t{modules_.NumberOf(functions[i])} - 1); });
    Column("source", count, [&](size_t i) {
      if (functions[i].kind == Exchange::Kind::kPython) {
        const auto number = static_cast<uint32_t>(sources_.size());
        const auto [known, fresh] = source_numbers_.try_emplace(functions[i].file, number);
        if (fresh) sources_.push_back(functions[i].file);
        json_.Value(known->second);
      } else {
        json_.Null();
      }
    });
    Column("lineNumber", count, [&](size_t i) { WriteLine(functions[i].first_line); });
    Nulls("columnNumber", count);
    Nulls("originalLocation", count);
    json_.Member("length", count).End();
  }
  void WriteResources() {
    const size_t count = modules_.all().size();
    json_.Key("resourceTable").Object();
    Column("lib", count, [&](size_t i) { json_.Value(i); });
    Column("name", count, [&](size_t i) { json_.Value(modules_.all()[i].path); });
    Nulls("host", count);
    Fill("type", count, kLibraryResource);
    json_.Member("length", count).End();
  }
  void WriteSources() {
    std::map<uint32_t, const std::string*> contents;  // by path
    for (const format::SourceInfo& source : from_.profile().sources)
      contents[from_.texts().Number(from_.profile().Text(source.path))] = &source.text;
    const size_t count = sources_.size();
    json_.Key("sources").Object();
    Nulls("id", count);
    Column("filename", count, [&](size_t i) { json_.Value(sources_[i]); });
    Fill("startLine", count, 1);
    Fill("startColumn", count, 1);
    Nulls("sourceMapURL", count);
    Column("content", count, [&](size_t i) {
      if (const auto content = contents.find(sources_[i]); content != contents.end()) {
        json_.Value(ValidUtf8(*content->second));
      } else {
        json_.Null();
      }
    });
    json_.Member("length", count).End();
  }

  Exchange& from_;
  JsonStream json_;
  const NativeModules modules_;
  const ThreadTimeline timeline_;
  const base::GroupedRows changes_, regions_, blocks_;  // by thread
  std::vector<uint32_t> sources_;                       // paths of Python files
  std::map<uint32_t, uint32_t> source_numbers_;
};

}  // namespace

void WriteFirefoxProfile(Exchange& from, std::ostream& out) { FirefoxProfile(from, out).Write(); }

}  // namespace pyrometer::export_
