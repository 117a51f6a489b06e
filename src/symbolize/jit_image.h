// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "symbolize/symbolizer.h"

namespace pyrometer::symbolize {

class ElfModule;

// An ELF file with which a JIT describes code that it has generated (GDB's JIT
// interface): one that exists in memory only, with the addresses at which its
// sections were loaded. The bytes are not trusted.
//
// Thread-safety: none; one owner.
class JitImage {
 public:
  // Null unless the bytes are an ELF file of this machine's kind with code.
  static std::unique_ptr<JitImage> Parse(std::string bytes);
  ~JitImage();
  JitImage(const JitImage&) = delete;
  JitImage& operator=(const JitImage&) = delete;

  bool Contains(uint64_t pc) const;
  // What is at `pc`, innermost first, under the names of the source where they
  // are known; empty when nothing is.
  std::vector<SymbolLine> Lookup(uint64_t pc);

 private:
  struct Code {
    uint64_t start;
    uint64_t end;
    size_t section;
  };
  JitImage(std::string bytes, bool relocatable, std::vector<Code> code);
  void Open();

  std::string bytes_;  // until they are needed
  bool relocatable_;
  std::vector<Code> code_;
  bool opened_ = false;
  std::unique_ptr<ElfModule> module_;
};

// Where `path`, an ELF file, has the variable `name`: its distance from where
// the file's first byte is loaded. 0: it has none.
uint64_t FindVariable(const std::string& path, const std::string& name);

}  // namespace pyrometer::symbolize
