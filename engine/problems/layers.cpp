// Layers and nodes of a network that is trained: losses, switches, forgotten wires.
#include <algorithm>
#include <set>

#include "problems/search.h"
#include "weft/dataset.h"
#include "weft/op.h"
#include "weft/op_traits.h"
#include "weft/train.h"

namespace weft::problems {
namespace {

/// The number of classes of a built-in data set that is read in a moment; 0: it is another one.
int64_t classesOf(const std::string& builtin) {
  if (builtin != "digits") return 0;
  static const int64_t kDigits = [] {
    DatasetBinding b;
    b.builtin = "digits";
    const auto data = loadDataset(b, {});
    return data.ok() ? int64_t(data->classes.size()) : 0;
  }();
  return kDigits;
}

/// Labels that a data set gives, beside the width of the logits.
void compareClasses(Search& s, const Recipe& loss, int64_t width) {
  const auto bindings = datasetBindingsOf(s.meta);
  if (!bindings.ok()) return;
  for (const DatasetBinding& binding : *bindings) {
    const int64_t classes = binding.placeholders.count(loss.inputs[0]) ? classesOf(binding.builtin) : 0;
    if (classes == 0 || classes == width) continue;
    const std::string number = std::to_string(classes);
    GraphProblem& p = s.add(width < classes ? DoctorWeight::Error : DoctorWeight::Warning, loss.scope, "labels-logits",
                            said(WEFT_TRANSLATED("GraphProblems", "The data have %1 classes, but the logits are %2 wide."), {number, std::to_string(width)}));
    for (const Recipe& source : s.recipes)
      if (source.kind == "layers.dense" && !source.outputs.empty() && source.outputs[0] == loss.inputs[1])
        p.fixes.push_back(
            {said(WEFT_TRANSLATED("GraphProblems", "Set %1 to %2 units"), {source.scope, number}), {"graph.set", {source.scope, "units=" + number}}});
  }
}

ProblemText switchText(bool dropout, bool always) {
  if (dropout)
    return said(always ? WEFT_TRANSLATED("GraphProblems", "It drops values in testing, too: training is always true.")
                       : WEFT_TRANSLATED("GraphProblems", "It never drops values, not even in training: training is not set."));
  return said(
      always ? WEFT_TRANSLATED("GraphProblems", "Testing normalises with the mean of the test batch, not with the moving averages: training is always true.")
             : WEFT_TRANSLATED("GraphProblems", "It normalises with its initial averages, which training never updates: training is not set."));
}

ProblemFix deletes(const std::string& name) { return {said(WEFT_TRANSLATED("GraphProblems", "Delete it")), {"graph.delete", {name}}}; }

}  // namespace

void findWrongLabels(Search& s) {
  for (const Recipe& r : s.recipes) {
    const bool sparse = r.kind == "losses.sparse_softmax_cross_entropy", dense = r.kind == "losses.softmax_cross_entropy";
    if ((!sparse && !dense) || r.inputs.size() < 2) continue;
    const auto labels = s.graph.findOutput(r.inputs[0]), logits = s.graph.findOutput(r.inputs[1]);
    if (!labels.ok() || !logits.ok()) continue;
    const bool failed = std::any_of(s.loaded.problems.begin(), s.loaded.problems.end(), [&](const Error& e) { return e.node == r.scope; });
    const Shape& given = s.graph.shape(*labels);
    if (failed && sparse && given.hasRank() && given.rank() == 2) {
      s.add(DoctorWeight::Error, r.scope, "labels-logits",
            said(WEFT_TRANSLATED("GraphProblems", "The labels are one-hot rows, but this loss expects class indices.")))
          .fixes.push_back(
              {said(WEFT_TRANSLATED("GraphProblems", "Use the loss for one-hot labels")), {"graph.set", {r.scope, "kind=losses.softmax_cross_entropy"}}});
    } else if (dense && given.hasRank() && given.rank() == 1) {
      s.add(DoctorWeight::Error, r.scope, "labels-logits",
            said(WEFT_TRANSLATED("GraphProblems", "The labels are class indices, but this loss expects one-hot rows.")))
          .fixes.push_back(
              {said(WEFT_TRANSLATED("GraphProblems", "Use the loss for class indices")), {"graph.set", {r.scope, "kind=losses.sparse_softmax_cross_entropy"}}});
    }
    if (const Shape& shape = s.graph.shape(*logits); shape.hasRank() && shape.rank() == 2 && shape[1] > 0) compareClasses(s, r, shape[1]);
  }
}

void findFixedSwitches(Search& s) {
  if (!trainingSettingsOf(s.meta).ok()) return;
  for (const Recipe& r : s.recipes) {
    const bool dropout = r.kind == "layers.dropout", norm = r.kind == "layers.batch_normalization";
    const ApiRecord* record = dropout || norm ? ApiRegistry::instance().findLayer(r.kind) : nullptr;
    if (!record) continue;
    const auto inputs = layerInputs(*record);
    const auto port = std::find_if(inputs.begin(), inputs.end(), [](const LayerInput& i) { return i.name == "training_tensor"; });
    const auto at = size_t(port - inputs.begin());
    if (port == inputs.end() || (at < r.inputs.size() && !r.inputs[at].empty())) continue;
    const auto stated = r.parameters.find("training");
    const bool always = stated != r.parameters.end() && stated->second == "true";
    GraphProblem& p = s.add(always ? DoctorWeight::Note : DoctorWeight::Warning, r.scope, "training-switch", switchText(dropout, always));
    s.offer(p, said(WEFT_TRANSLATED("GraphProblems", "Link to training mode")), {"graph.switch-training", {r.scope}}, r.scope);
    if (!always) s.offer(p, said(WEFT_TRANSLATED("GraphProblems", "Set training")), {"graph.set", {r.scope, "training=true"}}, r.scope);
  }
}

void findUnread(Search& s) {
  const auto settings = trainingSettingsOf(s.meta);
  if (!settings.ok()) return;
  std::set<std::string> named{settings->trainOp, settings->initOp};
  const auto tensor = [&](const std::string& t) { named.insert(t.substr(0, t.rfind(':'))); };
  for (const std::string& t : {settings->loss, settings->accuracy, settings->globalStep}) tensor(t);
  for (const auto& [shown, t] : settings->metrics) tensor(t);
  for (const std::string& t : settings->summaries) tensor(t);
  for (const auto& [key, c] : s.meta.collections)
    for (const std::string& t : c.nodes) tensor(t);
  for (int id = 0; id < s.graph.size(); ++id) {
    const Node* n = s.graph.node(id);
    if (!n || n->name.find('/') != std::string::npos || n->outputTypes.empty() || isOpenInput(*n) || !s.readers[size_t(id)].empty() || named.count(n->name))
      continue;
    if (!n->record || n->record->isStateful || isConstant(*n)) continue;
    s.add(DoctorWeight::Note, n->name, "unread", said(WEFT_TRANSLATED("GraphProblems", "This node has no consumers."))).fixes.push_back(deletes(n->name));
  }
  for (const Recipe& r : s.recipes) {
    if (r.trains() || r.outputs.empty() || r.kind.starts_with("losses.") || r.kind.starts_with("metrics.")) continue;
    bool read = false;
    for (const std::string& t : r.outputs) {
      const auto o = s.graph.findOutput(t);
      if (!o.ok() || isOpenInput(*s.graph.node(o->node))) read = true;
      else
        for (const int reader : s.readers[size_t(o->node)]) read |= !s.graph.node(reader)->name.starts_with(r.scope + "/");
      read |= o.ok() && named.count(s.graph.node(o->node)->name) > 0;
    }
    if (!read)
      s.add(DoctorWeight::Note, r.scope, "unread", said(WEFT_TRANSLATED("GraphProblems", "This layer has no consumers."))).fixes.push_back(deletes(r.scope));
  }
}

}  // namespace weft::problems
