// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pyrometer::agent {

// Whether the library at `path` lets one C stack hold many: greenlet, on which
// gevent and eventlet are built, copies parts of the stack away and back. From
// one of its frames towards the root, the C stack may be that of any greenlet:
//  - at the end of a greenlet's stack is what the greenlet was started from, or
//    what has been copied over it since;
//  - during a switch the C stack is that of the next greenlet already while
//    the thread state still names the frames of the last one.
// Signal-safety: safe.
constexpr bool IsStackSwitcher(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // nothing without a slash: npos + 1 is 0
  return path.starts_with("_greenlet.") || path.starts_with("greenlet.");
}

}  // namespace pyrometer::agent
