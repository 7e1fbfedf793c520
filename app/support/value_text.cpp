#include "support/value_text.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "support/tensor_json.h"
#include "weft/arrays.h"
#include "weft/file_kinds.h"

namespace weft::app {
namespace {

using Json = nlohmann::ordered_json;

/// Flattens a nested list; all lists at one depth must have the same length.
Status flatten(const Json& value, size_t depth, std::vector<int64_t>& dims, Json& flat, bool& first) {
  if (!value.is_array()) {
    if (depth != dims.size()) return invalidArgument("lists of different depth");
    flat.push_back(value);
    first = false;
    return {};
  }
  if (depth == dims.size()) {
    if (!first) return invalidArgument("lists of different depth");
    dims.push_back(int64_t(value.size()));
  }
  if (dims[depth] != int64_t(value.size())) return invalidArgument("lists of different length (", dims[depth], " and ", value.size(), ")");
  for (const Json& part : value) WEFT_TRY(flatten(part, depth + 1, dims, flat, first));
  return {};
}

/// Quotes non-finite values, which JSON lacks: [1,NaN,-inf] becomes [1,"NaN","-Infinity"].
std::string quoted(const std::string& text) {
  static const std::regex nan("\\bnan\\b", std::regex::icase), infinity("(-?)\\binf(inity)?\\b", std::regex::icase);
  return std::regex_replace(std::regex_replace(text, nan, "\"NaN\""), infinity, "\"$1Infinity\"");
}

/// The kind of the file with that name, if its ending is one of files with arrays and it exists; null otherwise.
const FileKind* fileOfArrays(const std::string& text) {
  std::string low = text;
  std::transform(low.begin(), low.end(), low.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  for (const FileKind* kind : fileKinds()) {
    if (!kind->hasArrays) continue;
    std::istringstream endings(kind->endings);
    for (std::string ending; endings >> ending;) {
      if (!low.ends_with(ending) || !posixFileSystem().exists(text)) continue;
      const FileKind* found = fileKindOf(text);
      return found && found->hasArrays ? found : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

Result<Tensor> tensorFromWord(const std::string& text, DType dtype) {
  // A file with one array: .npy, a picture, a sound. For a text, its name is the value.
  if (const FileKind* kind = dtype == DType::String ? nullptr : fileOfArrays(text)) {
    WEFT_LET(auto arrays, readArrays(text));
    if (arrays.size() != 1) return invalidArgument("expected a file with one array; this ", kind->name, " has ", arrays.size()).inFile(text);
    return std::move(arrays[0].second);
  }
  if (text.ends_with(".npy")) return loadNpy(text);  // says why it cannot be read
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() && dtype == DType::String) json = text;
  if (json.is_discarded()) json = Json::parse(quoted(text), nullptr, false);
  if (json.is_discarded()) return invalidArgument("'", text, "' is no ", dtypeName(dtype), " value");
  std::vector<int64_t> dims;
  Json flat = Json::array();
  bool first = true;
  WEFT_TRY(flatten(json, 0, dims, flat, first));
  return tensorFromJson({{"dtype", dtypeName(dtype)}, {"shape", dims}, {"data", flat}}, "");
}

Result<Tensor> tensorFromWord(const std::string& text, DType dtype, const Shape& shape) {
  WEFT_LET(Tensor value, tensorFromWord(text, dtype));
  if (shape.compatibleWith(value.shape())) return value;
  if (value.rank() != 0 || !shape.isFullyKnown() || sizeOf(dtype) == 0)
    return invalidArgument("'", text.substr(0, 60), "' has shape ", value.shape().toString(), ", expected ", shape.toString());
  WEFT_LET(Tensor filled, Tensor::allocate(dtype, shape));
  const size_t size = sizeOf(dtype);
  char* out = static_cast<char*>(filled.mutableRaw());
  for (int64_t i = 0; i < filled.elements(); ++i) std::memcpy(out + size_t(i) * size, value.raw(), size);
  return filled;
}

}  // namespace weft::app
