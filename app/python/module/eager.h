#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "module/graph_core.h"
#include "weft/eager.h"

// Eager execution: tensors with values, ops that run when they are called, and graphs whose nodes run as soon as they are added.
namespace weft::python {

/// The value of an EagerTensor; a Python object that the tensor's slot `_eager` holds.
struct EagerValue {
  PyObject_HEAD Tensor tensor;
  uint64_t id = 0;          ///< Unique in this process.
  bool isWatched = false;   ///< A tape watches it, or it was computed from such a tensor while a tape recorded.
  bool isVariable = false;  ///< The handle of a trainable variable.
};

/// The values of a graph whose nodes run as they are added (GraphCore::eager). Guarded by the interpreter lock.
struct EagerGraph {
  std::vector<std::vector<Tensor>> values;  ///< By node; empty: not run, or released.
  std::vector<bool> ran;
  int executed = 0;                             ///< All nodes before this one have run.
  std::unordered_map<uint64_t, Output> places;  ///< The outputs that stand for tensors, by the tensor's number.
  size_t keptBytes = 0;                         ///< Of values that became nodes.
  int released = 0;                             ///< Values of nodes before this one are released.
  int held = 0;                                 ///< Tapes that need the values.
};

/// Where ops run. Guarded by the interpreter lock.
struct EagerMode {
  EagerRuntime runtime;
  int generation = 0;                  ///< Counts how often prepared ops were forgotten.
  PyTypeObject* tensorType = nullptr;  ///< weft.eager.tensor.EagerTensor
  Py_ssize_t slot = 0;                 ///< Offset of its slot `_eager`.
  PyObject* graph = nullptr;           ///< weft.eager.mode.EagerGraph, borrowed; never destroyed
};
EagerMode& eagerMode();

/// What a thread of the program does: its part of the EagerGraph, and whether its tapes record. Threads do not see each other's.
struct EagerThread {
  GraphCore* core = nullptr;            ///< Owned by the EagerGraph's storage of this thread; null before the first op.
  int recording = 0;                    ///< Tapes that record now.
  int watchingVariables = 0;            ///< Those of them that watch the variables that are read.
  int depth = 0;                        ///< Calls of engine functions under way.
  std::vector<uint64_t> readVariables;  ///< Handles of trainable variables read while a tape recorded.
};
EagerThread& eagerThread();

/// The value of an EagerTensor; null for all other objects.
EagerValue* eagerValue(py::handle object);
py::object eagerTensor(Tensor value, bool isWatched = false);
/// The node that stands for a tensor in an eager graph; made if there is none.
Output placeOf(GraphCore& g, EagerValue& v);
/// Runs the nodes that were added since the last call.
void runNewNodes(GraphCore& g);
/// The value of an output of an eager graph.
py::object eagerTensorOf(GraphCore& g, Output o);

/// Tells a node that stands for a handle what the handle says: the variable's type and shape.
void describeHandle(GraphCore& g, int node, const Tensor& handle);

/// Counts the calls of engine functions under way in an eager graph; the end of the outermost one releases intermediate values.
class EagerBuild {
 public:
  explicit EagerBuild(GraphCore& g);
  ~EagerBuild();
  EagerBuild(const EagerBuild&) = delete;
  EagerBuild& operator=(const EagerBuild&) = delete;

 private:
  GraphCore* graph_;
};

/// The calls of one op that were made before, by types of inputs and attributes: such a call needs no conversion.
class EagerCalls {
 public:
  /// The result of a call, if it is like an earlier one and eager execution is on; else null.
  py::object call(const OpRecord& record, const py::tuple& inputs, const py::tuple& attrs, py::handle name) const;
  void remember(const py::tuple& inputs, const py::tuple& attrs, std::shared_ptr<EagerOp> op);

 private:
  struct Known {
    std::vector<DType> types;
    std::vector<py::object> attrs;
    std::shared_ptr<EagerOp> op;
  };
  mutable std::vector<Known> known_;
  mutable int generation_ = 0;
};

/// An argument of an op as an EagerTensor. INVALID_ARGUMENT in TensorFlow's words for a tensor of another type.
py::object eagerInput(GraphCore& g, const OpRecord& record, int index, py::handle value, DType want, DType preferred, const std::string& name);
/// What a call returns: None, a tensor, or a list.
py::object eagerResult(const OpRecord& record, const Node& node, const std::vector<py::object>& outputs);
/// The name that an error shows: only a given one.
inline std::string eagerName(const std::string& name, const OpRecord& record) { return name == record.name ? std::string() : name; }

/// Raises the error of an op that ran eagerly, in TensorFlow's words.
[[noreturn]] void raiseEager(Error error, const std::string& op, const std::string& name);
/// RuntimeError for ops that only a feed gives a value.
void refusePlaceholder(const std::string& op);
/// Runs a prepared op and records it if a tape does. `name` is for errors only.
std::vector<py::object> runEager(GraphCore& g, const std::shared_ptr<EagerOp>& op, const std::vector<EagerValue*>& inputs, const std::string& name);

}  // namespace weft::python
