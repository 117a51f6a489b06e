// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tui/sections/sections.h"
#include "tui/text/bar.h"
#include "tui/text/number.h"
#include "tui/text/text.h"
#include "tui/text/words.h"

namespace pyrometer::tui {
namespace {

using analyze::CallAmount;
using analyze::CallNode;
using analyze::CallTree;
using Kind = CallNode::Kind;

constexpr double kHotPercent = 33;
constexpr size_t kSamplesWidth = 9;
constexpr size_t kMaxPackages = 3;
constexpr size_t kLeastNote = 8;  // columns

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Paints the tree line by line: numbers, a bar, and the name behind its branches.
// Recurses as deep as the tree, which CallTreeBuilder bounds.
class TreePainter {
 public:
  TreePainter(Page& page, const CallTree& tree) : page_(page), tree_(tree) { ChooseListed(); }

  void Print() {
    page_.Title("Call tree",
                fmt::format("{}; {:g} % or more", page_.Text(RankedBy(page_.InfoOf(tree_.metric))),
                            tree_.threshold_percent));
    PrintHeads();
    for (const uint32_t root : tree_.roots)
      if (listed_[root] && tree_.IsWorth(tree_.nodes[root].total.value)) PrintNode(root, "", "");
    if (rows_ == 0) page_.Line("none");
    page_.More(rows_, printed_);
  }

 private:
  // One line below a node: another node, or its own part.
  struct Item {
    const CallAmount* amount;
    std::optional<uint32_t> node;  // empty: the part of the node itself
  };

  bool IsNamed(const CallNode& node) const {
    return node.kind == Kind::kFunction || node.kind == Kind::kLibrary ||
           node.kind == Kind::kNative;
  }

  // All, or what is on a path with a function that somebody has asked for.
  void ChooseListed() {
    const Listing& listing = page_.listing();
    listed_.assign(tree_.nodes.size(), !listing.restricted());
    inside_.assign(tree_.nodes.size(), !listing.restricted());
    if (!listing.restricted()) return;
    for (size_t i = 0; i < tree_.nodes.size(); ++i) {
      const CallNode& node = tree_.nodes[i];
      if (IsNamed(node) && listing.Has(node.path, node.name)) inside_[i] = true;
      if (inside_[i])
        for (const uint32_t child : node.children) inside_[child] = true;
    }
    for (size_t i = tree_.nodes.size(); i-- > 0;) {
      listed_[i] = inside_[i];
      for (const uint32_t child : tree_.nodes[i].children)
        if (listed_[child]) listed_[i] = true;
    }
  }

  size_t NumbersWidth() const {
    return kMetricWidth + kPercentWidth + kSamplesWidth + 2 + page_.bar_cells() + 2;
  }

  void PrintHeads() {
    // The legend's width is without colour.
    const Ink plain({.unicode = page_.ink().unicode()});
    const bool time = !metric::IsMemory(tree_.metric);
    const bool fits = Width(BarLegend(plain, time)) <= page_.width() - NumbersWidth();
    page_.Line(
        page_.ink()(Tone::kFaint, page_.MetricHead(tree_.metric) + PadLeft("%", kPercentWidth) +
                                      PadLeft("samples", kSamplesWidth)) +
        std::string(2 + page_.bar_cells() + 2, ' ') + (fits ? BarLegend(page_.ink(), time) : ""));
  }

  std::vector<Item> Items(uint32_t index) const {
    const CallNode& node = tree_.nodes[index];
    std::vector<Item> items;
    bool has_calls = false;
    for (const uint32_t child : node.children) {
      if (!listed_[child] || !tree_.IsWorth(tree_.nodes[child].total.value)) continue;
      items.push_back({&tree_.nodes[child].total, child});
      has_calls = has_calls || tree_.nodes[child].kind != Kind::kRest;
    }
    // Its own part is of interest next to that of others.
    if (has_calls && inside_[index] && tree_.IsWorth(node.self.value)) {
      const auto at = std::find_if(items.begin(), items.end(), [&](const Item& item) {
        return item.amount->value < node.self.value || IsRest(item);
      });
      items.insert(at, Item{&node.self, std::nullopt});
    }
    return items;
  }
  bool IsRest(const Item& item) const {
    return item.node && tree_.nodes[*item.node].kind == Kind::kRest;
  }

  void PrintNode(uint32_t index, const std::string& branch, const std::string& stem) {
    const CallNode& node = tree_.nodes[index];
    const std::vector<Item> items = Items(index);
    // What it has besides what is listed below it.
    uint64_t own = node.total.value;
    for (const Item& item : items) own -= item.amount->value;
    PrintRow(node.total, tree_.Percent(own) >= kHotPercent, branch, Name(node, !items.empty()),
             [&](size_t room) { return Note(node, !items.empty(), room); });
    for (size_t i = 0; i < items.size(); ++i) {
      const bool last = i + 1 == items.size();
      const std::string below =
          stem + std::string(page_.ink().Glyph(last ? "└ " : "├ ", last ? "`-" : "|-"));
      if (items[i].node) {
        PrintNode(*items[i].node, below,
                  stem + std::string(page_.ink().Glyph(last ? "  " : "│ ", last ? "  " : "| ")));
      } else {
        PrintRow(node.self, tree_.Percent(node.self.value) >= kHotPercent, below,
                 node.kind == Kind::kThread ? "[no Python]" : "[self]",
                 [](size_t) { return std::string(); });
      }
    }
  }

  // A library that only passes a call on has no name of its own.
  bool PassesOn(const CallNode& node, bool has_items) const {
    return node.kind == Kind::kLibrary && has_items && node.functions > 1 &&
           !tree_.IsWorth(node.self.value);
  }

  std::string Hidden(const CallNode& node, uint64_t count) const {
    std::string packages;
    for (size_t i = 0; i < std::min(kMaxPackages, node.packages.size()); ++i)
      packages += (i == 0 ? "" : ", ") + page_.Text(node.packages[i]);
    if (node.packages.size() > kMaxPackages)
      packages += fmt::format(" and {} more", node.packages.size() - kMaxPackages);
    return fmt::format("[{} frame{} hidden: {}]", count, count == 1 ? "" : "s", packages);
  }

  std::string Name(const CallNode& node, bool has_items) const {
    switch (node.kind) {
      case Kind::kThread:
        return page_.Text(node.name.empty() ? "thread" : node.name);
      case Kind::kRest:
        return fmt::format("[{} function{} below {:g} %]", node.functions,
                           node.functions == 1 ? "" : "s", tree_.threshold_percent);
      case Kind::kLibrary:
        if (PassesOn(node, has_items)) return Hidden(node, node.functions);
        break;
      default:
        break;
    }
    return node.name.empty() ? "?" : page_.Text(node.name);
  }

  // What follows the name in faint, in `room` columns.
  std::string Note(const CallNode& node, bool has_items, size_t room) const {
    const bool unicode = page_.ink().unicode();
    if (node.kind == Kind::kThread) return CutRight(ThreadNote(node), room, unicode);
    if (node.kind == Kind::kNative && !node.path.empty())
      return CutRight(fmt::format("[{}]", page_.Text(BaseName(node.path))), room, unicode);
    if (!IsNamed(node) || node.kind == Kind::kNative || PassesOn(node, has_items)) return "";
    std::string place = fmt::format("{}:{}", page_.Path(node.path), node.line);
    std::string more = node.recursive ? "  recursive" : "";
    if (node.functions > 1) more += "  " + Hidden(node, node.functions - 1);
    const std::string whole = place + more;
    return Width(whole) <= room ? whole : CutLeft(place, room, unicode);
  }

  std::string ThreadNote(const CallNode& node) const {
    if (tree_.roots.size() == 1) return "";
    if (node.main) return fmt::format("process {}", node.pid);
    return fmt::format("thread {} of process {}", node.tid, node.pid);
  }

  // `note` makes what follows the name fit.
  template <class Note>
  void PrintRow(const CallAmount& amount, bool hot, const std::string& branch,
                const std::string& name, Note note) {
    ++rows_;
    if (page_.listing().max_lines && printed_ >= *page_.listing().max_lines) return;
    ++printed_;
    const bool unicode = page_.ink().unicode();
    const size_t room = page_.width() - NumbersWidth();
    // Of deep branches, the end that says where the line belongs.
    const std::string lead = CutLeft(branch, room / 2, unicode);
    const std::string shown = CutRight(name, room - Width(lead), unicode);
    const size_t left = room - Width(lead) - Width(shown);
    const std::string noted = left < kLeastNote ? "" : note(left - 2);
    const Tone tone = hot ? Tone::kHot : Tone::kPlain;
    page_.Line(page_.ink()(tone, page_.MetricColumn(tree_.metric, amount.value) +
                                     page_.PercentColumn(tree_.Percent(amount.value))) +
               PadLeft(Count(amount.samples), kSamplesWidth) + "  " +
               PartsBar(amount.parts, tree_.total.value, page_.bar_cells(), page_.ink()) + "  " +
               page_.ink()(Tone::kFaint, lead) +
               page_.ink()(name.starts_with('[') ? Tone::kFaint : tone, shown) +
               (noted.empty() ? "" : "  " + page_.ink()(Tone::kFaint, noted)));
  }

  Page& page_;
  const CallTree& tree_;
  std::vector<bool> listed_;
  std::vector<bool> inside_;  // it, or what calls it, was asked for
  size_t rows_ = 0;
  size_t printed_ = 0;
};

}  // namespace

void PrintCallTree(Page& page) {
  if (page.report().call_tree) TreePainter(page, *page.report().call_tree).Print();
}

}  // namespace pyrometer::tui
