// SPDX-License-Identifier: Apache-2.0
// One reader of profiles of other tools, PYRO_IMPORTER: whatever the bytes, the profile
// must be sound, and small.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "import/core/importer.h"
#include "profile/testing/check_invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pyrometer::import_;
  static const Importer* const importer = FindImporter(PYRO_IMPORTER);
  if (importer == nullptr) std::abort();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  importer->recognises(text, true);
  ByteInput input({data, size});
  ProfileMaker maker(size_t{64} << 20);
  if (!importer->read(input, {}, maker).ok()) return 0;
  const auto profile = maker.Take(importer->name);
  if (!pyrometer::profile::testing::BrokenInvariant(profile).empty()) std::abort();
  return 0;
}
