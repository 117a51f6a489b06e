// SPDX-License-Identifier: Apache-2.0
#include "analyze/stacks/stack_kinds.h"

#include <algorithm>
#include <string_view>

#include "analyze/workers/charge_workers.h"

namespace pyrometer::analyze {
namespace {

// The collector's functions from 3.8 to 3.15. Which of them have a symbol, and
// are not inlined into another one, depends on how the interpreter was built.
constexpr std::string_view kCollectors[] = {"PyGC_Collect",
                                            "_PyGC_Collect",
                                            "_PyGC_CollectNoFail",
                                            "_PyGC_CollectIfEnabled",
                                            "_Py_RunGC",
                                            "collect",
                                            "collect_with_callback",
                                            "collect_generations",
                                            "gc_collect",
                                            "gc_collect_full",
                                            "gc_collect_generations",
                                            "gc_collect_impl",
                                            "gc_collect_increment",
                                            "gc_collect_internal",
                                            "gc_collect_main",
                                            "gc_collect_region",
                                            "gc_collect_with_callback",
                                            "gc_collect_young"};

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Other libraries may have a `collect` of their own.
bool IsInterpreter(std::string_view module) {
  const std::string_view name = BaseName(module);
  return name.starts_with("python") || name.starts_with("libpython");
}

bool IsCollector(const FrameTable::Native& native) {
  // The compiler names parts of a function "name.part.0", "name.constprop.0".
  const std::string_view name = std::string_view(native.name).substr(0, native.name.find('.'));
  return std::find(std::begin(kCollectors), std::end(kCollectors), name) != std::end(kCollectors) &&
         IsInterpreter(native.module);
}

bool IsWorker(const FrameTable::Native& native) {
  return native.module.empty() &&
         (native.name == kWorkerThreads || native.name == kWorkerProcesses);
}

// What the import system runs for an import, from 3.8 to 3.15, and for nothing else. The
// rest of it (source_to_code, _write_atomic, path_stats, ...) is also called by who compiles
// or looks for files without importing anything: py_compile, compileall, pip.
constexpr std::string_view kImports[] = {
    "__import__",
    "_exec",  // reload
    "_find_and_load", "_find_and_load_unlocked", "_gcd_import", "_handle_fromlist", "_load",
    "_load_unlocked", "_lock_unlock_module",     "exec_module", "load_module"};

bool IsImport(const FrameTable::File& file, const FrameTable::Function& function) {
  if (!file.path.starts_with("<frozen importlib.")) return false;
  // Without the class, which only 3.11 and later tell.
  const std::string_view name =
      std::string_view(function.name).substr(function.name.rfind('.') + 1);
  return std::find(std::begin(kImports), std::end(kImports), name) != std::end(kImports);
}

}  // namespace

StackKinds::StackKinds(const profile::Profile& profile, const FrameTable& frames)
    : kinds_(profile.stacks.size()) {
  std::vector<bool> collectors, workers;
  for (const FrameTable::Native& native : frames.natives()) {
    collectors.push_back(IsCollector(native));
    workers.push_back(IsWorker(native));
  }
  std::vector<bool> imports;
  for (const FrameTable::Function& function : frames.functions())
    imports.push_back(IsImport(frames.files()[function.file], function));
  // A caller has a lower id than what it calls.
  for (size_t i = 1; i < kinds_.size(); ++i) {
    const format::StackInfo& stack = profile.stacks[i];
    Kind& kind = kinds_[i] = kinds_[stack.parent.value];
    if (!frames.IsPython(stack.frame)) {
      for (const uint32_t native : frames.NativesOf(stack.frame)) {
        kind.gc = kind.gc || collectors[native];
        kind.worker = kind.worker || workers[native];
      }
      continue;
    }
    const FrameTable::Spot& spot = frames.spots()[frames.SpotOf(stack.frame)];
    const uint32_t file = frames.lines()[spot.line].file;
    if (imports[spot.function]) {
      kind.import = true;
    } else if (kind.import && kind.imported_file == kNone &&
               frames.functions()[spot.function].name == "<module>") {
      kind.imported_file = file;
    }
  }
}

}  // namespace pyrometer::analyze
