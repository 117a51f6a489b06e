// SPDX-License-Identifier: Apache-2.0
// Prints a made-up report, to look at: report_demo [--reduced] [--color] [--ascii]
#include <unistd.h>

#include <iostream>
#include <string_view>

#include "analyze/build_report.h"
#include "analyze/testing/example_profile.h"
#include "tui/print_report.h"

int main(int argc, char** argv) {
  using namespace pyrometer;  // NOLINT(google-build-using-namespace)
  tui::ReportStyle style = tui::StyleFor(STDOUT_FILENO);
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--reduced") style.reduced = true;
    if (flag == "--color") style.color = true;
    if (flag == "--ascii") style.unicode = false;
  }
  const auto profile = analyze::testing::ExampleProfile();
  tui::PrintReport(std::cout, analyze::BuildReport(profile.Build(), {}), style);
}
