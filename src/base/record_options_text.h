// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/record_options.h"

namespace pyrometer::base {

// The options in the grammar that ParseOptions reads. Not for the agent: it
// allocates.
inline std::string OptionsText(const RecordOptions& options) {
  std::string text = "rate=" + std::to_string(options.rate_hz);
  text += ";clock=" + std::string(ClockName(options.clock));
  text += std::string(";native=") + (options.native ? "1" : "0");
  text += std::string(";off=") + (options.off ? "1" : "0");
  text += std::string(";children=") + (options.children ? "1" : "0");
  if (options.profile_builtin) text += ";profile_builtin=1";
  text += std::string(";cpu=") + (options.cpu ? "1" : "0");
  text += std::string(";memory=") + (options.memory ? "1" : "0");
  text += ";mem_interval=" + std::to_string(options.mem_interval);
  text += ";duration_ms=" + std::to_string(options.duration_ms);
  if (options.session[0] != '\0') text += ";session=" + std::string(options.session);
  return text;
}

}  // namespace pyrometer::base
