// SPDX-License-Identifier: Apache-2.0
#include "import/testing/import_text.h"

#include <algorithm>

namespace pyrometer::import_::testing {
namespace {

using profile::Profile;

std::string FrameText(const Profile& profile, format::FrameId id) {
  const format::FrameInfo& frame = profile.frames[id.value];
  if (frame.kind == format::FrameKind::kPython) {
    const format::CodeInfo& code = profile.codes[frame.code.value];
    return profile.Text(code.qualname) + " (" + profile.Text(code.filename) + ":" +
           std::to_string(frame.line) + ")";
  }
  const auto symbol = std::ranges::find(profile.symbols, id, &format::SymbolInfo::frame);
  return profile.Text(symbol->lines.front().function) + " [" +
         profile.Text(profile.modules[frame.module.value].path) + "]";
}

}  // namespace

std::string StackText(const Profile& profile, format::StackId stack) {
  std::string text;
  for (; stack != format::kEmptyStack; stack = profile.stacks[stack.value].parent)
    text = FrameText(profile, profile.stacks[stack.value].frame) + (text.empty() ? "" : ";") + text;
  return text;
}

std::vector<std::string> SampleTexts(const Profile& profile) {
  static constexpr const char* kActivities[] = {"python", "native", "kernel", "io",    "lock",
                                                "gil",    "sleep",  "child",  "ready", "other"};
  std::vector<std::string> texts;
  for (size_t i = 0; i < profile.samples.size(); ++i)
    texts.push_back(StackText(profile, profile.samples.stack[i]) + " " +
                    kActivities[static_cast<size_t>(profile.samples.activity[i])] + " " +
                    std::to_string(profile.samples.weight_ns[i]) + " " +
                    std::to_string(profile.samples.count[i]));
  return texts;
}

std::vector<std::string> AmountTexts(const Profile& profile) {
  std::vector<std::string> texts;
  for (const profile::Amount& amount : profile.amounts) {
    const metric::Info& info = profile.metrics[amount.metric];
    texts.push_back(StackText(profile, amount.stack) + " " + std::string(info.name) + " " +
                    std::to_string(amount.value) + " " + std::string(metric::UnitName(info)));
  }
  return texts;
}

std::vector<std::string> FactTexts(const Profile& profile) {
  std::vector<std::string> texts;
  for (const profile::Counter& counter : profile.counters)
    if (counter.key.kind == format::CounterKind::kFact)
      texts.push_back(metric::SentenceOf(counter.key));
  return texts;
}

std::vector<std::string> LossTexts(const Profile& profile) {
  std::vector<std::string> texts;
  for (const profile::Counter& counter : profile.counters)
    if (counter.key.kind == format::CounterKind::kLoss)
      texts.push_back(std::string(metric::WordsOf(counter.key)) + ": " +
                      std::to_string(counter.value));
  return texts;
}

}  // namespace pyrometer::import_::testing
