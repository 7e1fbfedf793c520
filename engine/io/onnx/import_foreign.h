#pragma once

#include <string>
#include <vector>

#include "io/onnx/tensor_proto.h"
#include "weft/graph.h"

namespace onnx {
class NodeProto;
}

namespace weft::onnx_io {

/// A node for an op that TensorFlow lacks: op and attributes as in the model, no inputs yet. Its op is never one that TensorFlow has. `lost` gets the attributes
/// that a graph cannot hold (graphs, types, sparse tensors).
Status foreignNode(const ::onnx::NodeProto& from, const TensorReader& reader, Node* out, std::vector<std::string>* lost);

}  // namespace weft::onnx_io
