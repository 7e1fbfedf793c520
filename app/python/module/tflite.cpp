#include "weft/tflite.h"
#include "module/graph_core.h"
#include "module/interpreter_lock.h"

// TensorFlow Lite models for tf.lite. The interpreter lock is released while a model is read or written.
namespace weft::python {
namespace {

template <typename F>
auto withoutLock(F work) {
  const InterpreterReleased released;
  return work();
}

py::tuple toGraph(const std::string& bytes, const TfliteShapes& inputShapes) {
  std::vector<std::string> warnings;
  const std::string graph = valueOf(withoutLock([&]() -> Result<std::string> {
    WEFT_LET(ImportedModel model, tfliteToGraph(bytes, inputShapes));
    warnings = std::move(model.warnings);
    return model.serialized();
  }));
  return py::make_tuple(py::bytes(graph), warnings);
}

py::bytes fromGraph(const std::string& graph, std::vector<std::string> inputs, std::vector<std::string> outputs) {
  const ModelExport what{std::move(inputs), std::move(outputs)};
  return py::bytes(valueOf(withoutLock([&] { return graphToTflite(graph, what); })));
}

py::dict tensorsOf(const std::string& bytes) {
  const TfliteTensors all = valueOf(withoutLock([&] { return readTfliteTensors(bytes); }));
  py::list tensors;
  for (const TfliteTensor& t : all.tensors) tensors.append(py::make_tuple(t.name, int(t.dtype), t.shape, t.scale, t.zeroPoint, t.axis));
  py::dict out;
  out["tensors"] = tensors;
  out["inputs"] = all.inputs;
  out["outputs"] = all.outputs;
  return out;
}

py::object valueInFile(const std::string& bytes, int tensor) {
  return arrayFromTensor(valueOf(withoutLock([&] { return readTfliteValue(bytes, tensor); })), false);
}

}  // namespace

void bindTflite(py::module_& m) {
  m.def("tflite_to_graph", toGraph, "The meta graph of a TensorFlow Lite model with these shapes of inputs, serialized, and warnings.");
  m.def("graph_to_tflite", fromGraph, "A frozen graph as a TensorFlow Lite model.");
  m.def("tflite_tensors", tensorsOf, "The tensors of a model: name, type, shape, scales, zero points and their axis; and its inputs and outputs.");
  m.def("tflite_value", valueInFile, "The value of a tensor as the model's file has it.");
}

}  // namespace weft::python
