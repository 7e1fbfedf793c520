#include "cli/feeds.h"

#include "support/value_text.h"
#include "weft/arrays.h"

namespace weft::cli {
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
    auto value = app::tensorFromWord(word.substr(equals + 1), baseType(graph.dtype(output)));
    if (!value.ok())
      return value.error().code == Code::InvalidArgument && value.error().file.empty() ? Error(invalidArgument("--feed ", tensor, ": ", value.error().message))
                                                                                       : value.error();
    feeds.emplace_back(tensor, std::move(*value));
  }
  return feeds;
}

}  // namespace weft::cli
