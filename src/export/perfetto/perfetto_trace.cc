// SPDX-License-Identifier: Apache-2.0
#include "export/perfetto/perfetto_trace.h"

#include <algorithm>
#include <string>
#include <vector>

#include "exchange/perfetto_field.h"
#include "export/stream/message_stream.h"
#include "export/tables/saturating_sum.h"

namespace pyrometer::export_ {
namespace {

using protozero::pbf_writer;

constexpr uint32_t kStateCleared = 1, kNeedsState = 2;              // sequence flags
constexpr uint32_t kSliceBegin = 1, kSliceEnd = 2, kCounterAt = 4;  // types of track events
constexpr uint32_t kNanoseconds = 1, kBytes = 4;                    // units of samples
constexpr uint32_t kSizeBytes = 3;                                  // unit of counters
constexpr uint32_t kUnknownKind = 0, kNativeKind = 1, kInterpretedKind = 3;

// Sequences: interned data and defaults belong to one each.
enum Sequence : uint32_t { kTime = 1, kAllocations = 2, kCopies = 3, kTracks = 4 };

class PerfettoTrace {
 public:
  PerfettoTrace(Exchange& from, std::ostream& out) : from_(from), out_(out) {}

  void Write() {
    WriteTracks();
    WriteSamples();
    WriteMemory(kAllocations, "pyrometer.allocated", "allocated", false);
    WriteMemory(kCopies, "pyrometer.copied", "copied", true);
    WriteSlices();
    WriteLevels();
  }

 private:
  // Tracks have numbers of their own; 0 would be none.
  static uint64_t TrackOfProcess(size_t process) { return process * 8 + 1; }
  static uint64_t TrackOfThread(size_t thread) { return thread * 8 + 2; }
  static uint64_t TrackOfRegions(size_t thread) { return thread * 8 + 3; }
  static uint64_t TrackOfBlocks(size_t thread) { return thread * 8 + 4; }
  static uint64_t TrackOfUse(size_t process) { return process * 8 + 5; }
  static uint64_t TrackOfResident(size_t process) { return process * 8 + 6; }

  template <class Fill>
  void Packet(Sequence sequence, uint32_t flags, Fill fill) {
    out_.Message(perfetto_field::kPacket, [&](pbf_writer& packet) {
      packet.add_uint32(perfetto_field::packet::kSequence, sequence);
      if (flags != 0) packet.add_uint32(perfetto_field::packet::kFlags, flags);
      fill(packet);
    });
  }

  template <class Fill>
  void Track(uint64_t uuid, uint64_t parent, Fill fill) {
    Packet(kTracks, 0, [&](pbf_writer& packet) {
      pbf_writer track(packet, perfetto_field::packet::kTrackDescriptor);
      track.add_uint64(perfetto_field::track::kUuid, uuid);
      if (parent != 0) track.add_uint64(perfetto_field::track::kParent, parent);
      fill(track);
    });
  }

  void WriteTracks() {
    for (uint32_t i = 0; i < from_.report().processes.size(); ++i) {
      Track(TrackOfProcess(i), 0, [&](pbf_writer& track) {
        pbf_writer process(track, perfetto_field::track::kProcess);
        process.add_int32(perfetto_field::process::kPid, Pid(from_.report().processes[i].pid));
        process.add_string(perfetto_field::process::kName, from_.ProcessName(i));
      });
      CounterTrack(TrackOfUse(i), i, "Memory in use");
      CounterTrack(TrackOfResident(i), i, "Resident memory");
    }
    for (size_t i = 0; i < from_.threads().size(); ++i) {
      const analyze::ThreadStats& thread = *from_.threads()[i];
      const uint32_t process = from_.profile().threads[i].info.process.value;
      Track(TrackOfThread(i), TrackOfProcess(process), [&](pbf_writer& track) {
        pbf_writer writer(track, perfetto_field::track::kThread);
        writer.add_int32(perfetto_field::thread::kPid, Pid(thread.pid));
        writer.add_int64(perfetto_field::thread::kTid, Pid(thread.tid));
        writer.add_string(perfetto_field::thread::kName, ValidUtf8(thread.name));
      });
    }
  }
  void CounterTrack(uint64_t uuid, uint32_t process, const char* name) {
    Track(uuid, TrackOfProcess(process), [&](pbf_writer& track) {
      track.add_string(perfetto_field::track::kName, name);
      pbf_writer counter(track, perfetto_field::track::kCounter);
      counter.add_enum(perfetto_field::counter::kUnit, kSizeBytes);
    });
  }
  static int32_t Pid(uint64_t pid) { return static_cast<int32_t>(pid & 0x7fffffff); }

  struct Value {
    const char* name;
    uint32_t unit;
  };
  static void Describe(pbf_writer& writer, uint32_t to, const Value& value) {
    pbf_writer descriptor(writer, to);
    descriptor.add_string(perfetto_field::value::kName, value.name);
    descriptor.add_enum(perfetto_field::value::kUnit, static_cast<int32_t>(value.unit));
  }

  void Begin(Sequence sequence, const char* source, const Value& primary,
             const std::vector<Value>& followers) {
    Packet(sequence, kStateCleared, [&](pbf_writer& packet) {
      pbf_writer defaults(packet, perfetto_field::packet::kDefaults);
      pbf_writer of_samples(defaults, perfetto_field::defaults::kStackSample);
      of_samples.add_string(perfetto_field::sample_defaults::kSource, source);
      Describe(of_samples, perfetto_field::sample_defaults::kPrimary, primary);
      for (const Value& follower : followers)
        Describe(of_samples, perfetto_field::sample_defaults::kFollower, follower);
    });
    texts_known_.assign(from_.texts().size(), 0);
    paths_known_.assign(from_.texts().size(), 0);
    frames_known_.assign(from_.frames().size(), 0);
    stacks_known_.assign(from_.nodes().size(), 0);
  }

  template <class Fill>
  void Intern(Sequence sequence, uint32_t table, Fill fill) {
    Packet(sequence, kNeedsState, [&](pbf_writer& packet) {
      pbf_writer interned(packet, perfetto_field::packet::kInterned);
      pbf_writer entry(interned, table);
      fill(entry);
    });
  }
  void InternText(Sequence sequence, uint32_t table, std::vector<char>& known, uint32_t number) {
    if (known[number] != 0) return;
    known[number] = 1;
    Intern(sequence, table, [&](pbf_writer& entry) {
      entry.add_uint64(perfetto_field::text::kId, number + 1);
      entry.add_bytes(perfetto_field::text::kText, from_.Text(number));
    });
  }
  void InternFrame(Sequence sequence, uint32_t number) {
    if (frames_known_[number] != 0) return;
    frames_known_[number] = 1;
    const Exchange::Frame& frame = from_.frames()[number];
    const Exchange::Function& function = from_.FunctionOf(frame);
    InternText(sequence, perfetto_field::interned::kFunctionNames, texts_known_, function.name);
    InternText(sequence, perfetto_field::interned::kSourcePaths, paths_known_, frame.file);
    Intern(sequence, perfetto_field::interned::kFrames, [&](pbf_writer& entry) {
      entry.add_uint64(perfetto_field::frame::kId, number + 1);
      entry.add_uint64(perfetto_field::frame::kFunctionName, function.name + 1);
      entry.add_uint64(perfetto_field::frame::kSourcePath, frame.file + 1);
      if (frame.line != 0) entry.add_uint32(perfetto_field::frame::kLine, frame.line);
      entry.add_enum(perfetto_field::frame::kKind, KindOf(function));
    });
  }
  static int32_t KindOf(const Exchange::Function& function) {
    if (function.kind == Exchange::Kind::kSpecial) return kUnknownKind;
    return function.kind == Exchange::Kind::kPython ? kInterpretedKind : kNativeKind;
  }
  void InternStack(Sequence sequence, uint32_t node) {
    if (stacks_known_[node] != 0) return;
    stacks_known_[node] = 1;
    std::vector<uint64_t> path;
    from_.ForPath(node, [&](uint32_t frame) {
      InternFrame(sequence, frame);
      path.push_back(frame + 1);
    });
    std::ranges::reverse(path);  // outermost first
    Intern(sequence, perfetto_field::interned::kCallstacks, [&](pbf_writer& entry) {
      entry.add_uint64(perfetto_field::callstack::kId, node);
      for (const uint64_t frame : path) entry.add_uint64(perfetto_field::callstack::kFrames, frame);
    });
  }

  void WriteSample(Sequence sequence, uint64_t time_ns, format::ThreadId on, format::StackId stack,
                   uint64_t primary, const std::vector<uint64_t>& followers) {
    const uint32_t node = from_.NodeOf(stack);
    InternStack(sequence, node);
    const analyze::ThreadStats& thread = *from_.threads()[on.value];
    Packet(sequence, kNeedsState, [&](pbf_writer& packet) {
      packet.add_uint64(perfetto_field::packet::kTimestamp, time_ns);
      pbf_writer sample(packet, perfetto_field::packet::kStackSample);
      {
        pbf_writer task(sample, perfetto_field::stack_sample::kTask);
        task.add_uint32(perfetto_field::task::kPid, static_cast<uint32_t>(Pid(thread.pid)));
        task.add_uint32(perfetto_field::task::kTid, static_cast<uint32_t>(Pid(thread.tid)));
      }
      sample.add_uint64(perfetto_field::stack_sample::kStack, node);
      sample.add_uint64(perfetto_field::stack_sample::kPrimaryWeight, primary);
      for (const uint64_t weight : followers)
        sample.add_uint64(perfetto_field::stack_sample::kFollowerWeights, weight);
    });
  }

  void WriteSamples() {
    const profile::SampleColumns& samples = from_.profile().samples;
    if (samples.size() == 0) return;
    Begin(kTime, "pyrometer.time", {"wall", kNanoseconds},
          {{"cpu", kNanoseconds},
           {"python", kNanoseconds},
           {"native", kNanoseconds},
           {"kernel", kNanoseconds}});
    for (size_t i = 0; i < samples.size(); ++i) {
      const uint64_t weight = samples.weight_ns[i];
      std::vector<uint64_t> parts;
      for (const Metric metric : {Metric::kCpu, Metric::kPython, Metric::kNative, Metric::kKernel})
        parts.push_back(metric::Contains(metric, samples.activity[i]) ? weight : 0);
      WriteSample(kTime, samples.time_ns[i], samples.thread[i], samples.stack[i], weight, parts);
    }
  }

  void WriteMemory(Sequence sequence, const char* source, const char* name, bool copied) {
    bool begun = false;
    for (const format::MemoryChange& change : from_.profile().memory_changes) {
      if ((change.kind == format::MemoryKind::kCopied) != copied || change.allocated.bytes == 0)
        continue;
      if (!begun) Begin(sequence, source, {name, kBytes}, {});
      begun = true;
      WriteSample(sequence, change.time_ns, change.thread, change.stack, change.allocated.bytes,
                  {});
    }
  }

  void WriteEvent(uint64_t track, uint32_t type, uint64_t time_ns, const std::string& name) {
    Packet(kTracks, 0, [&](pbf_writer& packet) {
      packet.add_uint64(perfetto_field::packet::kTimestamp, time_ns);
      pbf_writer event(packet, perfetto_field::packet::kTrackEvent);
      event.add_enum(perfetto_field::event::kType, static_cast<int32_t>(type));
      event.add_uint64(perfetto_field::event::kTrack, track);
      if (!name.empty()) event.add_string(perfetto_field::event::kName, name);
    });
  }
  void WriteSlice(uint64_t track, const std::string& name, uint64_t begin_ns, uint64_t length_ns) {
    WriteEvent(track, kSliceBegin, begin_ns, name.empty() ? "<no name>" : name);
    WriteEvent(track, kSliceEnd, SaturatingSum(begin_ns, length_ns), "");
  }
  void WriteSlices() {
    const profile::Profile& profile = from_.profile();
    std::vector<bool> with_regions(from_.threads().size()), with_blocks(from_.threads().size());
    const auto named = [&](std::vector<bool>& known, uint32_t thread, uint64_t track,
                           const char* name) {
      if (!known[thread])
        Track(track, TrackOfThread(thread),
              [&](pbf_writer& writer) { writer.add_string(perfetto_field::track::kName, name); });
      known[thread] = true;
      return track;
    };
    for (const format::RegionInfo& region : profile.regions) {
      const uint32_t thread = region.thread.value;
      WriteSlice(named(with_regions, thread, TrackOfRegions(thread), "regions"),
                 ValidUtf8(profile.Text(region.name)), region.begin_ns, region.length_ns);
    }
    for (const format::LoopBlock& block : profile.loop_blocks) {
      const uint32_t thread = block.thread.value;
      WriteSlice(named(with_blocks, thread, TrackOfBlocks(thread), "event loop blocked"),
                 from_.FrameLabel(from_.nodes()[from_.NodeOf(block.stack)].frame), block.begin_ns,
                 block.length_ns);
    }
  }

  void WriteLevels() {
    const auto write = [this](uint64_t track, uint64_t time_ns, uint64_t bytes) {
      Packet(kTracks, 0, [&](pbf_writer& packet) {
        packet.add_uint64(perfetto_field::packet::kTimestamp, time_ns);
        pbf_writer event(packet, perfetto_field::packet::kTrackEvent);
        event.add_enum(perfetto_field::event::kType, kCounterAt);
        event.add_uint64(perfetto_field::event::kTrack, track);
        event.add_int64(perfetto_field::event::kCounterValue, Signed(bytes));
      });
    };
    for (const format::MemoryLevel& level : from_.profile().memory_levels) {
      const uint64_t in_use =
          SaturatingSum(SaturatingSum(level.python_bytes, level.native_bytes), level.mapped_bytes);
      write(TrackOfUse(level.process.value), level.time_ns, in_use);
      write(TrackOfResident(level.process.value), level.time_ns, level.rss_bytes);
    }
  }

  Exchange& from_;
  MessageStream out_;
  // Whether the current sequence has it.
  std::vector<char> texts_known_, paths_known_, frames_known_, stacks_known_;
};

}  // namespace

void WritePerfettoTrace(Exchange& from, std::ostream& out) { PerfettoTrace(from, out).Write(); }

}  // namespace pyrometer::export_
