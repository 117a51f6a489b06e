// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/core/profile_maker.h"

namespace pyrometer::import_ {

// Who ran a sample of pprof, by its labels: names and numbers of processes and threads, as
// pyrometer and others call them.
//
// Thread-safety: none; one owner.
class PprofLabels {
 public:
  PprofLabels(const std::vector<std::string_view>& texts, ProfileMaker& maker)
      : texts_(texts), maker_(maker), roles_(texts.size()) {}

  // One label of the current sample: numbers of texts, or a number.
  void Take(uint64_t key, uint64_t text, int64_t number);
  // The thread of the current sample, whose labels are all told; begins the next one.
  format::ThreadId Thread();
  // Which labels were left out.
  void Note() const;

 private:
  enum class Role : uint8_t { kNotAsked, kOther, kPid, kProcess, kTid, kThread };
  struct Owner {
    std::optional<uint64_t> pid{}, tid{};
    std::string_view process{}, thread{};

    friend bool operator==(const Owner&, const Owner&) = default;
  };

  Role RoleOf(uint64_t key);
  std::string_view Text(uint64_t number) const {
    return number < texts_.size() ? texts_[number] : std::string_view();
  }
  format::ThreadId ThreadOf(const Owner& owner);

  const std::vector<std::string_view>& texts_;
  ProfileMaker& maker_;
  std::vector<Role> roles_;  // by text
  Owner current_;
  std::optional<std::pair<Owner, format::ThreadId>> last_;
  std::map<std::pair<format::ProcessId, std::string>, uint64_t>
      numbers_;  // of threads with names only
  std::set<std::string> left_out_;
};

}  // namespace pyrometer::import_
