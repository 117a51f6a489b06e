// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "import/importer.h"
#include "import/testing/import_text.h"

namespace pyrometer::import_ {
namespace {

struct Sample {
  std::string_view format;
  std::string_view text;
};

// How files of each format begin, written by their tools.
constexpr Sample kSamples[] = {
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

TEST(JsonFormats, EachKnowsItsFilesAndNoOthers) {
  for (const Sample& sample : kSamples)
    for (const Importer& importer : Importers())
      EXPECT_EQ(importer.recognises(sample.text, sample.text.ends_with('}')),
                importer.name == sample.format)
          << importer.name << " on " << sample.text;
}

TEST(JsonFormats, AllHaveASample) {
  for (const Importer& importer : Importers())
    EXPECT_NE(std::ranges::find(kSamples, importer.name, &Sample::format), std::end(kSamples))
        << importer.name;
}

TEST(JsonFormats, WhatIsNoProfileIsNot) {
  for (const std::string_view text : {"", "{}", "[]", "[{}]", "[1,2,3]", "{\"a\":1}", "hello",
                                      "\"text\"", "{\"version\":1,\"data\":[]}"})
    EXPECT_FALSE(testing::Import(text).ok()) << text;
}

}  // namespace
}  // namespace pyrometer::import_
