// SPDX-License-Identifier: Apache-2.0
#include "analyze/diff/code_table.h"

#include <gtest/gtest.h>

#include <deque>

#include "analyze/code/source_lines.h"
#include "analyze/diff/run_amounts.h"

namespace pyrometer::analyze {
namespace {

using Side = CodeTable::Side;

constexpr char kLoad[] =
    "import json\n"
    "\n"
    "def load(path):\n"
    "    with open(path) as file:\n"
    "        text = file.read()\n"
    "    return json.loads(text)\n"
    "\n"
    "def save(path, data):\n"
    "    text = json.dumps(data)\n"
    "    open(path, 'w').write(text)\n";

// A run that was in all the lines of the functions that are added.
class Version {
 public:
  Version& File(const std::string& path, const std::string& text) {
    run_.files.push_back({"/somewhere/" + path, path, SplitLines(text)});
    return *this;
  }
  Version& Function(const std::string& name, uint32_t first_line,
                    std::vector<uint32_t> lines = {}) {
    const auto index = static_cast<uint32_t>(run_.functions.size());
    run_.functions.push_back({static_cast<uint32_t>(run_.files.size() - 1), name, first_line, {}});
    for (const uint32_t line : lines) run_.lines.push_back({index, line, {}});
    return *this;
  }
  const RunAmounts& run() const { return run_; }

 private:
  RunAmounts run_;
};

class CodeTableTest : public ::testing::Test {
 protected:
  void Add(const Version& now, const Version& base) {
    now_ = table_.Add(Listing(now), Side::kNew);
    base_ = table_.Add(Listing(base), Side::kBase);
  }
  CodeListing Listing(const Version& version) {
    runs_.push_back(version.run());
    return ListingOf(runs_.back());
  }
  std::string Function(size_t i) const { return Text(table_.functions()[base_.functions[i]]); }
  std::string Line(size_t i) const { return Text(table_.lines()[base_.lines[i]]); }

  // "where it was > where it is".
  static std::string Text(const CodeTable::Entry& entry) {
    const auto text = [](const std::optional<CodeTable::Place>& place) {
      if (!place) return std::string("-");
      return place->path + ":" + place->function + ":" + std::to_string(place->line);
    };
    return text(entry.base) + " > " + text(entry.now);
  }

  std::deque<RunAmounts> runs_;  // never moves them
  CodeTable table_;
  CodeTable::Indices base_, now_;
};

TEST_F(CodeTableTest, TheSameCodeIsTheSame) {
  const Version version = Version().File("app.py", kLoad).Function("load", 3, {5, 6});
  Add(version, version);
  EXPECT_EQ(base_.functions, now_.functions);
  EXPECT_EQ(base_.lines, now_.lines);
  EXPECT_EQ(table_.lines()[0].text, "        text = file.read()");
}

TEST_F(CodeTableTest, LinesMoveWithTheirText) {
  Add(Version().File("app.py", "# a\n# comment\n" + std::string(kLoad)).Function("load", 5, {7, 8}),
      Version().File("app.py", kLoad).Function("load", 3, {5, 6}));
  EXPECT_EQ(Function(0), "app.py:load:3 > app.py:load:5");
  EXPECT_EQ(Line(0), "app.py:load:5 > app.py:load:7");
  EXPECT_EQ(Line(1), "app.py:load:6 > app.py:load:8");
}

TEST_F(CodeTableTest, ALineThatIsGoneStaysApart) {
  Add(Version().File("app.py", "def f():\n    a()\n    c()\n    d()\n").Function("f", 1, {2, 3}),
      Version()
          .File("app.py", "def f():\n    a()\n    b()\n    more()\n    c()\n    d()\n")
          .Function("f", 1, {2, 3, 5}));
  EXPECT_EQ(Line(0), "app.py:f:2 > app.py:f:2");
  EXPECT_EQ(Line(1), "app.py:f:3 > -");
  EXPECT_EQ(Line(2), "app.py:f:5 > app.py:f:3");
}

TEST_F(CodeTableTest, AFunctionThatHasSwappedPlacesIsStillItself) {
  Add(Version()
          .File("app.py", "def g():\n    b()\n\ndef f():\n    a()\n")
          .Function("g", 1, {2})
          .Function("f", 4, {5}),
      Version()
          .File("app.py", "def f():\n    a()\n\ndef g():\n    b()\n")
          .Function("f", 1, {2})
          .Function("g", 4, {5}));
  EXPECT_EQ(Line(0), "app.py:f:2 > app.py:f:5");
  EXPECT_EQ(Line(1), "app.py:g:5 > app.py:g:2");
}

TEST_F(CodeTableTest, AnotherFolderIsTheSameProgram) {
  Add(Version().File("/ci/new/src/app.py", kLoad).Function("load", 3, {5}),
      Version().File("/ci/old/src/app.py", kLoad).Function("load", 3, {5}));
  EXPECT_EQ(Line(0), "/ci/old/src/app.py:load:5 > /ci/new/src/app.py:load:5");
}

TEST_F(CodeTableTest, TheNearestOfFilesWithOneName) {
  Add(Version()
          .File("/new/a/util.py", "")
          .Function("f", 1)
          .File("/new/b/util.py", "")
          .Function("f", 1),
      Version()
          .File("/old/b/util.py", "")
          .Function("f", 1)
          .File("/old/a/util.py", "")
          .Function("f", 1));
  EXPECT_EQ(Function(0), "/old/b/util.py:f:1 > /new/b/util.py:f:1");
  EXPECT_EQ(Function(1), "/old/a/util.py:f:1 > /new/a/util.py:f:1");
}

TEST_F(CodeTableTest, AFileWithAnotherNameAndTheSameText) {
  const Version base = Version().File("old.py", kLoad).Function("load", 3, {5});
  Add(Version().File("new.py", kLoad).Function("load", 3, {5}), base);
  EXPECT_EQ(Line(0), "old.py:load:5 > new.py:load:5");
  EXPECT_EQ(table_.Add(Listing(base), Side::kBase).lines, base_.lines);
}

TEST_F(CodeTableTest, AFunctionThatHasMovedToAnotherFile) {
  const Version base =
      Version().File("app.py", kLoad).Function("load", 3, {5, 6}).Function("save", 8, {9});
  Add(Version()
          .File("app.py", "import json\n\ndef save(path, data):\n    text = json.dumps(data)\n")
          .Function("save", 3, {4})
          .File("reading.py", std::string(kLoad).substr(0, std::string(kLoad).find("def save")))
          .Function("load", 3, {5, 6}),
      base);
  EXPECT_EQ(Line(0), "app.py:load:5 > reading.py:load:5");
  EXPECT_EQ(Line(2), "app.py:save:9 > app.py:save:4");
  EXPECT_EQ(table_.Add(Listing(base), Side::kBase).lines, base_.lines);
}

TEST_F(CodeTableTest, AFunctionWithAnotherNameAndNearlyTheSameText) {
  std::string renamed = kLoad;
  renamed.replace(renamed.find("load(path)"), 4, "read");
  const std::string more =
      "        check(text)\n        log(text)\n        count(text)\n        sum(text)\n";
  std::string base = kLoad;
  base.insert(base.find("    return"), more);
  renamed.insert(renamed.find("    return"), more);
  Add(Version().File("app.py", renamed).Function("read", 3, {5}),
      Version().File("app.py", base).Function("load", 3, {5}));
  EXPECT_EQ(Line(0), "app.py:load:5 > app.py:read:5");
}

// A function without samples is not a function that has gone.
TEST_F(CodeTableTest, AFunctionThatIsStillThereIsNotRenamed) {
  const std::string twins =
      "def f():\n    a()\n    b()\n    c()\n    d()\n    e()\n\n"
      "def g():\n    a()\n    b()\n    c()\n    d()\n    e()\n";
  Add(Version().File("app.py", twins).Function("f", 1, {2}),
      Version().File("app.py", twins).Function("g", 8, {9}));
  EXPECT_EQ(Function(0), "app.py:g:8 > -");
}

TEST_F(CodeTableTest, LambdasOfOneFunctionAreToldApartByText) {
  Add(Version()
          .File("app.py", "f(lambda x: x + 1)\ng(lambda x: x * 2)\n")
          .Function("<lambda>", 1, {1})
          .Function("<lambda>", 2, {2}),
      Version()
          .File("app.py", "\ng(lambda x: x * 2)\nf(lambda x: x + 1)\n")
          .Function("<lambda>", 2, {2})
          .Function("<lambda>", 3, {3}));
  EXPECT_EQ(Line(0), "app.py:<lambda>:2 > app.py:<lambda>:2");
  EXPECT_EQ(Line(1), "app.py:<lambda>:3 > app.py:<lambda>:1");
}

TEST_F(CodeTableTest, WithoutTextByPositionInTheFunction) {
  Add(Version().File("app.py", "").Function("f", 10, {12, 0}),
      Version().File("app.py", "").Function("f", 20, {22, 25, 0}));
  EXPECT_EQ(Line(0), "app.py:f:22 > app.py:f:12");
  EXPECT_EQ(Line(1), "app.py:f:25 > -");
  EXPECT_EQ(Line(2), "app.py:f:0 > app.py:f:0");
}

TEST_F(CodeTableTest, LinesThatAreNotInTheTextHarmNobody) {
  Add(Version().File("app.py", kLoad).Function("load", 3, {1, 5, 999}),
      Version().File("app.py", kLoad).Function("load", 999, {3, 5, 4'000'000'000}));
  EXPECT_EQ(base_.lines.size(), 3u);
}

TEST_F(CodeTableTest, HeadsOfSeveralLinesBelongToTheFunction) {
  const std::string text =
      "@decorate\n@again\ndef f(\n    a,\n) -> int:\n    work(a)\n    return 1\n\nother = 1\n";
  Add(Version().File("app.py", "\n" + text).Function("f", 2, {7, 8}),
      Version().File("app.py", text).Function("f", 1, {6, 7}));
  EXPECT_EQ(Line(0), "app.py:f:6 > app.py:f:7");
  EXPECT_EQ(Line(1), "app.py:f:7 > app.py:f:8");
}

TEST_F(CodeTableTest, OfFunctionsWithOneNameEachHasItsOwnPartnerByTheOrderOfLines) {
  Add(Version().File("app.py", "").Function("<lambda>", 130).Function("<lambda>", 110),
      Version().File("app.py", "").Function("<lambda>", 10).Function("<lambda>", 30));
  EXPECT_EQ(Function(0), "app.py:<lambda>:10 > app.py:<lambda>:110");
  EXPECT_EQ(Function(1), "app.py:<lambda>:30 > app.py:<lambda>:130");
}

}  // namespace
}  // namespace pyrometer::analyze
