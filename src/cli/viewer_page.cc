// SPDX-License-Identifier: Apache-2.0
#include "cli/viewer_page.h"

// The assembler copies the file's bytes: a compiler takes seconds for as much text.
asm(".pushsection .rodata\n"
    "pyro_viewer_page_begin:\n"
    ".incbin \"" PYRO_VIEWER_PAGE
    "\"\n"
    "pyro_viewer_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char pyro_viewer_page_begin[];
extern const char pyro_viewer_page_end[];
}

namespace pyrometer::cli {

std::string_view ViewerPage() { return {pyro_viewer_page_begin, pyro_viewer_page_end}; }

base::Error NoPlaceInViewer() {
  return {"the viewer in this build of pyrometer has no place for data"};
}

}  // namespace pyrometer::cli
