#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft::app {

/// A tensor as `{"dtype", "shape", "data"}`: flat row-major data; floats with enough digits to restore their bits, "NaN", "Infinity" and "-Infinity" as text,
/// complex as [re, im], strings as text if they are printable UTF-8, else {"b64": …}. Elements of resource and variant tensors are null.
nlohmann::ordered_json tensorToJson(const Tensor& tensor);

/// Reads that format. `{"npy": "file.npy"}` is read from `folder`. INVALID_ARGUMENT says what is wrong with the JSON.
Result<Tensor> tensorFromJson(const nlohmann::ordered_json& json, const std::string& folder);

/// Base64 (RFC 4648) with padding.
std::string base64Encode(std::string_view bytes);
Result<std::string> base64Decode(std::string_view text);

/// Whether `text` is valid UTF-8 without control characters, and so is stored as plain text in JSON.
bool isPrintableUtf8(std::string_view text);

}  // namespace weft::app
