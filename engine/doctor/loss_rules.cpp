// Rules on losses: what they compare, which sign and which shape that has, and what never reaches them.
#include <algorithm>
#include <string_view>

#include "doctor/network.h"

namespace weft::doctor {
namespace {

const Shape* shapeOf(const Network& net, Output o) {
  const Shape& s = net.graph().shape(o);
  return s.hasRank() ? &s : nullptr;
}

/// Shapes [N] and [N, 1], which broadcast to [N, N].
bool crossesRows(const Shape& flat, const Shape& column) {
  return flat.rank() == 1 && column.rank() == 2 && column.dim(1) == 1 && flat.dim(0) == column.dim(0) && flat.dim(0) != 1;
}

/// Where a tensor comes from, seen through slices and new orders too.
const Node* begin(const Network& net, Output o) {
  const Node* n = net.origin(o);
  for (int steps = 0; steps < 64 && isKind(n, {OpKind::Slice, OpKind::NewOrder, OpKind::NewShape}) && !n->inputs.empty(); ++steps) n = net.origin(n->inputs[0]);
  return n;
}

/// Predictions of shape [N, 1] beside targets of shape [N], in losses and in accuracies.
void broadcasts(const Network& net, std::vector<DoctorFinding>& out) {
  const Graph& g = net.graph();
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n || n->inputs.size() != 2) continue;
    const bool compares = net.isForward(id) && isKind(n, {OpKind::Subtraction, OpKind::SquaredDifference, OpKind::Product}),
               tells = !net.isForward(id) && isKind(n, {OpKind::Equality});
    if (!compares && !tells) continue;
    const Shape *a = shapeOf(net, n->inputs[0]), *b = shapeOf(net, n->inputs[1]);
    if (!a || !b || (!crossesRows(*a, *b) && !crossesRows(*b, *a))) continue;
    const Node *first = begin(net, n->inputs[0]), *second = begin(net, n->inputs[1]);
    // Pairs of rows of one tensor are compared on purpose.
    // The losses of rows, as of a policy, weighted by a column.
    const auto ofRows = [&](const Node* from, const Shape& shape) { return from && shape.rank() == 1 && roleOf(*from) == OpRole::SoftmaxLoss; };
    const bool data = net.hasData(n->inputs[0].node) && net.hasData(n->inputs[1].node);
    const bool weighted = compares && isKind(n, {OpKind::Product}) && (ofRows(first, *a) || ofRows(second, *b));
    const bool apart = compares ? data && (weighted || net.learns(n->inputs[0].node) != net.learns(n->inputs[1].node))
                                : first && second && first != second && isFeedPoint(*first) != isFeedPoint(*second);
    if (apart) out.push_back(finding("rows-broadcast", n->name, {n->name, a->toString(), b->toString()}));
  }
}

/// A cross entropy or softmax over one value, whatever reshapes come before it.
void singleClasses(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    const OpRole r = roleOf(n);
    if ((r != OpRole::SoftmaxLoss && r != OpRole::Softmax) || n.inputs.empty()) continue;
    Output o = n.inputs[0];
    for (int steps = 0; steps < 16; ++steps) {
      const Shape* s = shapeOf(net, o);
      const int64_t width = s && s->rank() > 0 ? s->dim(s->rank() - 1) : -1;
      const Node& from = *net.graph().node(o.node);
      if (width < 0 && roleOf(from) == OpRole::Reshape && !from.inputs.empty()) {
        o = from.inputs[0];
        continue;
      }
      if (width != 1) break;
      // The loss of known shape has been looked at with its layer.
      if (r == OpRole::Softmax) out.push_back(finding("softmax-of-one", n.name, {n.name}));
      else if (steps > 0) out.push_back(finding("loss-fits-not", n.name, {n.name, "1"}));
      break;
    }
  }
}

/// Pictures or sequences whose axes were to be exchanged, by a reshape.
void reshapes(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (kindOf(n) != OpKind::NewShape || !net.hasData(id)) continue;
    const Shape *from = shapeOf(net, n.inputs[0]), *to = shapeOf(net, {id, 0});
    if (!from || !to || from->rank() != to->rank() || from->rank() < 3 || from->dim(0) != to->dim(0)) continue;
    std::vector<int64_t> a, b;
    bool known = true;
    for (int d = 1; d < from->rank(); ++d) {
      known = known && from->dim(d) > 0 && to->dim(d) > 0;
      if (from->dim(d) != 1) a.push_back(from->dim(d));
      if (to->dim(d) != 1) b.push_back(to->dim(d));
    }
    if (!known || a == b) continue;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (a == b) out.push_back(finding("reshape-not-transpose", n.name, {n.name, from->toString(), to->toString()}));
  }
}

/// The logarithm's input without what keeps it from 0.
const Node* withoutGuard(const Network& net, Output o) {
  for (int steps = 0; steps < 8; ++steps) {
    const Node* n = net.origin(o);
    if (!n) return nullptr;
    const bool guards = (roleOf(*n) == OpRole::Sum && n->inputs.size() == 2) || isKind(n, {OpKind::Limit});
    if (!guards) return n;
    const size_t at = net.learns(n->inputs[0].node) ? 0 : 1;
    if (at >= n->inputs.size() || !net.learns(n->inputs[at].node)) return nullptr;
    o = n->inputs[at];
  }
  return nullptr;
}

/// A cross entropy that is written out, and is made smaller by making the labels less likely.
void signs(const Network& net, std::vector<DoctorFinding>& out) {
  const auto loss = net.graph().findOutput(net.settings() ? net.settings()->loss : std::string());
  if (!loss.ok()) return;
  struct Way {
    Output at;
    int sign;
    int labels;  // by which it was multiplied
  };
  std::vector<Way> queue{{*loss, 1, 0}};
  for (size_t i = 0; i < queue.size() && i < 1000; ++i) {
    const auto [at, sign, labels] = queue[i];
    const Node* n = net.origin(at);
    if (!n || n->inputs.empty() || !net.learns(n->id)) continue;
    const OpKind kind = kindOf(*n);
    if (kind == OpKind::Mean || kind == OpKind::Sum) queue.push_back({n->inputs[0], sign, labels});
    else if (roleOf(*n) == OpRole::Sum)
      for (const Output o : n->inputs) queue.push_back({o, sign, labels});
    else if (kind == OpKind::Negation) queue.push_back({n->inputs[0], -sign, labels});
    else if (kind == OpKind::Subtraction) {
      queue.push_back({n->inputs[0], sign, labels});
      queue.push_back({n->inputs[1], -sign, labels});
    } else if (kind == OpKind::Product) {
      for (size_t k = 0; k < 2; ++k) {
        const Output factor = n->inputs[1 - k];
        if (!net.learns(n->inputs[k].node) || net.learns(factor.node)) continue;
        if (const auto v = net.scalar(factor)) queue.push_back({n->inputs[k], *v < 0 ? -sign : sign, labels});
        else if (const Node* given = net.origin(factor);
                 given && (isFeedPoint(*given) || kindOf(*given) == OpKind::OneHot || roleOf(*given) == OpRole::IteratorGetNext))
          queue.push_back({n->inputs[k], sign, labels + 1});
      }
    } else if (sign > 0 && labels == 1 && (kind == OpKind::Logarithm || roleOf(*n) == OpRole::LogSoftmax)) {
      const Node* from = kind == OpKind::Logarithm ? withoutGuard(net, n->inputs[0]) : n;
      if (from && (roleOf(*from) == OpRole::Softmax || roleOf(*from) == OpRole::Sigmoid || from == n))
        out.push_back(finding("loss-sign", n->name, {net.nodeOf(*loss)->name, n->name}));
    }
  }
}

/// The binary cross entropy of a softmax over several classes: it has the logarithms of 1 - p.
void classesAlone(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (!isKind(&n, {OpKind::Logarithm})) continue;
    const Node* rest = withoutGuard(net, n.inputs[0]);
    if (!isKind(rest, {OpKind::Subtraction}) || net.scalar(rest->inputs[0]).value_or(0) != 1) continue;
    const Node* p = withoutGuard(net, rest->inputs[1]);
    const Shape* s = p && roleOf(*p) == OpRole::Softmax ? shapeOf(net, {p->id, 0}) : nullptr;
    if (s && s->rank() > 0 && s->dim(s->rank() - 1) > 2) return out.push_back(finding("classes-as-yes-no", n.name, {n.name, p->name}));
  }
}

/// Weight decay that was asked for, and that no loss has.
void penalties(const Network& net, std::vector<DoctorFinding>& out) {
  const auto collection = net.meta().collections.find("regularization_losses");
  if (collection == net.meta().collections.end() || net.forward().empty()) return;
  std::vector<const Node*> missing;
  for (const std::string& name : collection->second.nodes) {
    const Node* n = net.graph().find(name.substr(0, name.find(':')));
    if (!n) continue;
    if (net.isForward(n->id)) return;
    // Of the variables that this loss trains.
    std::vector<int> queue{n->id};
    std::set<int> seen;
    bool own = false;
    while (!queue.empty() && !own) {
      const Node* from = net.graph().node(queue.back());
      queue.pop_back();
      if (!from || !seen.insert(from->id).second) continue;
      own = isVariable(*from) && net.isForward(from->id) && net.trainable().contains(from->name);
      for (const Output o : from->inputs) queue.push_back(o.node);
    }
    if (own) missing.push_back(n);
  }
  if (!missing.empty()) out.push_back(finding("penalty-not-added", missing[0]->name, {missing[0]->name, number(double(missing.size()))}));
}

/// A part of a name that TensorFlow gives to what clips.
bool isClipping(const std::string& name) {
  for (const std::string_view scope : {"clip_by_global_norm", "clip_by_value", "clip_by_norm", "clip_by_average_norm"}) {
    for (size_t at = name.find(scope); at != name.npos; at = name.find(scope, at + 1)) {
      size_t end = at + scope.size();
      if (end < name.size() && name[end] == '_')
        while (++end < name.size() && name[end] >= '0' && name[end] <= '9') {
        }
      if ((at == 0 || name[at - 1] == '/') && (end == name.size() || name[end] == '/')) return true;
    }
  }
  return false;
}

/// Gradients are clipped, but those before it are applied.
void clippings(const Network& net, std::vector<DoctorFinding>& out) {
  const Graph& g = net.graph();
  const Node* unused = nullptr;
  std::vector<char> seen(size_t(g.size()), 0);
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n || net.isForward(id) || !isClipping(n->name)) continue;
    const bool ofGradient = std::any_of(n->inputs.begin(), n->inputs.end(), [&](Output o) {
      const Node* from = g.node(o.node);
      return !isClipping(from->name) && !isVariable(*from) && (from->name.starts_with("gradients") || from->name.find("/gradients") != from->name.npos);
    });
    if (!ofGradient) continue;
    std::vector<int> queue{id};
    while (!queue.empty()) {
      const Node* m = g.node(queue.back());
      queue.pop_back();
      if (changesVariable(roleOf(*m))) return;  // clipped gradients are used
      if (std::exchange(seen[size_t(m->id)], 1)) continue;
      queue.insert(queue.end(), net.readers(m->id).begin(), net.readers(m->id).end());
    }
    if (!unused) unused = n;
  }
  const bool trains = std::any_of(net.trained().begin(), net.trained().end(), [&](int id) { return roleOf(*g.node(id)) == OpRole::ApplyGradient; });
  if (unused && trains) out.push_back(finding("clip-not-applied", unused->name, {unused->name}));
}

/// Accuracies of the best row of each class, not of the best class of each row.
void bestRows(const Network& net, std::vector<DoctorFinding>& out) {
  const Graph& g = net.graph();
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!isKind(n, {OpKind::Equality}) || n->inputs.size() != 2) continue;
    for (const Output o : n->inputs) {
      const Node* best = net.origin(o);
      if (!best || roleOf(*best) != OpRole::ArgMax || best->inputs.size() < 2) continue;
      const Shape* s = shapeOf(net, best->inputs[0]);
      const auto axis = net.scalar(best->inputs[1]);
      if (axis && s && s->rank() == 2 && s->dim(1) == 1 && (*axis == 1 || *axis == -1)) {
        out.push_back(finding("best-of-one", best->name, {best->name, s->toString()}));
        break;
      }
      // With the classes in the first dim, the second one is open.
      if (!axis || *axis != 0 || !s || s->rank() != 2 || s->dim(0) >= 0 || s->dim(1) < 2) continue;
      out.push_back(finding("best-row-not-class", best->name, {best->name, s->toString()}));
      break;
    }
  }
}

/// The input at which the gradient of an op is infinite or not defined, if that is 0.
std::optional<Output> fragileInput(const Node& n) {
  if (isKind(&n, {OpKind::Logarithm, OpKind::Root, OpKind::InverseRoot, OpKind::Reciprocal})) return n.inputs[0];
  if (isKind(&n, {OpKind::Quotient}) && n.inputs.size() == 2) return n.inputs[1];
  return std::nullopt;
}

void fragile(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (isKind(&n, {OpKind::Choice}) && n.inputs.size() == 3) {
      const Node* condition = net.origin(n.inputs[0]);
      for (size_t k = 1; k < 3 && condition; ++k) {
        const Node* branch = net.origin(n.inputs[k]);
        const auto at = branch && net.learns(branch->id) ? fragileInput(*branch) : std::nullopt;
        if (!at || std::find(condition->inputs.begin(), condition->inputs.end(), *at) == condition->inputs.end()) continue;
        out.push_back(finding("where-guards-value", n.name, {n.name, branch->name}));
        break;
      }
    }
    if (kindOf(n) == OpKind::Root && net.learns(id)) {
      const Node* sum = net.origin(n.inputs[0]);
      const Node* square = sum && kindOf(*sum) == OpKind::Sum && !sum->inputs.empty() ? net.origin(sum->inputs[0]) : nullptr;
      if (isKind(square, {OpKind::Square, OpKind::Difference, OpKind::SquaredDifference})) out.push_back(finding("root-of-zero", n.name, {n.name, sum->name}));
    }
  }
}

}  // namespace

std::optional<std::pair<std::string, std::string>> fragileOp(const Network& net) {
  std::vector<DoctorFinding> found;
  fragile(net, found);
  if (found.empty()) return std::nullopt;
  return std::pair(found[0].words[0], found[0].words[1]);
}

void readLosses(const Network& net, std::vector<DoctorFinding>& out) {
  broadcasts(net, out);
  singleClasses(net, out);
  reshapes(net, out);
  signs(net, out);
  classesAlone(net, out);
  penalties(net, out);
  clippings(net, out);
  bestRows(net, out);
  fragile(net, out);
}

}  // namespace weft::doctor
