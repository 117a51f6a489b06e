// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "agent/core/agent.h"
#include "agent/core/clock.h"
#include "agent/core/engine.h"
#include "agent/core/session_path.h"
#include "sigsafe/pages.h"
#include "sigsafe/syscall.h"

namespace pyrometer::agent {
namespace {

using sigsafe::Arg;
using sigsafe::Syscall;

constexpr uint64_t kRingBytes = uint64_t{1} << 20;
constexpr uint64_t kFastRingBytes = uint64_t{1} << 23;  // above 1 kHz
constexpr uint32_t kFastRate = 1000;

// Reserves the blocks now: a file without them would raise SIGBUS in the
// program when the disk is full.
bool Reserve(long fd, uint64_t bytes) {
  const long reserved = Syscall(SYS_fallocate, fd, 0, 0, static_cast<long>(bytes));
  if (reserved == 0) return true;
  // On a full disk writing would take what little is left from the program.
  if (reserved != -EOPNOTSUPP && reserved != -ENOSYS) return false;
  static const char zeros[4096] = {};
  for (uint64_t at = 0; at < bytes; at += sizeof zeros)
    if (Syscall(SYS_pwrite64, fd, Arg(zeros), sizeof zeros, static_cast<long>(at)) !=
        static_cast<long>(sizeof zeros))
      return false;
  return true;
}

// Whether somebody collects: a ring that nobody empties is only a waste.
enum class Collector { kThere, kGone, kOfAnotherUser };
Collector FindCollector(const char* session) {
  SessionPath path(session);
  path.Add("/").Add(base::kLockFile);
  const long fd = Syscall(SYS_openat, AT_FDCWD, Arg(path.text), O_RDONLY | O_CLOEXEC, 0);
  if (fd == -EACCES) return Collector::kOfAnotherUser;
  if (fd < 0) return Collector::kGone;
  const bool free = Syscall(SYS_flock, fd, LOCK_SH | LOCK_NB) == 0;
  Syscall(SYS_close, fd);
  return free ? Collector::kGone : Collector::kThere;
}

// Modules and code are told anew. To look through these tables costs a new process too much.
void Forget(Agent* agent) {
  agent->codes.Clear();
  agent->modules.Clear();
  for (auto& bits : agent->profiled)
    if (bits.load(std::memory_order_relaxed) != 0) bits.store(0, std::memory_order_relaxed);
}

}  // namespace

bool OpenRing(Agent* agent) {
  const Collector collector = FindCollector(agent->options.session);
  if (collector == Collector::kGone) return false;
  const uint64_t now = NowNs(CLOCK_MONOTONIC);
  const auto pid = static_cast<uint32_t>(Syscall(SYS_getpid));
  SessionPath path(agent->options.session);
  path.Add("/");
  // See user_hooks.cc.
  if (collector == Collector::kOfAnotherUser)
    path.Add(static_cast<uint64_t>(Syscall(SYS_geteuid))).Add("/");
  path.Add(uint64_t{pid}).Add("-").Add(now);
  SessionPath refused = path;
  path.Add(base::kRingSuffix);
  refused.Add(base::kRefusedSuffix);
  const long fd =
      Syscall(SYS_openat, AT_FDCWD, Arg(path.text), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const uint64_t ring_bytes = agent->options.rate_hz > kFastRate ? kFastRingBytes : kRingBytes;
  const uint64_t bytes = transport::kHeaderBytes + ring_bytes;
  long map = -1;
  if (Reserve(fd, bytes))
    map = Syscall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_POPULATE, fd, 0);
  if (map < 0 && map > -4096) Syscall(SYS_ftruncate, fd, 0);
  Syscall(SYS_close, fd);
  if (map < 0 && map > -4096) {
    // An empty file needs no room: it tells the collector who is missing.
    Syscall(SYS_renameat2, AT_FDCWD, Arg(path.text), AT_FDCWD, Arg(refused.text), 0);
    return false;
  }
  auto* header = reinterpret_cast<transport::RingHeader*>(map);
  header->version = transport::kRingVersion;
  header->pid = pid;
  header->parent_pid = static_cast<uint32_t>(Syscall(SYS_getppid));
  header->signal_number = static_cast<uint32_t>(agent->signal_number);
  header->ring_bytes = ring_bytes;
  header->start_ns = now;
  header->runtime = agent->interpreter.runtime;
  header->layout = agent->interpreter.layout;
  std::memcpy(header->message, agent->interpreter.message, sizeof header->message);
  header->state = agent->interpreter.IsUnknown() ? transport::ProcessState::kUnsupported
                                                 : transport::ProcessState::kActive;
  header->recording =
      agent->options.off ? transport::RecordingState::kPaused : transport::RecordingState::kOn;
  TellEngines(&Engine::describe, header);
  header->magic.store(transport::kRingMagic, std::memory_order_release);
  agent->ring =
      transport::RingWriter(header, reinterpret_cast<uint8_t*>(map) + transport::kHeaderBytes);
  if (agent->recording++ != 0) Forget(agent);
  return true;
}

void DropRing(Agent* agent) {
  transport::RingHeader* header = agent->ring.header();
  if (header == nullptr) return;
  agent->ring = {};
  sigsafe::UnmapPages(header, transport::kHeaderBytes + header->ring_bytes);
}

}  // namespace pyrometer::agent
