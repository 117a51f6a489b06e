// SPDX-License-Identifier: Apache-2.0
// Writes the small capture, its text, and seeds for the fuzzers:
//   pyro_make_corpus CORPUS_DIR SEED_DIR
// Files that exist are left alone: a golden file is never made again.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "format/block_scanner.h"
#include "format/block_unpacker.h"
#include "format/capture_reader.h"
#include "format/testing/small_capture.h"
#include "format/testing/text_dump.h"

namespace pyrometer::format::testing {
namespace {

void WriteNew(const std::filesystem::path& path, std::string_view bytes) {
  if (std::filesystem::exists(path)) return;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  std::cout << path.string() << '\n';
}

std::string Text(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

// Unpacked blocks as fuzz_profile_loader takes them: type, two bytes of
// length, records.
std::string Unframed(std::span<const uint8_t> file) {
  BlockScanner scanner(file, kFileHeaderBytes);
  BlockUnpacker unpacker;
  std::vector<uint8_t> buffer;
  std::string blocks;
  while (const auto block = scanner.Next()) {
    const std::string raw = Text(unpacker.Unpack(*block, buffer).value());
    blocks += static_cast<char>(block->type);
    blocks += static_cast<char>(raw.size() & 0xff);
    blocks += static_cast<char>(raw.size() >> 8);
    blocks += raw;
  }
  return blocks;
}

int Main(const std::filesystem::path& corpus, const std::filesystem::path& seeds) {
  const std::vector<uint8_t> file = SmallCapture();
  TextDump dump;
  CaptureReader::Read(file, dump);
  WriteNew(corpus / "format-v1.pyro", Text(file));
  WriteNew(corpus / "format-v1.txt", dump.text());
  WriteNew(seeds / "capture_reader" / "small", Text(file));
  WriteNew(seeds / "profile_loader" / "small", Unframed(file));
  return 0;
}

}  // namespace
}  // namespace pyrometer::format::testing

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: pyro_make_corpus CORPUS_DIR SEED_DIR\n";
    return 2;
  }
  return pyrometer::format::testing::Main(argv[1], argv[2]);
}
