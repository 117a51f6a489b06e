// SPDX-License-Identifier: Apache-2.0
#include "tui/print_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "analyze/build_report.h"
#include "analyze/testing/example_profile.h"
#include "tui/testing/printed.h"
#include "tui/text/text.h"

namespace pyrometer::tui {
namespace {

using metric::Metric;

using enum format::Activity;
using analyze::testing::Exactly;
using analyze::testing::ExampleProfile;
using analyze::testing::ProfileBuilder;
using analyze::testing::WithoutMemory;
using analyze::testing::WithoutTime;
using testing::ExpectFits;
using testing::ExpectGolden;
using ::testing::HasSubstr;
using testing::HostileProfile;
using testing::kUnicode80;
using testing::Lines;
using ::testing::Not;
using testing::Printed;

TEST(PrintReportGolden, Unicode80) {
  ExpectGolden("report_80_unicode.txt", Printed(ExampleProfile(), kUnicode80));
}
TEST(PrintReportGolden, Ascii80) {
  ExpectGolden("report_80_ascii.txt", Printed(ExampleProfile(), {.width = 80}));
}
TEST(PrintReportGolden, Unicode160) {
  ExpectGolden("report_160_unicode.txt",
               Printed(ExampleProfile(), {.width = 160, .unicode = true}));
}
TEST(PrintReportGolden, Color160) {
  ExpectGolden("report_160_color.txt",
               Printed(ExampleProfile(), {.width = 160, .color = true, .unicode = true}));
}
TEST(PrintReportGolden, Reduced80) {
  ExpectGolden("report_80_reduced.txt", Printed(ExampleProfile(), kUnicode80, {.reduced = true}));
}

TEST(PrintReportGolden, TimeOnly80) {
  ExpectGolden("report_80_time_only.txt", Printed(WithoutMemory(ExampleProfile())));
}
TEST(PrintReportGolden, MemoryOnly80) {
  ExpectGolden("report_80_memory_only.txt", Printed(WithoutTime(ExampleProfile())));
}

TEST(PrintReport, NoLineIsWiderThanThePage) {
  for (const ProfileBuilder& profile :
       {ExampleProfile(), WithoutMemory(ExampleProfile()), WithoutTime(ExampleProfile())}) {
    for (const size_t width : {60, 80, 99, 100, 109, 110, 120, 140, 200}) {
      for (const bool unicode : {false, true}) {
        const std::string text = Printed(profile, {.width = width, .unicode = unicode});
        for (const std::string& line : Lines(text)) EXPECT_LE(Width(line), width) << line;
      }
    }
  }
}

TEST(PrintReport, AsciiIsAscii) {
  for (const char c : Printed(ExampleProfile(), {.width = 120})) {
    ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << static_cast<int>(c);
  }
}

TEST(PrintReport, ColourOnlyAddsEscapes) {
  std::string colored = Printed(ExampleProfile(), {.width = 80, .color = true, .unicode = true});
  for (size_t at; (at = colored.find('\x1b')) != colored.npos;) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  // Colour may keep blanks at the end of a line that plain text drops.
  const auto colored_lines = Lines(colored), lines = Lines(Printed(ExampleProfile()));
  ASSERT_EQ(colored_lines.size(), lines.size());
  for (size_t i = 0; i < lines.size(); ++i) EXPECT_TRUE(colored_lines[i].starts_with(lines[i]));
}

TEST(PrintReport, TooShort) {
  const std::string text = Printed(ProfileBuilder().Elapsed(0.008));
  EXPECT_THAT(text, HasSubstr("Too short: ran 8.00 ms, 0 samples."));
  EXPECT_THAT(text, Not(HasSubstr("Functions")));
}

TEST(PrintReport, EmptyCaptureIsNotACrash) {
  std::ostringstream out;
  PrintReport(out, analyze::BuildReport(profile::Profile{}, {}), kUnicode80);
  EXPECT_THAT(out.str(), HasSubstr("0 samples"));
  EXPECT_THAT(out.str(), HasSubstr("did not end in an orderly way"));
}

TEST(PrintReport, SnapshotIsNotCutOff) {
  profile::Profile snapshot;
  snapshot.load.still_running = true;
  std::ostringstream out;
  PrintReport(out, analyze::BuildReport(snapshot, {}), kUnicode80);
  EXPECT_THAT(out.str(), HasSubstr("written while the program was still running"));
  EXPECT_THAT(out.str(), Not(HasSubstr("orderly")));
}

TEST(PrintReport, FewSamplesAreSaidToBeFew) {
  EXPECT_THAT(Printed(ProfileBuilder().Add("main:3", kPython, 0.02, 2)),
              HasSubstr("Only 2 samples"));
}

TEST(PrintReport, WaitingProgram) {
  const std::string text =
      Printed(ProfileBuilder().Add("main:3", kIoWait, 7).Add("main:4", kPython, 1));
  EXPECT_THAT(text, HasSubstr("Mostly waiting for I/O: 70 % of 10.0 s elapsed; longest: "
                              "70 % at main() app.py:3"));
}

TEST(PrintReport, HostileNamesCannotReachTheTerminal) {
  ProfileBuilder profile;
  profile.Add("f\x1b]0;x\x07:3", kPython, 1).Thread(101, "t\x1b[2J").Add("g:4", kPython, 1);
  profile.Source("app.py", "\n\n\x1b[31mred\u202e\n");
  profile.profile().run.command = {"\x1b[H"};
  profile.Counter(format::CounterKind::kLoss, "a\rb", 1);
  for (const char c : Printed(profile, {.width = 160, .unicode = true})) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ') << static_cast<int>(c);
  }
}

TEST(PrintReport, HostileTextFitsAtEveryWidth) {
  for (const size_t width : {60, 80, 100, 120, 160, 200})
    ExpectFits(Printed(HostileProfile(), {.width = width, .unicode = true}), width);
}

TEST(PrintReport, OnlyWhatMatchesIsListed) {
  const std::string files = Printed(ExampleProfile(), kUnicode80, {.files = {"scoring"}});
  EXPECT_THAT(files, HasSubstr("weight = math.exp"));
  EXPECT_THAT(files, Not(HasSubstr("total += score")));
  EXPECT_THAT(files, Not(HasSubstr("Threads")));
  EXPECT_THAT(files, HasSubstr("listed: files that match scoring; totals and percentages are of"));
  const std::string functions = Printed(ExampleProfile(), kUnicode80, {.functions = {"comp*"}});
  EXPECT_THAT(functions, HasSubstr("total += score"));
  EXPECT_THAT(functions, HasSubstr("10.9  █"));  // percent of the whole
  EXPECT_THAT(functions, Not(HasSubstr("data = conn.recv")));
  EXPECT_THAT(functions, Not(HasSubstr("normalise")));
}

TEST(PrintReport, NoMoreLinesThanWanted) {
  const std::string text = Printed(ExampleProfile(), kUnicode80, {.max_lines = 2, .reduced = true});
  EXPECT_THAT(text, HasSubstr("weight = math.exp"));
  EXPECT_THAT(text, HasSubstr("data = conn.recv"));
  EXPECT_THAT(text, Not(HasSubstr("for a, b in zip")));
  EXPECT_THAT(text, HasSubstr("more lines)"));
}

TEST(PrintReport, FilesAreRankedByTheMetric) {
  ProfileBuilder profile;
  profile.Add("a.py|f:1", kPython, 3).Add("b.py|g:1", kNative, 1);
  const auto first = [&](Metric metric) {
    const std::string text = Printed(profile, kUnicode80, {.sort = metric});
    return text.find("in f") < text.find("in g") ? 'a' : 'b';
  };
  EXPECT_EQ(first(Metric::kCpu), 'a');
  EXPECT_EQ(first(Metric::kNative), 'b');
}

TEST(PrintReport, Tasks) {
  const auto text = [](size_t width) {
    ProfileBuilder profile;
    profile.Task("work@1:2", "one \x1b[2J")
        .Add("run:1 > work@1:3", kPython, 1)
        .Await("work@1:2 > read@7:8 > /usr/lib/python3.12/a.py|get@1:9",
               format::AwaitState::kSuspended, 2)
        .Await("work@1:4", format::AwaitState::kReady, 0.5)
        .Held("run:1 > work@1:3", 1, 0.1);
    return Printed(profile, {.width = width});
  };
  EXPECT_THAT(text(80),
              HasSubstr("   1.000   2.000   0.500       1  work  app.py:1  one \\x1b[2J"));
  EXPECT_THAT(text(80), HasSubstr("   2.000               1        1  read  app.py:8  -> get\n"
                                  "                                     in work:2\n"));
  EXPECT_THAT(text(80), HasSubstr("   0.100       1   100 ms   1.000        1  work  app.py:3"));
  EXPECT_THAT(text(80), HasSubstr("CPU s    % await s"));
  EXPECT_THAT(text(79), Not(HasSubstr("CPU s    % await s")));
  for (const size_t width : {60, 80, 120, 200})
    for (const std::string& line : Lines(text(width))) EXPECT_LE(Width(line), width) << line;
}

TEST(PrintReport, LittleMemoryHasOnlyItsTotal) {
  ProfileBuilder profile;
  profile.Add("f:3", kPython, 1).Memory("f:3", format::MemoryKind::kPython, 1, Exactly(2'000'000));
  EXPECT_THAT(Printed(profile), HasSubstr("peak in use 2.00 MB"));
  EXPECT_THAT(Printed(profile), Not(HasSubstr("peak MB")));
  EXPECT_THAT(Printed(profile, kUnicode80, {.sort = Metric::kLiveAtPeak}), HasSubstr("peak MB"));
  profile.Memory("f:4", format::MemoryKind::kPython, 2, Exactly(9'000'000));
  EXPECT_THAT(Printed(profile), HasSubstr("peak MB"));
}

TEST(PrintReport, FunctionsOfOneSampleAreNotListed) {
  ProfileBuilder profile;
  profile.Add("f@1:3", kPython, 1, 2).Add("g@5:6", kPython, 1, 1);
  EXPECT_THAT(Printed(profile), HasSubstr("f  app.py:1"));
  EXPECT_THAT(Printed(profile), Not(HasSubstr("g  app.py:5")));
  EXPECT_THAT(Printed(profile, kUnicode80, {.functions = {"g"}}), HasSubstr("g  app.py:5"));
}

TEST(PrintReport, OneFileNeedsNoRanking) {
  ProfileBuilder profile;
  profile.Add("f:3", kPython, 1);
  EXPECT_THAT(Printed(profile), Not(HasSubstr("\nFiles\n")));
  profile.Add("other.py|g:3", kPython, 1, 2);
  EXPECT_THAT(Printed(profile), HasSubstr("\nFiles\n"));
}

TEST(PrintReport, NothingOfTheUsersOwn) {
  ProfileBuilder profile;
  profile.Add("/usr/lib/python3.12/x.py|f:3", kIoWait, 8);
  EXPECT_THAT(Printed(profile), HasSubstr("outside your code\n"));
}

TEST(PrintReport, WithoutMemoryNothingIsSaidOfIt) {
  const std::string text = Printed(WithoutMemory(ExampleProfile()));
  for (const char* word : {"emory", "MB", "peak", "Copies"})
    EXPECT_THAT(text, Not(HasSubstr(word)));
}

TEST(PrintReport, WithoutTimeNothingIsSaidOfIt) {
  const std::string text = Printed(WithoutTime(ExampleProfile()), {.width = 160, .unicode = true});
  for (const char* word : {"CPU s", "wait", "kernel", "Functions", "0 samples", "CPU-bound"})
    EXPECT_THAT(text, Not(HasSubstr(word)));
  EXPECT_THAT(text, HasSubstr("Peak of 556 MB in use at 1.42 s"));
}

TEST(PrintReport, MemoryOfThreadsIsListedWhereSeveralAllocate) {
  ProfileBuilder profile;
  profile.Memory("f:3", format::MemoryKind::kNative, 1, Exactly(70'000'000));
  EXPECT_THAT(Printed(profile), Not(HasSubstr("Memory by thread")));
  profile.Thread(101, "w\x1b").Memory("g:4", format::MemoryKind::kPython, 1, Exactly(30'000'000));
  EXPECT_THAT(Printed(profile),
              HasSubstr("     101  w\\x1b                  30        30        30"));
}

TEST(PrintReport, MemoryThatWasNeverTouchedIsSaid) {
  ProfileBuilder profile;
  profile.Memory("f:3", format::MemoryKind::kMapped, 1, Exactly(90'000'000))
      .Level(1, {.rss_bytes = 10'000'000, .mapped_bytes = 90'000'000});
  EXPECT_THAT(Printed(profile), HasSubstr("  not resident         -80      -80"));
}

TEST(PrintReport, HostileAmountsOfMemoryAreNoCrash) {
  ProfileBuilder profile;
  const format::MemoryAmount huge{.bytes = ~uint64_t{0} >> 3,
                                  .blocks = ~uint64_t{0} >> 3,
                                  .samples = ~uint64_t{0} >> 3,
                                  .variance_kib2 = ~uint64_t{0} >> 3};
  for (int i = 1; i < 20; ++i)
    profile.Memory("f:3", format::MemoryKind(i % 4), i, huge, i % 3 == 0 ? huge : Exactly(1))
        .Level(i, {.rss_bytes = huge.bytes, .python_bytes = huge.bytes, .arena_bytes = 7})
        .Peak(i, "g:4", format::MemoryKind::kNative, huge)
        .Survivor(i, "g\x1b:4", format::MemoryKind::kNative, "\x1b[2J", huge);
  for (const size_t width : {60, 80, 160})
    for (const std::string& line : Lines(Printed(profile, {.width = width})))
      EXPECT_LE(Width(line), width) << line;
}

TEST(PrintReport, LossesAndDamageAreShown) {
  ProfileBuilder profile;
  profile.Add("f:3", kPython, 1).Counter(format::CounterKind::kLoss, "records_dropped", 1204);
  profile.profile().load = {.bytes_read = 90, .bytes_lost = 10};
  const std::string text = Printed(profile);
  EXPECT_THAT(text, HasSubstr("not recorded: 1,204 records dropped, ring full"));
  EXPECT_THAT(text, HasSubstr("10 of 100 bytes unreadable"));
  EXPECT_THAT(text, Not(HasSubstr("0 lost")));
}

TEST(PrintReport, ProfilesOfOtherToolsSaySo) {
  ProfileBuilder profile;
  profile.Add("f:3", kPython, 1)
      .Counter(format::CounterKind::kFact, "imported_from: pstats", 1)
      .Counter(format::CounterKind::kFact, "note: no stacks", 1);
  const std::string text = Printed(profile);
  EXPECT_THAT(text, HasSubstr("imported from pstats"));
  EXPECT_THAT(text, HasSubstr("note: no stacks"));
}

TEST(PrintReport, NotesMayBeFigures) {
  ProfileBuilder profile;
  profile.Add("f:3", kPython, 1).Counter(format::CounterKind::kFact, "cpu_excess", 2'000'000'000);
  EXPECT_THAT(Printed(profile), HasSubstr("note: 2.00 s more CPU time than there can be"));
}

TEST(PrintReport, CostsAreCalledAsInTheTable) {
  ProfileBuilder profile;
  profile.Add("f:3", kPython, 1).Counter(format::CounterKind::kCost, "handler ns", 10'000'000);
  EXPECT_THAT(Printed(profile), HasSubstr("cost: sampling 10.0 ms"));
}

TEST(PrintReport, LinesOfFunctionsWithProfileOnly) {
  ProfileBuilder profile;
  profile.Add("f:3", kPython, 1).Add("other.py|g:7", kPython, 0.001).Mark("g");
  const std::string text = Printed(profile);
  EXPECT_THAT(text, HasSubstr("in g"));
  EXPECT_THAT(text, Not(HasSubstr("in f")));
  EXPECT_THAT(text, HasSubstr("lines: only of 1 function with @profile; --all-functions"));
  EXPECT_THAT(Printed(ExampleProfile()), Not(HasSubstr("@profile")));
}

// By the first column of the table of files.
TEST(PrintReport, FilesAddUpToTheTotal) {
  double sum = 0, total = 0;
  bool inside = false;
  for (const std::string& line : Lines(Printed(ExampleProfile()))) {
    if (line == "Files") inside = true;
    if (inside && line.empty()) break;
    const double seconds = std::strtod(line.c_str(), nullptr);
    (line.ends_with("total") ? total : sum) += seconds;
  }
  EXPECT_GT(total, 0);
  EXPECT_NEAR(sum, total, 0.004);
}

}  // namespace
}  // namespace pyrometer::tui
