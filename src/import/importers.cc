// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "import/austin/austin.h"
#include "import/callgrind/callgrind.h"
#include "import/chrome/chrome_trace.h"
#include "import/collapsed/collapsed.h"
#include "import/core/importer.h"
#include "import/gprof2dot/gprof2dot_json.h"
#include "import/memray/memray_csv.h"
#include "import/perf/perf_script.h"
#include "import/perfetto/perfetto.h"
#include "import/pprof/pprof.h"
#include "import/pstats/pstats.h"
#include "import/pyinstrument/pyinstrument.h"
#include "import/scalene/scalene.h"
#include "import/speedscope/speedscope.h"
#include "import/v8/cpuprofile.h"
#include "import/v8/heapprofile.h"

namespace pyrometer::import_ {
namespace {

// Those that are surest of what they see come first.
constexpr Importer kImporters[] = {
    {"mojo", "binary files of austin", RecognisesMojo, ReadMojo},
    {"pstats", "cProfile and profile of Python", RecognisesPstats, ReadPstats},
    {"callgrind", "valgrind's callgrind, and others for KCachegrind", RecognisesCallgrind,
     ReadCallgrind},
    {"pprof", "profile.proto of pprof: Go, Pyroscope, Parca and many others", RecognisesPprof,
     ReadPprof},
    {"perfetto", "traces of Perfetto with samples or slices", RecognisesPerfetto, ReadPerfetto},
    {"austin", "text of austin", RecognisesAustin, ReadAustin},
    {"perf", "what perf script prints", RecognisesPerfScript, ReadPerfScript},
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
