// SPDX-License-Identifier: Apache-2.0
#include "agent/python/profiled_code.h"

#include "agent/core/agent.h"
#include "agent/core/announce.h"
#include "agent/core/in_recording.h"
#include "agent/core/signals_blocked.h"
#include "agent/core/thread_registry.h"
#include "transport/records.h"

namespace pyrometer::agent {
namespace {

// What was told of a code slot: a function that is defined again and again, in
// a loop, must not fill the ring.
constexpr uint8_t kMarked = 1;
constexpr uint8_t kInner = 2;

bool Tell(uint32_t slot, bool inner) {
  transport::ProfiledCodeRecord record{};
  record.slot = slot;
  record.is_inner = inner ? 1 : 0;
  constexpr uint32_t kBytes = transport::RingWriter::Aligned(sizeof record);
  uint8_t* out = g_agent.ring.Reserve(kBytes);
  if (out == nullptr) return false;
  transport::RingWriter::Fill(out, record);
  transport::RingWriter::Commit(out, kBytes, transport::RecordType::kProfiledCode);
  return true;
}

}  // namespace

void TellProfiledCode(uint64_t code, bool inner) {
  const InRecording inside;
  ThreadRecord* thread = inside ? SampledThread() : nullptr;
  if (thread == nullptr) return;
  const SignalsBlocked blocked;  // the handler works in the thread's record, too
  const sigsafe::LocalReader reader(thread->pages, 0, 0);
  uint64_t identity;
  const uint32_t slot = AnnounceCode(reader, code, &identity);
  if (slot == transport::kNoCode) return;
  const uint8_t bit = inner ? kInner : kMarked;
  if ((g_agent.profiled[slot].fetch_or(bit, std::memory_order_relaxed) & bit) != 0) return;
  if (!Tell(slot, inner))
    g_agent.profiled[slot].fetch_and(static_cast<uint8_t>(~bit), std::memory_order_relaxed);
}

}  // namespace pyrometer::agent
