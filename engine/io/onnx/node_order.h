#pragma once

#include <vector>

#include "proto/onnx.pb.h"

namespace weft::onnx_io {

/// The nodes of a graph, each behind those that it reads. The format asks for this order, but runtimes take any. Nodes in order stay as they are; those
/// of a cycle come last.
std::vector<const ::onnx::NodeProto*> inOrder(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes);

}  // namespace weft::onnx_io
