// SPDX-License-Identifier: Apache-2.0
#include "export/page/page_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>

#include "analyze/build_report.h"
#include "analyze/report/outline.h"
#include "analyze/testing/example_profile.h"
#include "export/page/page_samples.h"
#include "export/page/testing/page_reader.h"
#include "export/report/json.h"

namespace pyrometer::export_ {
namespace {

using analyze::testing::Exactly;
using analyze::testing::ProfileBuilder;
using format::MemoryKind;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::PageReader;
using enum format::Activity;

uint64_t SumOf(const std::vector<uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

class PageDataTest : public ::testing::Test {
 protected:
  PageReader Page(const analyze::Scope& scope = {}) const { return Page(profile_, scope); }
  static PageReader Page(const ProfileBuilder& builder, const analyze::Scope& scope = {}) {
    const profile::Profile& profile = builder.Build();
    std::ostringstream out;
    WritePageData(profile, analyze::BuildReport(profile, {scope}), scope, out);
    return PageReader::Read(out.str()).value();
  }
  json Meta() const { return json::parse(Page().Text("meta")); }
  // The stacks of a column, as text.
  static std::vector<std::string> Stacks(const PageReader& page, const std::string& column) {
    std::vector<std::string> stacks;
    for (const uint64_t node : page.Numbers(column)) stacks.push_back(page.Stack(node));
    return stacks;
  }

  ProfileBuilder profile_;
};

TEST_F(PageDataTest, SamplesAreThoseOfTheCapture) {
  profile_.Add("main:10 > f:3", kPython, 0.5, 2).Thread(101, "worker").Add("main:11", kIoWait, 1);
  const PageReader page = Page();
  EXPECT_THAT(Stacks(page, "sample.stack"), ElementsAre("main:10 > f:3", "main:11"));
  EXPECT_THAT(page.Numbers("sample.weight"), ElementsAre(500'000'000, 1'000'000'000));
  EXPECT_THAT(page.Numbers("sample.count"), ElementsAre(2, 1));
  EXPECT_THAT(page.Numbers("sample.activity"), ElementsAre(0, 3));
  EXPECT_THAT(page.Numbers("sample.thread"), ElementsAre(0, 1));
  EXPECT_THAT(page.Numbers("sample.task"), ElementsAre(0, 0));
  EXPECT_THAT(page.Texts("thread.name").back(), "worker");
  EXPECT_THAT(page.Numbers("thread.main"), ElementsAre(1, 0));
}

TEST_F(PageDataTest, FilesSayWhoseTheyAre) {
  profile_.Add("main:10 > /usr/lib/python3.12/json/decoder.py|decode:7 > scan [/lib/c.so]", kNative,
               1);
  profile_.Add("<truncated>", kPython, 1);
  const PageReader page = Page();
  EXPECT_THAT(page.Texts("file.path"),
              ElementsAre("app.py", "/usr/lib/python3.12/json/decoder.py", "/lib/c.so", ""));
  EXPECT_THAT(page.Numbers("file.kind"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Page({.only = {"decoder.py"}}).Numbers("file.kind"), ElementsAre(1, 0, 2, 3));
}

TEST_F(PageDataTest, InlinedFunctionsAreFramesOfTheirOwn) {
  profile_.Add("main:10 > outer/inner [m.so]", kNative, 1)
      .Add("main:10 > outer [m.so]", kNative, 1);
  const PageReader page = Page();
  EXPECT_THAT(Stacks(page, "sample.stack"),
              ElementsAre("main:10 > outer > inner", "main:10 > outer"));
  // The empty stack, main, outer, inner.
  EXPECT_THAT(page.Numbers("stack.parent"), ElementsAre(0, 0, 1, 2));
}

TEST_F(PageDataTest, PlacesOfNativeFramesAreNamedWhereKnown) {
  profile_.Add("f [m.so]", kNative, 1);
  profile::Profile& profile = profile_.profile();
  profile.strings.emplace_back("m.c");
  profile.symbols[0].lines[0].file =
      format::StringId(static_cast<uint32_t>(profile.strings.size() - 1));
  profile.symbols[0].lines[0].line = 12;
  const PageReader page = Page();
  EXPECT_THAT(page.Texts("frame.native_file"), ElementsAre("m.c"));
  EXPECT_THAT(page.Numbers("frame.native_line"), ElementsAre(12));
  EXPECT_THAT(page.Numbers("frame.line"), ElementsAre(0));
}

TEST_F(PageDataTest, EqualPathsAreOneNode) {
  profile_.Add("main:10 > f [m.so]", kNative, 1).Add("main:10 > ? [m.so]", kNative, 1);
  profile_.profile().symbols.push_back(profile_.profile().symbols.front());
  profile_.profile().symbols.back().frame = format::FrameId(2);
  const std::vector<uint64_t> stacks = Page().Numbers("sample.stack");
  EXPECT_EQ(stacks[0], stacks[1]);
}

TEST_F(PageDataTest, CollectionsAndImportsAreFlagged) {
  profile_.Add("main:1 > gc_collect_main [/usr/bin/python3.12] > visit [/usr/bin/python3.12]",
               kNative, 1);
  profile_.Add("main:2 > <frozen importlib._bootstrap>|_find_and_load:3 > m.py|<module>:1", kPython,
               1);
  profile_.Add("main:3 > run/gc_collect [/usr/bin/python3.12]", kNative, 1);
  EXPECT_THAT(
      Stacks(Page(), "sample.stack"),
      ElementsAre("main:1 > gc_collect_main > visit [1]",
                  "main:2 > _find_and_load:3 > <module>:1 [2]", "main:3 > run > gc_collect [1]"));
}

TEST_F(PageDataTest, TasksHaveNamesAndFunctions) {
  profile_.Task("work@1:2", "poll").Add("run:1 > work@1:3", kPython, 1);
  profile_.Await("work@1:2", format::AwaitState::kReady, 2);
  profile_.Task("lib/x.py|idle@5:6", "");
  const PageReader page = Page();
  EXPECT_THAT(page.Texts("task.name").front(), "poll");
  const std::vector<std::string> names = page.Texts("function.name");
  const std::vector<uint64_t> functions = page.Numbers("task.function");
  EXPECT_EQ(names[functions[0]], "work");
  EXPECT_EQ(names[functions[1]], "idle");
  EXPECT_EQ(page.Numbers("function.line")[functions[1]], 5u);
  EXPECT_THAT(page.Numbers("sample.task"), ElementsAre(1));
  EXPECT_THAT(Stacks(page, "await.stack"), ElementsAre("work:2"));
  EXPECT_THAT(page.Numbers("await.ready"), ElementsAre(1));
  EXPECT_THAT(page.Numbers("await.weight"), ElementsAre(2'000'000'000));
}

TEST_F(PageDataTest, AmountsAreOfMetricsInTheMeta) {
  profile_.Add("main:1 > f:2", kPython, 1);
  profile::Profile& profile = profile_.profile();
  profile.metrics.Declare("cache_misses", "count", "Cache misses");
  const metric::Metric hits = *profile.metrics.Declare("hits", "hits", "");
  const format::StackId stack = profile.samples.stack[0];
  profile.amounts = {{.metric = hits, .stack = stack, .time_ns = 0, .value = 7, .count = 2},
                     {.metric = hits, .stack = stack, .value = 5}};
  const PageReader page = Page();
  EXPECT_THAT(page.Numbers("amount.metric"), ElementsAre(1, 1));
  EXPECT_THAT(page.Numbers("amount.thread"), ElementsAre(0, 0));
  EXPECT_THAT(Stacks(page, "amount.stack"), ElementsAre("main:1 > f:2", "main:1 > f:2"));
  EXPECT_THAT(page.Numbers("amount.value"), ElementsAre(7, 5));
  EXPECT_THAT(page.Numbers("amount.count"), ElementsAre(2, 0));
  EXPECT_THAT(page.Numbers("amount.time"), ElementsAre(1, 0));
  const json metrics = Meta()["metrics"];
  EXPECT_EQ(metrics[0]["title"], "Cache misses");
  EXPECT_EQ(metrics[1],
            json({{"name", "hits"}, {"title", "hits"}, {"unit", "hits"}, {"value", 12}}));
}

TEST_F(PageDataTest, SourcesAreTexts) {
  profile_.Add("main:1", kPython, 1).Source("app.py", "main()\n").Source("other.py", "x\n");
  EXPECT_THAT(Page().Texts("file.source"), ElementsAre("main()\n"));
}

TEST_F(PageDataTest, ProcessesKnowTheirParents) {
  profile_.Process(200, 1, 5).Process(300, 2, 3);
  profile_.profile().processes[1].info.parent_pid = 100;
  profile_.profile().processes[2].info.parent_pid = 200;
  profile_.profile().processes[2].info.argv = {"/usr/bin/python3", "-m", "x"};
  const PageReader page = Page();
  EXPECT_THAT(page.Numbers("process.parent"), ElementsAre(0, 1, 2));
  EXPECT_THAT(page.Numbers("process.start"), ElementsAre(0, 1'000'000'000, 2'000'000'000));
  EXPECT_THAT(page.Numbers("process.end"),
              ElementsAre(10'000'000'000, 5'000'000'000, 3'000'000'000));
  EXPECT_EQ(page.Texts("process.name").back(), "python3 -m x");
}

TEST_F(PageDataTest, ParentsNeverGoRoundInCircles) {
  profile_.Process(200, 0, 5);
  profile_.profile().processes[0].info.parent_pid = 200;
  profile_.profile().processes[1].info.parent_pid = 100;
  EXPECT_THAT(Page().Numbers("process.parent"), ElementsAre(0, 1));
}

TEST_F(PageDataTest, RanksArePlusOne) {
  profile_.Counter(format::CounterKind::kFact, "RANK", 0);
  profile_.Process(200, 0, 5).Counter(format::CounterKind::kFact, "RANK", 3);
  profile_.Process(300, 0, 5);
  EXPECT_THAT(Page().Numbers("process.rank"), ElementsAre(1, 4, 0));
}

TEST_F(PageDataTest, HostileTextsAreTexts) {
  profile_.Add("</script><b>\xff\"\n:3", kPython, 1);
  const std::string name = "</script><b>\xef\xbf\xbd\"\n";
  EXPECT_THAT(Page().Texts("function.name"), ElementsAre(name));
}

TEST_F(PageDataTest, MetaIsTheReportWithoutRows) {
  profile_.Add("main:1", kPython, 1);
  const json meta = Meta();
  EXPECT_EQ(meta["schema"], "pyrometer.report");
  EXPECT_FALSE(meta["merged"].contains("files"));
  EXPECT_FALSE(meta["processes"][0].contains("totals"));
  EXPECT_EQ(meta["page"], json({{"title", "python app.py"},
                                {"end_ns", 10'000'000'000},
                                {"main_thread", 0},
                                {"memory", false},
                                {"pieces", false},
                                {"partial", false},
                                {"rest", json::array()}}));
}

TEST_F(PageDataTest, ThePartThatTakesLongerCanComeLater) {
  profile_.Add("main:1", kPython, 1);
  profile_.profile().metrics.Declare("hits", "hits", "");
  const profile::Profile& profile = profile_.profile();
  std::ostringstream columns, report;
  WritePageColumns(profile, analyze::BuildOutline(profile), {},
                   [&](const std::string& piece) { columns << piece; });
  WritePageReport(profile, analyze::BuildReport(profile, {}), report);
  const PageReader page = PageReader::Read(columns.str()).value();
  const json partial = json::parse(page.Text("meta")), whole = json::parse(report.str());
  EXPECT_TRUE(partial["page"]["partial"]);
  EXPECT_EQ(partial["run"], whole["run"]);
  EXPECT_EQ(partial["processes"], whole["processes"]);
  EXPECT_EQ(partial["metrics"][0]["name"], whole["metrics"][0]["name"]);
  EXPECT_EQ(partial["losses"], whole["losses"]);
  EXPECT_EQ(whole, Meta());
}

TEST_F(PageDataTest, WhatTheFirstScreenDoesNotNeedCanComeLater) {
  profile_.Add("main:1", kPython, 1);
  const profile::Profile& profile = profile_.profile();
  std::string first, rest, whole;
  const analyze::Report outline = analyze::BuildOutline(profile);
  bool first_is_complete = false;
  WritePageParts(
      profile, outline, {},
      {[&](const std::string& piece) { first += piece; }, [&] { first_is_complete = rest.empty(); },
       [&](const std::string& piece) { rest += piece; }});
  EXPECT_TRUE(first_is_complete);
  WritePageColumns(profile, outline, {}, [&](const std::string& piece) { whole += piece; });
  const PageReader page = PageReader::Read(first).value(), late = PageReader::Read(rest).value(),
                   all = PageReader::Read(whole).value();
  const json names = json::parse(page.Text("meta"))["page"]["rest"];
  EXPECT_EQ(names.size(), 7u);
  EXPECT_EQ(late.sections().size(), names.size());
  for (const std::string name : names) {
    EXPECT_EQ(page.sections().count(name), 0u) << name;
    EXPECT_EQ(late.Numbers(name), all.Numbers(name)) << name;
  }
  for (const auto& [name, section] : all.sections())
    EXPECT_EQ(page.sections().count(name) + late.sections().count(name), 1u) << name;
}

TEST_F(PageDataTest, SamplesAreAddedUpByStackThreadAndActivity) {
  profile_.Add("a:1", kPython, 1, 2).Add("b:1", kPython, 2).Add("a:1", kNative, 4);
  profile_.Add("a:1", kPython, 8).Thread(101, "t").Add("a:1", kPython, 16).Add("b:1", kPython, 32);
  const profile::Profile& profile = profile_.Build();
  std::string first;
  WritePageParts(profile, analyze::BuildOutline(profile), {},
                 {[&](const std::string& piece) { first += piece; }, [] {}, [](const auto&) {}});
  const PageReader page = PageReader::Read(first).value();
  std::vector<std::string> rows;
  for (size_t i = 0; i < page.Numbers("sum.stack").size(); ++i) {
    std::string row;
    for (const char* column : {"stack", "thread", "activity", "weight", "count"}) {
      const uint64_t value = page.Numbers(std::string("sum.") + column)[i];
      row += (row.empty() ? "" : " ") +
             std::to_string(value >= 1'000'000 ? value / 1'000'000'000 : value);
    }
    rows.push_back(row);
  }
  EXPECT_THAT(rows, ElementsAre("1 0 0 9 3", "1 0 1 4 1", "1 1 0 16 1", "2 0 0 2 1", "2 1 0 32 1"));
}

TEST_F(PageDataTest, LongTitlesAreCutBetweenCharacters) {
  profile_.profile().run.command = {"/a/b", std::string(196, 'x') + "ü", "z"};
  EXPECT_EQ(Meta()["page"]["title"], "b " + std::string(196, 'x') + "ü…");
  profile_.profile().run.command = {std::string(199, 'x') + "ü"};
  EXPECT_EQ(Meta()["page"]["title"], std::string(199, 'x') + "…");
}

TEST_F(PageDataTest, NothingRecordedIsAPage) {
  profile::Profile nothing;
  nothing.strings.emplace_back();
  nothing.stacks.emplace_back();
  std::ostringstream out;
  WritePageData(nothing, analyze::BuildReport(nothing, {}), {}, out);
  const PageReader page = PageReader::Read(out.str()).value();
  EXPECT_THAT(page.Numbers("sample.time"), IsEmpty());
  EXPECT_TRUE(json::parse(page.Text("meta"))["page"]["main_thread"].is_null());
}

TEST_F(PageDataTest, MemoryIsThatOfTheCapture) {
  profile_.Memory("main:10", MemoryKind::kPython, 1, Exactly(4096, 2), Exactly(1024), 4096);
  profile_.Peak(1, "main:10", MemoryKind::kPython, Exactly(3500));
  profile_.Survivor(9, "main:11", MemoryKind::kNative, "dict", Exactly(2000));
  profile_.Level(2, {.rss_bytes = 77});
  const PageReader page = Page();
  EXPECT_THAT(Stacks(page, "change.stack"), ElementsAre("main:10"));
  EXPECT_THAT(page.Numbers("change.bytes"), ElementsAre(4096));
  EXPECT_THAT(page.Numbers("change.blocks"), ElementsAre(2));
  EXPECT_THAT(page.Numbers("change.freed"), ElementsAre(1024));
  EXPECT_THAT(page.Numbers("peak.bytes"), ElementsAre(3500));
  EXPECT_THAT(Stacks(page, "left.stack"), ElementsAre("main:11"));
  EXPECT_THAT(page.Texts("left.type"), ElementsAre("dict"));
  EXPECT_THAT(page.Numbers("level.rss"), ElementsAre(77));
  EXPECT_TRUE(Meta()["page"]["memory"]);
}

TEST_F(PageDataTest, AmountsOfMemorySayHowWellTheyAreKnown) {
  const format::MemoryAmount sampled{
      .bytes = 1 << 20, .blocks = 3, .samples = 2, .variance_kib2 = 4096};
  profile_.Memory("main:10", MemoryKind::kPython, 1, sampled);
  profile_.Memory("main:11", MemoryKind::kNative, 1, Exactly(1 << 20));
  profile_.Counter(format::CounterKind::kFact, "memory_by_pieces", 1);
  const PageReader page = Page();
  EXPECT_THAT(page.Numbers("change.variance"), ElementsAre(4096, 0));
  EXPECT_THAT(page.Numbers("peak.variance"), ElementsAre(4096, 0));
  EXPECT_THAT(page.Numbers("left.variance"), ElementsAre(4096, 0));
  EXPECT_TRUE(Meta()["page"]["pieces"]);
}

// The whole example against the report of it.
class PageOfExampleTest : public PageDataTest {
 protected:
  const ProfileBuilder example_ = analyze::testing::ExampleProfile();
  const analyze::Report report_ = analyze::BuildReport(example_.Build(), {});
  const PageReader page_ = Page(example_);
};

TEST_F(PageOfExampleTest, ColumnsOfATableAreEquallyLong) {
  std::map<std::string, std::set<uint64_t>> lengths;
  for (const auto& [name, section] : page_.sections())
    if (name.find('.') != name.npos) lengths[name.substr(0, name.find('.'))].insert(section.count);
  EXPECT_EQ(lengths.size(), 16u);
  for (const auto& [table, counts] : lengths) EXPECT_EQ(counts.size(), 1u) << table;
}

TEST_F(PageOfExampleTest, MetaNeedsNoTotalsOfRows) {
  const auto meta = [&](bool totals) {
    analyze::ReportOptions options;
    options.totals = totals;
    std::ostringstream out;
    WritePageMeta(analyze::BuildReport(example_.Build(), options), {}, out);
    return out.str();
  };
  EXPECT_EQ(meta(false), meta(true));
}

TEST_F(PageOfExampleTest, CallersComeBeforeWhatTheyCall) {
  const std::vector<uint64_t> parents = page_.Numbers("stack.parent"),
                              frames = page_.Numbers("stack.frame");
  std::set<std::pair<uint64_t, uint64_t>> nodes;
  for (size_t i = 1; i < parents.size(); ++i) {
    EXPECT_LT(parents[i], i);
    EXPECT_TRUE(nodes.emplace(parents[i], frames[i]).second) << i;
  }
}

TEST_F(PageOfExampleTest, TimesOfThreadsAddUpToTheReport) {
  const std::vector<uint64_t> threads = page_.Numbers("sample.thread"),
                              weights = page_.Numbers("sample.weight"),
                              counts = page_.Numbers("sample.count"),
                              doing = page_.Numbers("sample.activity");
  ASSERT_EQ(report_.merged.threads.size(), page_.Numbers("thread.tid").size());
  std::map<std::pair<uint64_t, uint64_t>, std::pair<uint64_t, uint64_t>> sums;  // thread, activity
  for (size_t i = 0; i < threads.size(); ++i) {
    auto& [ns, samples] = sums[{threads[i], doing[i]}];
    ns += weights[i];
    samples += counts[i];
  }
  for (size_t thread = 0; thread < report_.merged.threads.size(); ++thread) {
    for (size_t activity = 0; activity < format::kActivityCount; ++activity) {
      const analyze::Amount& amount =
          report_.merged.threads[thread].time[format::Activity(activity)];
      EXPECT_EQ(sums[std::pair(thread, activity)], std::pair(amount.ns, amount.samples));
    }
  }
}

TEST_F(PageOfExampleTest, MemoryAddsUpToTheReport) {
  const analyze::MemoryStats& total = report_.merged.memory.total;
  const std::vector<uint64_t> kinds = page_.Numbers("change.kind"),
                              bytes = page_.Numbers("change.bytes");
  uint64_t allocated = 0, copied = 0;
  for (size_t i = 0; i < kinds.size(); ++i) (kinds[i] == 3 ? copied : allocated) += bytes[i];
  EXPECT_EQ(allocated, total.allocated.bytes());
  EXPECT_EQ(copied, total.copied.bytes);
  EXPECT_EQ(SumOf(page_.Numbers("left.bytes")), total.at_end.bytes());
  uint64_t peaks = 0;
  for (const analyze::ProcessReport& process : report_.processes)
    peaks += process.view.memory.total.at_peak.bytes();
  EXPECT_EQ(SumOf(page_.Numbers("peak.bytes")), peaks);
}

TEST_F(PageOfExampleTest, ScopedTimeOfFilesAddsUpToTheReport) {
  const std::vector<uint64_t> parents = page_.Numbers("stack.parent"),
                              frames = page_.Numbers("stack.frame"),
                              functions = page_.Numbers("frame.function"),
                              files = page_.Numbers("function.file"),
                              kinds = page_.Numbers("file.kind"),
                              stacks = page_.Numbers("sample.stack"),
                              weights = page_.Numbers("sample.weight");
  std::map<std::string, uint64_t> sums;
  const std::vector<std::string> paths = page_.Texts("file.path");
  for (size_t i = 0; i < stacks.size(); ++i) {
    uint64_t node = stacks[i];
    while (node != 0 && kinds[files[functions[frames[node]]]] != 0) node = parents[node];
    if (node != 0) sums[paths[files[functions[frames[node]]]]] += weights[i];
  }
  ASSERT_FALSE(sums.empty());
  for (const analyze::FileStats& file : report_.merged.files) {
    if (!file.in_scope) continue;
    EXPECT_EQ(sums[file.path], file.scoped.cpu().ns + file.scoped.wait().ns) << file.path;
  }
}

class PageSamplesTest : public PageDataTest {
 protected:
  PageSamples Merged(size_t least_halved = PageSamples::kMostUnmerged) const {
    const profile::Profile& profile = profile_.Build();
    const analyze::FrameTable table(profile, {});
    TextTable strings;
    const ResolvedFrames frames(profile, table, {}, strings);
    return {profile, StackTree(profile, frames, analyze::StackKinds(profile, table)), 1,
            least_halved};
  }
  template <class Number>
  static std::vector<Number> All(const PageSamples& samples,
                                 std::vector<Number> PageSamples::Rows::* column) {
    std::vector<Number> values;
    const auto value_at = samples.Column(column);
    for (size_t i = 0; i < samples.size(); ++i) values.push_back(value_at(i));
    return values;
  }
  static std::vector<uint64_t> Weights(const PageSamples& samples) {
    return All(samples, &PageSamples::Rows::weight_ns);
  }
};

TEST_F(PageSamplesTest, NeighboursOfOneThreadThatAgreeAreOneRow) {
  profile_.Add("a:1", kPython, 1, 2)
      .Add("a:1", kPython, 2)
      .Add("a:1", kNative, 4)
      .Add("a:1", kPython, 8);
  const PageSamples merged = Merged();
  EXPECT_THAT(Weights(merged), ElementsAre(3'000'000'000, 4'000'000'000, 8'000'000'000));
  EXPECT_THAT(All(merged, &PageSamples::Rows::count), ElementsAre(3, 1, 1));
  EXPECT_EQ(merged.Column(&PageSamples::Rows::time_ns)(0), profile_.Build().samples.time_ns[1]);
}

TEST_F(PageSamplesTest, ThreadsInBetweenDoNotSeparate) {
  profile_.Add("a:1", kPython, 1).Thread(101, "t").Add("a:1", kPython, 2);
  profile::SampleColumns& samples = profile_.profile().samples;
  profile_.Add("a:1", kPython, 4);
  samples.thread.Set(2, samples.thread[0]);
  EXPECT_THAT(Weights(Merged()), ElementsAre(5'000'000'000, 2'000'000'000));
}

TEST_F(PageSamplesTest, HalvesStandOneAfterTheOther) {
  profile_.Add("a:1", kPython, 1).Add("a:1", kPython, 2).Add("a:1", kPython, 4);
  profile_.Add("a:1", kPython, 8).Add("b:1", kPython, 16);
  EXPECT_THAT(Weights(Merged(5)), ElementsAre(3'000'000'000, 12'000'000'000, 16'000'000'000));
}

TEST_F(PageSamplesTest, HostileWeightsDoNotWrapAround) {
  for (int i = 0; i < 20; ++i) profile_.Add("a:1", kPython, 1);
  for (size_t i = 0; i < 20; ++i) profile_.profile().samples.weight_ns.Set(i, uint64_t{1} << 61);
  EXPECT_THAT(Weights(Merged()), ElementsAre(~uint64_t{0}));
}

}  // namespace
}  // namespace pyrometer::export_
