// SPDX-License-Identifier: Apache-2.0
#include "capture/name_reader.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "capture/remote_text.h"
#include "cpython/thread_names.h"

namespace pyrometer::capture {

NameReader::NameReader(pid_t pid, uint64_t runtime, const cpython::Layout& layout)
    : runtime_(runtime), layout_(layout), memory_(pid), reader_(memory_) {}

std::map<uint64_t, std::string> NameReader::Read(size_t threads) {
  constexpr size_t kMaxThreads = 65536;
  std::map<uint64_t, std::string> names;
  std::vector<cpython::ThreadName> found(std::min(kMaxThreads, threads + 64));
  size_t count = 0;
  reader_.Forget();
  if (!cpython::ReadThreadNames(layout_, reader_, runtime_, std::span(found), &count)) return names;
  for (const cpython::ThreadName& entry : std::span(found).first(count)) {
    cpython::TextView text;
    if (!cpython::ReadText(layout_, reader_, entry.name, &text)) continue;
    if (auto name = CopyName(reader_, text)) names[entry.pthread] = std::move(*name);
  }
  return names;
}

}  // namespace pyrometer::capture
