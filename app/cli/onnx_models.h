#pragma once

#include <span>
#include <string>

#include "weft/onnx.h"

namespace weft::cli {

/// Reads an ONNX model as a graph; its warnings go to standard error.
Result<ImportedModel> importOnnx(const std::string& path);

/// Writes a frozen graph as an ONNX model. `inputs` and `outputs` are tensors; a name alone means its first output.
Status exportOnnx(const std::string& from, const std::string& to, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, int opset);

}  // namespace weft::cli
