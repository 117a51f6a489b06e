// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "format/layout.h"
#include "format/record_visitor.h"
#include "format/sample_codec.h"

namespace pyrometer::format {

// Hands the records of unpacked blocks to a visitor, and keeps count of what
// makes no sense and of the memory that the records may take.
//
// `visitor` must outlive it. Thread-safety: none; one owner.
class BlockDecoder {
 public:
  BlockDecoder(RecordVisitor& visitor, uint64_t memory_bytes)
      : visitor_(visitor), memory_left_(memory_bytes) {}

  static bool Knows(uint8_t type) {
    return type >= static_cast<uint8_t>(BlockType::kRun) &&
           type <= static_cast<uint8_t>(BlockType::kMetricAmounts);
  }

  // False: the records would take more memory than allowed; those that did
  // not have been delivered.
  bool Decode(BlockType type, std::span<const uint8_t> raw);
  // The same for samples that were decoded before, of a block of `raw_bytes`.
  bool Deliver(const SampleBatch& batch, size_t raw_bytes);

  uint64_t records_invalid() const { return records_invalid_; }
  bool orderly_end() const { return orderly_end_; }

 private:
  // The lowest id that the next block of each table may begin with.
  struct NextIds {
    uint32_t string = 1;
    uint32_t process = 0;
    uint32_t thread = 0;
    uint32_t code = 0;
    uint32_t module = 0;
    uint32_t frame = 0;
    uint32_t stack = 1;
    uint32_t task = 0;
    uint32_t metric = 0;
  };

  template <class Id, class DecodeOne>
  bool DecodeTable(std::span<const uint8_t> raw, uint32_t& next_id, DecodeOne decode_one);
  template <class Record>
  bool DecodeList(std::span<const uint8_t> raw, bool (RecordVisitor::*visit)(Record));
  template <class Record>
  bool DecodeSingle(std::span<const uint8_t> raw, bool (RecordVisitor::*visit)(Record));
  template <class Id, class Record>
  bool DecodeRecords(std::span<const uint8_t> raw, uint32_t& next_id,
                     bool (RecordVisitor::*visit)(Id, Record));
  bool DecodeStrings(std::span<const uint8_t> raw);
  bool DecodeStacks(std::span<const uint8_t> raw);
  bool DecodeSamples(std::span<const uint8_t> raw, SampleKind kind);
  bool DecodeMemoryChanges(std::span<const uint8_t> raw);

  // Delivers a sample if that is within the limits.
  bool Deliver(const Sample& sample);
  bool Charge(uint64_t bytes);
  void CountInvalid(uint64_t records, size_t raw_bytes);

  RecordVisitor& visitor_;
  uint64_t memory_left_;
  NextIds next_;
  uint64_t records_invalid_ = 0;
  bool orderly_end_ = false;
};

}  // namespace pyrometer::format
