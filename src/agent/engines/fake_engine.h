// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pyrometer::agent {

// What the engines of this process were told since the last call, in order and with a space
// between: by an engine that writes down what it is told, the last in the list of the tests.
std::string TakeTold();

}  // namespace pyrometer::agent
