// SPDX-License-Identifier: Apache-2.0
#include "capture/stacks/perf_map.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <iterator>
#include <utility>
#include <vector>

#include "os/process_facts.h"

namespace pyrometer::capture {
namespace {

constexpr size_t kPartBytes = 1 << 16;
constexpr off_t kMaxFileBytes = off_t{64} << 20;

// A number in hex and the blank after it.
bool TakeNumber(std::string_view& text, uint64_t* number) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number, 16);
  const auto digits = static_cast<size_t>(end - text.data());
  if (error != std::errc() || digits >= text.size() || text[digits] != ' ') return false;
  text.remove_prefix(digits + 1);
  return true;
}

std::string FileOf(pid_t pid) { return "/tmp/perf-" + std::to_string(pid) + ".map"; }

}  // namespace

void PerfMapText::Add(std::string_view text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view part = text.substr(0, end);
    if (open_line_.size() + part.size() > kMaxLineBytes)
      skipping_ = true;
    else
      open_line_ += part;
    if (end == text.npos) return;
    text.remove_prefix(end + 1);
    if (!skipping_) AddLine(open_line_);
    open_line_.clear();
    skipping_ = false;
  }
}

void PerfMapText::AddLine(std::string_view line) {
  uint64_t start = 0, size = 0;
  if (!TakeNumber(line, &start) || !TakeNumber(line, &size)) return;
  const uint64_t end = start + size;
  if (end <= start || line.empty() || entries_.size() >= kMaxEntries) return;
  // Memory that was used before has been freed.
  auto it = entries_.upper_bound(start);
  if (it != entries_.begin() && std::prev(it)->second.end > start) --it;
  while (it != entries_.end() && it->first < end) it = entries_.erase(it);
  entries_.emplace_hint(it, start, Entry{end, std::string(line.substr(0, kMaxNameBytes))});
}

const std::string* PerfMapText::Find(uint64_t pc) const {
  const auto after = entries_.upper_bound(pc);
  if (after == entries_.begin()) return nullptr;
  const Entry& entry = std::prev(after)->second;
  return pc < entry.end ? &entry.name : nullptr;
}

PerfMap::PerfMap(pid_t pid, uint64_t start_unix_ns)
    : start_unix_ns_(start_unix_ns),
      owner_(os::ReadEffectiveUser(pid).value_or(geteuid())),
      path_(FileOf(pid)),
      path_in_place_("/proc/" + std::to_string(pid) + "/root" +
                     FileOf(os::ReadOwnPid(pid).value_or(pid))) {}

bool PerfMap::Open() {
  for (const std::string& path : {path_in_place_, path_}) {
    base::ScopedFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status;
    if (!file.valid() || fstat(file.get(), &status) != 0) continue;
    constexpr uint64_t kSecondNs = 1'000'000'000;
    const auto written_s = static_cast<uint64_t>(status.st_mtim.tv_sec);
    // Names of another process, which had the same number, do not count.
    if (!S_ISREG(status.st_mode) || status.st_uid != owner_ ||
        written_s < start_unix_ns_ / kSecondNs)
      continue;
    file_ = std::move(file);
    return true;
  }
  return false;
}

void PerfMap::Update() {
  if (!file_.valid() && !Open()) return;
  std::vector<char> part(kPartBytes);
  while (read_ < kMaxFileBytes) {
    const ssize_t n = pread(file_.get(), part.data(), part.size(), read_);
    if (n <= 0) return;
    text_.Add({part.data(), static_cast<size_t>(n)});
    read_ += n;
  }
}

}  // namespace pyrometer::capture
