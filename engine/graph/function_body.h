#pragma once

#include "graph/attr_proto.h"
#include "graph/function_library.h"

namespace weft {

/// Makes the graph of a function: attributes bound, inputs named as graphs name them (functions say `node:output:index`, graphs
/// `node:index`).
Status buildFunctionBody(const tensorflow::FunctionDef& def, const AttrMap& attrs, std::shared_ptr<const FunctionLibrary> library, FunctionBody& body);

}  // namespace weft
