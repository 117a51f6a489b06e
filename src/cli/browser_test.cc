// SPDX-License-Identifier: Apache-2.0
#include "cli/browser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pyrometer::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(BrowserCommands, TheUsersOwnComesFirst) {
  EXPECT_THAT(BrowserCommands("URL", "firefox", true), ElementsAre(ElementsAre("firefox", "URL")));
  EXPECT_THAT(BrowserCommands("URL", "a --new %s -x:b", false),
              ElementsAre(ElementsAre("a", "--new", "URL", "-x"), ElementsAre("b", "URL")));
}

TEST(BrowserCommands, ElseThatOfTheDesktop) {
  EXPECT_THAT(BrowserCommands("URL", nullptr, true), ElementsAre(ElementsAre("xdg-open", "URL")));
  EXPECT_THAT(BrowserCommands("URL", "", true), ElementsAre(ElementsAre("xdg-open", "URL")));
  EXPECT_THAT(BrowserCommands("URL", nullptr, false), IsEmpty());
}

TEST(BrowserCommands, NamesAreNeverPutThroughAShell) {
  EXPECT_THAT(BrowserCommands("URL", "x;rm -rf $HOME", true),
              ElementsAre(ElementsAre("x;rm", "-rf", "$HOME", "URL")));
}

}  // namespace
}  // namespace pyrometer::cli
