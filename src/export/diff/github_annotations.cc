// SPDX-License-Identifier: Apache-2.0
#include "export/diff/github_annotations.h"

#include <fmt/format.h>

#include <string>

#include "analyze/diff/change_text.h"
#include "export/diff/grown_rows.h"
#include "export/stream/single_line.h"

namespace pyrometer::export_ {
namespace {

constexpr size_t kMostOfAKind = 10;

// Nothing in `text` can end the command, or begin another one.
std::string Escaped(const std::string& text, bool property) {
  std::string escaped;
  for (const char c : SingleLine(text)) {
    if (c == '%' || (property && (c == ':' || c == ',')))
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      escaped += c;
  }
  return escaped;
}

void Write(std::ostream& out, const char* kind, const analyze::DiffRow* row,
           const std::string& title, const std::string& text) {
  out << "::" << kind << ' ';
  if (row != nullptr && row->code.now) {
    const analyze::CodeTable::Place& place = *row->code.now;
    out << "file=" << Escaped(place.path, true) << ',';
    if (place.line != 0) out << "line=" << place.line << ',';
  }
  out << "title=" << Escaped(title, true) << "::" << Escaped(text, false) << '\n';
}

}  // namespace

void WriteGithubAnnotations(const analyze::Diff& diff, std::span<const analyze::LimitResult> limits,
                            std::ostream& out) {
  size_t errors = 0;
  for (const analyze::LimitResult& limit : limits)
    if (limit.exceeded && errors++ < kMostOfAKind)
      Write(out, "error", limit.row ? &*limit.row : nullptr, "pyrometer: " + limit.limit.text,
            LimitText(diff, limit));
  for (const GrownRow& grown : GrownRows(diff, kMostOfAKind))
    Write(out, "warning", grown.row, "pyrometer: more " + analyze::MetricText(grown.metric),
          grown.row->code.now->function + " has " + ChangeText(grown.metric, grown.row->change));
  for (const analyze::MetricDiff& metric : diff.metrics)
    if (metric.total.significant)
      Write(out, "notice", nullptr, "pyrometer: the whole program",
            "The whole program has " + ChangeText(metric.info, metric.total));
}

}  // namespace pyrometer::export_
