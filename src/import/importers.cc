// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "import/austin.h"
#include "import/callgrind.h"
#include "import/collapsed.h"
#include "import/importer.h"
#include "import/perf_script.h"
#include "import/perfetto.h"
#include "import/pprof.h"
#include "import/pstats.h"

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
