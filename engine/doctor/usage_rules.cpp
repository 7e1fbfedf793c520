// Rules on how parts of TensorFlow are put together: savers, recurrent layers, schedules, frozen layers, data sets, noise, networks that share weights.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "doctor/network.h"
#include "weft/saturation.h"

namespace weft::doctor {
namespace {

const Tensor* constantOf(const Network& net, Output o) {
  const Node* n = net.origin(o);
  const Attr* value = n && isConstant(*n) ? n->attrs.find("value") : nullptr;
  return value ? value->get<Tensor>() : nullptr;
}

/// Where a tensor comes from, seen through what passes values into loops and branches too; invalid: nowhere.
Output source(const Graph& g, Output o) {
  for (int steps = 0; steps < 64 && o.node >= 0; ++steps) {
    const Node& n = *g.node(o.node);
    const OpRole r = roleOf(n);
    if ((r != OpRole::Identity && r != OpRole::Enter && r != OpRole::Switch && r != OpRole::Exit) || n.inputs.empty()) break;
    o = n.inputs[0];
  }
  return o;
}

/// Variables that each saver of the graph writes.
std::set<std::string> savedNames(const Network& net) {
  std::set<std::string> out;
  for (int id = 0; id < net.graph().size(); ++id) {
    const Node* n = net.graph().node(id);
    if (!n || roleOf(*n) != OpRole::Save || n->inputs.size() < 2) continue;
    const Tensor* names = constantOf(net, n->inputs[1]);
    if (!names || names->dtype() != DType::String) continue;
    for (const std::string& name : names->flat<std::string>()) out.insert(name);
  }
  return out;
}

/// Savers of the weights alone, so that tests after a restart use moving averages that nothing trained.
void savers(const Network& net, std::vector<DoctorFinding>& out) {
  const auto updates = net.meta().collections.find("update_ops");
  if (updates == net.meta().collections.end()) return;
  const std::set<std::string> saved = savedNames(net);
  const auto weights = std::count_if(net.trainable().begin(), net.trainable().end(), [&](const std::string& v) { return saved.contains(v); });
  if (weights == 0) return;
  std::set<std::string> missing;
  for (const std::string& name : updates->second.nodes) {
    const Node* op = net.graph().find(name.substr(0, name.find(':')));
    // The update may lie in a branch, whose result the collection holds.
    std::vector<int> work{op ? op->id : -1};
    std::set<int> seen;
    while (!work.empty()) {
      const int now = work.back();
      work.pop_back();
      if (now < 0 || !seen.insert(now).second) continue;
      const Node& n = *net.graph().node(now);
      if (const Node* v = changedVariable(net.graph(), n)) {
        if (!saved.contains(v->name) && !net.trainable().contains(v->name)) missing.insert(v->name);
      } else if (roleOf(n) == OpRole::Merge || roleOf(n) == OpRole::Identity) {
        for (const Output in : n.inputs) work.push_back(in.node);
      }
    }
  }
  if (!missing.empty())
    out.push_back(finding("saver-incomplete", *missing.begin(), {*missing.begin(), number(double(weights)), number(double(missing.size()))}));
}

/// Whether the rows of a TensorArray are set to 0 from some step on, which each row of a batch has its own: the outputs of a dynamic_rnn with sequence_length.
bool isPadded(const Network& net, Output array) {
  const Graph& g = net.graph();
  const int maker = source(g, array).node;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!isKind(n, {OpKind::ArrayWrite}) || n->inputs.size() < 3 || source(g, n->inputs[0]).node != maker) continue;
    const Output value = source(g, n->inputs[2]);
    const Node* select = net.nodeOf(value);
    if (!isKind(select, {OpKind::Choice})) continue;
    const Node* ends = net.nodeOf(source(g, select->inputs[0]));
    if (!isKind(ends, {OpKind::Comparison})) continue;
    const Shape& lengths = g.shape(ends->inputs[1]);
    if (!lengths.hasRank() || lengths.rank() == 1) return true;
  }
  return false;
}

/// outputs[:, -1] of a recurrent layer that is told the lengths of its rows.
void lastSteps(const Network& net, std::vector<DoctorFinding>& out) {
  const Graph& g = net.graph();
  for (const int id : net.forward()) {
    const Node& n = *g.node(id);
    if (!isKind(&n, {OpKind::Slice}) || n.inputs.size() != 4) continue;
    const Node* from = net.origin(n.inputs[0]);
    const Tensor* begin = constantOf(net, n.inputs[1]);
    int64_t time = 0;
    if (isKind(from, {OpKind::NewOrder})) {
      const Tensor* order = constantOf(net, from->inputs[1]);
      time = order ? -1 : 1;  // dynamic_rnn computes the order from the rank: it exchanges the first two
      for (int64_t d = 0; order && d < order->elements(); ++d)
        if (order->asInt(d) == 0) time = d;
      from = net.origin(from->inputs[0]);
    }
    if (!isKind(from, {OpKind::ArrayGather}) || !begin || time < 0 || time >= begin->elements() || begin->asInt(time) != -1) continue;
    if (!(n.attrs.integer("shrink_axis_mask") >> time & 1)) continue;
    if (isPadded(net, from->inputs[0])) out.push_back(finding("last-of-padded", n.name, {n.name}));
  }
}

/// Noise that multiplies a deviation which the network computes, and was drawn before the graph was made.
void constantNoise(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (!isKind(&n, {OpKind::Product}) || !net.hasData(id) || !net.learns(id)) continue;
    const bool added = std::any_of(net.readers(id).begin(), net.readers(id).end(), [&](int reader) {
      const Node& sum = *net.graph().node(reader);
      return roleOf(sum) == OpRole::Sum && sum.inputs.size() == 2 && net.learns(sum.inputs[0].node) && net.learns(sum.inputs[1].node);
    });
    for (size_t k = 0; k < 2 && added; ++k) {
      const Node* deviation = net.origin(n.inputs[k]);
      const Tensor* noise = constantOf(net, n.inputs[1 - k]);
      if (!isKind(deviation, {OpKind::Exponential}) || !noise || noise->elements() < 2 || !isFloating(noise->dtype())) continue;
      bool drawn = true, below = false, above = false;
      for (int64_t i = 0; i < noise->elements(); ++i) {
        const double v = noise->asDouble(i);
        drawn = drawn && v != std::round(v);
        below = below || v < 0;
        above = above || v > 0;
      }
      if (drawn && (noise->elements() < 8 || (below && above))) out.push_back(finding("noise-constant", n.name, {n.name, deviation->name}));
    }
  }
}

/// Noise of each row of a batch that is added to data, and was drawn before the graph was made.
void addedNoise(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (roleOf(n) != OpRole::Sum || n.inputs.size() != 2 || !net.hasData(id) || net.learns(id)) continue;
    for (size_t k = 0; k < 2; ++k) {
      const Tensor* noise = constantOf(net, n.inputs[1 - k]);
      const Shape& data = net.graph().shape(n.inputs[k]);
      // Rows of their own: nothing else is added to data like that.
      if (!noise || !isFloating(noise->dtype()) || noise->rank() < 2 || noise->dim(0) < 8 || !data.hasRank() || data.rank() != noise->rank()) continue;
      double sum = 0, squares = 0;
      for (int64_t i = 0; i < noise->elements(); ++i) {
        sum += noise->asDouble(i);
        squares += noise->asDouble(i) * noise->asDouble(i);
      }
      const double mean = sum / double(noise->elements()), deviation = std::sqrt(squares / double(noise->elements()));
      if (deviation > 0 && std::abs(mean) < 0.3 * deviation) out.push_back(finding("noise-constant", n.name, {n.name, net.nodeOf(n.inputs[k])->name}));
    }
  }
}

/// Whether a sum has both v and exp(v), with opposite signs, as the distance of a distribution from a normal one has: 1 + v - mean^2 - exp(v).
bool sumsVariance(const Network& net, Output v) {
  const Graph& g = net.graph();
  const auto adds = [](const Node& n) { return roleOf(n) == OpRole::Sum || isKind(&n, {OpKind::Subtraction, OpKind::Negation}); };
  struct Term {
    Output at;
    int sign;
  };
  // From each sum that reads v, up to the outermost one, and down to all terms.
  for (const int reader : net.readers(v.node)) {
    int top = reader;
    if (!adds(*g.node(top))) continue;
    for (int steps = 0; steps < 16; ++steps) {
      const auto& above = net.readers(top);
      const auto next = std::find_if(above.begin(), above.end(), [&](int id) { return net.isForward(id) && adds(*g.node(id)); });
      if (next == above.end()) break;
      top = *next;
    }
    std::vector<Term> terms{{{top, 0}, 1}};
    int ofLogarithm = 0, ofVariance = 0;
    for (size_t i = 0; i < terms.size() && i < 64; ++i) {
      const auto [at, sign] = terms[i];
      const Node& n = *g.node(at.node);
      if (at == v) ofLogarithm = sign;
      else if (isKind(&n, {OpKind::Exponential}) && n.inputs[0] == v) ofVariance = sign;
      else if (adds(n))
        for (size_t k = 0; k < n.inputs.size(); ++k)
          terms.push_back({n.inputs[k], isKind(&n, {OpKind::Negation}) || (k == 1 && isKind(&n, {OpKind::Subtraction})) ? -sign : sign});
    }
    if (ofLogarithm * ofVariance < 0) return true;
  }
  return false;
}

/// Noise that is multiplied by the exponential of what the loss takes for the logarithm of a variance.
void variances(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (!isKind(&n, {OpKind::Product}) || !net.learns(id)) continue;
    for (size_t k = 0; k < 2; ++k) {
      const Node *deviation = net.origin(n.inputs[k]), *noise = net.origin(n.inputs[1 - k]);
      // tf.random_normal is a product and a sum.
      for (int steps = 0; steps < 2 && noise && !noise->inputs.empty() && (isScaling(*noise) || roleOf(*noise) == OpRole::Sum); ++steps)
        noise = net.origin(noise->inputs[0]);
      if (!isKind(deviation, {OpKind::Exponential}) || !noise || roleOf(*noise) != OpRole::Random) continue;
      if (sumsVariance(net, deviation->inputs[0]))
        out.push_back(finding("variance-as-deviation", n.name, {n.name, net.graph().node(deviation->inputs[0].node)->name}));
    }
  }
}

/// The variables that are trained and that a tensor is computed from, and their shapes, both sorted.
struct Weights {
  std::vector<std::string> names, shapes;
};
Weights weightsOf(const Network& net, Output o) {
  Weights out;
  std::vector<int> work{o.node};
  std::vector<char> seen(size_t(net.graph().size()), 0);
  while (!work.empty()) {
    const Node& n = *net.graph().node(work.back());
    work.pop_back();
    if (std::exchange(seen[size_t(n.id)], 1) || isKind(&n, {OpKind::Flat})) continue;
    if (isVariable(n) && net.trainable().contains(n.name)) {
      out.names.push_back(n.name);
      out.shapes.push_back(n.attrs.shape("shape").toString());
    }
    for (const Output in : n.inputs) work.push_back(in.node);
  }
  std::sort(out.names.begin(), out.names.end());
  std::sort(out.shapes.begin(), out.shapes.end());
  return out;
}

/// By node: the only feed with data that it is computed from; -1: none, -2: several.
std::vector<int> onlyFeeds(const Network& net) {
  std::vector<int> out(size_t(net.graph().size()), -1);
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    int& own = out[size_t(id)];
    if (isFeedPoint(n) && net.hasData(id)) own = id;
    for (const Output in : n.inputs)
      if (const int from = out[size_t(in.node)]; from != -1) own = own == -1 || own == from ? from : -2;
  }
  return out;
}

/// The distance of what two networks of the same form make of two inputs of the same form.
void towers(const Network& net, std::vector<DoctorFinding>& out) {
  const Graph& g = net.graph();
  const std::vector<int> feeds = onlyFeeds(net);
  int tries = 0;
  for (const int id : net.forward()) {
    const Node& n = *g.node(id);
    if (!isKind(&n, {OpKind::Subtraction, OpKind::SquaredDifference}) || n.inputs.size() != 2) continue;
    const Output left = n.inputs[0], right = n.inputs[1];
    const int x = feeds[size_t(left.node)], y = feeds[size_t(right.node)];
    const Shape& s = g.shape(left);
    if (x < 0 || y < 0 || x == y || !net.learns(left.node) || !net.learns(right.node) || !s.hasRank() || s.rank() != 2 || !(s == g.shape(right))) continue;
    if (!g.shape({x, 0}).hasRank() || !(g.shape({x, 0}) == g.shape({y, 0})) || ++tries > 8) continue;
    const Weights a = weightsOf(net, left), b = weightsOf(net, right);
    std::vector<std::string> common;
    std::set_intersection(a.names.begin(), a.names.end(), b.names.begin(), b.names.end(), std::back_inserter(common));
    if (a.names.size() < 2 || a.shapes != b.shapes || !common.empty()) continue;
    return out.push_back(finding("towers-apart", n.name, {n.name, g.node(x)->name, g.node(y)->name, number(double(a.names.size())), a.names[0], b.names[0]}));
  }
}

/// Rows of a data set that is shuffled anew in each epoch are skipped: those that training has in one epoch are tests in another.
void splits(const Network& net, std::vector<DoctorFinding>& out) {
  for (int id = 0; id < net.graph().size(); ++id) {
    const Node* n = net.graph().node(id);
    if (!isKind(n, {OpKind::Skip}) || n->inputs.empty()) continue;
    const Node* from = net.nodeOf(n->inputs[0]);
    if (!from || roleOf(*from) != OpRole::ShuffleDataset || !from->attrs.flag("reshuffle_each_iteration", true)) continue;
    const auto &others = net.readers(from->id), &after = net.readers(id);
    const auto isOf = [&](OpKind kind) { return [&net, kind](int reader) { return isKind(net.graph().node(reader), {kind}); }; };
    // The rest is not used, or both are kept from the first epoch on.
    const bool seeded = from->inputs.size() > 2 && net.scalar(from->inputs[2]).value_or(0) != 0;
    if (std::none_of(others.begin(), others.end(), isOf(OpKind::Take)) || (seeded && std::any_of(after.begin(), after.end(), isOf(OpKind::Cache)))) continue;
    return out.push_back(finding("split-reshuffled", n->name, {n->name, from->name}));
  }
}

/// Whole batches are shuffled, so that rows that were neighbours always come together.
void shuffledBatches(const Network& net, std::vector<DoctorFinding>& out) {
  const auto comesAfter = [&](const Node* n, const Node* other) {
    for (int steps = 0; n && steps < 32; ++steps) {
      n = n->inputs.empty() ? nullptr : net.nodeOf(n->inputs[0]);
      if (n == other) return true;
    }
    return false;
  };
  const auto fromShuffle = [&](const Node* n) {
    for (int steps = 0; n && steps < 32; ++steps) {
      if (roleOf(*n) == OpRole::ShuffleDataset) return true;
      n = n->inputs.empty() ? nullptr : net.nodeOf(n->inputs[0]);
    }
    return false;
  };
  std::vector<const Node*> batches;
  for (int id = 0; id < net.graph().size(); ++id)
    if (const Node* n = net.graph().node(id); isKind(n, {OpKind::Batch})) batches.push_back(n);
  for (int id = 0; id < net.graph().size(); ++id) {
    const Node* shuffle = net.graph().node(id);
    if (!shuffle || roleOf(*shuffle) != OpRole::ShuffleDataset || shuffle->inputs.empty()) continue;
    const Node* from = net.nodeOf(shuffle->inputs[0]);
    // Windows are batches too; what is trained on is a batch of them.
    const bool batchedAgain = std::any_of(batches.begin(), batches.end(), [&](const Node* n) { return comesAfter(n, shuffle); });
    if (batchedAgain) continue;
    if (isKind(from, {OpKind::Batch}) && net.scalar(from->inputs[1]).value_or(0) > 1 && !fromShuffle(net.nodeOf(from->inputs[0])))
      return out.push_back(finding("batches-shuffled", shuffle->name, {shuffle->name, from->name}));
  }
}

/// CTC takes logits, by time first.
void softmaxBeforeCtc(const Network& net, std::vector<DoctorFinding>& out) {
  for (const int id : net.forward()) {
    const Node& n = *net.graph().node(id);
    if (!isKind(&n, {OpKind::CtcLoss}) || n.inputs.empty()) continue;
    const Node* from = net.origin(n.inputs[0]);
    if (isKind(from, {OpKind::NewOrder})) from = net.origin(from->inputs[0]);
    if (from && roleOf(*from) == OpRole::Softmax) out.push_back(finding("softmax-twice", n.name, {n.name, from->name}));
  }
}

/// Schedules by a counter of their own that nothing counts.
void counters(const Network& net, std::vector<DoctorFinding>& out) {
  const Graph& g = net.graph();
  std::set<int> moves;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n || !changesVariable(roleOf(*n))) continue;
    const Node* v = changedVariable(g, *n);
    const bool starts = v && roleOf(*n) == OpRole::Assign &&
                        (n->name == v->name + "/Assign" || (n->inputs.size() > 1 && roleOf(*g.node(source(g, n->inputs[1]).node)) == OpRole::Restore));
    if (v && !starts) moves.insert(v->id);
  }
  std::set<int> told;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    const int at = n ? learningRateInput(*n) : -1;
    if (at < 0) continue;
    std::vector<int> work{n->inputs[size_t(at)].node};
    std::set<int> seen;
    while (!work.empty()) {
      const int now = work.back();
      work.pop_back();
      if (now < 0 || !seen.insert(now).second) continue;
      const Node& from = *g.node(now);
      if (!isVariable(from)) {
        for (const Output in : from.inputs) work.push_back(in.node);
        continue;
      }
      const Attr* type = from.attrs.find("dtype");
      const DType* dtype = type ? type->get<DType>() : nullptr;
      if (!dtype || !isInteger(*dtype) || moves.contains(now) || !told.insert(now).second) continue;
      const bool known = std::any_of(out.begin(), out.end(), [&](const DoctorFinding& f) { return f.node == from.name; });
      if (!known) out.push_back(finding("schedule-stays", from.name, {from.name, n->name}));
    }
  }
}

/// The variables of each saver. Its Restore ops are those that a group runs together: shards have one each, and older savers one for each variable.
std::vector<std::set<std::string>> restoredTogether(const Network& net) {
  const Graph& g = net.graph();
  std::map<int, std::set<std::string>> restores;  // op that restores -> variables
  std::map<int, int> parent;                      // of ops that restore or assign, and of groups: another one of the same saver
  const auto root = [&](int id) {
    for (auto at = parent.find(id); at != parent.end(); at = parent.find(id)) id = at->second;
    return id;
  };
  const auto join = [&](int a, int b) {
    if (const int from = root(a), to = root(b); from != to) parent[from] = to;
  };
  std::set<int> assigns;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n || roleOf(*n) != OpRole::Assign || n->inputs.size() < 2) continue;
    const Node* v = changedVariable(g, *n);
    const Node* from = net.nodeOf(source(g, n->inputs[1]));
    if (!v || !from || roleOf(*from) != OpRole::Restore) continue;
    restores[from->id].insert(v->name);
    assigns.insert(id);
    join(id, from->id);
  }
  for (int id = 0; id < g.size() && !assigns.empty(); ++id) {
    const Node* n = g.node(id);
    if (!n || roleOf(*n) != OpRole::Group) continue;
    for (const int before : n->controls)
      if (assigns.contains(before) || roleOf(*g.node(before)) == OpRole::Group) join(before, id);
  }
  std::map<int, std::set<std::string>> out;
  for (const auto& [op, names] : restores) out[root(op)].insert(names.begin(), names.end());
  std::vector<std::set<std::string>> sets;
  for (auto& [of, names] : out) sets.push_back(std::move(names));
  return sets;
}

}  // namespace

bool areFrozen(const Network& net, const std::set<std::string>& variables, const std::set<std::string>& changed) {
  // Without the optimizer's counters, which savers of weights leave out.
  std::set<std::string> trained;
  for (const std::string& v : changed)
    if (net.trainable().contains(v)) trained.insert(v);
  if (trained.empty()) trained = changed;
  const std::vector<std::set<std::string>> restored = restoredTogether(net);
  const auto holds = [](const std::set<std::string>& all, const std::set<std::string>& some) {
    return std::all_of(some.begin(), some.end(), [&](const std::string& v) { return all.contains(v); });
  };
  const auto keeps = [&](const std::set<std::string>& by) { return holds(by, variables) && !holds(by, trained); };
  // Several savers may share the layers among them. One of everything that is trained continues a training, and says nothing of what is kept.
  std::set<std::string> together;
  for (const std::set<std::string>& by : restored)
    if (!holds(by, trained) && std::any_of(by.begin(), by.end(), [&](const std::string& v) { return variables.contains(v); }))
      together.insert(by.begin(), by.end());
  return keeps(together) || std::any_of(restored.begin(), restored.end(), keeps);
}

void readUsage(const Network& net, std::vector<DoctorFinding>& out) {
  savers(net, out);
  lastSteps(net, out);
  softmaxBeforeCtc(net, out);
  constantNoise(net, out);
  addedNoise(net, out);
  variances(net, out);
  towers(net, out);
  splits(net, out);
  shuffledBatches(net, out);
  counters(net, out);
}

}  // namespace weft::doctor
