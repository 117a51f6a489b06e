// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "unwind/module.h"

namespace pyrometer::unwind {

// Bytes at a made-up address, for tests; models MemoryReader. A read that is
// not wholly inside answers false.
class FakeMemory {
 public:
  FakeMemory(uint64_t address, std::vector<uint8_t> bytes)
      : address_(address), bytes_(std::move(bytes)) {}

  bool Read(uint64_t address, void* out, size_t size) const {
    if (address < address_ || address - address_ > bytes_.size() ||
        size > bytes_.size() - (address - address_)) {
      return false;
    }
    std::memcpy(out, bytes_.data() + (address - address_), size);
    return true;
  }
  uint64_t address() const { return address_; }
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  uint64_t address_;
  std::vector<uint8_t> bytes_;
};

// A module of one function, whose unwind tables hold the given instructions.
//
//   kBase          .eh_frame_hdr: version, encodings, count 1, one entry
//   kBase + 0x20   CIE: "zR" (or given), code align 1, data align -8
//   after it       FDE of [kFunction, kFunction + kFunctionBytes)
class FakeImage {
 public:
  static constexpr uint64_t kBase = 0x10000;
  static constexpr uint64_t kFunction = 0x20000;
  static constexpr uint64_t kFunctionBytes = 0x1000;

  FakeImage& Augmentation(const char* letters) {
    augmentation_ = letters;
    return *this;
  }
  FakeImage& Initial(std::initializer_list<uint8_t> instructions) {
    initial_ = instructions;
    return *this;
  }
  FakeImage& Function(std::initializer_list<uint8_t> instructions) {
    function_ = instructions;
    return *this;
  }

  // Ends with the tables: nothing reads the function itself.
  Module module() const { return {kBase, kBase + Build().bytes().size(), kBase}; }

  FakeMemory Build() const {
    std::vector<uint8_t> out{1, 0x1b, 0x03, 0x3b};
    Put32(out, 0);  // where .eh_frame is: nobody needs it
    Put32(out, 1);
    Put32(out, kFunction - kBase);
    const size_t fde_in_table = out.size();
    Put32(out, 0);
    while (out.size() < 0x20) out.push_back(0);

    const size_t cie = out.size();
    Put32(out, 0);
    Put32(out, 0);
    out.push_back(1);
    for (const char* c = augmentation_; *c != 0; ++c) out.push_back(static_cast<uint8_t>(*c));
    out.insert(out.end(), {0, 1, 0x78, 16, 1, 0x1b});
    out.insert(out.end(), initial_.begin(), initial_.end());
    Patch32(out, cie, out.size() - cie - 4);

    const size_t fde = out.size();
    Patch32(out, fde_in_table, fde);
    Put32(out, 0);
    Put32(out, fde + 4 - cie);
    Put32(out, kFunction - (kBase + out.size()));
    Put32(out, kFunctionBytes);
    out.push_back(0);
    out.insert(out.end(), function_.begin(), function_.end());
    Patch32(out, fde, out.size() - fde - 4);
    return {kBase, std::move(out)};
  }

 private:
  static void Put32(std::vector<uint8_t>& out, uint64_t value) {
    out.resize(out.size() + 4);
    Patch32(out, out.size() - 4, value);
  }
  static void Patch32(std::vector<uint8_t>& out, size_t at, uint64_t value) {
    const auto narrow = static_cast<uint32_t>(value);
    std::memcpy(out.data() + at, &narrow, sizeof(narrow));
  }

  const char* augmentation_ = "zR";
  // CFA = sp + 8, return address at CFA - 8: what every x86-64 CIE says.
  std::vector<uint8_t> initial_{0x0c, 7, 8, 0x90, 1};
  std::vector<uint8_t> function_;
};

}  // namespace pyrometer::unwind
