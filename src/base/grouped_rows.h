// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pyrometer::base {

// Rows of a table by their numbers: some of them, or all, of which no list is needed. Does not own
// the list.
class RowList {
 public:
  explicit RowList(size_t all) : size_(all) {}
  explicit RowList(std::span<const uint32_t> rows) : rows_(rows.data()), size_(rows.size()) {}

  size_t size() const { return size_; }
  size_t operator[](size_t i) const { return rows_ == nullptr ? i : rows_[i]; }

 private:
  const uint32_t* rows_ = nullptr;  // null: all
  size_t size_;
};

// What rows of a table have, by the group that each belongs to, in their order: a counting
// sort, which for ten million rows takes a fraction of the time and the memory of maps.
//
// Thread-safety: immutable after construction.
template <class Value>
class GroupedValues {
 public:
  // No groups.
  GroupedValues() = default;
  // `group_of(row)` is below `groups`; it is asked for one row after the other, twice.
  template <class GroupOf, class ValueOf>
  GroupedValues(size_t rows, size_t groups, GroupOf group_of, ValueOf value_of)
      : begins_(groups + 1), values_(rows) {
    for (size_t row = 0; row < rows; ++row) ++begins_[group_of(row) + 1];
    for (size_t group = 0; group < groups; ++group) begins_[group + 1] += begins_[group];
    std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
    for (size_t row = 0; row < rows; ++row) values_[next[group_of(row)]++] = value_of(row);
  }

  std::span<const Value> Of(size_t group) const {
    return std::span(values_).subspan(begins_[group], begins_[group + 1] - begins_[group]);
  }
  // Of all groups, one after the other.
  std::span<const Value> All() const { return values_; }

 private:
  std::vector<uint32_t> begins_;  // in values_, by group, and the end of the last
  std::vector<Value> values_;
};

// The numbers of the rows themselves.
class GroupedRows : public GroupedValues<uint32_t> {
 public:
  GroupedRows() = default;
  template <class GroupOf>
  GroupedRows(size_t rows, size_t groups, GroupOf group_of)
      : GroupedValues(rows, groups, group_of,
                      [](size_t row) { return static_cast<uint32_t>(row); }) {}
};

}  // namespace pyrometer::base
