// SPDX-License-Identifier: Apache-2.0
#include "serve/page_policy.h"

#include <gtest/gtest.h>

namespace pyrometer::serve {
namespace {

TEST(ContentSecurityPolicy, IsThatOfThePageWithoutFrames) {
  EXPECT_EQ(ContentSecurityPolicy("<head><meta http-equiv=\"Content-Security-Policy\" "
                                  "content=\"default-src 'none'; script-src 'sha256-x'\"></head>"),
            "default-src 'none'; script-src 'sha256-x'; frame-ancestors 'none'");
  EXPECT_EQ(ContentSecurityPolicy("<meta content=\"default-src 'self'\" "
                                  "http-equiv=\"Content-Security-Policy\">"),
            "default-src 'self'; frame-ancestors 'none'");
}

TEST(ContentSecurityPolicy, WithoutOneNothingIsAllowed) {
  for (const char* page : {"", "<html></html>", "<meta http-equiv=\"Content-Security-Policy\">",
                           "http-equiv=\"Content-Security-Policy\"",
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"a\r\nX: y\">"})
    EXPECT_EQ(ContentSecurityPolicy(page), "default-src 'none'; frame-ancestors 'none'") << page;
}

}  // namespace
}  // namespace pyrometer::serve
