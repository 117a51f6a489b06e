// SPDX-License-Identifier: Apache-2.0
#include "analyze/code/package_opener.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "analyze/code/frame_table.h"
#include "analyze/code/package_name.h"
#include "analyze/code/source_lines.h"
#include "analyze/report/outline.h"
#include "base/library_path.h"

namespace pyrometer::analyze {
namespace {

// Most of the time, and the share of it that one package must have to be named.
constexpr double kMost = 0.8, kNamed = 0.5;
// In a shorter run, the start of the interpreter is most of it.
constexpr uint64_t kLeastSamples = 20;
constexpr size_t kMaxPackages = 4;
// Entry points that pip, setuptools and uv write have about ten.
constexpr size_t kMaxEntryPointLines = 40;

// What starts programs, threads and processes; people do not look for it.
constexpr std::string_view kPlumbing[] = {"asyncio",   "concurrent", "contextlib",      "encodings",
                                          "functools", "importlib",  "multiprocessing", "runpy",
                                          "site",      "threading",  "zipimport"};

bool IsPlumbing(std::string_view path) {
  if (path.starts_with('<')) return true;
  const std::string package = PackageName(path);
  return std::find(std::begin(kPlumbing), std::end(kPlumbing), package) != std::end(kPlumbing);
}

bool IsInstalled(std::string_view path) {
  return path.find("/site-packages/") != path.npos || path.find("/dist-packages/") != path.npos;
}

std::string_view Stripped(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

// sys.exit(main()), raise SystemExit(main())
bool ExitsWithACall(std::string_view line) {
  for (const std::string_view exit : {"sys.exit(", "raise SystemExit("})
    if (line.starts_with(exit)) return line.find('(', exit.size()) != line.npos;
  return false;
}

// A script that does nothing but call a function of another file.
bool IsEntryPointText(const std::vector<std::string>& lines) {
  if (lines.size() > kMaxEntryPointLines) return false;
  bool exits = false;
  for (const std::string& whole : lines) {
    const std::string_view line = Stripped(whole);
    if (line.starts_with("def ") || line.starts_with("class ") || line.starts_with("async "))
      return false;
    exits = exits || ExitsWithACall(line);
  }
  return exits;
}

}  // namespace

PackageOpener::PackageOpener(const profile::Profile& profile, const FrameTable& frames)
    : profile_(profile), frames_(frames), times_(profile.stacks.size()) {
  AddSamples();
}

void PackageOpener::AddSamples() {
  const std::vector<std::optional<size_t>> mains = FindMainThreads(profile_);
  const profile::SampleColumns& samples = profile_.samples;
  for (size_t i = 0; i < samples.size(); ++i) {
    const bool on_cpu = format::IsOnCpu(samples.activity[i]);
    if (!on_cpu && (mains.empty() || samples.thread[i].value != mains.front())) continue;
    const uint64_t ns = samples.weight_ns[i];
    times_[samples.stack[i].value].Add({ns, on_cpu ? ns : 0});
    total_.Add({ns, on_cpu ? ns : 0});
    samples_ += samples.count[i];
  }
}

bool PackageOpener::IsMost(const Time& time) const {
  return static_cast<double>(time.heat_ns) >= kMost * static_cast<double>(total_.heat_ns) &&
         static_cast<double>(time.cpu_ns) >= kMost * static_cast<double>(total_.cpu_ns);
}

// Only code at the top of such a file, and all of it, is what an entry point has.
bool PackageOpener::IsEntryPoint(uint32_t file) const {
  for (const FrameTable::Function& function : frames_.functions())
    if (function.file == file && function.name != "<module>") return false;
  const std::string& path = frames_.files()[file].path;
  for (const format::SourceInfo& source : profile_.sources)
    if (profile_.Text(source.path) == path) return IsEntryPointText(SplitLines(source.text));
  return path.find("/bin/") != path.npos;
}

std::vector<bool> PackageOpener::HiddenStacks() {
  std::vector<bool> hidden(times_.size());
  std::map<uint32_t, bool> entry_points;  // by file
  Time in_all;
  std::map<uint32_t, Time> below;
  for (uint32_t i = 1; i < times_.size(); ++i) {
    if (times_[i].heat_ns == 0) continue;
    const auto spot = frames_.ScopedSpot(format::StackId(i));
    if (spot) {
      const uint32_t file = frames_.lines()[frames_.spots()[*spot].line].file;
      const auto [it, fresh] = entry_points.try_emplace(file, false);
      if (fresh) it->second = IsEntryPoint(file);
      if (!it->second) continue;
      below[file].Add(times_[i]);
    } else if (!NextFile(format::StackId(i))) {
      continue;
    }
    hidden[i] = true;
    in_all.Add(times_[i]);
  }
  if (!IsMost(in_all)) return {};
  opened_.hidden_ns = in_all.heat_ns;
  opened_.of_ns = total_.heat_ns;
  for (const auto& [file, time] : below)
    if (2 * time.heat_ns > in_all.heat_ns) opened_.entry_point = frames_.files()[file].path;
  return hidden;
}

std::vector<bool> PackageOpener::StacksOfOneLine() const {
  std::vector<Time> by_line(frames_.lines().size());
  const auto line_of = [&](uint32_t stack) -> std::optional<uint32_t> {
    const auto spot = frames_.ScopedSpot(format::StackId(stack));
    return spot ? std::optional(frames_.spots()[*spot].line) : std::nullopt;
  };
  for (uint32_t i = 1; i < times_.size(); ++i)
    if (const auto line = line_of(i)) by_line[*line].Add(times_[i]);
  const auto hottest = std::ranges::max_element(by_line, {}, &Time::heat_ns);
  if (hottest == by_line.end() || !IsMost(*hottest)) return {};
  std::vector<bool> stacks(times_.size());
  for (uint32_t i = 1; i < times_.size(); ++i)
    stacks[i] = line_of(i) == static_cast<uint32_t>(hottest - by_line.begin());
  return stacks;
}

// The file of the outermost Python frame that is further in than all in scope.
std::optional<uint32_t> PackageOpener::NextFile(format::StackId stack) const {
  std::optional<uint32_t> next;
  for (; stack != format::kEmptyStack; stack = profile_.stacks[stack.value].parent) {
    const format::FrameId frame = profile_.stacks[stack.value].frame;
    if (!frames_.IsPython(frame)) continue;
    const FrameTable::Spot& spot = frames_.spots()[frames_.SpotOf(frame)];
    if (frames_.InScope(spot)) break;
    const uint32_t file = frames_.lines()[spot.line].file;
    if (!IsPlumbing(frames_.files()[file].path)) next = file;
  }
  return next;
}

std::optional<std::string> PackageOpener::PackageOf(const std::vector<bool>& stacks) const {
  std::map<std::string, uint64_t> by_package;
  for (uint32_t i = 1; i < stacks.size(); ++i) {
    if (!stacks[i] || times_[i].heat_ns == 0) continue;
    const std::optional<uint32_t> file = NextFile(format::StackId(i));
    if (!file) continue;
    const std::string& path = frames_.files()[*file].path;
    // The standard library is opened where it is the program, not as what a tool calls.
    if (base::IsLibraryPath(path) && (opened_.packages.empty() || IsInstalled(path)))
      by_package[PackageName(path)] += times_[i].heat_ns;
  }
  const auto most =
      std::ranges::max_element(by_package, {}, [](const auto& of) { return of.second; });
  if (most == by_package.end() ||
      static_cast<double>(most->second) < kNamed * static_cast<double>(total_.heat_ns))
    return std::nullopt;
  return most->first;
}

std::optional<std::string> PackageOpener::Next() {
  if (samples_ < kLeastSamples || opened_.packages.size() == kMaxPackages) return std::nullopt;
  std::optional<std::string> package =
      PackageOf(opened_.packages.empty() ? HiddenStacks() : StacksOfOneLine());
  // What is excluded stays out of scope, and would be found for ever.
  if (package && std::ranges::find(opened_.packages, *package) != opened_.packages.end())
    return std::nullopt;
  if (package) opened_.packages.push_back(*package);
  return package;
}

}  // namespace pyrometer::analyze
