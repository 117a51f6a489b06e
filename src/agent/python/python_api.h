// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include "agent/core/python_symbol.h"

namespace pyrometer::agent {

// The few functions and types of CPython's C API that the agent uses, all of them
// exported by every version from 3.8 on.
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
    return FindPythonSymbol(&get_attribute, "PyObject_GetAttrString") &&
           FindPythonSymbol(&type_of, "PyObject_Type") &&
           FindPythonSymbol(&is_subtype, "PyType_IsSubtype") &&
           FindPythonSymbol(&values_of, "PyMapping_Values") &&
           FindPythonSymbol(&size_of, "PySequence_Size") &&
           FindPythonSymbol(&item_of, "PySequence_GetItem") &&
           FindPythonSymbol(&increase, "Py_IncRef") && FindPythonSymbol(&decrease, "Py_DecRef") &&
           FindPythonSymbol(&compare_text, "PyUnicode_CompareWithASCIIString") &&
           FindPythonSymbol(&clear_error, "PyErr_Clear") &&
           FindPythonSymbol(&type, "PyType_Type") && FindPythonSymbol(&code, "PyCode_Type") &&
           FindPythonSymbol(&function, "PyFunction_Type") &&
           FindPythonSymbol(&method, "PyMethod_Type") &&
           FindPythonSymbol(&static_method, "PyStaticMethod_Type") &&
           FindPythonSymbol(&class_method, "PyClassMethod_Type") &&
           FindPythonSymbol(&property, "PyProperty_Type") &&
           FindPythonSymbol(&text, "PyUnicode_Type");
  }
};

}  // namespace pyrometer::agent
