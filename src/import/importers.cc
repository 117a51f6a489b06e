// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "import/chrome_trace.h"
#include "import/collapsed.h"
#include "import/importer.h"
#include "import/speedscope.h"

namespace pyrometer::import_ {
namespace {

// Those that are surest of what they see come first.
constexpr Importer kImporters[] = {
    {"speedscope", "profiles for speedscope: py-spy, pyinstrument, pyrometer", RecognisesSpeedscope,
     ReadSpeedscope},
    {"chrome", "trace events: PyTorch's profiler, viztracer, Chrome", RecognisesChromeTrace,
     ReadChromeTrace},
    {"collapsed", "stacks with counts: py-spy raw, flamegraph.pl, perf's scripts",
     RecognisesCollapsed, ReadCollapsed},
};

}  // namespace

std::span<const Importer> Importers() { return kImporters; }

const Importer* FindImporter(std::string_view name) {
  const auto* it = std::ranges::find(kImporters, name, &Importer::name);
  return it == std::end(kImporters) ? nullptr : it;
}

}  // namespace pyrometer::import_
