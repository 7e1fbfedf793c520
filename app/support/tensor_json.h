#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft::app {

/// A tensor as `{"dtype", "shape", "data"}`: flat row-major data; floats with as many digits as bring the same bits back, "NaN",
/// "Infinity" and "-Infinity" as text, complex as [re, im], strings as text if they are printable UTF-8, else {"b64": …}.
/// Resource and variant tensors have elements null.
nlohmann::ordered_json tensorToJson(const Tensor& tensor);

/// Reads the same form. `{"npy": "file.npy"}` is read from `folder`. INVALID_ARGUMENT says what is wrong with the JSON.
Result<Tensor> tensorFromJson(const nlohmann::ordered_json& json, const std::string& folder);

/// Base64 (RFC 4648) with padding.
std::string base64Encode(std::string_view bytes);
Result<std::string> base64Decode(std::string_view text);

/// Whether `text` is valid UTF-8 without control characters: what stands as plain text in the JSON of a string tensor.
bool isPrintableUtf8(std::string_view text);

}  // namespace weft::app
