// SPDX-License-Identifier: Apache-2.0
#include "agent/python/profile_builtin.h"

#include <sys/types.h>

#include <cstring>

#include "agent/python/profile_decorator.h"
#include "agent/python/python_api.h"

namespace pyrometer::agent {
namespace {

using Object = PythonApi::Object;

// PyMethodDef and METH_VARARGS, which are part of the stable ABI.
struct MethodDefinition {
  const char* name;
  Object* (*function)(Object* self, Object* arguments);
  int flags;
  const char* documentation;
};
constexpr int kTakesTuple = 1;

// The further functions that a builtin needs.
struct BuiltinApi {
  Object* (*builtins)();                                                      // borrowed
  Object* (*get_item)(Object*, const char*);                                  // of a dict, borrowed
  int (*set_item)(Object*, const char*, Object*);                             // of a dict
  int (*unpack)(Object* tuple, const char*, ssize_t, ssize_t, ...);           // 0: wrong number
  Object* (*make_function)(MethodDefinition*, Object* self, Object* module);  // new reference

  bool Find() {
    return FindPythonSymbol(&builtins, "PyEval_GetBuiltins") &&
           FindPythonSymbol(&get_item, "PyDict_GetItemString") &&
           FindPythonSymbol(&set_item, "PyDict_SetItemString") &&
           FindPythonSymbol(&unpack, "PyArg_UnpackTuple") &&
           FindPythonSymbol(&make_function, "PyCFunction_NewEx");
  }
};

constexpr char kName[] = "profile";

Object* Profile(Object* self, Object* arguments);
MethodDefinition g_definition = {kName, Profile, kTakesTuple,
                                 "Marks a function for pyrometer's report and returns it."};

// profile(function) returns the function; profile() returns another profile, so
// that @profile() is the same as @profile.
Object* Profile(Object*, Object* arguments) {
  PythonApi api;
  BuiltinApi builtin;
  if (!api.Find() || !builtin.Find()) return nullptr;  // not possible: all were found before
  Object* object = nullptr;
  if (builtin.unpack(arguments, kName, 0, 1, &object) == 0) return nullptr;
  if (object == nullptr) return builtin.make_function(&g_definition, nullptr, nullptr);
  MarkProfiled(object);
  api.increase(object);
  return object;
}

// An audit hook: the interpreter calls it for each event, with the GIL. The
// events cpython.run_* come when it is ready and the program's first line has
// not run yet. What goes wrong leaves the builtins as they are.
int OnAuditEvent(const char* event, Object*, void*) {
  if (std::strncmp(event, "cpython.run_", 12) != 0) return 0;
  PythonApi api;
  BuiltinApi builtin;
  if (!api.Find() || !builtin.Find()) return 0;
  Object* builtins = builtin.builtins();
  if (builtins == nullptr || builtin.get_item(builtins, kName) != nullptr) return 0;
  Object* function = builtin.make_function(&g_definition, nullptr, nullptr);
  if (function == nullptr || builtin.set_item(builtins, kName, function) != 0) api.clear_error();
  if (function != nullptr) api.decrease(function);
  return 0;
}

}  // namespace

void AddProfileBuiltin() {
  int (*add_hook)(int (*)(const char*, Object*, void*), void*);
  if (FindPythonSymbol(&add_hook, "PySys_AddAuditHook")) add_hook(OnAuditEvent, nullptr);
}

}  // namespace pyrometer::agent
