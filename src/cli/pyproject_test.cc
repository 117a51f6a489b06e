// SPDX-License-Identifier: Apache-2.0
#include "cli/pyproject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace pyrometer::cli {
namespace {

namespace fs = std::filesystem;
using Kind = PyprojectKey::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A folder with a project in it.
class PyprojectTest : public ::testing::Test {
 protected:
  PyprojectTest() {
    std::string name = (fs::temp_directory_path() / "pyproject_test.XXXXXX").string();
    folder_ = fs::canonical(mkdtemp(name.data()));
  }
  ~PyprojectTest() override { fs::remove_all(folder_); }

  std::string Write(const std::string& place, const std::string& text) {
    const fs::path path = folder_ / place / "pyproject.toml";
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  base::Result<std::optional<Pyproject>> Read(const std::string& place) {
    fs::create_directories(folder_ / place);
    return ReadNearestPyproject((folder_ / place).string());
  }
  PyprojectKey Key(const std::string& line) {
    Write("", "[tool.pyrometer]\n" + line + "\n");
    const auto read = Read("");
    if (!read.ok() || !read.value() || read.value()->keys.size() != 1) {
      ADD_FAILURE() << line;
      return {};
    }
    return read.value()->keys[0];
  }

  fs::path folder_;
};

TEST_F(PyprojectTest, IsTheNearestAbove) {
  Write("", "[tool.pyrometer]\nrate = 1\n");
  const std::string near = Write("a", "[project]\nname = 'x'\n");
  const auto below = Read("a/b/c");
  ASSERT_TRUE(below.ok());
  EXPECT_EQ(below.value()->path, near);
  EXPECT_THAT(below.value()->keys, IsEmpty());
  EXPECT_EQ(Read("d").value()->keys.size(), 1u);
}

TEST_F(PyprojectTest, HasValuesAsText) {
  EXPECT_EQ(Key("a-b = true").name, "a-b");
  EXPECT_EQ(Key("x = true").kind, Kind::kFlag);
  EXPECT_THAT(Key("x = false").values, ElementsAre("false"));
  EXPECT_EQ(Key("x = 250").kind, Kind::kNumber);
  EXPECT_THAT(Key("x = 250").values, ElementsAre("250"));
  EXPECT_THAT(Key("x = 0.1").values, ElementsAre("0.1"));
  EXPECT_EQ(Key("x = 'a b'").kind, Kind::kText);
  EXPECT_THAT(Key("x = 'a b'").values, ElementsAre("a b"));
  EXPECT_EQ(Key("x = ['a', 'b']").kind, Kind::kTexts);
  EXPECT_THAT(Key("x = ['a', 'b']").values, ElementsAre("a", "b"));
  EXPECT_THAT(Key("x = []").values, IsEmpty());
  EXPECT_EQ(Key("x = []").kind, Kind::kTexts);
}

TEST_F(PyprojectTest, OtherValuesAreOfNoKind) {
  for (const char* line : {"x = ['a', 1]", "x = 1979-05-27", "[tool.pyrometer.x]"})
    EXPECT_EQ(Key(line).kind, Kind::kOther) << line;
}

TEST_F(PyprojectTest, SaysWhereItIsNotToml) {
  const std::string path = Write("", "[project]\nname = \n");
  const auto read = Read("");
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, StartsWith(path + ":2: "));
  EXPECT_THAT(read.error().message, HasSubstr("--no-config"));
}

TEST_F(PyprojectTest, WantsATable) {
  Write("", "[tool]\npyrometer = 3\n");
  EXPECT_FALSE(Read("").ok());
}

TEST_F(PyprojectTest, IsNoFolder) {
  const std::string path = Write("", "");
  fs::create_directories(folder_ / "a" / "pyproject.toml");
  EXPECT_EQ(Read("a").value()->path, path);
}

TEST_F(PyprojectTest, MustBeReadable) {
  fs::resize_file(Write("", ""), 17 << 20);
  EXPECT_FALSE(Read("").ok());
}

TEST_F(PyprojectTest, MayBeEmpty) {
  Write("", "");
  ASSERT_TRUE(Read("").ok());
  EXPECT_THAT(Read("").value()->keys, IsEmpty());
}

}  // namespace
}  // namespace pyrometer::cli
