// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "export/core/exchange.h"

namespace pyrometer::export_ {

// The ProfilesData message of OpenTelemetry, package profiles.v1development: a profile
// for each process and metric, all with one dictionary. The dictionary comes in many
// pieces, which readers of protobuf put together.
void WriteOtlp(Exchange& from, std::ostream& out);

}  // namespace pyrometer::export_
