// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "format/byte_writer.h"
#include "format/layout.h"

namespace pyrometer::format {

// Records of one type that wait to become a block. Tables, whose records get
// ids, carry the id of their first record, so that a lost block never shifts
// the ids of those behind it.
//
// Thread-safety: none; one owner.
class RecordBatch {
 public:
  enum class Ids : uint8_t { kNone, kFromZero, kFromOne };

  RecordBatch(BlockType type, Ids ids)
      : type_(type), has_ids_(ids != Ids::kNone), next_id_(ids == Ids::kFromOne ? 1 : 0) {}

  // Begins a record, which the caller appends to the returned writer.
  ByteWriter& Begin() {
    ++count_;
    ++next_id_;
    return body_;
  }
  // Passes an id without a record: it will dangle.
  void SkipId() { ++next_id_; }
  // The id of the record that the next Begin() starts.
  uint32_t next_id() const { return next_id_; }

  BlockType type() const { return type_; }
  bool empty() const { return count_ == 0; }
  size_t size_bytes() const { return body_.size(); }

  void WriteTo(ByteWriter& payload) const {
    if (has_ids_) payload.Varint(next_id_ - count_);
    payload.Varint(count_);
    payload.Bytes(body_.bytes());
  }
  void Clear() {
    count_ = 0;
    body_.Clear();
  }

 private:
  BlockType type_;
  bool has_ids_;
  uint32_t next_id_;
  uint32_t count_ = 0;
  ByteWriter body_;
};

}  // namespace pyrometer::format
