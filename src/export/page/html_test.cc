// SPDX-License-Identifier: Apache-2.0
#include "export/page/html.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace pyrometer::export_ {
namespace {

constexpr std::string_view kPage = "<html><body><p>x</p><!--DATA--></body></html>";

std::string FromBase64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  EXPECT_EQ(text.size() % 4, 0u);
  for (size_t i = 0; i + 4 <= text.size(); i += 4) {
    uint32_t group = 0;
    for (const char c : text.substr(i, 4))
      group = group << 6 | (c == '=' ? 0 : static_cast<uint32_t>(kDigits.find(c)));
    for (int shift = 16; shift >= 0; shift -= 8) bytes += static_cast<char>(group >> shift);
  }
  while (text.ends_with('=')) {
    text.remove_suffix(1);
    bytes.pop_back();
  }
  return bytes;
}

std::string Inflated(const std::string& packed, size_t size) {
  std::string bytes(size + 1, '\0');
  uLongf length = bytes.size();
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
  bytes.resize(length);
  return bytes;
}

class WriteHtmlTest : public ::testing::Test {
 protected:
  void Add(std::string_view id, std::string bytes) {
    pieces_.push_back({id, [bytes = std::move(bytes)](std::ostream& out) { out << bytes; }});
  }
  std::string Html() {
    std::ostringstream out;
    EXPECT_TRUE(WriteHtml(kPage, pieces_, out));
    EXPECT_TRUE(out.good());
    return out.str();
  }
  // The text of the element with that id.
  static std::string_view Element(std::string_view html, const std::string& id) {
    const std::string open = "<script type=\"application/octet-stream\" id=\"" + id + "\">";
    const size_t begin = html.find(open) + open.size();
    return html.substr(begin, html.find("</script>", begin) - begin);
  }

  std::vector<PagePiece> pieces_;
};

TEST_F(WriteHtmlTest, ThePageIsAroundTheData) {
  Add("data", "</script><script>alert(1)</script>");
  const std::string html = Html();
  EXPECT_TRUE(html.starts_with("<html><body><p>x</p><script type="));
  EXPECT_TRUE(html.ends_with("</script>\n</body></html>"));
  EXPECT_EQ(html.find("alert"), std::string::npos);
}

TEST_F(WriteHtmlTest, TheBytesComeBack) {
  std::mt19937_64 random(3);
  // Around the sizes of its buffers, and all rests of three.
  for (size_t size : {0, 1, 2, 3, 4, 16383, 16384, 16385, 300'000}) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    pieces_.clear();
    Add("data", bytes);
    EXPECT_EQ(Inflated(FromBase64(Element(Html(), "data")), size), bytes) << size;
  }
}

TEST_F(WriteHtmlTest, SmallWritesAreThoseOfOneLarge) {
  std::string bytes;
  for (uint32_t i = 0; i < 50'000; ++i) bytes += static_cast<char>(i * i >> 4);
  pieces_.push_back({"data", [&](std::ostream& out) {
                       for (const char c : bytes) out.put(c);
                     }});
  EXPECT_EQ(Inflated(FromBase64(Element(Html(), "data")), bytes.size()), bytes);
}

TEST_F(WriteHtmlTest, TwoPiecesForAComparison) {
  Add("data", "new");
  Add("base", "old");
  const std::string html = Html();
  EXPECT_EQ(Inflated(FromBase64(Element(html, "data")), 3), "new");
  EXPECT_EQ(Inflated(FromBase64(Element(html, "base")), 3), "old");
}

TEST_F(WriteHtmlTest, APageWithoutAPlaceIsRefused) {
  std::ostringstream out;
  EXPECT_FALSE(WriteHtml("<html></html>", pieces_, out));
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace pyrometer::export_
