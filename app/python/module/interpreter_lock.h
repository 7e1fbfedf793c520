#pragma once

#include <Python.h>
#include <cxxabi.h>

#include "weft/session.h"

namespace weft::python {

/// Ends all steps that are under way and lets no other thread into one, nor back into Python; returns when the last one is out. Called by Python before the
/// interpreter goes: what the engine needs for a step is gone soon after. The caller holds the interpreter's lock.
void endSteps();
/// Whether that was called, by another thread.
bool mustStandStill();
[[noreturn]] void standStill();

/// A step that endSteps() ends and waits for; a thread that would begin one after that stands still. To be made without the interpreter's lock.
class StepUnderWay {
 public:
  explicit StepUnderWay(const CancellationToken& token);
  ~StepUnderWay();
  StepUnderWay(const StepUnderWay&) = delete;

 private:
  const CancellationToken* token_;
};

/// Whether the interpreter is on its way out, so that only the thread that ends it may have its lock.
inline bool interpreterEnds() {
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

/// Asks for the interpreter's lock. A thread that asks while the interpreter ends (a queue runner's, whose step is over just then) would be unwound by force, which a
/// destructor, or a thread of the engine's, turns into the end of the process by a signal; it stands still instead, as Python itself has it from 3.14 on.
template <typename F>
auto takeInterpreter(F&& take) {
  try {
    return take();
  } catch (abi::__forced_unwind&) {
    standStill();
  }
}

/// The interpreter's lock is let go while this lives.
class InterpreterReleased {
 public:
  InterpreterReleased() : state_(PyEval_SaveThread()) {}
  ~InterpreterReleased() {
    if (mustStandStill()) standStill();
    takeInterpreter([this] { PyEval_RestoreThread(state_); });
  }
  InterpreterReleased(const InterpreterReleased&) = delete;

 private:
  PyThreadState* state_;
};

/// The interpreter's lock is held while this lives, by whatever thread. Ask interpreterEnds() first.
class InterpreterHeld {
 public:
  InterpreterHeld() : state_(takeInterpreter([] { return PyGILState_Ensure(); })) {}
  ~InterpreterHeld() { PyGILState_Release(state_); }
  InterpreterHeld(const InterpreterHeld&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace weft::python
