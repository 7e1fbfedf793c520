// Problems as text and JSON.
#include <nlohmann/json.hpp>

#include "weft/graph_problems.h"

namespace weft {

std::string ProblemText::toString() const {
  std::string out = doctorText(text, words);
  if (count < 0) return out;
  const auto put = [&](std::string_view what, const std::string& with) {
    for (size_t at = out.find(what); at != out.npos; at = out.find(what, at + with.size())) out.replace(at, what.size(), with);
  };
  put("%n", std::to_string(count));
  put("(s)", count == 1 ? "" : "s");
  return out;
}

std::string GraphProblem::message() const {
  std::string out = text.toString();
  for (const Point& p : points) out += concat("\n", p.mark == Point::Mark::Holds ? "✓ " : p.mark == Point::Mark::Fails ? "– " : "• ", p.text.toString());
  return out;
}

std::string problemReport(const GraphProblem& p) {
  std::string message = p.message();
  for (size_t at = message.find('\n'); at != message.npos; at = message.find('\n', at + 1)) message.insert(at + 1, "    ");
  std::string out = concat(doctorWord(p.weight), ": ", p.node, p.node.empty() ? "" : ": ", message, "\n");
  for (const ProblemFix& f : p.fixes) {
    out += concat("    Fix: ", f.text.toString());
    if (f.shape.hasRank()) out += concat(" → ", f.shape.toString());
    out += concat(": ", f.command.toString(), "\n");
  }
  return out;
}

std::string problemJson(const GraphProblem& p) {
  nlohmann::json fixes = nlohmann::json::array();
  for (const ProblemFix& f : p.fixes) {
    nlohmann::json command = {f.command.action};
    for (const std::string& word : f.command.words) command.push_back(word);
    nlohmann::json fix = {{"text", f.text.toString()}, {"command", std::move(command)}, {"tried", f.tried}};
    if (f.shape.hasRank()) fix["shape"] = f.shape.toVector();
    fixes.push_back(std::move(fix));
  }
  const nlohmann::json out = {{"code", p.code}, {"weight", doctorWord(p.weight)}, {"node", p.node}, {"text", p.message()}, {"fixes", std::move(fixes)}};
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace weft
