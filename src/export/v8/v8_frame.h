// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/core/exchange.h"
#include "export/core/label_tree.h"
#include "export/stream/json_stream.h"

namespace pyrometer::export_ {

// The `callFrame` that profiles of V8 have for a label of a tree of functions.
void WriteV8Frame(const Exchange& from, const LabelTree& tree, uint32_t label, JsonStream& json);
// That of the root.
void WriteV8Root(JsonStream& json);

}  // namespace pyrometer::export_
