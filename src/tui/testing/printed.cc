// SPDX-License-Identifier: Apache-2.0
#include "tui/testing/printed.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "analyze/build_report.h"
#include "tui/print_report.h"
#include "tui/text/text.h"

namespace pyrometer::tui::testing {

std::string Printed(const analyze::testing::ProfileBuilder& profile, const ReportStyle& style,
                    const Listing& listing, bool all) {
  analyze::ReportOptions options;
  options.scope.all = all;
  options.metric = listing.sort;
  if (listing.shape == Listing::Shape::kTree)
    options.tree_threshold_percent = listing.threshold_percent;
  std::ostringstream out;
  PrintReport(out, analyze::BuildReport(profile.Build(), options), style, listing);
  return out.str();
}

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void ExpectFits(const std::string& text, size_t width) {
  EXPECT_NE(text, "");
  for (const std::string& line : Lines(text)) {
    EXPECT_LE(Width(line), width) << line;
    EXPECT_EQ(Printable(line, true), line);
  }
}

void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(PYRO_TESTDATA) + "/" + name;
  if (std::getenv("PYRO_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    // Whoever left that variable set must not take it for a test that has passed.
    FAIL() << name << " is written anew: look at the difference";
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str());
}

analyze::testing::ProfileBuilder HostileProfile() {
  using enum format::Activity;
  constexpr uint64_t kMb = 1'000'000;
  const std::string wide = "名前名前", combining = "e\u0301e\u0301", control = "\x1b[2J\r\x07";
  const std::string markup = "</details>`|\\|**<b>&amp;@x#1";
  std::string path, deep;
  for (int i = 0; i < 40; ++i) path += "/" + wide + combining;
  for (int i = 0; i < 60; ++i)
    deep += (i == 0 ? "" : " > ") + ("f" + std::to_string(i)) + wide + control + ":1";
  analyze::testing::ProfileBuilder profile;
  profile.Add(deep, kPython, 3);
  profile.Add(path + "|" + control + markup + ":3", kNative, 2);
  profile.Add("/usr/lib/python3.12/" + markup + wide + ".py|g" + control + ":1 > back:4", kIoWait,
              1);
  profile.Add(combining + markup + ":5 > " + control + " [" + path + "]", kKernel, 1);
  profile.Memory(path + "|" + control + markup + ":3", format::MemoryKind::kNative, 1,
                 analyze::testing::Exactly(90 * kMb));
  profile.Memory(combining + markup + ":5", format::MemoryKind::kCopied, 1,
                 analyze::testing::Exactly(900 * kMb));
  for (int i = 2; i < 40; ++i)
    profile.Memory(combining + markup + ":5", format::MemoryKind::kPython, 0.25 * i,
                   analyze::testing::Exactly(kMb));
  profile.Survivor(9.9, combining + markup + ":5", format::MemoryKind::kPython, control + markup,
                   analyze::testing::Exactly(38 * kMb));
  profile.Thread(101, wide + control + markup).Add("w\t" + wide + ":2", kPython, 1);
  profile.Source(path, "\n\n\t\x1b[31m" + markup + wide + wide + wide + combining + "\u202e\n");
  profile.Source("app.py", "\t" + markup + "\n\n\n\n```\n");
  profile.profile().run.command = {control, markup, path};
  profile.profile().processes[0].info.interpreter = control + markup + path;
  profile.profile().processes[0].info.clock = control + markup;
  profile.Counter(format::CounterKind::kLoss, control + markup + path, 7);
  return profile;
}

}  // namespace pyrometer::tui::testing
