// SPDX-License-Identifier: Apache-2.0
#include "capture/session/zip_source.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace pyrometer::capture {
namespace {

// Two archives as CPython's zipfile writes them, with a/b.py = "x = 1\n" * 40: deflated behind
// a "#!" line, and stored.
class ZipSourceTest : public testing::Test {
 protected:
  ZipSourceTest() {
    char folder[] = "/tmp/zip_source_test.XXXXXX";
    folder_ = mkdtemp(folder);
    const std::string make =
        "python3 - " + folder_ +
        " <<'E'\n"
        "import sys, zipfile\n"
        "for name, how in (('d', zipfile.ZIP_DEFLATED), ('s', zipfile.ZIP_STORED)):\n"
        "    with open(f'{sys.argv[1]}/{name}.pyz', 'wb') as file:\n"
        "        file.write(b'#!/usr/bin/python3\\n')\n"
        "        with zipfile.ZipFile(file, 'w', how) as archive:\n"
        "            archive.writestr('__main__.py', 'import a.b')\n"
        "            archive.writestr('a/b.py', 'x = 1\\n' * 40)\n"
        "E\n";
    made_ = system(make.c_str()) == 0;
    for (int i = 0; i < 40; ++i) text_ += "x = 1\n";
  }
  ~ZipSourceTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_, text_;
  bool made_ = false;
};

TEST_F(ZipSourceTest, ReadsMembersOfBothKinds) {
  ASSERT_TRUE(made_);
  for (const char* archive : {"/d.pyz", "/s.pyz"}) {
    EXPECT_EQ(ReadZipSource(folder_ + archive + "/a/b.py", 1000), text_);
    EXPECT_EQ(ReadZipSource(folder_ + archive + "/__main__.py", 1000), "import a.b");
    EXPECT_EQ(ReadZipSource(folder_ + archive + "/a/c.py", 1000), std::nullopt);
    EXPECT_EQ(ReadZipSource(folder_ + archive + "/a/b.py", 100), std::nullopt);
  }
  EXPECT_EQ(ReadZipSource(folder_ + "/none.pyz/a/b.py", 1000), std::nullopt);
}

TEST_F(ZipSourceTest, ArchivesThatAreCutOrChangedAnywhereAreRefusedOrRead) {
  ASSERT_TRUE(made_);
  std::ifstream in(folder_ + "/d.pyz", std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(in), {});
  const std::string path = folder_ + "/x.pyz";
  const auto read = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return ReadZipSource(path + "/a/b.py", 1000);
  };
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(read(whole.substr(0, i)), std::nullopt);
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0xff);
    const std::optional<std::string> text = read(changed);
    EXPECT_LE(text.value_or("").size(), 1000u);
  }
}

}  // namespace
}  // namespace pyrometer::capture
