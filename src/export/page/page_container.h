// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "export/page/column_section.h"

namespace pyrometer::export_ {

// The sections of a page's data: first named, which makes their number known, and
// then written one after the other. As many are made at a time as there are CPUs.
//
// What the getters refer to must live until Write, and different getters may be called
// by different threads then. Thread-safety: none; one owner.
class PageContainer {
 public:
  // UTF-8.
  void Text(std::string name, std::string text);
  // Valid UTF-8 each. `get(i)` is a string that stays.
  template <class Get>
  void Strings(std::string name, size_t count, Get get) {
    sections_.emplace_back([name = std::move(name), count, get](SectionBytes& out) {
      uint64_t bytes = 0;
      for (size_t i = 0; i < count; ++i) bytes += VarintSize(get(i).size()) + get(i).size();
      out.Header(name, SectionEncoding::kStrings, count, bytes);
      for (size_t i = 0; i < count; ++i) out.Varint(get(i).size());
      for (size_t i = 0; i < count; ++i) out.Bytes(get(i));
    });
  }
  // A column; `get(i)` is a whole number or an enumerator.
  template <class Get>
  void Numbers(std::string name, size_t count, Get get) {
    sections_.emplace_back([name = std::move(name), count, get](SectionBytes& out) {
      WriteColumn(out, name, count, get);
    });
  }

  // Gives away the bytes in pieces, in order.
  void Write(const std::function<void(std::string piece)>& take) const;

 private:
  std::vector<std::function<void(SectionBytes&)>> sections_;
};

}  // namespace pyrometer::export_
