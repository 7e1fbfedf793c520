#include <charconv>

#include "weft/provenance.h"

namespace weft {

Result<Element> parseElement(const std::string& text) {
  Element out;
  const size_t bracket = text.find('[');
  out.tensor = text.substr(0, bracket);
  while (!out.tensor.empty() && out.tensor.back() == ' ') out.tensor.pop_back();
  if (out.tensor.empty()) return invalidArgument("\"", text, "\" names no tensor; expected one such as fc1/MatMul:0[2,7]");
  if (bracket == std::string::npos) return out;
  if (text.back() != ']') return invalidArgument("\"", text, "\" does not end with ]; expected an element such as [2,7]");
  const char *at = text.data() + bracket + 1, *const end = text.data() + text.size() - 1;
  while (at < end && *at == ' ') ++at;
  while (at < end) {
    int64_t position = 0;
    const auto [next, problem] = std::from_chars(at, end, position);
    if (problem != std::errc() || position < 0)
      return invalidArgument("\"", std::string(at, end), "\" in \"", text, "\" is no position; expected whole numbers from 0, such as [2,7]");
    out.index.push_back(position);
    at = next;
    while (at < end && *at == ' ') ++at;
    if (at == end) break;
    if (*at != ',') return invalidArgument("\"", std::string(at, end), "\" in \"", text, "\": expected a comma between positions");
    ++at;
    while (at < end && *at == ' ') ++at;
  }
  return out;
}

std::string elementText(const Element& element) {
  std::string out = element.tensor;
  if (element.index.empty()) return out;
  out += '[';
  for (size_t i = 0; i < element.index.size(); ++i) out += concat(i ? "," : "", element.index[i]);
  return out + ']';
}

}  // namespace weft
