// SPDX-License-Identifier: Apache-2.0
#include "export/page/page_schema.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "analyze/build_report.h"
#include "analyze/report/outline.h"
#include "analyze/testing/example_profile.h"
#include "export/page/page_data.h"
#include "export/page/testing/page_reader.h"
#include "export/tables/stack_tree.h"
#include "metric/counter.h"

namespace pyrometer::export_ {
namespace {

using testing::PageReader;

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// An apostrophe inside needs no backslash between double quotes.
std::string Quoted(std::string_view text) {
  const char quote = text.find('\'') == text.npos ? '\'' : '"';
  return quote + std::string(text) + quote;
}

std::string TypeText(const PageColumn& column) {
  switch (column.type) {
    case ColumnType::kIndex:
      return "index(" + Quoted(column.into) + ")";
    case ColumnType::kIndexPlusOne:
      return "indexPlusOne(" + Quoted(column.into) + ")";
    case ColumnType::kByte:
      return "byte(" + std::to_string(column.largest) + ")";
    case ColumnType::kWhole:
      return "whole";
    case ColumnType::kNumber:
      return "number";
  }
  return "";
}

template <class Enumerator, size_t kCount>
std::string EnumText(const std::string& name,
                     const std::pair<const char*, Enumerator> (&values)[kCount]) {
  std::string text = "export const " + name + " = {\n";
  for (const auto& [value_name, value] : values)
    text += std::string("  ") + value_name + ": " + std::to_string(static_cast<unsigned>(value)) +
            ",\n";
  return text + "} as const;\n";
}

// What everybody calls a metric, without what only other formats know.
std::string MetricText(const metric::Info& info) {
  std::string text = "  " + std::string(info.name) + ": {\n";
  for (const auto& [member, value] :
       {std::pair("title", info.title), std::pair("head", info.head),
        std::pair("phrase", info.phrase), std::pair("meaning", info.meaning),
        std::pair("unit", metric::UnitName(info.unit))})
    text += std::string("    ") + member + ": " + Quoted(value) + ",\n";
  std::string parts;
  for (const metric::Info& part : metric::All())
    if ((info.parts & metric::Bit(part.metric)) != 0)
      parts += (parts.empty() ? "" : ", ") + Quoted(part.name);
  return text + "    parts: [" + parts + "],\n  },\n";
}

// All names, each once, as a type.
std::string TypeOfNames(const std::string& type, const std::vector<std::string_view>& names) {
  std::string text = "export type " + type + " =";
  for (const std::string_view name : names) text += "\n  | " + Quoted(name);
  return text + ";\n";
}

// What records about the recording itself may have; the page acts on some of them.
std::string CounterTypes() {
  std::vector<std::string_view> classes, ids;
  for (size_t i = 0; i < metric::kCounterClassCount; ++i)
    classes.push_back(metric::NameOf(metric::CounterClass(i)));
  for (const metric::CounterRow& row : metric::AllCounters()) ids.push_back(row.id);
  return TypeOfNames("CounterClass", classes) + TypeOfNames("CounterId", ids);
}

// What viewer/src/data/schema.ts has to be.
std::string SchemaText() {
  using File = ResolvedFrames::FileKind;
  using Memory = format::MemoryKind;
  using enum format::Activity;
  static_assert(format::kMemoryKindCount == 4 && format::kActivityCount == 10,
                "all are named below");
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// The tables of docs/format/page-data.md, and what can be counted. Made of "
      "src/export/page/page_schema.h and\n"
      "// src/metric, never by hand:\n"
      "// PYRO_UPDATE_GOLDEN=1 build/release/src/export/export_test --gtest_filter='PageSchema*'\n"
      "import { byte, index, indexPlusOne, number, whole } from './column';\n\n";
  text += EnumText("FILE_KIND",
                   {std::pair("own", File::kOwn), std::pair("library", File::kLibrary),
                    std::pair("native", File::kNative), std::pair("special", File::kSpecial)});
  text += EnumText("MEMORY_KIND",
                   {std::pair("python", Memory::kPython), std::pair("native", Memory::kNative),
                    std::pair("mapped", Memory::kMapped), std::pair("copied", Memory::kCopied)});
  text +=
      EnumText("ACTIVITY", {std::pair("python", kPython), std::pair("native", kNative),
                            std::pair("kernel", kKernel), std::pair("io_wait", kIoWait),
                            std::pair("lock_wait", kLockWait), std::pair("gil_wait", kGilWait),
                            std::pair("sleep", kSleep), std::pair("child_wait", kChildWait),
                            std::pair("run_queue", kRunWait), std::pair("other_wait", kOtherWait)});
  text += EnumText("STACK_FLAG",
                   {std::pair("gc", StackTree::kInGc), std::pair("import", StackTree::kInImport),
                    std::pair("worker", StackTree::kInWorker)});
  text += "\nexport const METRIC = {\n";
  for (const metric::Info& info : metric::All()) text += MetricText(info);
  text += "} as const;\n";
  text += "\n" + CounterTypes();
  text += "\nexport const SCHEMA = {\n";
  std::string_view table;
  for (const PageColumn& column : kPageColumns) {
    if (column.table() != table) {
      if (!table.empty()) text += "  },\n";
      text += "  " + std::string(table = column.table()) + ": {\n";
    }
    text += "    " + std::string(column.column()) + ": " + TypeText(column) + ",\n";
  }
  return text + "  },\n} as const;\n";
}

TEST(PageSchemaTest, TheViewerReadsIt) {
  const std::string path = PYRO_SOURCE_DIR "/viewer/src/data/schema.ts";
  if (std::getenv("PYRO_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << SchemaText();
    FAIL() << path << " is written anew";
  }
  EXPECT_EQ(FileText(path), SchemaText());
}

TEST(PageSchemaTest, EveryColumnIsDocumented) {
  const std::string document = FileText(PYRO_SOURCE_DIR "/docs/format/page-data.md");
  for (const PageColumn& column : kPageColumns)
    EXPECT_NE(document.find("`" + std::string(column.name) + "`"), document.npos) << column.name;
}

// All sections that are ever written, each with what the schema says of its values.
class PageOfSchemaTest : public ::testing::Test {
 protected:
  PageOfSchemaTest() {
    std::string first, rest, base;
    const profile::Profile& profile = profile_.Build();
    WritePageParts(profile, analyze::BuildOutline(profile), {},
                   {[&](const std::string& piece) { first += piece; }, [] {},
                    [&](const std::string& piece) { rest += piece; }});
    WritePageColumns(
        profile, analyze::BuildOutline(profile), {},
        [&](const std::string& piece) { base += piece; }, &profile);
    for (const std::string* part : {&base, &first, &rest}) {
      const PageReader page = PageReader::Read(*part).value();
      for (const auto& [name, section] : page.sections()) {
        if (name == "meta") continue;
        rows_[name.substr(0, name.find('.'))] = section.count;
        if (name != "string") values_[name] = page.Numbers(name);
      }
    }
  }

  const analyze::testing::ProfileBuilder profile_ = analyze::testing::ExampleProfile();
  std::map<std::string, uint64_t, std::less<>> rows_;  // by table
  std::map<std::string, std::vector<uint64_t>, std::less<>> values_;
};

TEST_F(PageOfSchemaTest, EveryColumnIsWritten) {
  for (const PageColumn& column : kPageColumns)
    EXPECT_TRUE(values_.contains(column.name)) << column.name;
  EXPECT_EQ(values_.size(), kPageColumns.size());
}

TEST_F(PageOfSchemaTest, ValuesAreWhatTheirTypeAllows) {
  for (const PageColumn& column : kPageColumns) {
    uint64_t most = uint64_t{1} << 53;
    if (column.type == ColumnType::kWhole) most = UINT32_MAX;
    if (column.type == ColumnType::kByte) most = column.largest;
    if (column.type == ColumnType::kIndex) most = rows_.find(column.into)->second - 1;
    if (column.type == ColumnType::kIndexPlusOne) most = rows_.find(column.into)->second;
    const std::vector<uint64_t>& values = values_.find(column.name)->second;
    for (const uint64_t value : values) EXPECT_LE(value, most) << column.name;
  }
}

}  // namespace
}  // namespace pyrometer::export_
