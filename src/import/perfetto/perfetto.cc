// SPDX-License-Identifier: Apache-2.0
#include "import/perfetto/perfetto.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "exchange/perfetto_field.h"
#include "import/core/count.h"
#include "import/core/proto_fields.h"
#include "import/core/value_types.h"
#include "import/input/message_input.h"
#include "import/perfetto/perfetto_sequence.h"
#include "import/perfetto/perfetto_slices.h"

namespace pyrometer::import_ {
namespace {

using protozero::pbf_reader;

constexpr uint32_t kStateCleared = 1;
constexpr uint64_t kSliceBegin = 1, kSliceEnd = 2;
// What packed packets may unpack to.
constexpr size_t kMaxUnpacked = size_t{64} << 20;
// Sequences are writers: processes and their threads.
constexpr size_t kMaxSequences = 100'000;
constexpr size_t kMaxValues = 64;

// Empty: it is no sound deflated data, or too much.
std::optional<std::string> Inflate(std::string_view packed) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return {};
  stream.next_in = reinterpret_cast<const Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  int result = Z_OK;
  while (result == Z_OK && out.size() < kMaxUnpacked) {
    const size_t done = out.size();
    out.resize(done + std::max<size_t>(done, 1 << 16));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream.avail_out = static_cast<uInt>(out.size() - done);
    result = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END) return {};
  return out;
}

class Perfetto {
 public:
  Perfetto(ByteInput& input, const ReadOptions& options, ProfileMaker& maker)
      : packets_(input), options_(options), maker_(maker), slices_(maker) {}

  base::Status Read() {
    bool understood = false;
    while (const auto field = packets_.Next()) {
      if (field->number != perfetto_field::kPacket) continue;
      understood = true;
      ReadGuarded(field->bytes, true);
      if (maker_.full()) return {};
    }
    if (!understood) return base::Error{"there are no packets in it"};
    if (!packets_.status().ok()) maker_.AddLoss(packets_.status().error().message);
    WriteSlices();
    Note();
    return {};
  }

 private:
  void ReadGuarded(std::string_view bytes, bool may_be_packed) {
    try {
      ReadPacket(bytes, may_be_packed);
    } catch (const protozero::exception&) {
      maker_.AddLoss("packets that are damaged");
    }
  }

  struct Packet {
    std::optional<uint64_t> timestamp{};
    std::optional<uint64_t> clock{};
    uint32_t sequence = 0, flags = 0;
    std::optional<pbf_reader> clocks{}, interned{}, defaults{}, track{}, event{}, perf{}, stack{};
    std::string_view packed{};
    bool used = false;
  };

  void ReadPacket(std::string_view bytes, bool may_be_packed) {
    Packet packet;
    for (pbf_reader message(bytes.data(), bytes.size()); message.next();)
      ReadField(message, packet);
    if (!packet.packed.empty() && may_be_packed) return Unpack(packet.packed);
    PerfettoSequence* const sequence = SequenceOf(packet.sequence);
    if (sequence == nullptr) {
      maker_.AddLoss("packets of too many sequences");
      return;
    }
    if ((packet.flags & kStateCleared) != 0) sequence->Clear();
    if (packet.clocks) sequence->ReadClocks(*packet.clocks);
    if (packet.defaults) sequence->ReadDefaults(*packet.defaults);
    if (packet.interned) sequence->ReadInterned(*packet.interned);
    if (packet.track) ReadTrack(*packet.track);
    if (!packet.used) ++left_out_;
    // Always, because a time may be given as what passed since the packet before.
    const uint64_t time_ns =
        packet.timestamp ? sequence->TimeOf(*packet.timestamp, packet.clock) : 0;
    if (packet.event) ReadEvent(*packet.event, *sequence, time_ns);
    if (packet.perf) ReadPerfSample(*packet.perf, *sequence, time_ns);
    if (packet.stack) ReadStackSample(*packet.stack, *sequence, time_ns);
  }

  static void ReadField(pbf_reader& message, Packet& packet) {
    const auto take = [&](std::optional<pbf_reader>& to) {
      to = message.get_message();
      packet.used = true;
    };
    switch (message.tag_and_type()) {
      case VarintField(perfetto_field::packet::kTimestamp):
        packet.timestamp = message.get_uint64();
        break;
      case VarintField(perfetto_field::packet::kClock):
        packet.clock = message.get_uint64();
        break;
      case VarintField(perfetto_field::packet::kSequence):
        packet.sequence = message.get_uint32();
        break;
      case VarintField(perfetto_field::packet::kFlags):
        packet.flags = message.get_uint32();
        break;
      case BytesField(perfetto_field::packet::kCompressed):
        packet.packed = ToText(message.get_view());
        break;
      case BytesField(perfetto_field::packet::kClocks):
        take(packet.clocks);
        break;
      case BytesField(perfetto_field::packet::kInterned):
        take(packet.interned);
        break;
      case BytesField(perfetto_field::packet::kDefaults):
        take(packet.defaults);
        break;
      case BytesField(perfetto_field::packet::kTrackDescriptor):
        take(packet.track);
        break;
      case BytesField(perfetto_field::packet::kTrackEvent):
        take(packet.event);
        break;
      case BytesField(perfetto_field::packet::kPerfSample):
        take(packet.perf);
        break;
      case BytesField(perfetto_field::packet::kStackSample):
        take(packet.stack);
        break;
      default:
        message.skip();
    }
  }

  void Unpack(std::string_view packed) {
    const auto bytes = Inflate(packed);
    if (!bytes) {
      maker_.AddLoss("packed packets that are damaged");
      return;
    }
    for (pbf_reader trace(*bytes); trace.next();) {
      if (trace.tag_and_type() == BytesField(perfetto_field::kPacket))
        ReadGuarded(ToText(trace.get_view()), false);
      else
        trace.skip();
      if (maker_.full()) return;
    }
  }

  PerfettoSequence* SequenceOf(uint32_t id) {
    if (sequences_.size() >= kMaxSequences && !sequences_.contains(id)) return nullptr;
    auto& sequence = sequences_[id];
    if (!sequence) {
      sequence = std::make_unique<PerfettoSequence>(maker_);
      maker_.Charge(sizeof(PerfettoSequence));
    }
    return sequence.get();
  }

  void ReadTrack(pbf_reader message) {
    PerfettoSlices::Track track;
    std::string_view owner;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case VarintField(perfetto_field::track::kUuid):
          track.uuid = message.get_uint64();
          break;
        case VarintField(perfetto_field::track::kParent):
          track.parent = message.get_uint64();
          break;
        case BytesField(perfetto_field::track::kName):
          track.name = ToText(message.get_view());
          break;
        case BytesField(perfetto_field::track::kProcess):
          track.is_process = true;
          for (pbf_reader process = message.get_message(); process.next();) {
            if (process.tag_and_type() == VarintField(perfetto_field::process::kPid))
              track.pid = process.get_uint32();
            else if (process.tag_and_type() == BytesField(perfetto_field::process::kName))
              owner = ToText(process.get_view());
            else
              process.skip();
          }
          break;
        case BytesField(perfetto_field::track::kThread):
          track.is_thread = true;
          for (pbf_reader thread = message.get_message(); thread.next();) {
            if (thread.tag_and_type() == VarintField(perfetto_field::thread::kPid))
              track.pid = thread.get_uint32();
            else if (thread.tag_and_type() == VarintField(perfetto_field::thread::kTid))
              track.tid = thread.get_uint64();
            else if (thread.tag_and_type() == BytesField(perfetto_field::thread::kName))
              owner = ToText(thread.get_view());
            else
              thread.skip();
          }
          break;
        default:
          message.skip();
      }
    }
    if (track.is_thread) {
      track.name = owner;
      thread_names_[{track.pid, track.tid}] = owner;
      maker_.Charge(owner.size() + 100);
    } else if (track.is_process) {
      process_names_[track.pid] = owner;
      maker_.Charge(owner.size() + 100);
    }
    slices_.AddTrack(track);
  }

  format::ThreadId ThreadOf(const PerfettoSequence::Task& task) {
    if (last_ && last_->first.pid == task.pid && last_->first.tid == task.tid) return last_->second;
    const format::ThreadId thread = maker_.Thread(maker_.Process(task.pid), task.tid);
    last_.emplace(task, thread);
    return thread;
  }

  uint64_t SinceStart(const PerfettoSequence& sequence, uint64_t time_ns) {
    // Those of pyrometer begin at 0 already.
    if (!start_ns_) start_ns_ = sequence.source().starts_with("pyrometer.") ? 0 : time_ns;
    return time_ns - std::min(*start_ns_, time_ns);
  }

  void ReadEvent(pbf_reader message, const PerfettoSequence& sequence, uint64_t time_ns) {
    uint64_t type = 0, track = sequence.default_track(), name_id = 0;
    std::string_view name;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case VarintField(perfetto_field::event::kType):
          type = message.get_uint64();
          break;
        case VarintField(perfetto_field::event::kTrack):
          track = message.get_uint64();
          break;
        case VarintField(perfetto_field::event::kNameId):
          name_id = message.get_uint64();
          break;
        case BytesField(perfetto_field::event::kName):
          name = ToText(message.get_view());
          break;
        default:
          message.skip();
      }
    }
    if (name.empty()) name = sequence.EventName(name_id);
    if (type == kSliceBegin)
      slices_.AddEvent(track, PerfettoSlices::Kind::kBegin, time_ns, name);
    else if (type == kSliceEnd)
      slices_.AddEvent(track, PerfettoSlices::Kind::kEnd, time_ns, {});
    else
      ++other_events_;
  }

  void ReadPerfSample(pbf_reader message, PerfettoSequence& sequence, uint64_t time_ns) {
    PerfettoSequence::Task task;
    uint64_t stack = 0;
    while (message.next()) {
      switch (message.tag_and_type()) {
        case VarintField(perfetto_field::perf_sample::kPid):
          task.pid = message.get_uint32();
          break;
        case VarintField(perfetto_field::perf_sample::kTid):
          task.tid = message.get_uint32();
          break;
        case VarintField(perfetto_field::perf_sample::kStack):
          stack = message.get_uint64();
          break;
        default:
          message.skip();
      }
    }
    if (stack == 0) {
      maker_.AddLoss("samples without a stack");
      return;
    }
    const uint64_t rate = sequence.samples_per_second();
    uint64_t ns = options_.count.ns;
    if (!options_.count.given && rate != 0)
      ns = 1'000'000'000 / rate;
    else
      counted_ = true;
    has_samples_ = true;
    maker_.AddTime(ThreadOf(task), sequence.Stack(stack),
                   {.weight_ns = ns, .time_ns = SinceStart(sequence, time_ns)});
  }

  void ReadStackSample(pbf_reader message, PerfettoSequence& sequence, uint64_t time_ns) {
    std::optional<PerfettoSequence::Task> task;
    format::StackId stack = format::kEmptyStack;
    std::optional<PerfettoCounter> primary = sequence.primary();
    std::vector<PerfettoCounter> followers;
    bool known = true;
    values_.assign(1, 0);
    const auto refer = [&](uint64_t iid) {
      const PerfettoCounter* const counter = sequence.CounterOf(iid);
      known &= counter != nullptr;
      return counter == nullptr ? PerfettoCounter() : *counter;
    };
    while (message.next()) {
      switch (message.tag_and_type()) {
        case BytesField(perfetto_field::stack_sample::kTask):
          task = PerfettoSequence::ReadTask(message.get_message());
          break;
        case VarintField(perfetto_field::stack_sample::kTaskId):
          task = sequence.TaskOf(message.get_uint64());
          break;
        case BytesField(perfetto_field::stack_sample::kInlineStack):
          stack = sequence.InlineStack(message.get_message());
          break;
        case VarintField(perfetto_field::stack_sample::kStack):
          stack = sequence.Stack(message.get_uint64());
          break;
        case BytesField(perfetto_field::stack_sample::kPrimary):
          primary = PerfettoSequence::ReadCounter(message.get_message());
          break;
        case VarintField(perfetto_field::stack_sample::kPrimaryId):
          primary = refer(message.get_uint64());
          break;
        case BytesField(perfetto_field::stack_sample::kFollowers):
          followers.push_back(PerfettoSequence::ReadCounter(message.get_message()));
          break;
        case VarintField(perfetto_field::stack_sample::kFollowerIds):
          followers.push_back(refer(message.get_uint64()));
          break;
        case BytesField(perfetto_field::stack_sample::kFollowerIds):
          for (const uint64_t iid : message.get_packed_uint64())
            if (followers.size() < kMaxValues) followers.push_back(refer(iid));
          break;
        case VarintField(perfetto_field::stack_sample::kPrimaryWeight):
          values_[0] = Clamp(message.get_uint64());
          break;
        case VarintField(perfetto_field::stack_sample::kFollowerWeights):
          AddFollower(message.get_uint64());
          break;
        case BytesField(perfetto_field::stack_sample::kFollowerWeights):
          for (const uint64_t weight : message.get_packed_uint64()) AddFollower(weight);
          break;
        default:
          message.skip();
      }
    }
    if (!known || !primary || !task) {
      maker_.AddLoss("samples of which it is not said what they are");
      return;
    }
    has_samples_ = true;
    const ValueTypes& types =
        TypesOf(sequence, *primary, followers.empty() ? sequence.followers() : followers);
    types.Add(maker_, ThreadOf(*task), stack, values_, SinceStart(sequence, time_ns));
  }
  static int64_t Clamp(uint64_t value) {
    return static_cast<int64_t>(std::min<uint64_t>(value, std::numeric_limits<int64_t>::max()));
  }
  void AddFollower(uint64_t weight) {
    if (values_.size() < kMaxValues) values_.push_back(Clamp(weight));
  }

  const ValueTypes& TypesOf(const PerfettoSequence& sequence, const PerfettoCounter& primary,
                            const std::vector<PerfettoCounter>& followers) {
    // Multiplied here, so that types need not know of it.
    const auto scale = [&](size_t i, const PerfettoCounter& counter) {
      if (counter.multiplier == 1 || i >= values_.size()) return;
      const auto most = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
      values_[i] =
          static_cast<uint64_t>(values_[i]) > most / counter.multiplier
              ? static_cast<int64_t>(most)
              : static_cast<int64_t>(static_cast<uint64_t>(values_[i]) * counter.multiplier);
    };
    key_.clear();
    const auto add = [&](size_t i, const PerfettoCounter& counter) {
      scale(i, counter);
      key_ += counter.name + '\0' + counter.unit + '\0';
    };
    add(0, primary);
    const size_t count = std::min(followers.size(), kMaxValues - 1);
    for (size_t i = 0; i < count; ++i) add(i + 1, followers[i]);
    const auto it = types_.find(key_);
    if (it != types_.end()) return it->second;
    std::vector<ValueType> types{{primary.name, primary.unit}};
    for (size_t i = 0; i < count; ++i) types.push_back({followers[i].name, followers[i].unit});
    // Names are the tool's own; "wall-time" of one source is that of others.
    if (types[0].name.empty()) types[0].name = sequence.source();
    maker_.Charge(key_.size() + 1000);
    return types_.emplace(key_, ValueTypes(types, options_.count)).first->second;
  }

  void WriteSlices() {
    for (const auto& [pid, name] : process_names_)
      if (!name.empty()) maker_.NameProcess(maker_.Process(pid), name);
    // Those that have only a name need not be shown.
    if (has_samples_)
      for (const auto& [thread, name] : thread_names_)
        if (!name.empty())
          maker_.NameThread(maker_.Thread(maker_.Process(thread.first), thread.second), name);
    if (slices_.empty()) return;
    slices_.Write(start_ns_.value_or(slices_.first_ns()), has_samples_);
    maker_.AddNote(has_samples_ ? "slices are shown as regions"
                                : "time is that of slices: running is not told from waiting");
  }

  void Note() {
    for (const auto& [key, types] : types_) types.Note(maker_);
    if (counted_) NoteCount(maker_, options_.count);
    if (left_out_ != 0)
      maker_.AddNote("packets of kinds that are left out: " + std::to_string(left_out_));
    if (other_events_ != 0)
      maker_.AddNote("counters and instants that are left out: " + std::to_string(other_events_));
  }

  MessageInput packets_;
  const ReadOptions& options_;
  ProfileMaker& maker_;
  PerfettoSlices slices_;
  std::unordered_map<uint32_t, std::unique_ptr<PerfettoSequence>> sequences_;
  std::map<std::string, ValueTypes> types_;  // by names and units
  std::map<uint64_t, std::string> process_names_;
  std::map<std::pair<uint64_t, uint64_t>, std::string> thread_names_;
  std::optional<std::pair<PerfettoSequence::Task, format::ThreadId>> last_;
  std::optional<uint64_t> start_ns_;
  uint64_t left_out_ = 0, other_events_ = 0;
  bool has_samples_ = false, counted_ = false;
  std::vector<int64_t> values_;  // of one sample, kept for their memory
  std::string key_;
};

}  // namespace

bool RecognisesPerfetto(std::string_view head, bool whole) {
  // Packets, each with the number of its sequence or a time, or packed ones.
  size_t packets = 0;
  try {
    for (pbf_reader trace(head.data(), head.size()); trace.next();) {
      if (trace.tag_and_type() != BytesField(perfetto_field::kPacket)) return false;
      bool has_sequence = false;
      for (pbf_reader packet = trace.get_message(); packet.next(); packet.skip())
        has_sequence |= packet.tag_and_type() == VarintField(perfetto_field::packet::kSequence) ||
                        packet.tag_and_type() == VarintField(perfetto_field::packet::kTimestamp) ||
                        packet.tag_and_type() == BytesField(perfetto_field::packet::kCompressed);
      if (!has_sequence && packets == 0) return false;
      ++packets;
    }
  } catch (const protozero::exception&) {
    return packets > 0 && !whole;
  }
  return packets > 0;
}

base::Status ReadPerfetto(ByteInput& input, const ReadOptions& options, ProfileMaker& maker) {
  return Perfetto(input, options, maker).Read();
}

}  // namespace pyrometer::import_
