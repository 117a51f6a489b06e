// SPDX-License-Identifier: Apache-2.0
#include "export/page/testing/page_reader.h"

#include <gtest/gtest.h>

#include "base/varint.h"

namespace pyrometer::export_::testing {
namespace {

// Takes values from the front of some bytes. `ok` turns false at the end.
struct Bytes {
  std::string_view rest;
  bool ok = true;

  uint64_t Varint() {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    const auto* begin = reinterpret_cast<const uint8_t*>(rest.data());
    uint64_t value = 0;
    const size_t size = base::GetVarint(begin, begin + rest.size(), &value);
    ok = ok && size != 0;
    rest.remove_prefix(size);
    return value;
  }
  std::string Take(uint64_t count) {
    ok = ok && count <= rest.size();
    if (!ok) return "";
    std::string taken(rest.substr(0, count));
    rest.remove_prefix(count);
    return taken;
  }
  uint64_t Fixed(size_t size) {
    const std::string bytes = Take(size);
    uint64_t value = 0;
    for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
    return value;
  }
};

// Empty where the bytes do not fit the count, or are no numbers.
std::optional<std::vector<uint64_t>> NumbersOf(const PageReader::Section& section) {
  Bytes in{section.bytes};
  std::vector<uint64_t> numbers;
  if (section.encoding == SectionEncoding::kConstant) {
    numbers.assign(section.count, in.Varint());
  } else if (section.encoding == SectionEncoding::kNumbers ||
             section.encoding == SectionEncoding::kDeltas) {
    uint64_t value = 0;
    for (uint64_t i = 0; i < section.count && in.ok; ++i) {
      const uint64_t read = in.Varint();
      value = section.encoding == SectionEncoding::kNumbers
                  ? read
                  : value + static_cast<uint64_t>(base::UnZigZag(read));
      numbers.push_back(value);
    }
  } else {
    return std::nullopt;
  }
  return in.ok && in.rest.empty() ? std::optional(numbers) : std::nullopt;
}

std::optional<std::vector<std::string>> StringsOf(const PageReader::Section& section) {
  if (section.encoding != SectionEncoding::kStrings) return std::nullopt;
  Bytes in{section.bytes};
  std::vector<uint64_t> lengths;
  for (uint64_t i = 0; i < section.count && in.ok; ++i) lengths.push_back(in.Varint());
  std::vector<std::string> strings;
  for (const uint64_t length : lengths) strings.push_back(in.Take(length));
  return in.ok && in.rest.empty() ? std::optional(strings) : std::nullopt;
}

bool IsSound(const PageReader::Section& section) {
  if (section.encoding == SectionEncoding::kText) return section.count == section.bytes.size();
  return NumbersOf(section) || StringsOf(section);
}

}  // namespace

std::optional<PageReader> PageReader::Read(std::string_view file) {
  Bytes in{file};
  if (in.Take(8) != "PYROPAGE" || in.Fixed(4) != 1) return std::nullopt;
  PageReader page;
  for (uint64_t left = in.Fixed(4); left != 0 && in.ok; --left) {
    std::string name = in.Take(in.Fixed(1));
    Section section;
    section.encoding = SectionEncoding(in.Fixed(1));
    section.count = in.Varint();
    section.bytes = in.Take(in.Varint());
    if (!in.ok || !IsSound(section)) return std::nullopt;
    if (!page.sections_.emplace(std::move(name), std::move(section)).second) return std::nullopt;
  }
  if (!in.ok || !in.rest.empty()) return std::nullopt;
  return page;
}

std::string PageReader::Text(const std::string& name) const {
  const Section& section = sections_.at(name);
  EXPECT_EQ(section.encoding, SectionEncoding::kText) << name;
  return section.bytes;
}

std::vector<uint64_t> PageReader::Numbers(const std::string& name) const {
  const auto numbers = NumbersOf(sections_.at(name));
  EXPECT_TRUE(numbers) << name;
  return numbers.value_or(std::vector<uint64_t>());
}

std::vector<std::string> PageReader::Strings(const std::string& name) const {
  const auto strings = StringsOf(sections_.at(name));
  EXPECT_TRUE(strings) << name;
  return strings.value_or(std::vector<std::string>());
}

std::vector<std::string> PageReader::Texts(const std::string& name) const {
  const std::vector<std::string> strings = Strings("string");
  std::vector<std::string> texts;
  for (const uint64_t number : Numbers(name)) texts.push_back(strings.at(number));
  return texts;
}

std::string PageReader::Stack(uint64_t node) const {
  const std::vector<uint64_t> parents = Numbers("stack.parent"), frames = Numbers("stack.frame"),
                              functions = Numbers("frame.function"), lines = Numbers("frame.line"),
                              flags = Numbers("stack.flags");
  const std::vector<std::string> names = Texts("function.name");
  std::string text = flags.at(node) == 0 ? "" : " [" + std::to_string(flags[node]) + "]";
  for (; node != 0; node = parents.at(node)) {
    const uint64_t frame = frames.at(node);
    std::string step = names.at(functions.at(frame));
    if (lines.at(frame) != 0) step += ":" + std::to_string(lines[frame]);
    text = step + (text.empty() || text.front() == ' ' ? "" : " > ") + text;
  }
  return text;
}

}  // namespace pyrometer::export_::testing
