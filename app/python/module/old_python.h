#pragma once

#include <Python.h>
#include <frameobject.h>

// Functions that Python 3.9 introduced, for 3.8.
#if PY_VERSION_HEX < 0x03090000
inline PyObject* PyObject_CallNoArgs(PyObject* f) { return _PyObject_CallNoArg(f); }
inline PyObject* PyObject_CallOneArg(PyObject* f, PyObject* argument) { return PyObject_CallFunctionObjArgs(f, argument, nullptr); }
inline PyObject* PyObject_Vectorcall(PyObject* f, PyObject* const* arguments, size_t count, PyObject* names) {
  return _PyObject_Vectorcall(f, arguments, count, names);
}
inline PyCodeObject* PyFrame_GetCode(PyFrameObject* frame) {
  Py_INCREF(frame->f_code);
  return frame->f_code;
}
inline PyFrameObject* PyFrame_GetBack(PyFrameObject* frame) {
  Py_XINCREF(frame->f_back);
  return frame->f_back;
}
#endif
