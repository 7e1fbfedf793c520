#pragma once
#include <string>
#include <utility>
#include <vector>
#include "weft/tensor.h"
namespace weft {
WEFT_API Result<Tensor> loadNpy(const std::string& path);
WEFT_API Status saveNpy(const std::string& path, const Tensor& tensor);
WEFT_API Result<std::vector<std::pair<std::string, Tensor>>> loadNpz(const std::string& path);
WEFT_API Status saveNpz(const std::string& path, const std::vector<std::pair<std::string, Tensor>>& arrays);
}
