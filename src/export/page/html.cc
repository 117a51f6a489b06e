// SPDX-License-Identifier: Apache-2.0
#include "export/page/html.h"

#include "export/stream/base64_buffer.h"
#include "export/stream/deflate_buffer.h"

namespace pyrometer::export_ {
namespace {

constexpr std::string_view kPlace = "<!--DATA-->";
// Half as long as with level 6, and a twentieth larger.
constexpr int kLevel = 4;

}  // namespace

bool WriteHtml(std::string_view page, std::span<const PagePiece> pieces, std::ostream& out) {
  const size_t place = page.find(kPlace);
  if (place == page.npos) return false;
  out << page.substr(0, place);
  for (const PagePiece& piece : pieces) {
    // Of that type it is no program, for the browser: nothing in it runs.
    out << "<script type=\"application/octet-stream\" id=\"" << piece.id << "\">";
    {
      Base64Buffer text(out);
      std::ostream packed(&text);
      DeflateBuffer packer(packed, DeflateBuffer::Wrapping::kZlib, kLevel);
      std::ostream bytes(&packer);
      piece.write(bytes);
    }
    out << "</script>\n";
  }
  out << page.substr(place + kPlace.size());
  return true;
}

}  // namespace pyrometer::export_
