#pragma once

#include <Python.h>
#include <cxxabi.h>

#include "weft/session.h"

namespace weft::python {

/// Cancels all running steps and blocks other threads from starting one or returning to Python; returns when the last step has ended. Python calls it before
/// the interpreter ends, because objects that steps need are destroyed soon after. REQUIRES: the caller holds the interpreter lock.
void endSteps();
/// Whether another thread has called endSteps().
bool stepsHaveEnded();
[[noreturn]] void blockForever();

/// A step that endSteps() cancels and waits for. After endSteps() the constructor blocks forever. REQUIRES: the interpreter lock is not held.
class CancellableStep {
 public:
  explicit CancellableStep(const CancellationToken& token);
  ~CancellableStep();
  CancellableStep(const CancellableStep&) = delete;

 private:
  const CancellationToken* token_;
};

/// Whether the interpreter is ending, so that only the thread that ends it may acquire its lock.
inline bool interpreterEnds() {
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

/// Acquires the interpreter lock. While the interpreter ends, Python would forcibly unwind the acquiring thread (such as a queue runner whose step has just
/// ended), which in a destructor or a thread of the engine kills the process by a signal. The thread blocks forever instead, as in Python from 3.14 on.
template <typename F>
auto takeInterpreter(F&& take) {
  try {
    return take();
  } catch (abi::__forced_unwind&) {
    blockForever();
  }
}

/// Releases the interpreter lock for its lifetime.
class InterpreterReleased {
 public:
  InterpreterReleased() : state_(PyEval_SaveThread()) {}
  ~InterpreterReleased() {
    if (stepsHaveEnded()) blockForever();
    takeInterpreter([this] { PyEval_RestoreThread(state_); });
  }
  InterpreterReleased(const InterpreterReleased&) = delete;

 private:
  PyThreadState* state_;
};

/// Holds the interpreter lock for its lifetime, on any thread. Check interpreterEnds() first.
class InterpreterHeld {
 public:
  InterpreterHeld() : state_(takeInterpreter([] { return PyGILState_Ensure(); })) {}
  ~InterpreterHeld() { PyGILState_Release(state_); }
  InterpreterHeld(const InterpreterHeld&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace weft::python
