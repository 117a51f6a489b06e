// SPDX-License-Identifier: Apache-2.0
#include "export/page/page_container.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "export/page/testing/page_reader.h"

namespace pyrometer::export_ {
namespace {

using nlohmann::json;
using testing::PageReader;

// What the writer and each reader agree about: tests/corpus/README.md.
class PageContainerCorpusTest : public ::testing::Test {
 protected:
  static json Corpus() {
    std::ifstream file(PYRO_SOURCE_DIR "/tests/corpus/page-container.json");
    return json::parse(file);
  }
  static std::string Bytes(const json& a_case) {
    const std::string hex = a_case["bytes"];
    std::string bytes;
    for (size_t i = 0; i < hex.size(); i += 2)
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
  }
  static json Sections(const PageReader& page) {
    json sections = json::object();
    for (const auto& [name, section] : page.sections()) {
      static constexpr const char* kNames[] = {"text", "numbers", "deltas", "constant", "strings"};
      json values;
      if (section.encoding == SectionEncoding::kText)
        values = page.Text(name);
      else if (section.encoding == SectionEncoding::kStrings)
        values = page.Strings(name);
      else
        values = page.Numbers(name);
      sections[name] = {{"name", name},
                        {"encoding", kNames[static_cast<size_t>(section.encoding)]},
                        {"values", values}};
    }
    return sections;
  }
  static std::string Written(const json& sections) {
    PageContainer container;
    for (const json& section : sections) {
      const json& values = section["values"];
      if (section["encoding"] == "text")
        container.Text(section["name"], values);
      else if (section["encoding"] == "strings")
        container.Strings(section["name"], values.size(), [&values](size_t i) -> const auto& {
          return values[i].get_ref<const std::string&>();
        });
      else
        container.Numbers(section["name"], values.size(),
                          [&values](size_t i) { return values[i].get<uint64_t>(); });
    }
    std::string bytes;
    container.Write([&bytes](const std::string& piece) { bytes += piece; });
    return bytes;
  }
};

TEST_F(PageContainerCorpusTest, TheReaderReadsAndRefuses) {
  const json corpus = Corpus();
  ASSERT_GT(corpus.size(), 30u);
  for (const json& a_case : corpus) {
    const std::optional<PageReader> page = PageReader::Read(Bytes(a_case));
    if (a_case.contains("refused")) {
      EXPECT_FALSE(page) << a_case["name"];
      continue;
    }
    ASSERT_TRUE(page) << a_case["name"];
    json sections = json::object();
    for (const json& section : a_case["sections"]) sections[section["name"]] = section;
    EXPECT_EQ(Sections(*page), sections) << a_case["name"];
  }
}

TEST_F(PageContainerCorpusTest, TheWriterWritesTheSameBytes) {
  size_t written = 0;
  for (const json& a_case : Corpus()) {
    if (a_case.contains("refused") || !a_case.value("written", true)) continue;
    EXPECT_TRUE(Written(a_case["sections"]) == Bytes(a_case)) << a_case["name"];
    ++written;
  }
  EXPECT_GT(written, 10u);
}

}  // namespace
}  // namespace pyrometer::export_
