// SPDX-License-Identifier: Apache-2.0
#include "import/core/value_types.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "import/core/count.h"

namespace pyrometer::import_ {
namespace {

using format::Activity;

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

uint64_t Product(uint64_t a, uint64_t b) { return b != 0 && a > kMax / b ? kMax : a * b; }
uint64_t Sum(uint64_t a, uint64_t b) { return a > kMax - b ? kMax : a + b; }
uint64_t Rest(uint64_t all, uint64_t part) { return all > part ? all - part : 0; }

// "CPU-time" and "cpu_time" are one.
std::string Plain(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-' || c == ' ') c = '_';
  }
  return plain;
}

std::string Label(const ValueType& type) {
  std::string label(type.name.substr(0, 40));
  if (!type.unit.empty()) label += "/" + std::string(type.unit.substr(0, 20));
  return label;
}

}  // namespace

// Names of others; those of pyrometer itself are in the table of metrics.
const ValueTypes::Known ValueTypes::kKnown[] = {
    {"sample", Kind::kCount, Role::kSamples},
    {"cpu_samples", Kind::kCount, Role::kSamples},
    {"wall_samples", Kind::kCount, Role::kSamples},
    {"delay", Kind::kTime, Role::kActivity, Activity::kLockWait},
    {"lock_acquire_wait", Kind::kTime, Role::kActivity, Activity::kLockWait},
    {"cpu_time", Kind::kTime, Role::kCpu},
    {"wall_time", Kind::kTime, Role::kWall},
    {"alloc_space", Kind::kBytes, Role::kAllocatedBytes},
    {"alloc_objects", Kind::kCount, Role::kAllocatedBlocks},
    {"inuse_space", Kind::kBytes, Role::kInUseBytes},
    {"heap_space", Kind::kBytes, Role::kInUseBytes},
    {"space", Kind::kBytes, Role::kInUseBytes},
    {"inuse_objects", Kind::kCount, Role::kInUseBlocks},
    {"objects", Kind::kCount, Role::kInUseBlocks},
    {"allocations", Kind::kCount, Role::kInUseBlocks},
};

struct ValueTypes::Times {
  std::array<uint64_t, format::kActivityCount> by_activity{};
  uint64_t cpu = 0, wall = 0, counts = 0;
  uint64_t samples = 0;
};

std::optional<ValueTypes::Unit> ValueTypes::FindUnit(std::string_view name) {
  static constexpr struct {
    std::string_view name;
    Kind kind;
    uint64_t factor;
  } kUnits[] = {
      {"count", Kind::kCount, 1},
      {"nanoseconds", Kind::kTime, 1},
      {"nanosecond", Kind::kTime, 1},
      {"ns", Kind::kTime, 1},
      {"microseconds", Kind::kTime, 1'000},
      {"microsecond", Kind::kTime, 1'000},
      {"us", Kind::kTime, 1'000},
      {"milliseconds", Kind::kTime, 1'000'000},
      {"millisecond", Kind::kTime, 1'000'000},
      {"ms", Kind::kTime, 1'000'000},
      {"seconds", Kind::kTime, 1'000'000'000},
      {"second", Kind::kTime, 1'000'000'000},
      {"s", Kind::kTime, 1'000'000'000},
      {"bytes", Kind::kBytes, 1},
      {"byte", Kind::kBytes, 1},
      {"b", Kind::kBytes, 1},
      {"kilobytes", Kind::kBytes, 1024},
      {"kilobyte", Kind::kBytes, 1024},
      {"kb", Kind::kBytes, 1024},
      {"megabytes", Kind::kBytes, 1024 * 1024},
      {"megabyte", Kind::kBytes, 1024 * 1024},
      {"mb", Kind::kBytes, 1024 * 1024},
  };
  const std::string plain = Plain(name);
  for (const auto& unit : kUnits)
    if (unit.name == plain) return Unit{unit.kind, unit.factor};
  return {};
}

std::optional<ValueTypes::Known> ValueTypes::OwnType(std::string_view name) {
  using metric::Metric;
  const auto metric = metric::Table().Find(name, metric::kExported);
  if (!metric) return {};
  switch (*metric) {
    case Metric::kSamples:
      return Known{name, Kind::kCount, Role::kSamples};
    case Metric::kCpu:
      return Known{name, Kind::kTime, Role::kCpu};
    case Metric::kWall:
      return Known{name, Kind::kTime, Role::kWall};
    case Metric::kAllocated:
      return Known{name, Kind::kBytes, Role::kAllocatedBytes};
    case Metric::kLiveAtPeak:
      return Known{name, Kind::kBytes, Role::kPeakBytes};
    case Metric::kLiveAtExit:
      return Known{name, Kind::kBytes, Role::kLeftBytes};
    case Metric::kCopied:
      return Known{name, Kind::kBytes, Role::kCopiedBytes};
    default:
      return Known{name, Kind::kTime, Role::kActivity, Activity(*metric)};
  }
}

std::optional<ValueTypes::Known> ValueTypes::Find(std::string_view name) {
  if (const auto own = OwnType(name)) return own;
  const auto* known = std::ranges::find(kKnown, name, &Known::name);
  return known == std::end(kKnown) ? std::nullopt : std::optional(*known);
}

ValueTypes::Column ValueTypes::ColumnOf(const ValueType& type) {
  Column column;
  column.label = Label(type);
  column.name = type.name.substr(0, 64);
  const std::optional<Unit> unit = FindUnit(type.unit);
  if (unit) column.unit = *unit;
  const std::string plain = Plain(type.name.substr(0, 64));
  const std::optional<Known> known = Find(plain);
  if (!known) return column;
  if (type.unit.empty())
    column.unit.kind = known->kind;
  else if (!unit || unit->kind != known->kind)
    return column;
  column.role = known->role;
  column.activity = known->activity;
  return column;
}

ValueTypes::ValueTypes(std::span<const ValueType> types, const CountMeaning& count,
                       size_t preferred)
    : count_(count) {
  for (const ValueType& type : types) {
    Column column = ColumnOf(type);
    // What is there twice is taken once.
    const bool again = std::ranges::any_of(columns_, [&](const Column& other) {
      return other.role == column.role && other.activity == column.activity;
    });
    if (again) column.role = Role::kNone;
    columns_.push_back(std::move(column));
  }
  if (!HasTime() && !HasMemory()) TakeUnknown(preferred);
  Declare(types);
  cpu_known_ = Has(Role::kCpu) || Has(Role::kActivity);
  if (Has(Role::kWall) && !cpu_known_)
    notes_.emplace_back("time on the processor is not told from waiting: all is taken for running");
  if (Has(Role::kInUseBytes))
    notes_.emplace_back(
        "memory in use is known for one moment: it is shown as what is left at the end, and as the "
        "peak");
  std::string left_out;
  for (const Column& column : columns_)
    if (column.role == Role::kNone) left_out += (left_out.empty() ? "" : ", ") + column.label;
  if (!left_out.empty()) notes_.push_back("left out: " + left_out.substr(0, 200));
}

void ValueTypes::Declare(std::span<const ValueType> types) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    if (column.role != Role::kNone || column.name.empty()) continue;
    // What is there twice, or is known to mean something else in another unit, needs a name that
    // tells it from that.
    const bool taken =
        Find(Plain(column.name)).has_value() || std::ranges::any_of(columns_, [&](const Column& c) {
          return c.role == Role::kDeclared && c.name == column.name;
        });
    if (taken) column.name = column.label;
    column.unit_name = column.unit.kind == Kind::kTime    ? "nanoseconds"
                       : column.unit.kind == Kind::kBytes ? "bytes"
                       : types[i].unit.empty()            ? "count"
                                               : std::string(types[i].unit.substr(0, 64));
    column.role = Role::kDeclared;
  }
}

bool ValueTypes::Has(Role role) const {
  return std::ranges::find(columns_, role, &Column::role) != columns_.end();
}
bool ValueTypes::HasTime() const {
  return Has(Role::kActivity) || Has(Role::kCpu) || Has(Role::kWall);
}
bool ValueTypes::HasMemory() const {
  return std::ranges::any_of(columns_,
                             [](const Column& c) { return c.role >= Role::kAllocatedBytes; });
}

void ValueTypes::TakeUnknown(size_t preferred) {
  const auto take = [&](Kind kind) -> Column* {
    if (preferred < columns_.size() && columns_[preferred].role == Role::kNone &&
        columns_[preferred].unit.kind == kind)
      return &columns_[preferred];
    const auto it = std::ranges::find_if(
        columns_, [&](const Column& c) { return c.role == Role::kNone && c.unit.kind == kind; });
    return it == columns_.end() ? nullptr : &*it;
  };
  if (Column* const time = take(Kind::kTime)) {
    time->role = Role::kWall;
    notes_.push_back("time is what the file calls " + time->label);
  } else if (Column* const bytes = take(Kind::kBytes)) {
    bytes->role = Role::kInUseBytes;
    notes_.push_back("memory is what the file calls " + bytes->label);
  } else if (Has(Role::kSamples)) {
    counts_only_ = true;
  } else if (Column* const counts = count_.given ? take(Kind::kCount) : nullptr) {
    // Somebody has said what they stand for; else they are counts and nothing more.
    counts->role = Role::kCounts;
    notes_.push_back("counts are what the file calls " + counts->label);
  }
}

void ValueTypes::Add(ProfileMaker& maker, format::ThreadId thread, format::StackId stack,
                     std::span<const int64_t> values, std::optional<uint64_t> time_ns) const {
  Times times;
  MemoryValue memory;
  bool has_memory = false, has_samples = false;
  const auto amount = [&](std::optional<MemoryValue::Amount>& to) -> MemoryValue::Amount& {
    has_memory = true;
    if (!to) to = MemoryValue::Amount();
    return *to;
  };
  for (size_t i = 0; i < columns_.size() && i < values.size(); ++i) {
    const Column& column = columns_[i];
    if (column.role == Role::kNone) continue;
    has_samples |= column.role == Role::kSamples;
    if (values[i] < 0) maker.AddLoss("values below zero");
    if (values[i] <= 0) continue;
    const uint64_t value = Product(static_cast<uint64_t>(values[i]), column.unit.factor);
    switch (column.role) {
      case Role::kNone:
        break;
      case Role::kDeclared:
        maker.AddAmount(thread, stack, column.name, column.unit_name, value);
        break;
      case Role::kSamples:
        times.samples = value;
        break;
      case Role::kActivity:
        times.by_activity[static_cast<size_t>(column.activity)] = value;
        break;
      case Role::kCpu:
        times.cpu = value;
        break;
      case Role::kWall:
        times.wall = value;
        break;
      case Role::kCounts:
        times.counts = value;
        break;
      case Role::kAllocatedBytes:
        amount(memory.allocated).bytes = value;
        break;
      case Role::kAllocatedBlocks:
        amount(memory.allocated).blocks = value;
        break;
      case Role::kPeakBytes:
        amount(memory.at_peak).bytes = value;
        break;
      case Role::kLeftBytes:
        amount(memory.left).bytes = value;
        break;
      case Role::kInUseBytes:
        amount(memory.at_peak).bytes = amount(memory.left).bytes = value;
        break;
      case Role::kInUseBlocks:
        amount(memory.at_peak).blocks = amount(memory.left).blocks = value;
        break;
      case Role::kCopiedBytes:
        amount(memory.copied).bytes = value;
        break;
    }
  }
  if (has_memory) maker.AddMemory(thread, stack, memory);
  if (!has_samples && (times.cpu | times.wall | times.counts) != 0) times.samples = 1;
  if (!counts_only_)
    AddTimes(maker, thread, stack, times, time_ns);
  else if (count_.ns == 0)
    AddCount(maker, thread, stack, times.samples, count_);
  else
    maker.AddTime(thread, stack,
                  {.weight_ns = Product(times.samples, count_.ns),
                   .count = times.samples,
                   .time_ns = time_ns});
}

void ValueTypes::AddTimes(ProfileMaker& maker, format::ThreadId thread, format::StackId stack,
                          const Times& times, std::optional<uint64_t> time_ns) const {
  struct Part {
    std::optional<Activity> activity;
    uint64_t ns;
  };
  std::array<Part, format::kActivityCount + 2> parts;
  size_t size = 0;
  uint64_t on_cpu = 0, waits = 0;
  const auto add = [&](std::optional<Activity> activity, uint64_t ns) {
    if (ns != 0) parts[size++] = {activity, ns};
  };
  for (size_t i = 0; i < format::kActivityCount; ++i) {
    const auto activity = static_cast<Activity>(i);
    add(activity, times.by_activity[i]);
    uint64_t& sum = format::IsOnCpu(activity) ? on_cpu : waits;
    sum = Sum(sum, times.by_activity[i]);
  }
  const uint64_t cpu = std::max(times.cpu, on_cpu), known = Sum(cpu, waits);
  add(std::nullopt, Rest(cpu, on_cpu));
  add(cpu_known_ ? std::optional(Activity::kOtherWait) : std::nullopt, Rest(times.wall, known));
  if (Has(Role::kWall) && known > times.wall)
    maker.AddLoss("values with less wall time than their parts have");
  if (times.counts != 0) add(std::nullopt, Product(times.counts, std::max<uint64_t>(1, count_.ns)));
  if (size == 0) {
    maker.AddTime(thread, stack, {.count = times.samples, .time_ns = time_ns});
    return;
  }
  // Each part was seen at least once; of how many of the row's samples it was is not known
  // but by its share of the time.
  uint64_t left = std::clamp<uint64_t>(times.samples, size, std::numeric_limits<uint32_t>::max());
  double left_ns = 0;
  for (size_t i = 0; i < size; ++i) left_ns += static_cast<double>(parts[i].ns);
  for (size_t i = 0; i < size; ++i) {
    const auto ns = static_cast<double>(parts[i].ns);
    const uint64_t most = left - (size - 1 - i);
    uint64_t count = most;
    if (i + 1 < size) {
      const double share = ns / std::max(ns, left_ns);
      count = std::clamp<uint64_t>(static_cast<uint64_t>(static_cast<double>(left) * share + 0.5),
                                   1, most);
    }
    left -= count;
    left_ns -= ns;
    maker.AddTime(thread, stack,
                  {.weight_ns = parts[i].ns,
                   .count = count,
                   .activity = parts[i].activity,
                   .time_ns = time_ns});
  }
}

void ValueTypes::Note(ProfileMaker& maker) const {
  for (const std::string& note : notes_) maker.AddNote(note);
  if (counts_only_ || Has(Role::kCounts)) NoteCount(maker, count_);
}

}  // namespace pyrometer::import_
