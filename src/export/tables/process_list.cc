// SPDX-License-Identifier: Apache-2.0
#include "export/tables/process_list.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace pyrometer::export_ {
namespace {

constexpr size_t kLongestTitle = 200;

}  // namespace

std::string CommandTitle(const std::vector<std::string>& words) {
  std::string title;
  for (const std::string& word : words) {
    if (title.size() > kLongestTitle) break;
    if (&word == &words.front()) {
      title = word.substr(word.rfind('/') + 1);
    } else {
      title += ' ' + word;
    }
  }
  if (title.size() <= kLongestTitle) return title;
  size_t end = kLongestTitle;
  while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xc0) == 0x80) --end;
  return title.substr(0, end) + "…";
}

std::vector<uint32_t> ParentNumbers(const profile::Profile& profile) {
  // A pid can come again: the parent is the latest of that pid that is older.
  const auto order = [&](uint32_t i) { return std::tuple(profile.processes[i].info.start_ns, i); };
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_pid;
  for (uint32_t i = 0; i < profile.processes.size(); ++i)
    by_pid[profile.processes[i].info.pid].push_back(i);
  for (auto& [pid, indices] : by_pid) std::ranges::sort(indices, {}, order);
  std::vector<uint32_t> parents;
  for (uint32_t i = 0; i < profile.processes.size(); ++i) {
    const auto candidates = by_pid.find(profile.processes[i].info.parent_pid);
    uint32_t parent = 0;
    if (candidates != by_pid.end()) {
      const auto younger = std::ranges::lower_bound(candidates->second, order(i), {}, order);
      if (younger != candidates->second.begin()) parent = *(younger - 1) + 1;
    }
    parents.push_back(parent);
  }
  return parents;
}

std::vector<const analyze::ThreadStats*> ThreadsOf(const profile::Profile& profile,
                                                   const analyze::Report& report) {
  std::vector<const analyze::ThreadStats*> threads;
  std::vector<size_t> next(report.processes.size());
  for (const profile::Thread& thread : profile.threads) {
    const uint32_t process = thread.info.process.value;
    threads.push_back(&report.processes[process].view.threads[next[process]++]);
  }
  return threads;
}

std::optional<uint32_t> MainThread(const profile::Profile& profile,
                                   const std::vector<const analyze::ThreadStats*>& threads) {
  for (uint32_t i = 0; i < threads.size(); ++i)
    if (threads[i]->main && profile.threads[i].info.process.value == 0) return i;
  return std::nullopt;
}

uint64_t EndOf(const analyze::ProcessReport& process) {
  return process.start_ns + process.view.elapsed_ns;
}

uint64_t EndOf(const profile::Profile& profile, const analyze::Report& report) {
  uint64_t end_ns = profile.run_end ? profile.run_end->end_ns : 0;
  for (const analyze::ProcessReport& process : report.processes)
    end_ns = std::max(end_ns, EndOf(process));
  return end_ns;
}

}  // namespace pyrometer::export_
