// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "import/core/profile_maker.h"
#include "import/input/byte_input.h"

namespace pyrometer::import_ {

// What one count stands for where a file does not say so.
struct CountMeaning {
  uint64_t ns = 10'000'000;  // 0: bytes
  bool given = false;        // by the user, who knows
};

struct ReadOptions {
  CountMeaning count{};
};

// How to read one format.
struct Importer {
  const char* name;     // as given to --from
  const char* summary;  // who writes it
  // Whether a file that begins with `head`, unpacked, is of this format. `whole`: that is
  // all of it.
  bool (*recognises)(std::string_view head, bool whole);
  // An error says what is wrong with the file, without its path. What was read before a cut
  // is not thrown away: then it is a loss that the maker is told about.
  base::Status (*read)(ByteInput& input, const ReadOptions& options, ProfileMaker& maker);
};

// All of them, in the order in which they are asked whether they recognise a file.
std::span<const Importer> Importers();
const Importer* FindImporter(std::string_view name);

}  // namespace pyrometer::import_
