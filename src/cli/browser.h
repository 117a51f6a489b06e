// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace pyrometer::cli {

// The commands that could show `address`, best first: those of $BROWSER (several are
// separated by colons; %s in one stands for the address), else the desktop's own
// where there is a desktop.
std::vector<std::vector<std::string>> BrowserCommands(const std::string& address,
                                                      const char* browser, bool has_desktop);

// Starts the first of those commands that can be started, in a session of its own, so
// that Ctrl-C here does not end it. False: none can.
bool OpenBrowser(const std::string& address);

}  // namespace pyrometer::cli
