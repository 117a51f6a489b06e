// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <sys/types.h>

#include "agent/agent.h"

namespace pyrometer::agent {

// The few functions and types of CPython's C API that the agent uses, all of them
// exported by every version from 3.8 on, found by name: the agent is compiled against no
// Python.
//
// Context: only where the interpreter itself has called us, so that this thread
// holds the GIL and an object may be looked at like by any extension module.
// Never in a handler.
struct PythonApi {
  using Object = void;

  Object* (*get_attribute)(Object*, const char*);  // new reference
  Object* (*type_of)(Object*);                     // new reference
  int (*is_subtype)(Object*, Object*);             // of types
  Object* (*values_of)(Object*);                   // of a mapping, new reference
  ssize_t (*size_of)(Object*);                     // of a sequence
  Object* (*item_of)(Object*, ssize_t);            // of a sequence, new reference
  void (*increase)(Object*);                       // reference count
  void (*decrease)(Object*);                       // reference count
  int (*compare_text)(Object*, const char*);       // a str: 0 when equal
  void (*clear_error)();                           // the pending exception
  // Types.
  Object* type;
  Object* code;
  Object* function;
  Object* method;
  Object* static_method;
  Object* class_method;
  Object* property;
  Object* text;

  // False when one is missing.
  bool Find() {
    return Get(&get_attribute, "PyObject_GetAttrString") && Get(&type_of, "PyObject_Type") &&
           Get(&is_subtype, "PyType_IsSubtype") && Get(&values_of, "PyMapping_Values") &&
           Get(&size_of, "PySequence_Size") && Get(&item_of, "PySequence_GetItem") &&
           Get(&increase, "Py_IncRef") && Get(&decrease, "Py_DecRef") &&
           Get(&compare_text, "PyUnicode_CompareWithASCIIString") &&
           Get(&clear_error, "PyErr_Clear") && Get(&type, "PyType_Type") &&
           Get(&code, "PyCode_Type") && Get(&function, "PyFunction_Type") &&
           Get(&method, "PyMethod_Type") && Get(&static_method, "PyStaticMethod_Type") &&
           Get(&class_method, "PyClassMethod_Type") && Get(&property, "PyProperty_Type") &&
           Get(&text, "PyUnicode_Type");
  }

  template <class Pointer>
  static bool Get(Pointer* out, const char* name) {
    *out = reinterpret_cast<Pointer>(dlsym(g_agent.interpreter.symbols, name));
    return *out != nullptr;
  }
};

}  // namespace pyrometer::agent
