// SPDX-License-Identifier: Apache-2.0
#include "tui/text/report_style.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/scoped_fd.h"

namespace pyrometer::tui {
namespace {

// An environment of our own, and a terminal and a file to ask about.
class StyleForTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE"}) unsetenv(name);
    setenv("TERM", "xterm", 1);
    setenv("LANG", "C.UTF-8", 1);
  }
  ReportStyle File() {
    const base::ScopedFd file(open("/dev/null", O_WRONLY | O_CLOEXEC));
    return StyleFor(file.get());
  }
  // A terminal of 132 columns.
  ReportStyle Terminal() {
    const base::ScopedFd master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    EXPECT_TRUE(grantpt(master.get()) == 0 && unlockpt(master.get()) == 0);
    const base::ScopedFd terminal(open(ptsname(master.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    const winsize size = {.ws_row = 40, .ws_col = 132, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(ioctl(terminal.get(), TIOCSWINSZ, &size), 0);
    return StyleFor(terminal.get());
  }
};

TEST_F(StyleForTest, FileIsPlainAndHundredWide) {
  EXPECT_FALSE(File().color);
  EXPECT_EQ(File().width, 100u);
  EXPECT_TRUE(File().unicode);
}

TEST_F(StyleForTest, TerminalHasColourAndItsOwnWidth) {
  EXPECT_TRUE(Terminal().color);
  EXPECT_TRUE(Terminal().unicode);
  EXPECT_EQ(Terminal().width, 132u);
}

TEST_F(StyleForTest, ColumnsWins) {
  setenv("COLUMNS", "77", 1);
  EXPECT_EQ(File().width, 77u);
  EXPECT_EQ(Terminal().width, 77u);
}

TEST_F(StyleForTest, BadColumnsAreIgnored) {
  setenv("COLUMNS", "wide", 1);
  EXPECT_EQ(File().width, 100u);
}

TEST_F(StyleForTest, NoColorCountsUnlessEmpty) {
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(Terminal().color);
  setenv("NO_COLOR", "0", 1);
  EXPECT_FALSE(Terminal().color);
}

TEST_F(StyleForTest, DumbTerminalGetsAscii) {
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(Terminal().color);
  EXPECT_FALSE(Terminal().unicode);
}

TEST_F(StyleForTest, LocaleDecidesAboutUnicode) {
  setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(File().unicode);
  setenv("LC_ALL", "de_DE.utf8", 1);
  EXPECT_TRUE(File().unicode);
}

}  // namespace
}  // namespace pyrometer::tui
