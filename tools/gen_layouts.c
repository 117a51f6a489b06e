// SPDX-License-Identifier: Apache-2.0
// Compiled by gen_layouts.py against the headers of one CPython; prints
// "member value" lines for every member of Layout that this version has.
#define Py_BUILD_CORE 1
#include <Python.h>
#include <frameobject.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "internal/pycore_gil.h"
#include "internal/pycore_pystate.h"
#if PY_MINOR_VERSION >= 9
#include "internal/pycore_interp.h"
#include "internal/pycore_runtime.h"
#endif
#if PY_MINOR_VERSION >= 11
#include "internal/pycore_dict.h"
#include "internal/pycore_frame.h"
#include "internal/pycore_moduleobject.h"
#include "internal/pycore_object.h"
#endif
#if PY_MINOR_VERSION >= 14
#include "internal/pycore_tstate.h"
#endif
#if PY_MINOR_VERSION >= 14
#include "internal/pycore_genobject.h"
#include "internal/pycore_interpframe.h"
#include "internal/pycore_interpframe_structs.h"
#include "internal/pycore_runtime_structs.h"
#endif

#define EMIT(member, value) printf("%s %lld\n", member, (long long)(value))
#define OFFSET(member, type, field) EMIT(member, offsetof(type, field))
#define TABLE(member, field) OFFSET(member, struct _Py_DebugOffsets, field)

static int LowestBit(const PyASCIIObject* object) {
  uint32_t state;
  memcpy(&state, &object->state, sizeof state);
  return __builtin_ctz(state);
}

static void EmitUnicode(void) {
  PyASCIIObject object;
  OFFSET("unicode.length", PyASCIIObject, length);
  OFFSET("unicode.state", PyASCIIObject, state);
  EMIT("unicode.ascii_size", sizeof(PyASCIIObject));
  EMIT("unicode.compact_size", sizeof(PyCompactUnicodeObject));
  memset(&object, 0, sizeof object);
  object.state.kind = 1;
  EMIT("unicode.kind_shift", LowestBit(&object));
  memset(&object, 0, sizeof object);
  object.state.compact = 1;
  EMIT("unicode.compact_shift", LowestBit(&object));
  memset(&object, 0, sizeof object);
  object.state.ascii = 1;
  EMIT("unicode.ascii_shift", LowestBit(&object));
}

static void EmitObjects(void) {
  OFFSET("object.type", PyObject, ob_type);
  OFFSET("object.var_size", PyVarObject, ob_size);
  OFFSET("bytes.data", PyBytesObject, ob_sval);
  OFFSET("code.filename", PyCodeObject, co_filename);
  OFFSET("code.name", PyCodeObject, co_name);
  OFFSET("code.first_line", PyCodeObject, co_firstlineno);
  OFFSET("code.stack_size", PyCodeObject, co_stacksize);
#if PY_MINOR_VERSION >= 10
  OFFSET("code.line_table", PyCodeObject, co_linetable);
#else
  OFFSET("code.line_table", PyCodeObject, co_lnotab);
#endif
#if PY_MINOR_VERSION >= 11
  OFFSET("code.qualname", PyCodeObject, co_qualname);
  OFFSET("code.local_count", PyCodeObject, co_nlocalsplus);
  OFFSET("code.first_traceable", PyCodeObject, _co_firsttraceable);
  OFFSET("code.bytecode", PyCodeObject, co_code_adaptive);
  OFFSET("generator.frame", PyGenObject, gi_iframe);
  OFFSET("generator.state", PyGenObject, gi_frame_state);
  EMIT("generator.executing", FRAME_EXECUTING);
#if PY_MINOR_VERSION <= 12
  OFFSET("generator.exception_state", PyGenObject, gi_exc_state);
  OFFSET("generator.outer_exception_state", PyGenObject, gi_exc_state.previous_item);
#endif
#else
  OFFSET("code.bytecode", PyCodeObject, co_code);
#endif
#if PY_MINOR_VERSION >= 12
  OFFSET("code.frame_words", PyCodeObject, co_framesize);
#endif
#if PY_MINOR_VERSION >= 14 && defined(Py_GIL_DISABLED)
  OFFSET("code.tlbc", PyCodeObject, co_tlbc);
#endif
}

static void EmitFrames(void) {
#if PY_MINOR_VERSION <= 10
  OFFSET("frame.previous", PyFrameObject, f_back);
  OFFSET("frame.code", PyFrameObject, f_code);
  OFFSET("frame.instruction", PyFrameObject, f_lasti);
  OFFSET("frame.generator", PyFrameObject, f_gen);
#if PY_MINOR_VERSION == 10
  OFFSET("frame.executing", PyFrameObject, f_state);
#else
  OFFSET("frame.executing", PyFrameObject, f_executing);
#endif
#else
  EMIT("frame.specials_size", offsetof(_PyInterpreterFrame, localsplus));
  OFFSET("frame.previous", _PyInterpreterFrame, previous);
  OFFSET("frame.owner", _PyInterpreterFrame, owner);
#if PY_MINOR_VERSION <= 12
  OFFSET("frame.code", _PyInterpreterFrame, f_code);
  OFFSET("frame.instruction", _PyInterpreterFrame, prev_instr);
#else
  OFFSET("frame.code", _PyInterpreterFrame, f_executable);
  OFFSET("frame.instruction", _PyInterpreterFrame, instr_ptr);
#endif
#if PY_MINOR_VERSION == 11
  OFFSET("frame.is_entry", _PyInterpreterFrame, is_entry);
#endif
#if PY_MINOR_VERSION <= 13
  OFFSET("frame.stack_top", _PyInterpreterFrame, stacktop);
#else
  OFFSET("frame.stack_top", _PyInterpreterFrame, stackpointer);
#endif
#if PY_MINOR_VERSION >= 14 && defined(Py_GIL_DISABLED)
  OFFSET("frame.tlbc_index", _PyInterpreterFrame, tlbc_index);
#endif
#endif
#if PY_MINOR_VERSION == 11 || PY_MINOR_VERSION == 12
  OFFSET("cframe.current_frame", _PyCFrame, current_frame);
  OFFSET("cframe.previous", _PyCFrame, previous);
#endif
}

static void EmitStates(void) {
  OFFSET("runtime.interpreters_head", _PyRuntimeState, interpreters.head);
  OFFSET("interpreter.next", PyInterpreterState, next);
  OFFSET("interpreter.id", PyInterpreterState, id);
#if PY_MINOR_VERSION <= 10
  OFFSET("interpreter.threads_head", PyInterpreterState, tstate_head);
#else
  OFFSET("interpreter.threads_head", PyInterpreterState, threads.head);
#endif
#if PY_MINOR_VERSION <= 11
  OFFSET("runtime.gil", _PyRuntimeState, ceval.gil);
#else
  OFFSET("interpreter.gil", PyInterpreterState, ceval.gil);
#endif
  EMIT("gil.size", sizeof(struct _gil_runtime_state));
  OFFSET("gil.locked", struct _gil_runtime_state, locked);
  OFFSET("gil.last_holder", struct _gil_runtime_state, last_holder);
#ifdef Py_GIL_DISABLED
  OFFSET("gil.enabled", struct _gil_runtime_state, enabled);
#endif
  OFFSET("thread.next", PyThreadState, next);
  OFFSET("thread.interpreter", PyThreadState, interp);
  OFFSET("thread.thread_id", PyThreadState, thread_id);
#if PY_MINOR_VERSION <= 10
  OFFSET("thread.frame", PyThreadState, frame);
#elif PY_MINOR_VERSION <= 12
  OFFSET("thread.frame", PyThreadState, cframe);
#else
  OFFSET("thread.frame", PyThreadState, current_frame);
#endif
#if PY_MINOR_VERSION >= 11
  OFFSET("thread.native_thread_id", PyThreadState, native_thread_id);
  OFFSET("thread.datastack_chunk", PyThreadState, datastack_chunk);
  OFFSET("thread.datastack_top", PyThreadState, datastack_top);
#endif
#if PY_MINOR_VERSION == 11 || PY_MINOR_VERSION == 12
  OFFSET("thread.root_cframe", PyThreadState, root_cframe);
  OFFSET("thread.exception_state", PyThreadState, exc_info);
#endif
#if PY_MINOR_VERSION >= 15
  OFFSET("thread.base_frame", PyThreadState, base_frame);
#endif
}

// Members of ObjectLayout: the containers and instances that hold tasks and threads.
static void EmitHeap(void) {
#if PY_MINOR_VERSION <= 11
  OFFSET("objects.interpreter_modules", PyInterpreterState, modules);
#elif PY_MINOR_VERSION == 12
  OFFSET("objects.interpreter_modules", PyInterpreterState, imports.modules);
#else
  TABLE("objects.modules_entry", interpreter_state.imports_modules);
#endif
  // Modules and the iterators of awaits keep what matters right behind the object header. The
  // headers of older versions do not declare them.
  EMIT("objects.first_field", sizeof(PyObject));
  OFFSET("objects.dict_keys", PyDictObject, ma_keys);
  OFFSET("objects.dict_values", PyDictObject, ma_values);
#if PY_MINOR_VERSION <= 10
  // Declared in no installed header.
  struct Keys {
    Py_ssize_t refcnt, size;
    void* lookup;
    Py_ssize_t usable, entry_count;
    char indices[];
  };
  OFFSET("objects.keys_size", struct Keys, size);
  OFFSET("objects.keys_entry_count", struct Keys, entry_count);
  OFFSET("objects.keys_indices", struct Keys, indices);
#else
  OFFSET("objects.keys_log2_size", PyDictKeysObject, dk_log2_size);
  OFFSET("objects.keys_log2_index_bytes", PyDictKeysObject, dk_log2_index_bytes);
  OFFSET("objects.keys_kind", PyDictKeysObject, dk_kind);
  OFFSET("objects.keys_entry_count", PyDictKeysObject, dk_nentries);
  OFFSET("objects.keys_indices", PyDictKeysObject, dk_indices);
#endif
  OFFSET("objects.set_mask", PySetObject, mask);
  OFFSET("objects.set_table", PySetObject, table);
  OFFSET("objects.weakref_object", PyWeakReference, wr_object);
  OFFSET("objects.type_name", PyTypeObject, tp_name);
  OFFSET("objects.type_base", PyTypeObject, tp_base);
  OFFSET("objects.type_flags", PyTypeObject, tp_flags);
  OFFSET("objects.type_iter_next", PyTypeObject, tp_iternext);
  OFFSET("objects.type_basic_size", PyTypeObject, tp_basicsize);
  OFFSET("objects.type_dict", PyTypeObject, tp_dict);
  OFFSET("objects.type_dict_offset", PyTypeObject, tp_dictoffset);
  OFFSET("objects.type_cached_keys", PyHeapTypeObject, ht_cached_keys);
  OFFSET("objects.integer_digits", PyLongObject,
#if PY_MINOR_VERSION >= 12
         long_value.ob_digit);
#else
         ob_digit);
#endif
#if PY_MINOR_VERSION == 11
  EMIT("objects.managed_dict", 3 * sizeof(void*));
  EMIT("objects.managed_values", 4 * sizeof(void*));
#elif PY_MINOR_VERSION == 12
  EMIT("objects.managed_dict", 3 * sizeof(void*));
#elif PY_MINOR_VERSION >= 13
  EMIT("objects.managed_dict", -MANAGED_DICT_OFFSET);
  OFFSET("objects.values_valid", PyDictValues, valid);
#endif
#if PY_MINOR_VERSION >= 11
  OFFSET("objects.values_first", PyDictValues, values);
#else
  EMIT("objects.values_first", 0);
#endif
}

static void EmitGenerators(void) {
  // No header tells: from 3.15 on an iterator takes two places on the stack.
  EMIT("objects.delegate_depth", PY_MINOR_VERSION >= 15 ? 2 : 1);
#if PY_MINOR_VERSION <= 10
  OFFSET("objects.generator_frame", PyGenObject, gi_frame);
#if PY_MINOR_VERSION == 10
  OFFSET("objects.frame_stack", PyFrameObject, f_valuestack);
  OFFSET("objects.frame_stack_depth", PyFrameObject, f_stackdepth);
#else
  OFFSET("objects.frame_stack", PyFrameObject, f_stacktop);
#endif
#else
  EMIT("objects.state_created", FRAME_CREATED);
  EMIT("objects.state_suspended", FRAME_SUSPENDED);
  EMIT("objects.state_executing", FRAME_EXECUTING);
#if PY_MINOR_VERSION >= 13
  EMIT("objects.state_delegating", FRAME_SUSPENDED_YIELD_FROM);
#endif
#endif
}

// Members of TaskLayout that the headers tell.
static void EmitTaskLists(void) {
#if PY_MINOR_VERSION >= 14
  OFFSET("tasks.thread_running_task", _PyThreadStateImpl, asyncio_running_task);
  OFFSET("tasks.thread_tasks", _PyThreadStateImpl, asyncio_tasks_head);
  OFFSET("tasks.interpreter_tasks", PyInterpreterState, asyncio_tasks_head);
#endif
}

// Where the offsets table keeps each offset.
static void EmitTable(void) {
#if PY_MINOR_VERSION >= 13
  EMIT("table.size", sizeof(struct _Py_DebugOffsets));
  TABLE("table.free_threaded", free_threaded);
  TABLE("table.runtime.size", runtime_state.size);
  TABLE("table.runtime.interpreters_head", runtime_state.interpreters_head);
  TABLE("table.interpreter.size", interpreter_state.size);
  TABLE("table.interpreter.id", interpreter_state.id);
  TABLE("table.interpreter.next", interpreter_state.next);
  TABLE("table.interpreter.threads_head", interpreter_state.threads_head);
  TABLE("table.interpreter.gil", interpreter_state.ceval_gil);
  TABLE("table.interpreter.embedded_gil", interpreter_state.gil_runtime_state);
  TABLE("table.interpreter.gil_locked", interpreter_state.gil_runtime_state_locked);
  TABLE("table.interpreter.gil_holder", interpreter_state.gil_runtime_state_holder);
  TABLE("table.thread.size", thread_state.size);
  TABLE("table.thread.next", thread_state.next);
  TABLE("table.thread.interpreter", thread_state.interp);
  TABLE("table.thread.frame", thread_state.current_frame);
  TABLE("table.thread.thread_id", thread_state.thread_id);
  TABLE("table.thread.native_thread_id", thread_state.native_thread_id);
  TABLE("table.thread.datastack_chunk", thread_state.datastack_chunk);
  TABLE("table.frame.size", interpreter_frame.size);
  TABLE("table.frame.previous", interpreter_frame.previous);
  TABLE("table.frame.code", interpreter_frame.executable);
  TABLE("table.frame.instruction", interpreter_frame.instr_ptr);
  TABLE("table.frame.specials_size", interpreter_frame.localsplus);
  TABLE("table.frame.owner", interpreter_frame.owner);
  TABLE("table.code.size", code_object.size);
  TABLE("table.code.filename", code_object.filename);
  TABLE("table.code.name", code_object.name);
  TABLE("table.code.qualname", code_object.qualname);
  TABLE("table.code.line_table", code_object.linetable);
  TABLE("table.code.first_line", code_object.firstlineno);
  TABLE("table.code.bytecode", code_object.co_code_adaptive);
  TABLE("table.object.type", pyobject.ob_type);
  TABLE("table.bytes.size", bytes_object.ob_size);
  TABLE("table.bytes.data", bytes_object.ob_sval);
  TABLE("table.unicode.state", unicode_object.state);
  TABLE("table.unicode.length", unicode_object.length);
  TABLE("table.unicode.ascii_size", unicode_object.asciiobject_size);
#endif
#if PY_MINOR_VERSION >= 14
  TABLE("table.frame.stack_top", interpreter_frame.stackpointer);
  TABLE("table.frame.tlbc_index", interpreter_frame.tlbc_index);
  TABLE("table.code.tlbc", code_object.co_tlbc);
  TABLE("table.generator.frame", gen_object.gi_iframe);
  TABLE("table.generator.state", gen_object.gi_frame_state);
#endif
#if PY_MINOR_VERSION >= 15
  TABLE("table.thread.base_frame", thread_state.base_frame);
  TABLE("table.unicode.compact_size", unicode_object.compactunicodeobject_size);
#endif
}

int main(void) {
  EmitHeap();
  EmitGenerators();
  EmitTaskLists();
  EmitObjects();
  EmitUnicode();
  EmitFrames();
  EmitStates();
  EmitTable();
  return 0;
}
