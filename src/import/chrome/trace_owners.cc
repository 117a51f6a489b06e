// SPDX-License-Identifier: Apache-2.0
#include "import/chrome/trace_owners.h"

#include "import/json/json_number.h"

namespace pyrometer::import_ {
namespace {

// About what one entry of a table takes.
constexpr size_t kEntryBytes = 160;
// Texts get numbers that no process or thread has.
constexpr uint64_t kFirstOfTexts = 1'000'000'000'000;

}  // namespace

uint64_t TraceOwners::Number(JsonReader& json) {
  std::string_view text;
  if (json.Next() == JsonReader::Kind::kText) {
    text = json.Text().value_or("");
  } else {
    text = json.Number().value_or("");
    if (const auto number = ScaledNumber(text, 0); number && *number >= 0)
      return static_cast<uint64_t>(*number);
  }
  const auto it = numbers_.find(text);
  if (it != numbers_.end()) return it->second;
  maker_.Charge(kEntryBytes + text.size());
  return numbers_.emplace(text, kFirstOfTexts + numbers_.size()).first->second;
}

uint32_t TraceOwners::TrackNumber(uint64_t pid, uint64_t tid) {
  if (last_ < tracks_.size() && tracks_[last_].pid == pid && tracks_[last_].tid == tid)
    return last_;
  const auto [it, fresh] = index_.try_emplace({pid, tid}, static_cast<uint32_t>(tracks_.size()));
  if (fresh) {
    tracks_.push_back({pid, tid, {}});
    maker_.Charge(kEntryBytes);
  }
  return last_ = it->second;
}

format::ThreadId TraceOwners::ThreadOf(uint32_t track) {
  return maker_.Thread(maker_.Process(tracks_[track].pid), tracks_[track].tid);
}

void TraceOwners::Keep(std::string& place, std::string_view text) {
  place = text;
  maker_.Charge(kEntryBytes + text.size());
}

void TraceOwners::Write(int64_t zero_ns) {
  std::map<uint64_t, const std::string*> texts;
  for (const auto& [text, number] : numbers_) texts[number] = &text;
  const auto name_of = [&](const auto& names, const auto& key, uint64_t number) -> std::string {
    if (const auto it = names.find(key); it != names.end()) return it->second;
    const auto text = texts.find(number);
    return text == texts.end() ? std::string() : *text->second;
  };
  for (uint32_t i = 0; i < tracks_.size(); ++i) {
    const auto& [pid, tid, calls] = tracks_[i];
    const format::ThreadId thread = ThreadOf(i);
    maker_.NameThread(thread, name_of(thread_names_, std::pair(pid, tid), tid));
    std::string name = name_of(process_names_, pid, pid);
    if (const auto label = process_labels_.find(pid); label != process_labels_.end())
      name += (name.empty() ? "" : " ") + label->second;
    maker_.NameProcess(maker_.Process(pid), name);
    tracks_[i].calls.Write(maker_, thread, zero_ns);
  }
}

}  // namespace pyrometer::import_
