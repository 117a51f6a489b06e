// SPDX-License-Identifier: Apache-2.0
#include "serve/request_gate.h"

#include <gtest/gtest.h>

#include <set>

#include "serve/secret.h"

namespace pyrometer::serve {
namespace {

const RequestGate kGate("c0ffee", 8080);

TEST(RequestGate, LetsInWhoKnowsTheSecret) {
  for (const char* host : {"127.0.0.1:8080", "localhost:8080"}) {
    EXPECT_EQ(kGate.Ask(true, host, "/c0ffee/"), (Answer{200, Resource::kPage}));
    EXPECT_EQ(kGate.Ask(true, host, "/c0ffee/data"), (Answer{200, Resource::kData}));
    EXPECT_EQ(kGate.Ask(true, host, "/c0ffee/base"), (Answer{200, Resource::kBase}));
    EXPECT_EQ(kGate.Ask(true, host, "/c0ffee/alive"), (Answer{200, Resource::kAlive}));
  }
}

TEST(RequestGate, EverythingElseIsNotThere) {
  for (const char* path : {"", "/", "c0ffee/", "/c0ffee", "/c0ffe/", "/c0ffee0/", "/C0FFEE/",
                           "//c0ffee/", "/c0ffee/data/", "/c0ffee/../c0ffee/data", "/c0ffee//data",
                           "/data", "/c0ffee/x", "/c0fffe/data"})
    EXPECT_EQ(kGate.Ask(true, "127.0.0.1:8080", path), Answer{404}) << path;
}

TEST(RequestGate, OtherNamesForThisServerAreRefused) {
  for (const char* host :
       {"evil.example", "127.0.0.1", "127.0.0.1:80", "localhost", "localhost:8080.evil.example",
        "evil.example:8080", "[::1]:8080", "", "LOCALHOST:8080"})
    EXPECT_EQ(kGate.Ask(true, host, "/c0ffee/"), Answer{403}) << host;
  EXPECT_EQ(kGate.Ask(true, nullptr, "/c0ffee/"), Answer{403});
}

TEST(RequestGate, OnlyReading) {
  EXPECT_EQ(kGate.Ask(false, "localhost:8080", "/c0ffee/"), Answer{405});
  // Who does not know the secret does not learn that much.
  EXPECT_EQ(kGate.Ask(false, "localhost:8080", "/"), Answer{404});
}

TEST(Secret, IsLongAndNeverTheSame) {
  std::set<std::string> secrets;
  for (int i = 0; i < 100; ++i) secrets.insert(MakeSecret().value());
  EXPECT_EQ(secrets.size(), 100u);
  for (const std::string& secret : secrets) EXPECT_EQ(secret.size(), 32u);
}

TEST(Secret, AreComparedWhole) {
  EXPECT_TRUE(EqualSecrets("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "xbc"})
    EXPECT_FALSE(EqualSecrets("abc", other));
}

}  // namespace
}  // namespace pyrometer::serve
