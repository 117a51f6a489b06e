// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

// How files of each format begin, as their tools write them.
constexpr struct Sample {
  std::string_view format;
  std::string_view bytes;
} kSamples[] = {
    {"mojo", {"MOJ\x03\x01mode\0wall\0", 15}},
    {"pstats",
     {"\xfb\x29\x03\xfa\x04"
      "a.py\xe9\x01\0\0\0",
      14}},
    {"pstats", {"{(\x03\0\0\0u\x04\0\0\0a.py", 15}},
    {"callgrind", "# callgrind format\nevents: Ir\nfn=main\n1 2\n"},
    {"callgrind", "version: 1\ncmd: x\nevents: Ir\n\nfn=main\n1 2\n"},
    {"pprof", {"\x0a\x04\x08\x01\x10\x02\x32\0", 8}},
    {"perfetto", {"\x0a\x04\x50\x01\x40\x05", 6}},
    {"austin", "# austin: 3.7.0\n"},
    {"austin", "P1;T0:1;a.py:f:1 10\n"},
    {"perf", "python 12 1.5: 100 cycles: \n\t  10 main+0x1 (/bin/a)\n\n"},
    {"collapsed", "main;work 12\n"},
    {"collapsed", "main (app.py:3);work (app.py:7) 12\n"},
    {"collapsed", "process 12:\"python app.py\";main (app.py:1) 2\n"},
    {"chrome", R"({"traceEvents": [{"ph": "M", "pid": 1, "tid": 1, "name": "process_name",)"},
    {"chrome", R"([{"name": "f", "ph": "X", "ts": 1, "dur": 2, "pid": 1, "tid": 1},)"},
    {"chrome", R"( { "schemaVersion": 1, "deviceProperties": [ { "id": 0 } ], "with_stack": 1,)"},
    {"chrome", R"({"displayTimeUnit":"ms","traceEvents":[{"name":"process_name","ph":"M"}]})"},
    {"cpuprofile", R"-({"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0",)-"},
    {"heapprofile", R"-({"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,)-"},
    {"scalene",
     R"({"alloc_samples": 82, "args": ["app.py"], "combined_stacks": [[[{"kind": "py",)"},
    {"pyinstrument",
     R"({"start_time": 1.5,"duration": 0.9,"sample_count": 5,"root_frame": {"function": "f",)"},
    {"gprof2dot", R"({"version": 0, "costs": [{"unit": "bytes"}], "events": [{"callchain": [0])"},
    {"gprof2dot", R"({"version":0,"functions":[{"name":"f"}],"events":[{"callchain":[0]}]})"},
    {"memray-csv",
     "allocator,num_allocations,size,tid,thread_name,stack_trace\r\nMALLOC,1,5,1,0x1,f"},
    {"speedscope",
     R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"type":)"},
    {"speedscope", R"({"shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"sampled"}]})"},
};

TEST(Importers, EachKnowsItsOwn) {
  for (const auto& [format, bytes] : kSamples) {
    const auto found = Recognise({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    ASSERT_TRUE(found.ok()) << format;
    EXPECT_EQ(found.value()->name, format);
  }
}

TEST(Importers, NobodyTakesJsonForHisThatIsNot) {
  for (const auto& [format, bytes] : kSamples) {
    if (!bytes.starts_with('{') && !bytes.starts_with('[')) continue;
    for (const Importer& importer : Importers())
      EXPECT_EQ(importer.recognises(bytes, bytes.ends_with('}')), importer.name == format)
          << importer.name << " on " << bytes;
  }
}

TEST(Importers, AllHaveASample) {
  for (const Importer& importer : Importers())
    EXPECT_NE(std::ranges::find(kSamples, importer.name, &Sample::format), std::end(kSamples))
        << importer.name;
}

TEST(Importers, WhatIsNoProfileIsNot) {
  for (const std::string_view text : {"", "{}", "[]", "[{}]", "[1,2,3]", "{\"a\":1}", "hello",
                                      "\"text\"", "{\"version\":1,\"data\":[]}"})
    EXPECT_FALSE(testing::Import(text).ok()) << text;
}

TEST(Importers, NamesAreUnique) {
  for (const Importer& importer : Importers()) EXPECT_EQ(FindImporter(importer.name), &importer);
  EXPECT_EQ(FindImporter("nothing"), nullptr);
}

}  // namespace
}  // namespace pyrometer::import_
