#include <algorithm>

#include "api/training.h"
#include "ops/grad_ops.h"

namespace weft::api {

Result<SaverInfo> addSaver(GraphBuilder& b, int maxToKeep, std::string_view name) {
  std::vector<VariablePtr> variables = variablesIn(b);
  if (variables.empty()) return invalidArgument("No variables to save");
  std::sort(variables.begin(), variables.end(), [](const auto& x, const auto& y) { return x->name < y->name; });
  std::vector<std::string> names;
  std::vector<Output> values;
  std::vector<DType> types;
  for (const VariablePtr& v : variables) {
    names.push_back(v->name);
    values.push_back(v->resource ? v->snapshot : v->handle);
    types.push_back(v->dtype);
  }
  const std::vector<std::string> whole(names.size());
  const py::Scope scope(b, name);
  Output file;
  {
    const py::Scope own(b, "filename");
    file = b.op("PlaceholderWithDefault", {b.constant(Tensor::scalar("model"), "input")}, {{"shape", Shape{}}}, own.name());
  }
  file = b.op("PlaceholderWithDefault", {file}, {{"shape", Shape{}}}, "Const");
  int save = -1;
  {
    const py::Scope own(b, "SaveV2");
    Inputs inputs = {file, b.constant(Tensor::vector(names), "tensor_names"), b.constant(Tensor::vector(whole), "shape_and_slices")};
    inputs.add(values);
    save = b.node("SaveV2", inputs, {{"dtypes", types}}, own.name());
  }
  Output saved;
  {
    const py::Scope own(b, "control_dependency");
    const auto where = b.colocateWith(file.node);
    const auto wait = b.controlDependencies({save});
    saved = b.identity(file, own.name());
  }
  int restore = -1;
  {
    const auto cpu = b.device("/device:CPU:0");
    const py::Scope own(b, "RestoreV2");
    const Output tensorNames = b.constant(Tensor::vector(names), "tensor_names");
    const Output slices = b.constant(Tensor::vector(whole), "shape_and_slices");
    restore = b.node("RestoreV2", {file, tensorNames, slices}, {{"dtypes", types}}, own.name());
  }
  std::vector<int> assigns;
  for (size_t i = 0; i < variables.size(); ++i) {
    const VariablePtr& v = variables[i];
    const Output value{restore, int(i)};
    if (v->resource) {
      assigns.push_back(b.node("AssignVariableOp", {v->handle, b.identity(value)}));
    } else {
      assigns.push_back(b.node("Assign", {v->handle, value}, {{"validate_shape", v->shape.isFullyKnown()}}));
    }
  }
  const int all = b.group(assigns, "restore_all");
  WEFT_TRY(b.status());
  SaverInfo info;
  info.filenameTensor = b.graph().tensorName(file);
  info.saveTensor = b.graph().tensorName(saved);
  info.restoreOp = b.nodeAt(all).name;
  info.maxToKeep = maxToKeep;
  b.meta().saver = info;
  return info;
}

}  // namespace weft::api
