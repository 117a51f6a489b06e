// SPDX-License-Identifier: Apache-2.0
#include "export/flame/flame_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/grouped_rows.h"
#include "export/core/label_tree.h"
#include "export/stream/single_line.h"
#include "export/tables/process_list.h"
#include "metric/amount_text.h"

namespace pyrometer::export_ {
namespace {

constexpr double kWidth = 1200;
constexpr double kRow = 17;
constexpr double kTop = 56;
constexpr double kLeastWidth = 0.1;
constexpr double kCharacterWidth = 6.7;  // of most letters of 11 points

// Texts come only from the page: nothing of it is ever taken for markup.
constexpr const char kScript[] = R"(
const frames = [...document.querySelectorAll("g.f")];
const found = document.getElementById("found");
const number = (frame, name) => Number(frame.dataset[name]);
function show(left, width) {
  for (const frame of frames) {
    const x = (number(frame, "x") - left) / width * 1200, w = number(frame, "w") / width * 1200;
    frame.style.display = x + w < 0.1 || x > 1199.9 ? "none" : "";
    const from = Math.max(x, 0), to = Math.min(x + w, 1200);
    const [box, text] = [frame.querySelector("rect"), frame.querySelector("text")];
    box.setAttribute("x", from);
    box.setAttribute("width", Math.max(to - from - 0.3, 0.1));
    if (!text) continue;
    const room = Math.floor((to - from) / 6.7), name = frame.dataset.name;
    text.setAttribute("x", from + 3);
    text.textContent = room < 3 ? "" : name.length > room ? name.slice(0, room - 1) + "…" : name;
  }
}
for (const frame of frames) frame.addEventListener("click", () => show(number(frame, "x"), number(frame, "w")));
document.getElementById("search").addEventListener("click", () => {
  const wanted = prompt("Frames whose name contains:") || "";
  const hits = wanted ? frames.filter((frame) => frame.dataset.name.includes(wanted)) : [];
  for (const frame of frames) frame.classList.toggle("hit", hits.includes(frame));
  // What is inside of another hit is a part of it.
  let sum = 0, end = -1;
  for (const hit of hits.sort((a, b) => number(a, "x") - number(b, "x") || number(b, "w") - number(a, "w"))) {
    if (number(hit, "x") < end - 1e-6) continue;
    sum += number(hit, "w");
    end = number(hit, "x") + number(hit, "w");
  }
  found.textContent = wanted ? hits.length + " frames, " + (sum / 12).toFixed(1) + " %" : "";
});
)";

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  // The two characters that are UTF-8 but may not stand in XML.
  for (const char* wrong : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
    for (size_t at = 0; (at = escaped.find(wrong, at)) != escaped.npos;)
      escaped.replace(at, 3, "\xef\xbf\xbd");
  return escaped;
}

// The beginning of a text that is too long.
std::string Shortened(const std::string& text, double room) {
  const auto most = static_cast<size_t>(std::max(0.0, room / kCharacterWidth));
  size_t characters = 0, cut = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;
    if (++characters == most) cut = i;
  }
  if (most < 3) return "";
  return characters <= most ? text : text.substr(0, cut) + "…";
}

// Warm for Python, cool for native code; the same for the same name.
std::string Colour(const Exchange::Function* function, const std::string& text) {
  uint32_t hash = 2166136261;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  const uint32_t shade = hash % 30;
  if (function == nullptr || function->kind == Exchange::Kind::kSpecial)
    return fmt::format("hsl(0,0%,{}%)", 70 + shade / 3);
  const uint32_t hue = function->kind == Exchange::Kind::kPython ? 18 + shade : 195 + shade;
  return fmt::format("hsl({},75%,{}%)", hue, 66 + (hash >> 8) % 10);
}

class FlameSvg {
 public:
  FlameSvg(const Exchange& from, const ExchangeOptions& options, std::ostream& out)
      : title_(SingleLine(CommandTitle(from.profile().run.command))),
        out_(out),
        tree_(from, options),
        total_(static_cast<double>(std::max<uint64_t>(1, tree_.nodes()[0].total))) {
    Arrange();
  }

  void Write() {
    const double height = kTop + kRow * static_cast<double>(depth_ + 1) + 10;
    out_ << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"100%\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n"
        "<style>.f{{cursor:pointer}}.f:hover rect{{stroke:#000}}.hit rect{{fill:#e24be2}}"
        "text{{pointer-events:none}}#search{{pointer-events:auto;cursor:pointer}}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
        "<text x=\"10\" y=\"20\" font-size=\"15\">{2}</text>\n"
        "<text x=\"10\" y=\"38\">{3}: {4}</text>\n"
        "<text id=\"search\" x=\"1100\" y=\"20\" text-decoration=\"underline\">Search</text>\n"
        "<text id=\"found\" x=\"1000\" y=\"38\"></text>\n",
        kWidth, height, Escaped(title_), tree_.info().name,
        metric::AmountText(tree_.info(), static_cast<double>(tree_.nodes()[0].total)));
    for (const Box& box : boxes_) WriteBox(box);
    out_ << "<script><![CDATA[" << kScript << "]]></script>\n</svg>\n";
  }

 private:
  struct Box {
    uint32_t node;
    double x;
    size_t row;
  };

  double WidthOf(uint32_t node) const {
    return static_cast<double>(tree_.nodes()[node].total) / total_ * kWidth;
  }

  void Arrange() {
    const std::vector<LabelTree::Node>& nodes = tree_.nodes();
    const base::GroupedRows children(nodes.size(), nodes.size(),
                                     [&](size_t i) { return nodes[i].parent; });
    std::vector<Box> left{{0, 0, 0}};
    while (!left.empty()) {
      const Box box = left.back();
      left.pop_back();
      boxes_.push_back(box);
      depth_ = std::max(depth_, box.row);
      std::vector<uint32_t> below(children.Of(box.node).begin(), children.Of(box.node).end());
      std::ranges::stable_sort(below, std::greater(), [&](uint32_t i) { return nodes[i].total; });
      double x = box.x;
      for (const uint32_t child : below) {
        if (child == 0) continue;
        if (WidthOf(child) >= kLeastWidth) left.push_back({child, x, box.row + 1});
        x += WidthOf(child);
      }
    }
  }

  void WriteBox(const Box& box) {
    const LabelTree::Node& node = tree_.nodes()[box.node];
    const bool root = box.node == 0;
    const std::string text = root ? "all" : SingleLine(tree_.Text(node.label));
    const double y = kTop + kRow * static_cast<double>(box.row), width = WidthOf(box.node);
    out_ << fmt::format(
        "<g class=\"f\" data-x=\"{0:.4f}\" data-w=\"{1:.4f}\" data-name=\"{2}\"><title>{2}: {3} "
        "({4:.2f} %)</title><rect x=\"{0:.4f}\" y=\"{5}\" width=\"{6:.4f}\" height=\"{7}\" "
        "fill=\"{8}\" rx=\"1\"/><text x=\"{9:.2f}\" y=\"{10}\">{11}</text></g>\n",
        box.x, width, Escaped(text),
        metric::AmountText(tree_.info(), static_cast<double>(node.total)),
        100 * static_cast<double>(node.total) / total_, y, std::max(width - 0.3, 0.1), kRow - 1,
        Colour(root ? nullptr : tree_.FunctionOf(node.label), text), box.x + 3, y + 12,
        Escaped(Shortened(text, width)));
  }

  const std::string title_;
  std::ostream& out_;
  const LabelTree tree_;
  const double total_;
  std::vector<Box> boxes_;
  size_t depth_ = 0;
};

}  // namespace

void WriteFlameSvg(const Exchange& from, const ExchangeOptions& options, std::ostream& out) {
  FlameSvg(from, options, out).Write();
}

}  // namespace pyrometer::export_
