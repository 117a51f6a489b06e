// SPDX-License-Identifier: Apache-2.0
#include "export/chrome/chrome_trace.h"

#include <algorithm>
#include <vector>

#include "export/core/thread_timeline.h"
#include "export/stream/json_stream.h"
#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {
namespace {

constexpr uint64_t kNsPerUs = 1000;

class ChromeTrace {
 public:
  ChromeTrace(const Exchange& from, std::ostream& out) : from_(from), json_(out) {}

  void Write() {
    json_.Object().Member("displayTimeUnit", "ms").Key("traceEvents").Array();
    for (uint32_t i = 0; i < from_.report().processes.size(); ++i)
      WriteName("process_name", from_.report().processes[i].pid, 0, from_.ProcessName(i));
    const ThreadTimeline timeline(from_);
    for (uint32_t i = 0; i < from_.threads().size(); ++i) {
      const analyze::ThreadStats& thread = *from_.threads()[i];
      WriteName("thread_name", thread.pid, thread.tid, ValidUtf8(thread.name));
      WriteCalls(thread, timeline.Of(i));
    }
    WriteSlices();
    WriteLevels();
    json_.End().End();
  }

 private:
  using Slice = ThreadTimeline::Slice;
  struct Open {
    uint32_t frame;
    uint64_t wall_ns = 0;
    uint64_t cpu_ns = 0;
  };

  void BeginEvent(std::string_view name, const char* phase, uint64_t pid, uint64_t tid) {
    json_.Object().Member("name", name).Member("ph", phase).Member("pid", pid).Member("tid", tid);
  }
  void WriteTime(uint64_t ns) { json_.Key("ts").Fraction(ns, kNsPerUs); }

  void WriteName(const char* what, uint64_t pid, uint64_t tid, const std::string& name) {
    BeginEvent(what, "M", pid, tid);
    json_.Key("args").Object().Member("name", name).End().End();
  }

  void WriteCalls(const analyze::ThreadStats& thread, const std::vector<Slice>& slices) {
    std::vector<Open> open;
    uint64_t end_ns = 0;
    for (const Slice& slice : slices) {
      path_.clear();
      from_.ForPath(slice.node, [this](uint32_t frame) { path_.push_back(frame); });
      std::ranges::reverse(path_);
      SkipStart();
      size_t common = 0;
      if (slice.begin_ns == end_ns)
        while (common < std::min(open.size(), path_.size()) && open[common].frame == path_[common])
          ++common;
      while (open.size() > common) Close(thread, open, end_ns);
      while (open.size() < path_.size()) {
        open.push_back({path_[open.size()]});
        BeginEvent(from_.Name(FunctionOf(open.back())), "B", thread.pid, thread.tid);
        WriteTime(slice.begin_ns);
        WritePlace(open.back().frame);
        json_.End();
      }
      for (Open& call : open) {
        call.wall_ns = SaturatingSum(call.wall_ns, slice.weight_ns);
        call.cpu_ns = SaturatingSum(call.cpu_ns, slice.cpu_ns);
      }
      end_ns = slice.end_ns;
    }
    while (!open.empty()) Close(thread, open, end_ns);
  }

  // Native code that starts the interpreter says nothing, and a wait is known by its Python
  // frames alone: with it, no call would last from one to the other.
  void SkipStart() {
    const auto first = std::ranges::find_if(path_, [this](uint32_t frame) {
      return from_.FunctionOf(from_.frames()[frame]).kind == Exchange::Kind::kPython;
    });
    if (first != path_.end()) path_.erase(path_.begin(), first);
  }

  uint32_t FunctionOf(const Open& open) const { return from_.frames()[open.frame].function; }

  void WritePlace(uint32_t frame) {
    const Exchange::Frame& its = from_.frames()[frame];
    json_.Key("args").Object().Member("file", from_.Text(its.file));
    if (its.line != 0) json_.Member("line", its.line);
    json_.End();
  }

  void Close(const analyze::ThreadStats& thread, std::vector<Open>& open, uint64_t at_ns) {
    BeginEvent(from_.Name(FunctionOf(open.back())), "E", thread.pid, thread.tid);
    WriteTime(at_ns);
    json_.Key("args").Object().Key("wall_us").Fraction(open.back().wall_ns, kNsPerUs);
    json_.Key("cpu_us").Fraction(open.back().cpu_ns, kNsPerUs).End().End();
    open.pop_back();
  }

  // They need not nest with calls, which ordinary events of a thread must.
  void WriteAsync(const char* category, std::string_view name, format::ThreadId on,
                  uint64_t begin_ns, uint64_t length_ns) {
    const analyze::ThreadStats& thread = *from_.threads()[on.value];
    ++asyncs_;
    for (const char* phase : {"b", "e"}) {
      BeginEvent(name, phase, thread.pid, thread.tid);
      json_.Member("cat", category).Member("id", asyncs_);
      WriteTime(*phase == 'b' ? begin_ns : SaturatingSum(begin_ns, length_ns));
      json_.End();
    }
  }
  void WriteSlices() {
    const profile::Profile& profile = from_.profile();
    for (const format::RegionInfo& region : profile.regions)
      WriteAsync("region", ValidUtf8(profile.Text(region.name)), region.thread, region.begin_ns,
                 region.length_ns);
    for (const format::LoopBlock& block : profile.loop_blocks)
      WriteAsync("event loop blocked",
                 from_.FrameLabel(from_.nodes()[from_.NodeOf(block.stack)].frame), block.thread,
                 block.begin_ns, block.length_ns);
  }

  void WriteLevels() {
    for (const format::MemoryLevel& level : from_.profile().memory_levels) {
      BeginEvent("memory", "C", from_.report().processes[level.process.value].pid, 0);
      WriteTime(level.time_ns);
      json_.Key("args").Object().Member("python", level.python_bytes);
      json_.Member("native", level.native_bytes).Member("mapped", level.mapped_bytes).End().End();
      BeginEvent("resident", "C", from_.report().processes[level.process.value].pid, 0);
      WriteTime(level.time_ns);
      json_.Key("args").Object().Member("bytes", level.rss_bytes).End().End();
    }
  }

  const Exchange& from_;
  JsonStream json_;
  std::vector<uint32_t> path_;
  uint64_t asyncs_ = 0;
};

}  // namespace

void WriteChromeTrace(const Exchange& from, std::ostream& out) { ChromeTrace(from, out).Write(); }

}  // namespace pyrometer::export_
