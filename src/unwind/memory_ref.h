// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace pyrometer::unwind {

// Reads memory of the walked process. Never faults: an address that cannot be
// read is answered with false.
template <class T>
concept MemoryReader = requires(const T& reader, uint64_t address, void* out, size_t size) {
  { reader.Read(address, out, size) } -> std::same_as<bool>;
};

// A reference to any MemoryReader, so that the table decoders are compiled
// once. The reader must outlive it.
class MemoryRef {
 public:
  template <MemoryReader Reader>
    requires(!std::same_as<Reader, MemoryRef>)
  MemoryRef(const Reader& reader)  // NOLINT(google-explicit-constructor)
      : reader_(&reader), read_([](const void* self, uint64_t address, void* out, size_t size) {
          return static_cast<const Reader*>(self)->Read(address, out, size);
        }) {}

  bool Read(uint64_t address, void* out, size_t size) const {
    return read_(reader_, address, out, size);
  }
  template <class T>
  bool ReadValue(uint64_t address, T* value) const {
    return Read(address, value, sizeof(T));
  }

 private:
  const void* reader_;
  bool (*read_)(const void*, uint64_t, void*, size_t);
};

}  // namespace pyrometer::unwind
