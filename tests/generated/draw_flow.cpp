// Branches, loops, tensor arrays, functions and gradients.
#include <algorithm>

#include "api/control_flow.h"
#include "drawing.h"
#include "graph/function_of_graph.h"
#include "values.h"

namespace weft::generated {
namespace {

using List = std::vector<Output>;

/// Results of a construct; none after an error.
Output at(const List& list, size_t i) { return i < list.size() ? list[i] : Output{}; }

/// A floating-point value with a statically known shape, as loops require.
std::optional<Value> floatValue(Drawing& d) {
  const auto fits = [&](const Value& v) {
    return (v.type == DType::Float || v.type == DType::Double) && v.shape.isFullyKnown() && v.shape.elements() <= 256 && d.meta().graph.shape(v.out) == v.shape;
  };
  if (const Value* v = d.find(fits)) return *v;
  const Shape shape = d.randomShape();
  if (shape.elements() > 256) return std::nullopt;
  const DType type = d.random().chance(0.7) ? DType::Float : DType::Double;
  const Output o = d.b().constant(randomTensor(d.random(), type, shape), "");
  return d.b().ok() ? std::optional<Value>({o, type, shape}) : std::nullopt;
}

/// A truth value: from the pool, or fresh.
Output truth(Drawing& d) {
  const Value* v = d.find([](const Value& x) { return x.type == DType::Bool && x.shape.isFullyKnown() && x.shape.isScalar(); });
  return v ? v->out : d.fresh(filled(DType::Bool, {}, [&](int64_t) { return double(d.random().below(2)); }), true);
}

void offerAll(Drawing& d, const List& outs) {
  for (const Output& o : outs)
    if (o.valid()) d.offer(o);
}

}  // namespace

Output expression(GraphBuilder& b, Random& random, DType type, const List& values, int ops) {
  static const std::vector<std::string> kUnary = {"Tanh", "Sigmoid", "Neg", "Square", "Relu", "Sin", "Abs", "Identity", "Softplus", "Exp"};
  static const std::vector<std::string> kBinary = {"AddV2", "Mul", "Sub", "Maximum", "Minimum", "SquaredDifference"};
  List have = values;
  for (int i = 0; i < ops; ++i) {
    const Output x = random.chance(0.7) ? have.back() : random.pick(have);
    const double kind = random.uniform();
    Output y;
    if (kind < 0.4) y = b.op(random.pick(kUnary), {x});
    else if (kind < 0.55) y = b.op(random.pick(kBinary), {x, b.number(type, random.between(-4, 4) * 0.25)});
    else if (kind < 0.62 && b.shape(x).rank() == 2 && b.shape(x).dim(0) == b.shape(x).dim(1)) y = b.op("MatMul", {x, random.pick(have)});
    else y = b.op(random.pick(kBinary), {x, random.pick(have)});
    have.push_back(y);
  }
  return have.back();
}

void differentiate(Drawing& d, const List& ys, const List& xs) {
  const auto found = addGradients(d.b(), ys, xs);
  if (!found.ok()) return d.b().fail(found.error());
  if (!d.b().ok()) return;
  for (size_t i = 0; i < xs.size(); ++i) {
    const Gradient& g = (*found)[i];
    if (g.slices) {
      offerAll(d, {g.slices->values, g.slices->indices});
      d.derivative(ys, xs[i], g.slices->values, g.slices->indices);
    } else if (g.dense.valid()) {
      d.offer(g.dense);
      d.derivative(ys, xs[i], g.dense);
    }
  }
}

bool drawGradient(Drawing& d) {
  const Value* y = d.find([](const Value& v) { return isFloating(v.type); });
  if (!y) return false;
  // The dependencies of y, within a walk that meets no loop or branch of an earlier builder.
  const Graph& graph = d.meta().graph;
  List sources;
  std::vector<bool> seen(size_t(graph.size()), false);
  std::vector<int> open{y->out.node};
  while (!open.empty()) {
    const Node& n = *graph.node(open.back());
    open.pop_back();
    if (isFlow(n.op)) return false;
    for (const Output& in : n.inputs) {
      if (seen[size_t(in.node)]) continue;
      seen[size_t(in.node)] = true;
      open.push_back(in.node);
      if (isFloating(graph.dtype(in)) && !isRef(graph.dtype(in))) sources.push_back(in);
    }
  }
  if (sources.empty()) return false;
  List xs{d.random().pick(sources)};
  if (d.random().chance(0.4)) xs.push_back(sources.back());
  const Output target = y->out;
  return d.attempt([&] { differentiate(d, {target}, xs); });
}

bool drawCond(Drawing& d) {
  const Output pred = truth(d);
  const auto v = floatValue(d);
  if (!v || !pred.valid()) return false;
  const Output other = d.similar(v->type, v->shape);
  Random random = d.random().fork();
  const int results = int(random.between(1, 2));
  const bool gradient = random.chance(0.4);
  return d.attempt([&] {
    const auto branch = [&]() {
      List out;
      for (int k = 0; k < results; ++k)
        out.push_back(random.chance(0.15) ? d.b().identity(v->out) : expression(d.b(), random, v->type, {v->out, other}, int(random.between(1, 4))));
      return out;
    };
    const List outs = api::cond(d.b(), pred, branch, branch);
    if (!d.b().ok()) return;
    offerAll(d, outs);
    if (gradient) differentiate(d, {outs[0]}, {v->out});
  });
}

bool drawWhile(Drawing& d) {
  const auto v = floatValue(d);
  if (!v) return false;
  const Value second = *v;
  Random random = d.random().fork();
  const Output limit = d.freshInt(random.between(0, 5));
  const Output other = d.similar(v->type, v->shape);
  if (!(d.meta().graph.shape(other) == v->shape)) return false;
  const bool gradient = random.chance(0.5), two = random.chance(0.5), inner = random.chance(0.15), branch = random.chance(0.15), early = random.chance(0.2);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    List start{b.scalar<int32_t>(0), v->out};
    if (two) start.push_back(other);
    const List outs = api::whileLoop(
        b,
        [&](const List& x) {
          const Output more = b.op("Less", {x[0], limit});
          if (!early) return more;
          const Output sum = b.op("Sum", {b.op("Abs", {x[1]}), b.op("Range", {b.scalar<int32_t>(0), b.op("Rank", {x[1]}), b.scalar<int32_t>(1)})});
          return b.op("LogicalAnd", {more, b.op("Less", {sum, b.number(v->type, 50)})});
        },
        [&](const List& x) {
          List carried(x.begin() + 1, x.end());
          List seen = carried;
          seen.push_back(other);  // from outside of the loop
          Output next = expression(b, random, v->type, seen, int(random.between(1, 5)));
          if (inner) {
            next = at(api::whileLoop(
                          b,
                          [&](const List& w) {
                            return b.op("Less", {w[0], x[0]});
                          },
                          [&](const List& w) {
                            return List{b.op("AddV2", {w[0], b.scalar<int32_t>(1)}), expression(b, random, v->type, {w[1], x[1]}, 2)};
                          },
                          {b.scalar<int32_t>(0), next}),
                      1);
          }
          if (branch) {
            next = at(api::cond(
                          b, b.op("Less", {x[0], b.scalar<int32_t>(2)}), [&] { return List{expression(b, random, v->type, {next}, 2)}; },
                          [&] { return List{b.identity(next)}; }),
                      0);
          }
          List out{b.op("AddV2", {x[0], b.scalar<int32_t>(1)}), next};
          if (two) out.push_back(random.chance(0.3) ? x[1] : expression(b, random, v->type, seen, 2));
          return out;
        },
        start);
    if (!b.ok()) return;
    offerAll(d, outs);
    if (gradient) differentiate(d, {outs.back()}, random.chance(0.5) ? List{v->out} : List{v->out, other});
  });
}

bool drawTensorArray(Drawing& d) {
  const auto v = floatValue(d);
  if (!v) return false;
  Random random = d.random().fork();
  const int64_t n = random.between(1, 4);
  const bool loop = random.chance(0.6), gradient = random.chance(0.4);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const int array = b.node(
        "TensorArrayV3", {b.scalar<int32_t>(int32_t(n))},
        {{"dtype", v->type}, {"element_shape", random.chance(0.5) ? v->shape : Shape::unknown()}, {"clear_after_read", false}, {"tensor_array_name", ""}});
    const Output handle{array, 0};
    Output flow{array, 1};
    if (loop) {
      flow = at(api::whileLoop(
                    b,
                    [&](const List& x) {
                      return b.op("Less", {x[0], b.scalar<int32_t>(int32_t(n))});
                    },
                    [&](const List& x) {
                      const Output item = expression(b, random, v->type, {x[2]}, 2);
                      return List{b.op("AddV2", {x[0], b.scalar<int32_t>(1)}), b.op("TensorArrayWriteV3", {handle, x[0], item, x[1]}), item};
                    },
                    {b.scalar<int32_t>(0), flow, v->out}),
                1);
    } else {
      for (int32_t i = 0; i < n; ++i)
        flow = b.op("TensorArrayWriteV3", {handle, b.scalar(i), expression(b, random, v->type, {v->out}, int(random.between(0, 2))), flow});
    }
    std::vector<int32_t> order;
    for (int32_t i = 0; i < n; ++i) order.push_back(int32_t(random.below(n)));
    const Output all = b.op("TensorArrayGatherV3", {handle, b.ints(order), flow}, {{"dtype", v->type}, {"element_shape", Shape::unknown()}});
    const Output one = b.op("TensorArrayReadV3", {handle, b.scalar(int32_t(random.below(n))), flow}, {{"dtype", v->type}});
    const Output size = b.op("TensorArraySizeV3", {handle, flow});
    if (!b.ok()) return;
    offerAll(d, {all, one, size});
    if (gradient) differentiate(d, {random.chance(0.5) ? all : one}, {v->out});
  });
}

namespace {

/// Adds a function over `inputs` that returns the outputs of `make`; returns its name in the graph's library.
std::string addFunction(Drawing& d, const std::string& base, const std::vector<Value>& inputs, const std::function<List(GraphBuilder&, const List&)>& make) {
  MetaGraph body;
  GraphBuilder b(body);
  GraphFunction f;
  f.name = concat(base, "_", d.random().next() % 100000000);
  for (const Value& v : inputs) f.inputs.push_back(b.placeholder(v.type, v.shape, "arg"));
  f.outputs = make(b, f.inputs);
  if (!b.ok()) return {};
  for (Output& o : f.outputs)
    if (std::find(f.inputs.begin(), f.inputs.end(), o) != f.inputs.end()) o = b.identity(o);
  const auto def = functionOfGraph(body.graph, f);
  if (!def.ok() || !addFunctions(d.meta().graph, {*def}, {""}).ok()) return {};
  return functionName(*def);
}

FuncAttr callOf(const std::string& name) { return FuncAttr{name, std::make_shared<AttrMap>()}; }

}  // namespace

bool drawFunction(Drawing& d) {
  const auto v = floatValue(d);
  if (!v) return false;
  Random random = d.random().fork();
  const Output other = d.similar(v->type, v->shape);
  const std::vector<Value> args = {*v, {other, v->type, v->shape}};
  const std::vector<DType> types = {v->type, v->type};
  const auto simple = [&](GraphBuilder& b, const List& x) { return List{expression(b, random, v->type, x, int(random.between(1, 5)))}; };
  if (!d.b().ok()) return false;
  int node = -1;
  switch (random.below(4)) {
    case 0: {
      const std::string f = addFunction(d, "call", args, simple);
      if (f.empty()) return false;
      node = d.add(random.chance(0.5) ? "PartitionedCall" : "StatefulPartitionedCall", {v->out, other},
                   {{"Tin", types}, {"Tout", std::vector<DType>{v->type}}, {"f", callOf(f)}});
      break;
    }
    case 1: {
      const std::string f = addFunction(d, "then", args, simple), g = addFunction(d, "else", args, simple);
      if (f.empty() || g.empty()) return false;
      const Output pred = truth(d);
      node = d.add(random.chance(0.5) ? "If" : "StatelessIf", {pred, v->out, other},
                   {{"Tcond", DType::Bool}, {"Tin", types}, {"Tout", std::vector<DType>{v->type}}, {"then_branch", callOf(f)}, {"else_branch", callOf(g)}});
      break;
    }
    case 2: {
      const Output count = d.freshInt(random.between(0, 4));
      const std::vector<Value> loop = {{count, DType::Int32, Shape{}}, *v, {other, v->type, v->shape}};
      const std::string f = addFunction(d, "cond", loop, [&](GraphBuilder& b, const List& x) { return List{b.op("Greater", {x[0], b.scalar<int32_t>(0)})}; });
      const std::string g = addFunction(d, "body", loop, [&](GraphBuilder& b, const List& x) {
        return List{b.op("Sub", {x[0], b.scalar<int32_t>(1)}), expression(b, random, v->type, {x[1], x[2]}, 3), b.identity(x[2])};
      });
      if (f.empty() || g.empty()) return false;
      node = d.add(random.chance(0.5) ? "While" : "StatelessWhile", {count, v->out, other},
                   {{"T", std::vector<DType>{DType::Int32, v->type, v->type}}, {"cond", callOf(f)}, {"body", callOf(g)}});
      break;
    }
    default: {
      const std::string f = addFunction(d, "map", args, simple);
      if (f.empty()) return false;
      // The library's function by its own name.
      node = d.add("SymbolicGradient", {v->out, other, d.similar(v->type, v->shape)},
                   {{"Tin", std::vector<DType>{v->type, v->type, v->type}}, {"Tout", types}, {"f", callOf(f)}});
      break;
    }
  }
  return node >= 0;
}

}  // namespace weft::generated
