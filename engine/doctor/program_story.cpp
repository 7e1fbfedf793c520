// Rules on what a program's sessions run, and in which order.
#include "doctor/program_story.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "weft/op.h"

namespace weft::doctor {
namespace {

constexpr int kMostGrowths = 5;     // kinds of runs, after the first training step, before which the graph had grown
constexpr int kMostRemade = 2;      // optimizers for one loss
constexpr int64_t kManyScores = 5;  // runs of the network

/// The node that a variable's value is computed from, seen through what passes it on.
bool comesFrom(const Graph& g, Output o, OpRole role) {
  std::vector<int> queue{o.node};
  std::set<int> seen;
  while (!queue.empty() && seen.size() < 64) {
    const Node* n = g.node(queue.back());
    queue.pop_back();
    if (!n || isVariable(*n) || !seen.insert(n->id).second) continue;
    if (roleOf(*n) == role) return true;
    for (const Output from : n->inputs) queue.push_back(from.node);
  }
  return false;
}

const Node* behindPasses(const Graph& g, Output o) {
  for (int steps = 0; steps < 64; ++steps) {
    const Node* n = g.node(o.node);
    if (!n || n->inputs.empty()) return n;
    const OpRole r = roleOf(*n);
    if (r != OpRole::Identity && r != OpRole::Reshape && r != OpRole::Cast && r != OpRole::Copy) return n;
    o = n->inputs[0];
  }
  return nullptr;
}

/// The number that all elements of a tensor have.
std::optional<double> sameNumber(const Graph& g, Output o) {
  const Node* n = behindPasses(g, o);
  if (!n) return std::nullopt;
  if (kindOf(*n) == OpKind::Ones) return 1;
  if (kindOf(*n) == OpKind::Zeros) return 0;
  if (roleOf(*n) == OpRole::Fill && n->inputs.size() == 2) return sameNumber(g, n->inputs[1]);
  if (kindOf(*n) == OpKind::Product && n->inputs.size() == 2) {
    const auto a = sameNumber(g, n->inputs[0]), b = sameNumber(g, n->inputs[1]);
    return a && b ? std::optional(*a * *b) : std::nullopt;
  }
  const Attr* value = isConstant(*n) ? n->attrs.find("value") : nullptr;
  const Tensor* t = value ? value->get<Tensor>() : nullptr;
  if (!t || t->elements() == 0 || !isNumeric(t->dtype())) return std::nullopt;
  for (int64_t i = 1; i < t->elements(); ++i)
    if (t->asDouble(i) != t->asDouble(0)) return std::nullopt;
  return t->asDouble(0);
}

/// Whether steps update the moving averages of normalizations, so that tests were meant to use them.
bool averagesMove(const MetaGraph& meta, const std::vector<char>& computed) {
  const auto updates = meta.collections.find("update_ops");
  return updates != meta.collections.end() && std::any_of(updates->second.nodes.begin(), updates->second.nodes.end(), [&](const std::string& name) {
           const Node* n = meta.graph.find(name.substr(0, name.find(':')));
           return n && computed[size_t(n->id)];
         });
}

}  // namespace

RunKind runKindOf(const MetaGraph& meta, const ProgramRun& run, const std::vector<char>& computed, const std::set<std::string>& trainable, bool trains) {
  const Graph& g = meta.graph;
  RunKind out;
  out.trains = trains;
  std::set<Output> fed, used;
  for (const std::string& name : run.feeds)
    if (const auto o = g.findOutput(name); o.ok()) fed.insert(*o);
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = computed[size_t(id)] ? g.node(id) : nullptr;
    if (!n) continue;
    for (const Output o : n->inputs)
      if (fed.contains(o)) used.insert(o);
    if (isVariable(*n)) (trainable.contains(n->name) ? out.reads : out.others).insert(n->name);
    const Node* v = changedVariable(g, *n);
    if (v && roleOf(*n) == OpRole::Assign && n->inputs.size() > 1 && fed.contains(n->inputs[1])) {
      out.changes.insert(v->name);  // Variable.load
      continue;
    }
    if (!v || !trainable.contains(v->name)) continue;
    if (roleOf(*n) == OpRole::ApplyGradient) out.changes.insert(v->name);
    else if (n->inputs.size() > 1 && comesFrom(g, n->inputs[1], OpRole::Restore)) out.restores.insert(v->name);
    else if (n->name == v->name + "/Assign") out.sets.insert(v->name);
    else out.changes.insert(v->name);
  }
  findSums(g, computed, out);
  for (const std::string& name : run.fetches)
    if (const auto o = g.findOutput(name); o.ok()) used.insert(*o);
  // A sparse placeholder is three: few ops read the shape.
  const auto isIndexes = [&](Output o) { return g.dtype(o) == DType::Int64 && g.shape(o).rank() == 2; };
  const bool sparse = std::any_of(fed.begin(), fed.end(), isIndexes);
  for (const Output o : fed) {
    if (!isFeedPoint(*g.node(o.node))) continue;
    out.feeds.push_back(g.node(o.node)->name);
    // Keras feeds what its layers may want.
    const bool ofSparse = sparse && g.dtype(o) == DType::Int64 && g.shape(o).rank() == 1;
    if (!used.contains(o) && !ofSparse && !out.feeds.back().starts_with("keras_")) out.unused.push_back(out.feeds.back());
  }
  if (!run.targets.empty()) out.target = run.targets[0];
  out.scores = !trains && !run.feeds.empty() && !run.fetches.empty() && !out.reads.empty() && out.sets.empty() && out.restores.empty();
  if (!out.scores) return out;
  // The dropouts before what is fetched.
  ProgramStepFacts facts;
  facts.losses = run.fetches;
  Network net(meta, facts);
  const auto inBranch = [&](const Node& n) {  // whose predicate may turn it off
    return std::any_of(n.inputs.begin(), n.inputs.end(), [&](Output o) { return comesFrom(g, o, OpRole::Switch); });
  };
  for (int id = 0; id < g.size() && out.norm.empty() && out.feeds.size() > 1; ++id) {
    const Node* n = computed[size_t(id)] ? g.node(id) : nullptr;
    if (isKind(n, {OpKind::BatchNorm}) && n->attrs.flag("is_training", true) && !inBranch(*n)) out.norm = n->name;
  }
  for (const Network::Dropout& d : net.dropouts())
    if (d.rate && *d.rate > 0 && computed[size_t(d.drops->id)] && !inBranch(*d.drops)) out.dropouts.push_back(d.drops->name);
  // What is fed decides of others: a rate, or the share that is kept.
  for (const std::string& name : run.feeds) {
    const auto o = g.findOutput(name);
    const Shape* shape = o.ok() ? &g.shape(*o) : nullptr;
    if (!shape || !isFeedPoint(*g.node(o->node)) || (shape->hasRank() && shape->rank() > 0) || net.dropouts().empty()) continue;
    net.feed({{name, "0.25"}});
    for (const Network::Dropout& d : net.dropouts()) {
      const bool keeps = d.rate && std::abs(*d.rate - 0.75) < 1e-6, drops = d.rate && std::abs(*d.rate - 0.25) < 1e-6;
      if ((keeps || drops) && computed[size_t(d.drops->id)] && !inBranch(*d.drops) &&
          std::find(out.dropouts.begin(), out.dropouts.end(), d.drops->name) == out.dropouts.end())
        out.fedDropouts.push_back({d.drops->name, name, keeps});
    }
  }
  return out;
}

void Story::grows(const MetaGraph& meta, const Report& report) {
  const int size = meta.graph.nodeCount();
  // What is made after the last step does no harm.
  if (steps_ > 0 && size > size_ && steps_ > stepsAtGrowth_) {
    stepsAtGrowth_ = steps_;
    ++growths_;
    if (growths_ == 1) firstSize_ = size_;
    if (growths_ == kMostGrowths && remade_ < kMostRemade) report(finding("graph-grows", {}, {number(firstSize_), number(size), number(growths_)}));
  }
  size_ = size;
}

void Story::remade(const MetaGraph& meta, const std::string& op, const Report& report) {
  if (++remade_ == kMostRemade) report(finding("optimizer-remade", op, {number(remade_ + 1), number(meta.graph.nodeCount())}));
}

void Story::ran(const RunKind& kind, bool ownRows, const std::vector<std::string>& dropouts, const Report& report) {
  sums_.ran(kind, report);
  if (kind.trains && again_ == 0 && restored_.empty() && !known_.insert(&kind).second) {
    ++steps_;
    ++sinceFirst_;
    return;
  }
  const auto common = [](const std::set<std::string>& a, const std::set<std::string>& b) {
    std::vector<std::string> out;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    return out;
  };
  if (!kind.sets.empty() && kind.restores.empty()) {
    if (const auto lost = common(kind.sets, restored_); !lost.empty())
      report(finding("restored-then-initialized", lost[0], {number(double(lost.size())), lost[0]}));
    if (sinceFirst_ > 0 && !common(kind.sets, trained_).empty()) {
      again_ = std::exchange(sinceFirst_, 0);
      initializer_ = kind.target;
    }
  }
  if (!kind.restores.empty()) {
    restored_ = kind.restores;
    restoredEver_.insert(kind.restores.begin(), kind.restores.end());
    again_ = 0;
  }
  if (kind.trains) {
    if (again_ > 0 && !std::exchange(toldAgain_, true)) report(finding("initialized-again", initializer_, {number(double(again_)), number(double(steps_))}));
    again_ = 0;
    ++steps_;
    ++sinceFirst_;
    trained_.insert(kind.changes.begin(), kind.changes.end());
    stepsRead_.insert(kind.reads.begin(), kind.reads.end());
    restored_.clear();
  } else {
    changed_.insert(kind.changes.begin(), kind.changes.end());
  }
  for (const std::string& name : kind.feeds) (std::find(kind.unused.begin(), kind.unused.end(), name) == kind.unused.end() ? used_ : unused_).insert(name);
  if (!kind.trains && !kind.feeds.empty()) averagesRead_.insert(kind.others.begin(), kind.others.end());
  if (!kind.scores) return;
  ++scores_;
  restored_.clear();  // it was used
  if (steps_ == 0) return;
  tested_.insert(kind.reads.begin(), kind.reads.end());
  if (!ownRows) return;
  ++(kind.norm.empty() ? otherTests_ : normedTests_);
  if (normed_.empty()) normed_ = kind.norm;
  if (dropouts.empty()) testsWithout_ = true;
  dropped_.insert(dropouts.begin(), dropouts.end());
}

void Story::neverTrained(const MetaGraph& meta, const Report& report) const {
  if (steps_ > 0 || scores_ < kManyScores || restored() || !changed_.empty()) return;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = meta.graph.node(id);
    if (n && roleOf(*n) == OpRole::ApplyGradient) return report(finding("never-trained", n->name, {n->name, number(double(scores_))}));
  }
}

void Story::untrainedCopies(const MetaGraph& meta, const std::set<std::string>& forward, const Report& report) const {
  const auto shapeOf = [&](const std::string& name) {
    const Node* n = meta.graph.find(name);
    const Attr* a = n ? n->attrs.find("shape") : nullptr;
    const Shape* s = a ? a->get<Shape>() : nullptr;
    return s && s->isFullyKnown() ? s->toString() : std::string();
  };
  std::vector<std::string> copies;
  std::string like;
  for (const std::string& name : tested_) {
    const std::string shape = shapeOf(name);
    if (trained_.contains(name) || changed_.contains(name) || restoredEver_.contains(name) || forward.contains(name) || shape.size() < 4) continue;
    const auto other = std::find_if(trained_.begin(), trained_.end(), [&](const std::string& t) { return !tested_.contains(t) && shapeOf(t) == shape; });
    if (other == trained_.end()) continue;
    if (copies.empty()) like = *other;
    copies.push_back(name);
  }
  if (!copies.empty()) report(finding("untrained-copy", copies[0], {copies[0], number(double(copies.size())), like}));
}

void Story::frozenEmbeddings(const MetaGraph& meta, const std::vector<char>& computed, const Report& report) const {
  const Graph& g = meta.graph;
  const std::set<std::string> trainable = trainableOf(meta);
  std::set<const Node*> told;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = computed[size_t(id)] ? g.node(id) : nullptr;
    if (!n || n->inputs.empty() || (roleOf(*n) != OpRole::GatherVariable && kindOf(*n) != OpKind::Gather)) continue;
    const Node* v = behindPasses(g, n->inputs[0]);
    if (!v || !isVariable(*v) || trainable.contains(v->name) || n->name.starts_with("gradients") || !told.insert(v).second) continue;
    // Random, and nothing but its initializer and savers writes it.
    const auto readers = g.consumers();
    bool random = false, written = false;
    for (const int reader : readers[size_t(v->id)]) {
      const Node& w = *g.node(reader);
      if (!changesVariable(roleOf(w)) || w.inputs.size() < 2 || w.inputs[0].node != v->id) continue;
      if (w.name == v->name + "/Assign") random = comesFrom(g, w.inputs[1], OpRole::Random);
      else written = written || !comesFrom(g, w.inputs[1], OpRole::Restore) || computed[size_t(reader)];
    }
    if (random && !written && !changed_.contains(v->name)) report(finding("embedding-frozen", v->name, {v->name}));
  }
}

void Story::ends(const MetaGraph& meta, const std::set<std::string>& forward, const std::vector<char>& computed, const Report& report) const {
  neverTrained(meta, report);
  if (steps_ == 0) return;
  untrainedCopies(meta, forward, report);
  frozenEmbeddings(meta, computed, report);
  copiesNotMade(meta, computed, report);
  for (const std::string& name : unused_)
    if (!used_.contains(name)) report(finding("fed-not-used", name, {name}));
  if (normedTests_ > 0 && otherTests_ == 0 && averagesMove(meta, computed)) report(finding("norm-in-tests", normed_, {normed_}));
  if (!testsWithout_ && !dropped_.empty()) report(finding("dropout-in-tests", *dropped_.begin(), {*dropped_.begin()}));
  readMetrics(meta, computed, report);
}

void readMetrics(const MetaGraph& meta, const std::vector<char>& computed, const Story::Report& report) {
  const Graph& g = meta.graph;
  const auto readers = g.consumers();
  std::set<std::string> told;
  for (int id = 0; id < g.size(); ++id) {
    const Node* v = computed[size_t(id)] ? g.node(id) : nullptr;
    if (!v || !isVariable(*v)) continue;
    bool reads = false, updates = false, canUpdate = false;
    for (const int reader : readers[size_t(id)]) {
      const Node& n = *g.node(reader);
      const bool adds = kindOf(n) == OpKind::Addition && !n.inputs.empty() && n.inputs[0].node == id;
      canUpdate = canUpdate || adds;
      updates = updates || (adds && computed[size_t(reader)]);
      reads = reads || (!changesVariable(roleOf(n)) && computed[size_t(reader)] && roleOf(n) != OpRole::ProbeVariable);
    }
    const size_t slash = v->name.rfind('/');
    if (!reads || updates || !canUpdate || slash == v->name.npos) continue;
    // tf.metrics keeps its sums in SCOPE/total, SCOPE/count, SCOPE/true_positives/count and so on, and returns SCOPE/value beside SCOPE/update_op.
    std::string scope = v->name.substr(0, slash);
    for (; !scope.empty() && !g.find(scope + "/update_op"); scope = scope.rfind('/') == scope.npos ? std::string() : scope.substr(0, scope.rfind('/'))) {
    }
    const Node* update = scope.empty() ? nullptr : g.find(scope + "/update_op");
    if (!update || computed[size_t(update->id)] || !told.insert(scope).second) continue;
    report(finding("metric-not-updated", update->name, {scope, update->name}));
  }
}

void readShuffles(const Network& net, const Story::Report& report) {
  const Graph& g = net.graph();
  const auto c = classifier(net);
  const auto k = c ? std::nullopt : comparison(net);
  const auto labels = c ? g.findOutput(c->labels) : Result<Output>(k ? k->target : Output{});
  const auto output = g.findOutput(outputOf(net));
  if (!labels.ok() || !output.ok() || !labels->valid()) return;
  // Where labels and inputs come from.
  Output from = *labels;
  for (int steps = 0; steps < 64; ++steps) {
    const Node* n = net.nodeOf(from);
    const OpRole r = n ? roleOf(*n) : OpRole::Compute;
    if (!n || n->inputs.empty() || (r != OpRole::Identity && r != OpRole::Reshape && r != OpRole::Cast && kindOf(*n) != OpKind::OneHot)) break;
    from = n->inputs[0];
  }
  const Node* source = net.nodeOf(from);
  if (!source) return;
  std::set<Output> inputs;
  std::vector<int> queue{output->node};
  std::set<int> seen;
  while (!queue.empty()) {
    const Node& n = *g.node(queue.back());
    queue.pop_back();
    if (!seen.insert(n.id).second) continue;
    for (const Output o : n.inputs) {
      const OpRole r = roleOf(*g.node(o.node));
      if (r == OpRole::Dequeue || r == OpRole::IteratorGetNext) inputs.insert(o);
      else queue.push_back(o.node);
    }
  }
  const auto queueOf = [&](const Node& dequeue) {
    const Node* q = dequeue.inputs.empty() ? nullptr : behindPasses(g, dequeue.inputs[0]);
    return q && roleOf(*q) == OpRole::ShuffleQueue ? q : nullptr;
  };
  for (const Output o : inputs) {
    const Node& n = *g.node(o.node);
    if (roleOf(*source) == OpRole::Dequeue && roleOf(n) == OpRole::Dequeue) {
      const Node *a = queueOf(n), *b = queueOf(*source);
      if (a && b && a != b) return report(finding("shuffled-apart", source->name, {n.name, source->name}));
      continue;
    }
    if (&n != source && roleOf(n) == OpRole::IteratorGetNext && roleOf(*source) == OpRole::IteratorGetNext && !n.inputs.empty() && !source->inputs.empty() &&
        behindPasses(g, n.inputs[0]) == behindPasses(g, source->inputs[0]) &&
        std::none_of(inputs.begin(), inputs.end(), [&](Output i) { return i.node == source->id; }))
      return report(finding("batches-apart", source->name, {n.name, source->name}));
    if (&n != source || roleOf(n) != OpRole::IteratorGetNext || o.index == from.index || n.outputTypes.size() != 2) continue;
    // A data set of two, each of which was shuffled before.
    for (int id = 0; id < g.size(); ++id) {
      const Node* zip = g.node(id);
      if (!zip || kindOf(*zip) != OpKind::Zip || zip->inputs.size() != 2) continue;
      const Node* shuffles[2] = {};
      for (int side = 0; side < 2; ++side) {
        const Node* d = g.node(zip->inputs[size_t(side)].node);
        while (d && roleOf(*d) != OpRole::ShuffleDataset && kindOf(*d) != OpKind::Zip && !d->inputs.empty()) d = g.node(d->inputs[0].node);
        if (d && roleOf(*d) == OpRole::ShuffleDataset) shuffles[side] = d;
      }
      const Node *a = shuffles[0], *b = shuffles[1];
      if (!a || !b || a == b || a->inputs.size() < 4 || b->inputs.size() < 4) continue;
      // The same seeds give the same order.
      const auto seed = [&](const Node* d, size_t i) { return sameNumber(g, d->inputs[i]); };
      if (seed(a, 1) == seed(b, 1) && seed(a, 2) == seed(b, 2) && seed(a, 3) == seed(b, 3) && seed(a, 3).value_or(0) != 0) continue;
      return report(finding("shuffled-apart", zip->name, {a->name, b->name}));
    }
  }
}

std::map<std::string, double> verdictsOf(const Network& net) {
  const Graph& g = net.graph();
  std::map<std::string, double> out;
  for (const SigmoidLoss& l : sigmoidLosses(net)) {
    const auto label = sameNumber(g, l.labels);
    if (!label) continue;
    std::set<std::string> variables;
    std::vector<int> queue{l.logits.node};
    std::set<int> seen;
    while (!queue.empty()) {
      const Node& n = *g.node(queue.back());
      queue.pop_back();
      if (!seen.insert(n.id).second) continue;
      if (isVariable(n) && net.trainable().contains(n.name)) variables.insert(n.name);
      for (const Output o : n.inputs) queue.push_back(o.node);
    }
    std::string key;
    for (const std::string& v : variables) key += v + " ";
    out[key] = *label;
  }
  return out;
}

}  // namespace weft::doctor
