// SPDX-License-Identifier: Apache-2.0
#include "import/import_profile.h"

#include <utility>

namespace pyrometer::import_ {

base::Result<const Importer*> Recognise(std::span<const uint8_t> file) {
  if (file.empty()) return base::Error{"the file is empty"};
  ByteInput input(file);
  std::string head;
  bool whole = false;
  while (head.size() < kHeadBytes && !whole) {
    const std::string_view piece = input.Next();
    whole = piece.empty();
    head += piece;
  }
  whole = whole || input.Next().empty();
  for (const Importer& importer : Importers())
    if (importer.recognises(head, whole)) return &importer;
  return base::Error{
      "neither a pyrometer capture nor a profile of another tool that is known "
      "(--from FORMAT says which it is)"};
}

base::Result<profile::Profile> ImportProfile(std::span<const uint8_t> file, std::string_view format,
                                             const ReadOptions& options, Progress progress) {
  const base::Result<const Importer*> found =
      format.empty() ? Recognise(file) : base::Result<const Importer*>(FindImporter(format));
  if (!found.ok()) return found.error();
  const Importer* const importer = found.value();
  if (importer == nullptr) return base::Error{"there is no format " + std::string(format)};
  ByteInput input(file, std::move(progress));
  ProfileMaker maker;
  const std::string what = std::string("as ") + importer->name + ": ";
  if (const base::Status status = importer->read(input, options, maker); !status.ok())
    return base::Error{what + status.error().message};
  if (maker.full()) return base::Error{what + "too much for the memory that a reader may use"};
  if (maker.empty()) return base::Error{what + "there is nothing measured in it"};
  profile::Profile profile = maker.Take(importer->name);
  profile.load.bytes_read = file.size();
  return profile;
}

}  // namespace pyrometer::import_
