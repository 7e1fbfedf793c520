#include "cli/feeds.h"

#include <nlohmann/json.hpp>

#include "support/tensor_json.h"
#include "weft/arrays.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Flattens a nested list; all parts of one depth must be of one length.
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

Result<Tensor> parseValue(const std::string& text, DType dtype) {
  if (text.ends_with(".npy")) return loadNpy(text);
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() && dtype == DType::String) json = text;
  if (json.is_discarded() && (text == "nan" || text == "NaN")) json = "NaN";
  if (json.is_discarded()) return invalidArgument("'", text, "' is no ", dtypeName(dtype), " value");
  std::vector<int64_t> dims;
  Json flat = Json::array();
  bool first = true;
  WEFT_TRY(flatten(json, 0, dims, flat, first));
  return app::tensorFromJson({{"dtype", dtypeName(dtype)}, {"shape", dims}, {"data", flat}}, "");
}

}  // namespace

Result<std::vector<std::pair<std::string, Tensor>>> parseFeeds(const std::vector<std::string>& words, const Graph& graph) {
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos && word.ends_with(".npz")) {
      WEFT_LET(const auto arrays, loadNpz(word));
      for (const auto& [name, value] : arrays) feeds.emplace_back(name.find(':') == std::string::npos ? name + ":0" : name, value);
      continue;
    }
    if (equals == std::string::npos) return invalidArgument("--feed ", word, ": expected TENSOR=VALUE, TENSOR=FILE.npy or FILE.npz");
    std::string tensor = word.substr(0, equals);
    if (tensor.find(':') == std::string::npos) tensor += ":0";
    WEFT_LET(const Output output, graph.findOutput(tensor));
    auto value = parseValue(word.substr(equals + 1), baseType(graph.dtype(output)));
    if (!value.ok()) return value.error().code == Code::InvalidArgument && value.error().file.empty()
                                ? Error(invalidArgument("--feed ", tensor, ": ", value.error().message))
                                : value.error();
    feeds.emplace_back(tensor, std::move(*value));
  }
  return feeds;
}

}  // namespace weft::cli
