// SPDX-License-Identifier: Apache-2.0
#include "export/pprof/pprof.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <map>
#include <protozero/pbf_reader.hpp>
#include <vector>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;
using protozero::pbf_reader;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::string Unpacked(std::string packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string bytes(1 << 20, '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}

// The fields of a message by number, in order.
std::multimap<uint32_t, uint64_t> Numbers(pbf_reader message) {
  std::multimap<uint32_t, uint64_t> numbers;
  while (message.next()) {
    const uint32_t field = message.tag();
    if (message.wire_type() == protozero::pbf_wire_type::varint) {
      numbers.emplace(field, message.get_uint64());
    } else {
      message.skip();
    }
  }
  return numbers;
}

class PprofTest : public testing::ExchangeTest {
 protected:
  struct Sample {
    std::string stack;  // innermost first
    std::map<std::string, uint64_t> values{};
    std::map<std::string, std::string> labels{};
  };

  void Read() {
    bytes_ = Unpacked(Written([](Exchange& from, std::ostream& out) { WritePprof(from, out); }));
    pbf_reader strings(bytes_);
    while (strings.next(6)) texts_.push_back(strings.get_string());
    pbf_reader functions(bytes_);
    while (functions.next(5)) {
      const auto numbers = Numbers(functions.get_message());
      functions_[numbers.find(1)->second] = texts_[numbers.find(2)->second];
    }
    pbf_reader locations(bytes_);
    while (locations.next(4)) ReadLocation(locations.get_message());
    pbf_reader types(bytes_);
    while (types.next(1)) types_.push_back(texts_[Numbers(types.get_message()).find(1)->second]);
    pbf_reader samples(bytes_);
    while (samples.next(2)) ReadSample(samples.get_message());
  }
  void ReadLocation(pbf_reader location) {
    const uint64_t id = Numbers(location).find(1)->second;
    if (const auto numbers = Numbers(location); numbers.contains(2)) mapped_.push_back(id);
    while (location.next(4)) {
      const auto line = Numbers(location.get_message());
      locations_[id] =
          functions_[line.find(1)->second] + ":" + std::to_string(line.find(2)->second);
    }
  }
  void ReadSample(pbf_reader message) {
    Sample sample;
    size_t at = 0;
    while (message.next()) {
      if (message.tag() == 1) {
        for (const uint64_t id : message.get_packed_uint64())
          sample.stack += (sample.stack.empty() ? "" : " < ") + locations_[id];
      } else if (message.tag() == 2) {
        for (const int64_t value : message.get_packed_int64())
          if (const std::string& type = types_[at++]; value != 0)
            sample.values[type] = static_cast<uint64_t>(value);
      } else {
        const auto label = Numbers(message.get_message());
        const std::string& key = texts_[label.find(1)->second];
        sample.labels[key] = label.contains(2) ? texts_[label.find(2)->second]
                                               : std::to_string(label.find(3)->second);
      }
    }
    samples_.push_back(sample);
  }
  const Sample& Of(const std::string& stack) const {
    for (const Sample& sample : samples_)
      if (sample.stack == stack) return sample;
    ADD_FAILURE() << "no sample " << stack;
    return samples_.front();
  }

  std::string bytes_;
  std::vector<std::string> texts_, types_;
  std::map<uint64_t, std::string> functions_, locations_;
  std::vector<uint64_t> mapped_;
  std::vector<Sample> samples_;
};

TEST_F(PprofTest, SamplesHaveAllMetrics) {
  AddExample();
  Read();
  EXPECT_EQ(texts_[0], "");
  EXPECT_EQ(types_.size(), metric::Listed(metric::kExported).size());
  EXPECT_EQ(samples_.size(), 5u);
  EXPECT_THAT(Of("f:3 < f:4 < main:10").values,
              UnorderedElementsAre(Pair("samples", 20), Pair("cpu", 2'000'000'000),
                                   Pair("python", 2'000'000'000), Pair("wall", 2'000'000'000)));
  EXPECT_THAT(Of("read:0 < main:11").values,
              UnorderedElementsAre(Pair("samples", 40), Pair("io_wait", 4'000'000'000),
                                   Pair("wall", 4'000'000'000)));
  EXPECT_THAT(Of("main:10").values,
              UnorderedElementsAre(Pair("allocated", 4096), Pair("copied", 100),
                                   Pair("live_at_peak", 3500), Pair("live_at_exit", 3000)));
}

TEST_F(PprofTest, OnlyNativeFramesHaveAMapping) {
  AddExample();
  Read();
  ASSERT_EQ(mapped_.size(), 1u);
  EXPECT_EQ(locations_[mapped_[0]], "read:0");
}

TEST_F(PprofTest, LabelsSayWhoRanIt) {
  profile_.Task("work@1:2", "poll").Add("work@1:3", kPython, 1);
  profile::Profile& profile = profile_.profile();
  profile.strings.emplace_back("warm up");
  const format::StringId name(static_cast<uint32_t>(profile.strings.size() - 1));
  profile.regions.push_back({.name = name, .length_ns = 2'000'000'000});
  Read();
  ASSERT_EQ(samples_.size(), 1u);
  EXPECT_EQ(samples_[0].labels["task"], "poll");
  EXPECT_EQ(samples_[0].labels["region"], "warm up");
  EXPECT_EQ(samples_[0].labels["pid"], "100");
  EXPECT_EQ(samples_[0].labels["thread"], profile.threads[0].info.name);
}

TEST_F(PprofTest, SumsAreThoseOfTheReport) {
  profile_ = analyze::testing::ExampleProfile();
  const analyze::Report report = analyze::BuildReport(profile_.Build(), {});
  Read();
  std::map<std::string, uint64_t> sums;
  for (const Sample& sample : samples_)
    for (const auto& [type, value] : sample.values) sums[type] += value;
  EXPECT_EQ(sums["cpu"], report.merged.total.cpu().ns);
  EXPECT_EQ(sums["wall"], report.merged.total.cpu().ns + report.merged.total.wait().ns);
  EXPECT_EQ(sums["samples"], report.merged.total.samples());
  EXPECT_EQ(sums["gil_wait"], report.merged.total[kGilWait].ns);
  EXPECT_EQ(sums["allocated"], report.merged.memory.total.allocated.bytes());
  EXPECT_EQ(sums["copied"], report.merged.memory.total.copied.bytes);
  EXPECT_EQ(sums["live_at_exit"], report.merged.memory.total.at_end.bytes());
}

TEST_F(PprofTest, MemoryAloneHasNoTypesOfTime) {
  profile_.Memory("main:10", format::MemoryKind::kPython, 1, testing::Exactly(4096));
  Read();
  EXPECT_THAT(types_, ElementsAre("allocated", "live_at_peak", "live_at_exit", "copied"));
}

TEST_F(PprofTest, HostileWeightsStayPositive) {
  for (int i = 0; i < 20; ++i) profile_.Add("a:1", kPython, 1);
  for (size_t i = 0; i < 20; ++i) profile_.profile().samples.weight_ns.Set(i, uint64_t{1} << 60);
  Read();
  EXPECT_EQ(samples_[0].values["cpu"], 0x7fffffffffffffffu);
}

}  // namespace
}  // namespace pyrometer::export_
