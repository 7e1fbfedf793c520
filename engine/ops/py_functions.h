#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

/// Calls the Python function registered under `token`. Thread-safe.
using PythonCaller = std::function<Result<std::vector<Tensor>>(const std::string& token, const std::vector<Tensor>& arguments)>;

/// The implementation of PyFunc; set by the Python module when it is loaded. Without it, such ops fail with FAILED_PRECONDITION.
WEFT_API void setPythonCaller(PythonCaller caller);

}  // namespace weft
