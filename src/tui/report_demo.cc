// SPDX-License-Identifier: Apache-2.0
// Prints a made-up report, to look at:
// report_demo [--reduced] [--flat] [--tree] [--color] [--ascii] [--cpu-only] [--memory-only]
#include <unistd.h>

#include <iostream>
#include <string_view>
#include <utility>

#include "analyze/build_report.h"
#include "analyze/testing/example_profile.h"
#include "tui/print_report.h"

int main(int argc, char** argv) {
  using namespace pyrometer;  // NOLINT(google-build-using-namespace)
  tui::Listing listing;
  tui::ReportStyle style = tui::StyleFor(STDOUT_FILENO);
  auto profile = analyze::testing::ExampleProfile();
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--reduced") listing.reduced = true;
    if (flag == "--flat") listing.shape = tui::Listing::Shape::kFlat;
    if (flag == "--tree") listing.shape = tui::Listing::Shape::kTree;
    if (flag == "--color") style.color = true;
    if (flag == "--ascii") style.unicode = false;
    if (flag == "--cpu-only") profile = analyze::testing::WithoutMemory(std::move(profile));
    if (flag == "--memory-only") profile = analyze::testing::WithoutTime(std::move(profile));
  }
  tui::PrintReport(std::cout, analyze::BuildReport(profile.Build(), {.tree_threshold_percent = 1}),
                   style, listing);
}
