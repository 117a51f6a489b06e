// SPDX-License-Identifier: Apache-2.0
#include "export/core/call_graph.h"

#include "export/core/testing/exchange_fixture.h"

namespace pyrometer::export_ {
namespace {

using enum format::Activity;

class CallGraphTest : public testing::ExchangeTest {
 protected:
  // "self/total" in nanoseconds of the function, and of the call of it by `caller`.
  std::string Of(const std::string& name) const {
    return With([&](const Exchange& from, const CallGraph& graph) {
      for (uint32_t i = 0; i < from.functions().size(); ++i)
        if (from.Name(i) == name) return Text(graph.functions()[i]);
      return std::string();
    });
  }
  std::string Call(const std::string& caller, const std::string& callee) const {
    return With([&](const Exchange& from, const CallGraph& graph) {
      for (const CallGraph::Call& call : graph.calls())
        if (from.Name(call.caller) == caller && from.Name(call.callee) == callee) return Text(call);
      return std::string();
    });
  }

 private:
  static std::string Text(const auto& cost) {
    return std::to_string(cost.self[Metric::kCpu]) + "/" + std::to_string(cost.total[Metric::kCpu]);
  }
  template <class Find>
  std::string With(Find find) const {
    const analyze::Report report = analyze::BuildReport(profile_.Build(), {});
    const Exchange exchange(profile_.Build(), report, {});
    return find(exchange, CallGraph(exchange, CallGraph::Callers::kFunctions));
  }
};

TEST_F(CallGraphTest, WhatRecursCountsOnce) {
  profile_.Add("main:1 > f:2 > f:3 > f:3", kPython, 1e-9);
  profile_.Add("main:1 > f:2", kPython, 2e-9);
  profile_.Add("main:1 > g:2 > f:2 > g:2", kPython, 4e-9);
  EXPECT_EQ(Of("main"), "0/7");
  EXPECT_EQ(Of("f"), "3/7");
  EXPECT_EQ(Of("g"), "4/4");
  EXPECT_EQ(Call("main", "f"), "2/3");
  EXPECT_EQ(Call("f", "f"), "1/1");
  EXPECT_EQ(Call("main", "g"), "0/4");
  EXPECT_EQ(Call("g", "f"), "0/4");
  EXPECT_EQ(Call("f", "g"), "4/4");
}

}  // namespace
}  // namespace pyrometer::export_
