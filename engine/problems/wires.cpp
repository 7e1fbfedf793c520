// Shapes and types that do not fit, unknown ops, layers that cannot be built: what loading and shape inference found.
#include <algorithm>

#include "problems/search.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft::problems {
namespace {

/// The name of the first node whose op the error quotes: 'Op'.
std::string firstOf(const Graph& graph, const Error& e) {
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id); n && !n->record && !n->op.empty() && e.message.find("'" + n->op + "'") != std::string::npos) return n->name;
  return {};
}

/// Offers conversions of the tensor at `place`.
void offerReshapes(Search& s, GraphProblem& p, const std::string& place, const Shape& shape) {
  for (const WireOffer& o : shapeOffers(shape)) {
    GraphCommand command{"graph.insert", {place, o.type}};
    command.words.insert(command.words.end(), o.settings.begin(), o.settings.end());
    s.offer(p, o.text, std::move(command), p.node);
  }
}

/// For a loss whose labels and logits differ in width, offers as many units as the labels have columns, because no reshape can help. Returns whether this is
/// the case.
bool offerUnits(Search& s, GraphProblem& p, const Recipe& loss) {
  if (!loss.kind.starts_with("losses.") || loss.inputs.size() < 2) return false;
  const auto labels = s.graph.findOutput(loss.inputs[0]), logits = s.graph.findOutput(loss.inputs[1]);
  if (!labels.ok() || !logits.ok()) return false;
  const Shape &wanted = s.graph.shape(*labels), &given = s.graph.shape(*logits);
  if (!wanted.hasRank() || !given.hasRank() || wanted.rank() != 2 || given.rank() != 2) return false;
  if (wanted[1] <= 0 || given[1] <= 0 || wanted[1] == given[1]) return false;
  const std::string units = std::to_string(wanted[1]);
  for (const Recipe& source : s.recipes)
    if (source.kind == "layers.dense" && !source.outputs.empty() && source.outputs[0] == loss.inputs[1])
      s.offer(p, said(WEFT_TRANSLATED("GraphProblems", "Give %1 %2 units"), {source.scope, units}), {"graph.set", {source.scope, "units=" + units}},
              loss.scope);
  return true;
}

void layerMisfit(Search& s, const Error& e, const Recipe& r) {
  GraphProblem& p = s.add(DoctorWeight::Error, e.node, "layer", {"", "%1", {e.message}});
  p.sources = r.inputs;
  if (offerUnits(s, p, r)) return;
  for (size_t i = 0; i < r.inputs.size(); ++i)
    if (const auto o = s.graph.findOutput(r.inputs[i]); o.ok()) offerReshapes(s, p, concat(e.node, ":", i), s.graph.shape(*o));
}

void nodeMisfit(Search& s, const Error& e) {
  GraphProblem& p = s.add(DoctorWeight::Error, e.node, "shape", {"", "%1", {e.message}});
  const Node* n = s.graph.find(e.node);
  if (!n) return;
  for (const Output o : n->inputs) p.sources.push_back(s.graph.tensorName(o));
  if (!n->record) return;
  for (const char* flag : {"transpose_b", "transpose_a", "adj_y", "adj_x"}) {
    if (!n->record->findAttr(flag)) continue;
    const char* value = n->attrs.flag(flag) ? "false" : "true";
    s.offer(p, said(WEFT_TRANSLATED("GraphProblems", "Set %1 to %2"), {flag, value}), {"graph.set", {e.node, concat(flag, "=", value)}}, e.node);
  }
  for (size_t i = 0; i < n->inputs.size(); ++i) {
    const Node* from = s.graph.node(n->inputs[i].node);
    if (from && !isConstant(*from) && !isOpenInput(*from)) offerReshapes(s, p, concat(e.node, ":", i), s.graph.shape(n->inputs[i]));
  }
  if (n->record->findAttr("padding") && n->attrs.text("padding") == "VALID")
    s.offer(p, said(WEFT_TRANSLATED("GraphProblems", "Set padding to SAME")), {"graph.set", {e.node, "padding=SAME"}}, e.node);
}

}  // namespace

void findMisfits(Search& s, const Error& e) {
  if (isDefect(e)) return;  // reported by findDefects()
  if (e.kind == "expression") {
    s.add(DoctorWeight::Warning, e.node, "expression", {"", "%1", {e.message}});
    return;
  }
  if (e.kind == "unknown_op" || e.node.empty()) {
    const bool run = e.code == Code::NotFound || e.code == Code::Unimplemented;
    const bool unknown = e.kind == "unknown_op";
    s.add(run ? DoctorWeight::Warning : DoctorWeight::Error, unknown ? firstOf(s.graph, e) : e.node, unknown ? "unknown-op" : "graph", {"", "%1", {e.message}});
    return;
  }
  if (const Recipe* r = s.layer(e.node)) layerMisfit(s, e, *r);
  else nodeMisfit(s, e);
}

}  // namespace weft::problems
