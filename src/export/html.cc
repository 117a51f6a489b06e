// SPDX-License-Identifier: Apache-2.0
#include "export/html.h"

#include "export/compressed_text.h"

namespace pyrometer::export_ {
namespace {

constexpr std::string_view kPlace = "<!--DATA-->";

}  // namespace

bool WriteHtml(std::string_view page, std::span<const PagePiece> pieces, std::ostream& out) {
  const size_t place = page.find(kPlace);
  if (place == page.npos) return false;
  out << page.substr(0, place);
  for (const PagePiece& piece : pieces) {
    // Of that type it is no program, for the browser: nothing in it runs.
    out << "<script type=\"application/octet-stream\" id=\"" << piece.id << "\">";
    {
      CompressedText text(out);
      std::ostream bytes(&text);
      piece.write(bytes);
    }
    out << "</script>\n";
  }
  out << page.substr(place + kPlace.size());
  return true;
}

}  // namespace pyrometer::export_
