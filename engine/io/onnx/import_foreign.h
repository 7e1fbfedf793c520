#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/onnx/tensor_proto.h"
#include "weft/graph.h"

namespace onnx {
class AttributeProto;
class NodeProto;
}  // namespace onnx

namespace weft::onnx_io {

/// The attribute of the call that a function's parameter stands for; null: the call leaves it out.
using ArgumentOf = std::function<const ::onnx::AttributeProto*(const std::string& parameter)>;

/// A node for an op that TensorFlow lacks: op and attributes as in the model, no inputs yet. Its op is never one that TensorFlow has. `lost` gets the attributes
/// that a graph cannot hold (graphs, types, sparse tensors).
Status foreignNode(const ::onnx::NodeProto& from, const ArgumentOf& argument, const TensorReader& reader, Node* out, std::vector<std::string>* lost);

}  // namespace weft::onnx_io
