// SPDX-License-Identifier: Apache-2.0
#include "metric/table.h"

#include <algorithm>

namespace pyrometer::metric {
namespace {

Unit UnitOf(std::string_view name) {
  for (const Unit unit : {Unit::kNanoseconds, Unit::kBytes})
    if (name == UnitName(unit)) return unit;
  return Unit::kCount;
}

bool IsKnown(std::string_view name) {
  return std::ranges::any_of(All(), [&](const Info& info) {
    return name == info.name || name == info.earlier_ranked || name == info.earlier_exported;
  });
}

}  // namespace

std::optional<Metric> Table::Declare(std::string_view name, std::string_view unit,
                                     std::string_view title) {
  for (const auto& one : declared_)
    if (one->name == name) return one->info.metric;
  if (name.empty() || IsKnown(name) || declared_.size() == kMaxDeclared) return std::nullopt;
  const auto metric = Metric(kCount + declared_.size());
  auto made = std::make_shared<Declared>();
  made->name = name;
  made->unit = unit;
  made->title = title.empty() ? name : title;
  made->info = {.metric = metric,
                .name = made->name,
                .earlier_ranked = "",
                .earlier_exported = "",
                .title = made->title,
                .head = made->title,
                .phrase = made->title,
                .meaning = "as the recording declares it",
                .unit = UnitOf(unit),
                .parts = Bit(metric),
                .uses = kRanked | kExported,
                .unit_name = made->unit};
  declared_.push_back(std::move(made));
  return metric;
}

const Info& Table::operator[](Metric metric) const {
  return IsDeclared(metric) ? declared_[static_cast<size_t>(metric) - kCount]->info
                            : InfoOf(metric);
}

std::vector<Info> Table::declared() const {
  std::vector<Info> infos;
  for (const auto& one : declared_) infos.push_back(one->info);
  return infos;
}

std::vector<Info> Table::Listed(Use use) const {
  const auto known = metric::Listed(use);
  std::vector<Info> infos(known.begin(), known.end());
  for (const auto& one : declared_) infos.push_back(one->info);
  return infos;
}

std::optional<Metric> Table::Find(std::string_view name, Use use) const {
  if (name.empty()) return std::nullopt;
  const auto is = [&](const Info& info) {
    const std::string_view earlier = use == kRanked ? info.earlier_ranked : info.earlier_exported;
    return info.name == name || earlier == name;
  };
  const auto known = metric::Listed(use);
  if (const auto it = std::ranges::find_if(known, is); it != known.end()) return it->metric;
  for (const auto& one : declared_)
    if (is(one->info)) return one->info.metric;
  return std::nullopt;
}

}  // namespace pyrometer::metric
