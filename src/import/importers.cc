// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "import/chrome_trace.h"
#include "import/collapsed.h"
#include "import/cpuprofile.h"
#include "import/gprof2dot_json.h"
#include "import/heapprofile.h"
#include "import/importer.h"
#include "import/memray_csv.h"
#include "import/pyinstrument.h"
#include "import/scalene.h"
#include "import/speedscope.h"

namespace pyrometer::import_ {
namespace {

// Those that are surest of what they see come first.
constexpr Importer kImporters[] = {
    {"speedscope", "profiles for speedscope: py-spy, pyinstrument, pyrometer", RecognisesSpeedscope,
     ReadSpeedscope},
    {"chrome", "trace events: PyTorch's profiler, viztracer, Chrome", RecognisesChromeTrace,
     ReadChromeTrace},
    {"cpuprofile", "time by V8: Node.js, Chrome, Visual Studio Code, pyrometer",
     RecognisesCpuProfile, ReadCpuProfile},
    {"heapprofile", "memory by V8: Node.js, Chrome, Visual Studio Code, pyrometer",
     RecognisesHeapProfile, ReadHeapProfile},
    {"scalene", "Scalene's JSON", RecognisesScalene, ReadScalene},
    {"pyinstrument", "pyinstrument's JSON", RecognisesPyinstrument, ReadPyinstrument},
    {"gprof2dot", "JSON for gprof2dot: memray transform gprof2dot", RecognisesGprof2dot,
     ReadGprof2dot},
    {"memray-csv", "memray transform csv", RecognisesMemrayCsv, ReadMemrayCsv},
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
