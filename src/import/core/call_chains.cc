// SPDX-License-Identifier: Apache-2.0
#include "import/core/call_chains.h"

namespace pyrometer::import_ {

void CallChains::SetOnlyCaller(uint32_t function, uint32_t caller, format::FrameId frame) {
  if (function >= callers_.size()) callers_.resize(function + 1);
  callers_[function] = {caller, frame, true};
}

format::StackId CallChains::CallersOf(uint32_t function) {
  if (stacks_.size() < callers_.size()) stacks_.resize(callers_.size());
  path_.clear();
  uint32_t at = function;
  format::StackId stack = format::kEmptyStack;
  while (at < callers_.size() && callers_[at].known) {
    if (stacks_[at]) {
      stack = *stacks_[at];
      break;
    }
    stacks_[at] = format::kEmptyStack;  // where those who call each other meet again
    path_.push_back(at);
    at = callers_[at].function;
  }
  for (size_t i = path_.size(); i-- > 0;) {
    stack = maker_.Stack(stack, callers_[path_[i]].frame);
    stacks_[path_[i]] = stack;
  }
  return stack;
}

void CallChains::Note() const {
  maker_.AddNote(
      "the file knows calls, not stacks: a function stands below its callers as far as they are "
      "certain, so a total is the least that it can be");
}

}  // namespace pyrometer::import_
