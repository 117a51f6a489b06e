// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pyrometer::serve {

// What the page may do, for the header of that name: what its own meta element says,
// and that nobody may put it into a frame, which only a header can say. A page
// without such an element may do nothing.
std::string ContentSecurityPolicy(std::string_view page);

}  // namespace pyrometer::serve
