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
    {"speedscope",
     R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"type":"sampled",)"},
    {"speedscope", R"({"shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"sampled"}]})"},
};

TEST(Importers, EachKnowsItsFilesAndNoOthers) {
  for (const Sample& sample : kSamples)
    for (const Importer& importer : Importers())
      EXPECT_EQ(importer.recognises(sample.text, sample.text.ends_with('}')),
                importer.name == sample.format)
          << importer.name << " on " << sample.text;
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

}  // namespace
}  // namespace pyrometer::import_
