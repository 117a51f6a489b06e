// SPDX-License-Identifier: Apache-2.0
#include "export/callgrind/callgrind.h"

#include <gmock/gmock.h>

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CallgrindTest : public testing::ExchangeTest {
 protected:
  std::string File() const {
    return Written([](Exchange& from, std::ostream& out) { WriteCallgrind(from, out); });
  }
};

TEST_F(CallgrindTest, CostsAreByLineAndCallsAreInclusive) {
  profile_.Add("main@1:10 > f@2:3", kPython, 1e-9, 10);
  profile_.Add("main@1:10 > f@2:4 > f@2:3", kPython, 2e-9, 20);
  profile_.Add("main@1:11 > read [/lib/libc.so.6]", kIoWait, 4e-9, 40);
  EXPECT_THAT(File(), StartsWith("# callgrind format\nversion: 1\n"));
  EXPECT_THAT(
      File(),
      HasSubstr("events: samples cpu python native kernel io_wait lock_wait gil_wait sleep "
                "child_wait run_queue other_wait wall\nsummary: 70 3 3 0 0 4 0 0 0 0 0 0 7\n"));
  EXPECT_THAT(File(), HasSubstr("\nfl=(1) app.py\nfn=(1) main\n"
                                "cfi=(2) app.py\ncfn=(2) f\ncalls=30 2\n"
                                "10 30 3 3 0 0 0 0 0 0 0 0 0 3\n"
                                "cfi=(3) /lib/libc.so.6\ncfn=(3) read\ncalls=40 0\n"
                                "11 40 0 0 0 0 4 0 0 0 0 0 0 4\n"));
  // Recursion: the inner call once.
  EXPECT_THAT(File(), HasSubstr("\nfl=(2)\nfn=(2)\n3 30 3 3 0 0 0 0 0 0 0 0 0 3\n"
                                "cfi=(2)\ncfn=(2)\ncalls=20 2\n4 20 2 2 0 0 0 0 0 0 0 0 0 2\n"));
  EXPECT_THAT(File(), HasSubstr("\nfl=(3)\nfn=(3)\n0 40 0 0 0 0 4 0 0 0 0 0 0 4\n"));
}

TEST_F(CallgrindTest, NamesStayOnTheirLine) {
  profile_.Add("a\nfn=(7) b:1", kPython, 1);
  EXPECT_THAT(File(), HasSubstr("fn=(1) a_fn=(7) b\n"));
}

}  // namespace
}  // namespace pyrometer::export_
