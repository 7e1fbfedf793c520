// What readers and writers of other frameworks' models share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/error.h"
#include "weft/graph.h"
#include "weft/model_import.h"
#include "weft/tensor.h"

namespace weft {

/// The tensor with its dimensions in another order: dimension `d` of the result is dimension `order[d]` of `t`. RESOURCE_EXHAUSTED if there is no memory for it.
/// REQUIRES: elements of a fixed size; `order` names each dimension once.
Result<Tensor> permuted(const Tensor& t, const std::vector<int64_t>& order);

/// `text` as the name of a node: runs of characters that names cannot have become one '_', and slashes separate non-empty parts. `otherwise` if nothing is left.
std::string nodeNameFrom(std::string_view text, const std::string& otherwise);

/// The tensor that somebody names as an end of a model: "x:0", or "x" for the first output of that node.
Result<Output> endOfModel(const Graph& graph, const std::string& tensor);

/// Tensors of a signature by its names.
using NamedOutputs = std::vector<std::pair<std::string, Output>>;

/// The graph as a model to serve, with the signature `serving_default`; of names that occur twice, the later ones get a number.
ImportedModel servedModel(MetaGraph meta, const NamedOutputs& inputs, const NamedOutputs& outputs, std::vector<std::string> warnings);

}  // namespace weft
