// SPDX-License-Identifier: Apache-2.0
#include "export/core/exchange.h"

#include <fmt/format.h>

#include "analyze/code/frame_table.h"
#include "analyze/stacks/stack_kinds.h"
#include "export/tables/process_list.h"
#include "export/tables/resolved_frames.h"
#include "export/tables/stack_tree.h"

namespace pyrometer::export_ {
namespace {

using FileKind = ResolvedFrames::FileKind;

constexpr const char kNoSymbol[] = "<no symbol>";
constexpr const char kNoName[] = "<no name>";
constexpr const char kNoStack[] = "<no stack>";

Exchange::Kind KindOf(FileKind kind) {
  if (kind == FileKind::kNative) return Exchange::Kind::kNative;
  return kind == FileKind::kSpecial ? Exchange::Kind::kSpecial : Exchange::Kind::kPython;
}

}  // namespace

Exchange::Exchange(const profile::Profile& profile, const analyze::Report& report,
                   const analyze::Scope& scope)
    : profile_(profile), report_(report), threads_(ThreadsOf(profile, report)) {
  AddFrames(scope);
}

void Exchange::AddFrames(const analyze::Scope& scope) {
  const analyze::FrameTable table(profile_, scope);
  const ResolvedFrames resolved(profile_, table, scope, texts_);
  for (const ResolvedFrames::Function& function : resolved.functions()) {
    const ResolvedFrames::File& file = resolved.files()[function.file];
    const Kind kind = KindOf(file.kind);
    uint32_t name = function.name;
    if (name == 0) name = texts_.Number(kind == Kind::kNative ? kNoSymbol : kNoName);
    functions_.push_back({name, file.path, function.line, kind});
  }
  for (const ResolvedFrames::Frame& frame : resolved.frames()) {
    const bool source = frame.native_file != 0;
    frames_.push_back({frame.function, source ? frame.native_file : functions_[frame.function].file,
                       source ? frame.native_line : frame.line});
  }
  const StackTree tree(profile_, resolved, analyze::StackKinds(profile_, table));
  nodes_.reserve(tree.size() + 1);
  for (size_t i = 0; i < tree.size(); ++i) nodes_.push_back({tree.parents()[i], tree.frames()[i]});
  // Samples without frames get one, because formats drop empty stacks.
  const auto no_stack = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({0, static_cast<uint32_t>(frames_.size())});
  frames_.push_back({static_cast<uint32_t>(functions_.size()), 0, 0});
  functions_.push_back({texts_.Number(kNoStack), 0, 0, Kind::kSpecial});
  node_of_.reserve(profile_.stacks.size());
  for (uint32_t i = 0; i < profile_.stacks.size(); ++i) {
    const uint32_t node = tree.Of(format::StackId(i));
    node_of_.push_back(node == 0 ? no_stack : node);
  }
}

std::string Exchange::FunctionLabel(uint32_t function) const {
  const Function& its = functions_[function];
  const std::string& file = Text(its.file);
  if (its.kind == Kind::kPython) return fmt::format("{} ({})", Text(its.name), file);
  if (its.kind == Kind::kSpecial) return Text(its.name);
  return fmt::format("{} [{}]", Text(its.name), file.substr(file.rfind('/') + 1));
}

std::string Exchange::FrameLabel(uint32_t frame) const {
  const Frame& its = frames_[frame];
  if (FunctionOf(its).kind != Kind::kPython) return FunctionLabel(its.function);
  return fmt::format("{} ({}:{})", Name(its.function), Text(its.file), its.line);
}

std::string Exchange::ThreadLabel(uint32_t thread) const {
  const analyze::ThreadStats& stats = *threads_[thread];
  return ValidUtf8(fmt::format("{} ({}/{})", stats.name, stats.pid, stats.tid));
}

std::string Exchange::ProcessName(uint32_t process) const {
  return ValidUtf8(CommandTitle(report_.processes[process].argv));
}

bool Exchange::has_time() const { return profile_.samples.size() != 0; }

bool Exchange::has_declared() const { return !profile_.amounts.empty(); }

std::vector<Metric> Exchange::Metrics() const {
  std::vector<Metric> metrics;
  for (const metric::Info& info : profile_.metrics.Listed(metric::kExported)) {
    // Of a run in which nothing at all was recorded formats still want one.
    const bool recorded = metric::IsDeclared(info.metric) ? has_declared()
                          : metric::IsMemory(info.metric)
                              ? has_memory()
                              : has_time() || !(has_memory() || has_declared());
    if (recorded) metrics.push_back(info.metric);
  }
  return metrics;
}

Metric Exchange::DefaultMetric() const {
  if (has_time()) return Metric::kCpu;
  if (has_memory()) return Metric::kLiveAtPeak;
  return has_declared() ? Metrics().front() : Metric::kCpu;
}

}  // namespace pyrometer::export_
