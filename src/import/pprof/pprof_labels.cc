// SPDX-License-Identifier: Apache-2.0
#include "import/pprof/pprof_labels.h"

#include "import/core/whole_number.h"

namespace pyrometer::import_ {
namespace {

constexpr size_t kMaxLeftOut = 8;

std::optional<uint64_t> Number(std::string_view text, int64_t number) {
  if (text.empty()) return static_cast<uint64_t>(number);
  return WholeNumber<uint64_t>(text);
}

}  // namespace

PprofLabels::Role PprofLabels::RoleOf(uint64_t key) {
  if (key >= roles_.size()) return Role::kOther;
  Role& role = roles_[key];
  if (role != Role::kNotAsked) return role;
  static constexpr std::pair<std::string_view, Role> kNames[] = {{"pid", Role::kPid},
                                                                 {"process_id", Role::kPid},
                                                                 {"process", Role::kProcess},
                                                                 {"process_name", Role::kProcess},
                                                                 {"tid", Role::kTid},
                                                                 {"thread_id", Role::kTid},
                                                                 {"thread id", Role::kTid},
                                                                 {"thread", Role::kThread},
                                                                 {"thread_name", Role::kThread},
                                                                 {"thread name", Role::kThread}};
  role = Role::kOther;
  for (const auto& [name, known] : kNames)
    if (texts_[key] == name) role = known;
  if (role == Role::kOther && left_out_.size() < kMaxLeftOut)
    left_out_.emplace(texts_[key].substr(0, 40));
  return role;
}

void PprofLabels::Take(uint64_t key, uint64_t text, int64_t number) {
  switch (RoleOf(key)) {
    case Role::kPid:
      current_.pid = Number(Text(text), number);
      break;
    case Role::kProcess:
      current_.process = Text(text);
      break;
    case Role::kTid:
      current_.tid = Number(Text(text), number);
      break;
    case Role::kThread:
      current_.thread = Text(text);
      break;
    default:
      break;
  }
}

format::ThreadId PprofLabels::ThreadOf(const Owner& owner) {
  const format::ProcessId process = maker_.Process(owner.pid.value_or(0));
  if (!owner.process.empty()) maker_.NameProcess(process, owner.process);
  uint64_t tid = owner.tid.value_or(0);
  if (!owner.tid && !owner.thread.empty()) {
    const auto [it, fresh] =
        numbers_.try_emplace({process, std::string(owner.thread)}, numbers_.size() + 1);
    if (fresh) maker_.Charge(owner.thread.size() + sizeof(*it));
    tid = it->second;
  }
  const format::ThreadId thread = maker_.Thread(process, tid);
  if (!owner.thread.empty()) maker_.NameThread(thread, owner.thread);
  return thread;
}

format::ThreadId PprofLabels::Thread() {
  // Samples of one thread mostly follow each other.
  if (!last_ || !(last_->first == current_)) last_.emplace(current_, ThreadOf(current_));
  current_ = {};
  return last_->second;
}

void PprofLabels::Note() const {
  if (!numbers_.empty()) maker_.AddNote("threads have names only: their numbers are made up");
  if (left_out_.empty()) return;
  std::string names;
  for (const std::string& name : left_out_) names += (names.empty() ? "" : ", ") + name;
  maker_.AddNote("labels that are left out: " + names);
}

}  // namespace pyrometer::import_
