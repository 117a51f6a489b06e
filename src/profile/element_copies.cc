// SPDX-License-Identifier: Apache-2.0
#include "profile/element_copies.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace pyrometer::profile {
namespace {

using format::MemoryChange;
using format::MemoryKind;

// What stands between a copy and the allocator.
constexpr std::array kAllocators = std::to_array<std::string_view>(
    {"PyList_New", "PyTuple_New", "calloc", "gc_alloc", "list_new_prealloc", "malloc",
     "new_keys_object", "realloc", "set_table_resize", "tuple_alloc"});
constexpr std::array kAllocatorPrefixes =
    std::to_array<std::string_view>({"PyMem_", "PyObject_", "_PyMem_", "_PyObject_"});

// Sorted.
constexpr std::array kCopies = std::to_array<std::string_view>({"PyDict_Copy",
                                                                "PyList_GetSlice",
                                                                "PyTuple_GetSlice",
                                                                "clone_combined_dict",
                                                                "clone_combined_dict_keys",
                                                                "copy_lock_held",
                                                                "dict_copy",
                                                                "list_concat",
                                                                "list_concat_lock_held",
                                                                "list_copy",
                                                                "list_copy_impl",
                                                                "list_extend_fast",
                                                                "list_extend_lock_held",
                                                                "list_repeat",
                                                                "list_repeat_lock_held",
                                                                "list_slice",
                                                                "list_slice_lock_held",
                                                                "list_subscript",
                                                                "set_copy",
                                                                "set_copy_impl",
                                                                "set_merge",
                                                                "set_merge_lock_held",
                                                                "tuple_concat",
                                                                "tuple_repeat",
                                                                "tuple_slice",
                                                                "tuple_subscript",
                                                                "tupleconcat",
                                                                "tuplerepeat",
                                                                "tupleslice",
                                                                "tuplesubscript"});
static_assert(std::ranges::is_sorted(kCopies));

// Functions that copy only when they are called by a certain other one.
constexpr std::array kCopiesFor = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"_PyTuple_FromArray", "PySequence_Tuple"},
     {"PyTuple_FromArray", "PySequence_Tuple"},
     {"set_update_internal", "set_copy"},
     {"set_update_internal", "set_or"}});

bool IsAllocator(std::string_view name) {
  return std::ranges::binary_search(kAllocators, name) ||
         std::ranges::any_of(kAllocatorPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}
static_assert(std::ranges::is_sorted(kAllocators));

// Without what a compiler adds: ".part.0", ".isra.0", ".lto_priv.0", ".cold".
std::string_view Plain(std::string_view name) { return name.substr(0, name.find('.')); }

}  // namespace

bool IsElementCopy(std::span<const std::string_view> functions) {
  const auto first =
      std::ranges::find_if(functions, [](std::string_view name) { return !IsAllocator(name); });
  if (first == functions.end()) return false;
  if (std::ranges::binary_search(kCopies, *first)) return true;
  if (std::next(first) == functions.end()) return false;
  return std::ranges::find(kCopiesFor, std::pair(*first, *std::next(first))) != kCopiesFor.end();
}

bool ElementCopies::Contains(format::StackId stack) {
  constexpr size_t kMostNames = 16;
  const auto [it, fresh] = known_.try_emplace(stack.value, false);
  if (!fresh) return it->second;
  std::vector<std::string_view> names;
  for (; stack != format::kEmptyStack && names.size() < kMostNames;
       stack = profile_.stacks[stack.value].parent) {
    const format::FrameId frame = profile_.stacks[stack.value].frame;
    if (profile_.frames[frame.value].kind == format::FrameKind::kPython) break;
    const auto symbol =
        std::ranges::lower_bound(profile_.symbols, frame, {}, &format::SymbolInfo::frame);
    if (symbol != profile_.symbols.end() && symbol->frame == frame)
      for (const format::SymbolLine& line : symbol->lines)
        names.push_back(Plain(profile_.Text(line.function)));
    else
      names.emplace_back();
  }
  return it->second = IsElementCopy(names);
}

void AddElementCopies(Profile& profile) {
  std::unordered_set<uint32_t> copied;  // stacks that have copies already
  for (const MemoryChange& change : profile.memory_changes)
    if (change.kind == MemoryKind::kCopied) copied.insert(change.stack.value);
  ElementCopies copies(profile);
  std::vector<MemoryChange> twins;
  for (const MemoryChange& change : profile.memory_changes) {
    if (change.kind == MemoryKind::kCopied || change.allocated == format::MemoryAmount() ||
        copied.contains(change.stack.value) || !copies.Contains(change.stack))
      continue;
    MemoryChange twin = change;
    twin.kind = MemoryKind::kCopied;
    twin.freed = {};
    twin.high_bytes = 0;
    twins.push_back(twin);
  }
  profile.memory_changes.insert(profile.memory_changes.end(), twins.begin(), twins.end());
}

}  // namespace pyrometer::profile
