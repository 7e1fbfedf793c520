#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

/// Calls the function of a Python program that is kept under `token`. Any thread.
using PythonCaller = std::function<Result<std::vector<Tensor>>(const std::string& token, const std::vector<Tensor>& arguments)>;

/// What PyFunc calls; set by the Python module when it is loaded. Without it, such ops fail: FAILED_PRECONDITION.
WEFT_API void setPythonCaller(PythonCaller caller);

}  // namespace weft
