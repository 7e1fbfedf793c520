#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <set>
#include <string>

#include "module/graph_core.h"
#include "module/interpreter_lock.h"
#include "weft/debug.h"

namespace weft::python {

/// A run whose tensors are shown to a function of Python: call(node, slot, value) for each watched output, in the order in which they are computed. The value is an
/// array; None if a variable is not initialized, a str if no array can hold it. An exception ends the run and is raised after it.
class WatchedRun final : public StepController {
 public:
  /// `slots`: node -> a set of its watched outputs. REQUIRES: the interpreter lock is held, also when the object is destroyed.
  WatchedRun(const py::dict& slots, py::object call) : call_(std::move(call)) {
    for (const auto& [node, outputs] : slots)
      for (py::handle k : outputs) slots_[textFrom(node)].insert(int(intFrom(k)));
  }
  /// Throws the exception that ended the run, if one did.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

  void runBegins(const Graph&, std::span<const int>) override {}
  void fed(Output, const Tensor&) override {}
  StepVerdict before(StepPoint&) override { return StepVerdict::Go; }
  void dead(const Node&, const std::vector<LoopPlace>&) override {}
  void runEnds(const Status&) override {}

  StepVerdict after(StepPoint& point, const Status& status) override {
    const Node& node = point.node();
    const auto watched = slots_.find(node.name);
    if (!status.ok() || watched == slots_.end()) return StepVerdict::Go;
    for (const int k : watched->second) {
      if (k >= int(node.outputTypes.size())) continue;
      const auto value = point.output(k);
      if (!value.ok()) return StepVerdict::Go;
      if (!value->hasValue() && !isRef(node.outputTypes[size_t(k)])) continue;  // dead
      if (!show(node.name, k, *value)) return StepVerdict::End;
    }
    return StepVerdict::Go;
  }

 private:
  bool show(const std::string& node, int slot, const Tensor& value) {
    return takeInterpreter([&] {
      const py::gil_scoped_acquire held;
      try {
        call_(node, slot, shown(value));
        return true;
      } catch (...) {
        raised_ = std::current_exception();
        return false;
      }
    });
  }
  static py::object shown(const Tensor& value) {
    if (!value.hasValue()) return py::none();
    try {
      return arrayFromTensor(value, false);
    } catch (py::error_already_set&) {
      return py::str("");
    } catch (py::builtin_exception&) {
      return py::str("");
    }
  }

  std::map<std::string, std::set<int>> slots_;
  py::object call_;
  std::exception_ptr raised_;
};

}  // namespace weft::python
