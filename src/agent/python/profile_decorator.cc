// SPDX-License-Identifier: Apache-2.0
#include "agent/python/profile_decorator.h"

#include <cstdint>

#include "agent/core/agent.h"
#include "agent/core/hook.h"
#include "agent/python/profiled_code.h"
#include "agent/python/python_api.h"

namespace pyrometer::agent {
namespace {

using Object = PythonApi::Object;

// Finds code objects from an object downwards. Attributes are asked for by name
// like a program would; what is not there leaves no exception behind.
class CodeFinder {
 public:
  explicit CodeFinder(const PythonApi& api) : api_(api) {}

  void Mark(Object* object) { Mark(object, true, 0); }

 private:
  // Wrappers around wrappers, functions in functions: nobody nests deeper, but
  // `__wrapped__` may go round in circles.
  static constexpr int kMaxDepth = 32;

  // `marked`: it stands under @profile itself; else it was found in an object
  // that does. Of an object that is none of CPython's own kinds only a marked one
  // is asked anything, because the answer may be code of the program.
  void Mark(Object* object, bool marked, int depth) {
    if (depth > kMaxDepth) return;
    if (Is(object, api_.type)) {
      // Its own functions, but not the classes that it refers to.
      if (marked) MarkClass(object, depth);
    } else if (Is(object, api_.function)) {
      // What a decorator has wrapped is the function that its author has marked.
      if (!MarkAttribute(object, "__wrapped__", depth)) MarkFunction(object);
    } else if (Is(object, api_.static_method) || Is(object, api_.class_method) ||
               Is(object, api_.method)) {
      MarkAttribute(object, "__func__", depth);
    } else if (Is(object, api_.property)) {
      // One without a setter has None there.
      for (const char* name : {"fget", "fset", "fdel"}) MarkAttribute(object, name, depth);
    } else if (IsOfFunctools(object)) {
      // lru_cache has the one; partial, partialmethod, cached_property the other.
      if (!MarkAttribute(object, "__wrapped__", depth)) MarkAttribute(object, "func", depth);
    } else if (marked) {
      MarkAttribute(object, "__wrapped__", depth);
    }
  }

  // False when there is no such attribute.
  bool MarkAttribute(Object* object, const char* name, int depth) {
    Object* value = api_.get_attribute(object, name);
    if (value == nullptr) {
      api_.clear_error();
      return false;
    }
    Mark(value, false, depth + 1);
    api_.decrease(value);
    return true;
  }

  void MarkClass(Object* object, int depth) {
    Object* members = api_.get_attribute(object, "__dict__");
    Object* values = members == nullptr ? nullptr : api_.values_of(members);
    if (values != nullptr) ForEach(values, [&](Object* value) { Mark(value, false, depth + 1); });
    if (values == nullptr) api_.clear_error();
    if (values != nullptr) api_.decrease(values);
    if (members != nullptr) api_.decrease(members);
  }

  void MarkFunction(Object* function) {
    Object* code = api_.get_attribute(function, "__code__");
    if (code == nullptr) return api_.clear_error();
    MarkCode(code, false, 0);
    api_.decrease(code);
  }

  // With the code of comprehensions, lambdas and functions inside it, whose
  // lines are lines of the function.
  void MarkCode(Object* code, bool inner, int depth) {
    TellProfiledCode(reinterpret_cast<uint64_t>(code), inner);
    Object* constants = depth < kMaxDepth ? api_.get_attribute(code, "co_consts") : nullptr;
    if (constants == nullptr) return api_.clear_error();
    ForEach(constants, [&](Object* constant) {
      if (Is(constant, api_.code)) MarkCode(constant, true, depth + 1);
    });
    api_.decrease(constants);
  }

  template <class Use>
  void ForEach(Object* sequence, Use use) {
    const ssize_t size = api_.size_of(sequence);
    for (ssize_t i = 0; i < size; ++i) {
      Object* item = api_.item_of(sequence, i);
      if (item == nullptr) return api_.clear_error();
      use(item);
      api_.decrease(item);
    }
  }

  bool Is(Object* object, Object* type) const {
    Object* own = api_.type_of(object);
    const bool is = api_.is_subtype(own, type) != 0;
    api_.decrease(own);
    return is;
  }

  bool IsOfFunctools(Object* object) const {
    Object* own = api_.type_of(object);
    Object* module = api_.get_attribute(own, "__module__");
    const bool is =
        module != nullptr && Is(module, api_.text) && api_.compare_text(module, "functools") == 0;
    if (module == nullptr) api_.clear_error();
    if (module != nullptr) api_.decrease(module);
    api_.decrease(own);
    return is;
  }

  const PythonApi& api_;
};

}  // namespace

void MarkProfiled(void* object) {
  PythonApi api;
  if (g_agent.active.load(std::memory_order_relaxed) && api.Find()) CodeFinder(api).Mark(object);
}

}  // namespace pyrometer::agent

// For the Python package, which calls it with the GIL (ctypes.PyDLL).
PYRO_HOOK void pyrometer_profile(void* object) { pyrometer::agent::MarkProfiled(object); }
