// SPDX-License-Identifier: Apache-2.0
#include "cpython/line_table.h"

#include "cpython/frame_walk.h"

namespace pyrometer::cpython {
namespace {

Position Line(int line) { return {.line = line, .end_line = line}; }

// Pairs of (bytes of code, signed line delta); a line begins where the address
// reaches the pair's end.
Position FromLnotab(std::span<const uint8_t> table, int line, uint32_t instruction) {
  uint32_t address = 0;
  for (size_t i = 0; i + 2 <= table.size(); i += 2) {
    address += table[i];
    if (address > instruction) break;
    line += static_cast<int8_t>(table[i + 1]);
  }
  return Line(line);
}

// Pairs of (bytes of code, signed line delta); the delta applies to the pair's
// own bytes, -128 means that they belong to no line.
Position FromPairs(std::span<const uint8_t> table, int line, uint32_t instruction) {
  constexpr int8_t kNoLine = -128;
  uint32_t end = 0;
  for (size_t i = 0; i + 2 <= table.size(); i += 2) {
    const auto delta = static_cast<int8_t>(table[i + 1]);
    if (delta != kNoLine) line += delta;
    end += table[i];
    if (end > instruction) return delta == kNoLine ? Position{} : Line(line);
  }
  return {};
}

// Cursor over the entries of a location table. An entry is
//
//   | 1 | kind : 4 | code units - 1 : 3 |  payload bytes, high bit clear ...
//
// so an entry's end is found without understanding its payload.
class LocationCursor {
 public:
  LocationCursor(std::span<const uint8_t> table, int first_line)
      : table_(table), line_(first_line) {}

  // Decodes the next entry. False at the end or where the table is damaged.
  bool Next() {
    if (at_ >= table_.size() || (table_[at_] & 0x80) == 0) return false;
    const uint8_t head = table_[at_++];
    end_ += ((head & 7u) + 1) * 2;
    Decode(head >> 3 & 0xf);
    while (at_ < table_.size() && (table_[at_] & 0x80) == 0) ++at_;
    return true;
  }

  uint32_t end() const { return end_; }
  const Position& position() const { return position_; }

 private:
  enum Kind : uint8_t { kOneLine = 10, kNoColumns = 13, kLong = 14, kNone = 15 };

  void Decode(uint8_t kind) {
    if (kind == kNone) {
      position_ = {};
    } else if (kind == kLong) {
      line_ += SignedVarint();
      position_.line = line_;
      position_.end_line = line_ + static_cast<int>(Varint());
      position_.column = static_cast<int>(Varint()) - 1;
      position_.end_column = static_cast<int>(Varint()) - 1;
    } else if (kind == kNoColumns) {
      line_ += SignedVarint();
      position_ = Line(line_);
    } else if (kind >= kOneLine) {
      line_ += kind - kOneLine;
      position_ = Line(line_);
      position_.column = Byte();
      position_.end_column = Byte();
    } else {
      const int low = Byte();
      position_ = Line(line_);
      position_.column = kind * 8 + (low >> 4);
      position_.end_column = position_.column + (low & 15);
    }
  }

  uint8_t Byte() { return at_ < table_.size() ? table_[at_++] : 0; }

  // Six bits a byte, least significant first; bit 6 = more follows.
  uint32_t Varint() {
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 6) {
      const uint8_t byte = Byte();
      value |= static_cast<uint32_t>(byte & 0x3f) << shift;
      if ((byte & 0x40) == 0) break;
    }
    return value;
  }

  // The sign is the lowest bit.
  int SignedVarint() {
    const uint32_t value = Varint();
    const auto magnitude = static_cast<int>(value >> 1);
    return (value & 1) != 0 ? -magnitude : magnitude;
  }

  std::span<const uint8_t> table_;
  size_t at_ = 0;
  uint32_t end_ = 0;  // of the code covered so far
  int line_;
  Position position_;
};

Position FromLocations(std::span<const uint8_t> table, int first_line, uint32_t instruction) {
  LocationCursor cursor(table, first_line);
  while (cursor.Next()) {
    if (cursor.end() > instruction) return cursor.position();
  }
  return {};
}

}  // namespace

LineTableKind LineTableFor(const Layout& layout) {
  if (layout.minor >= 11) return LineTableKind::kLocations;
  return layout.minor == 10 ? LineTableKind::kPairs : LineTableKind::kLnotab;
}

Position PositionAt(LineTableKind kind, std::span<const uint8_t> table, int first_line,
                    uint32_t instruction) {
  if (instruction == kBeforeFirstInstruction) return Line(first_line);
  switch (kind) {
    case LineTableKind::kLnotab:
      return FromLnotab(table, first_line, instruction);
    case LineTableKind::kPairs:
      return FromPairs(table, first_line, instruction);
    case LineTableKind::kLocations:
      return FromLocations(table, first_line, instruction);
  }
  return {};
}

}  // namespace pyrometer::cpython
