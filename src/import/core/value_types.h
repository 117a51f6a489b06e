// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "import/core/importer.h"
#include "metric/table.h"

namespace pyrometer::import_ {

// What a column of values is called. An empty unit: the one that goes without saying.
struct ValueType {
  std::string_view name{};
  std::string_view unit{};
};

// What the values of a row mean, by the names of their types: those that pyrometer itself
// writes, and those that are common elsewhere.
//
// Time is not counted twice: of `cpu` only what its parts (`python`, `native`, `kernel`) do
// not have already is added, and of `wall` what `cpu` and the waits do not have.
//
// Thread-safety: none; one owner.
class ValueTypes {
 public:
  // `count`: what one count stands for where there is nothing but counts. `preferred`: which
  // type is taken where none is known.
  ValueTypes(std::span<const ValueType> types, const CountMeaning& count, size_t preferred = 0);

  size_t size() const { return columns_.size(); }
  // Whether some type is time, and not only a count of something.
  bool HasTime() const;
  // The values of one row, one of each type.
  void Add(ProfileMaker& maker, format::ThreadId thread, format::StackId stack,
           std::span<const int64_t> values, std::optional<uint64_t> time_ns = {}) const;
  // What had to be assumed, and what was left out.
  void Note(ProfileMaker& maker) const;

 private:
  enum class Kind : uint8_t { kCount, kTime, kBytes };
  enum class Role : uint8_t {
    kNone,
    kDeclared,  // nothing that anybody else knows: kept under its own name
    kSamples,
    kActivity,
    kCpu,
    kWall,
    kCounts,  // of something that stands for time
    kAllocatedBytes,
    kAllocatedBlocks,
    kPeakBytes,
    kLeftBytes,
    kInUseBytes,  // when the file was written
    kInUseBlocks,
    kCopiedBytes,
  };
  struct Known {
    std::string_view name;
    Kind kind;
    Role role;
    format::Activity activity = format::Activity::kPython;
  };
  struct Unit {
    Kind kind = Kind::kCount;
    uint64_t factor = 1;
  };
  struct Column {
    std::string label;            // name and unit
    std::string name, unit_name;  // of kDeclared
    Unit unit{};
    Role role = Role::kNone;
    format::Activity activity{};
  };
  // The times of one row, by what they were spent on.
  struct Times;

  static const Known kKnown[];
  static std::optional<Known> OwnType(std::string_view name);
  static std::optional<Known> Find(std::string_view name);
  static std::optional<Unit> FindUnit(std::string_view name);
  static Column ColumnOf(const ValueType& type);

  bool Has(Role role) const;
  bool HasMemory() const;
  // Where no type is known: takes one for what its unit suggests.
  void TakeUnknown(size_t preferred);
  // Takes all that is left under its own name.
  void Declare(std::span<const ValueType> types);
  void AddTimes(ProfileMaker& maker, format::ThreadId thread, format::StackId stack,
                const Times& times, std::optional<uint64_t> time_ns) const;

  std::vector<Column> columns_;
  CountMeaning count_;
  bool counts_only_ = false;  // samples are all that is known of time
  bool cpu_known_ = false;    // what was spent on the processor
  std::vector<std::string> notes_;
};

}  // namespace pyrometer::import_
