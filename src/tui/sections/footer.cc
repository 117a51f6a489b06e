// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "tui/page/account.h"
#include "tui/sections/sections.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

// Pieces joined by dots and wrapped to the page, under the first one.
void PrintPieces(Page& page, Tone tone, const std::string& lead,
                 const std::vector<std::string>& pieces) {
  const std::string dot(page.ink().Glyph(" · ", ", "));
  std::string line = lead;
  bool fresh = true;
  for (const std::string& piece : pieces) {
    if (!fresh && Width(line) + Width(dot) + Width(piece) > page.width()) {
      page.Line(page.ink()(tone, CutRight(line, page.width(), page.ink().unicode())));
      line = std::string(Width(lead), ' ');
      fresh = true;
    }
    line += (fresh ? "" : dot) + piece;
    fresh = false;
  }
  page.Line(page.ink()(tone, CutRight(line, page.width(), page.ink().unicode())));
}

}  // namespace

void PrintFooter(Page& page) {
  page.Line();
  for (const std::string& text : NoteTexts(page)) page.Paragraph(Tone::kFaint, text);
  PrintPieces(page, Tone::kFaint, "pyrometer: ", AccountPieces(page));
  const std::vector<std::string> losses = LossPieces(page), damage = LoadPieces(page);
  if (!losses.empty()) PrintPieces(page, Tone::kWarning, "not recorded: ", losses);
  if (!damage.empty()) PrintPieces(page, Tone::kWarning, "capture: ", damage);
}

}  // namespace pyrometer::tui
