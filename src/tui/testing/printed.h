// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analyze/testing/profile_builder.h"
#include "tui/page/listing.h"
#include "tui/text/report_style.h"

// Reports of made-up profiles as text, for the tests of this folder.
namespace pyrometer::tui::testing {

inline constexpr ReportStyle kUnicode80{.width = 80, .unicode = true};

// The console report. `all`: library code is in scope.
std::string Printed(const analyze::testing::ProfileBuilder& profile,
                    const ReportStyle& style = kUnicode80, const Listing& listing = {},
                    bool all = false);

std::vector<std::string> Lines(const std::string& text);

// No line is wider than that, and nothing in it can steer a terminal.
void ExpectFits(const std::string& text, size_t width);

// Golden files are what a person has looked at and found good. With
// PYRO_UPDATE_GOLDEN set they are written instead of compared.
void ExpectGolden(const std::string& name, const std::string& text);

// A profile whose every text is hostile: control characters, wide and combining
// characters, tabs, markup, and no end of it.
analyze::testing::ProfileBuilder HostileProfile();

}  // namespace pyrometer::tui::testing
