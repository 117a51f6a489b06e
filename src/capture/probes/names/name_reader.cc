// SPDX-License-Identifier: Apache-2.0
#include "capture/probes/names/name_reader.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "capture/core/remote_text.h"
#include "cpython/thread_names.h"

namespace pyrometer::capture {

NameReader::NameReader(pid_t pid, uint64_t runtime, const cpython::Layout& layout)
    : runtime_(runtime), layout_(layout), memory_(pid), reader_(memory_) {}

std::map<uint64_t, std::string> NameReader::Read(size_t threads, uint64_t now_ns) {
  constexpr size_t kMaxThreads = 65536;
  // A module may be imported anew.
  constexpr uint64_t kFindPeriodNs = 1'000'000'000;
  std::map<uint64_t, std::string> names;
  std::vector<cpython::ThreadName> found(std::min(kMaxThreads, threads + 64));
  size_t count = 0;
  reader_.Renew(pages_);
  if (dict_ == 0 || now_ns >= dict_until_ns_) {
    dict_ = cpython::FindThreadDict(layout_, reader_, runtime_);
    dict_until_ns_ = now_ns + kFindPeriodNs;
  }
  if (dict_ == 0) return names;
  if (!cpython::ReadThreadNames(layout_, reader_, dict_, std::span(found), &count)) dict_ = 0;
  for (const cpython::ThreadName& entry : std::span(found).first(count)) {
    cpython::TextView text;
    if (!cpython::ReadText(layout_, reader_, entry.name, &text)) continue;
    if (auto name = CopyName(reader_, text)) names[entry.pthread] = std::move(*name);
  }
  pages_ = reader_.Used();
  return names;
}

}  // namespace pyrometer::capture
