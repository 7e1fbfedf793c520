// Loops of the kinds that plans treat specially: over scalars, sums of products, and products with a large loop-invariant matrix.
#include "api/control_flow.h"
#include "drawing.h"
#include "values.h"

namespace weft::generated {
namespace {

using List = std::vector<Output>;

Output numbersNearZero(Drawing& d, const Shape& shape, double most) {
  return d.fresh(randomBetween(d.random(), DType::Float, shape, -most, most), d.random().chance(0.3));
}

void offerAll(Drawing& d, const List& outs) {
  if (!d.b().ok()) return;
  for (const Output& o : outs)
    if (o.valid()) d.offer(o);
}

/// One of `list` that has this type; invalid if there is none.
Output ofType(Drawing& d, const List& list, Random& r, DType type) {
  List fit;
  for (const Output& o : list)
    if (d.b().dtype(o) == type) fit.push_back(o);
  return fit.empty() ? Output{} : r.pick(fit);
}

/// A scalar of `type` from scalars of any types: a few ops, conversions and choices among them.
Output scalarExpression(Drawing& d, Random& r, const List& have, DType type) {
  GraphBuilder& b = d.b();
  Output x = ofType(d, have, r, type);
  if (!x.valid() || (have.size() > 1 && r.chance(0.25))) {
    // Truth values become numbers, integers others; nothing becomes narrower but a double.
    static const std::vector<DType> kFrom = {DType::Int32, DType::Bool, DType::Float, DType::Double, DType::Int64};
    for (const DType from : kFrom) {
      const bool fits = from != type && (from == DType::Bool || (from == DType::Int32 && type != DType::Bool) || (isFloating(from) && isFloating(type)) ||
                                         (from == DType::Int64 && isFloating(type)));
      const Output y = fits && r.chance(0.6) ? ofType(d, have, r, from) : Output{};
      if (y.valid()) x = b.cast(y, type);
    }
  }
  if (!x.valid()) return b.number(type, 1);
  if (type == DType::Bool) return r.chance(0.5) ? b.op("LogicalNot", {x}) : b.op(r.chance(0.5) ? "LogicalAnd" : "LogicalOr", {x, ofType(d, have, r, type)});
  static const std::vector<std::string> kUnary = {"Tanh", "Sigmoid", "Neg", "Relu", "Sin", "Abs", "Identity", "Softplus"},
                                        kWhole = {"Neg", "Abs", "Identity", "Sign"};
  static const std::vector<std::string> kBinary = {"AddV2", "Mul", "Sub", "Maximum", "Minimum", "SquaredDifference"},
                                        kWholeBinary = {"AddV2", "Sub", "Maximum", "Minimum"};
  const int64_t ops = r.between(1, 4);
  for (int64_t i = 0; i < ops; ++i) {
    const Output other = ofType(d, have, r, type), y = other.valid() && r.chance(0.6) ? other : b.number(type, double(r.between(-2, 3)));
    const double kind = r.uniform();
    if (kind < 0.4) x = b.op(r.pick(isFloating(type) ? kUnary : kWhole), {x});
    else if (kind < 0.85) x = b.op(r.pick(isFloating(type) ? kBinary : kWholeBinary), {x, y});
    else x = b.op("Select", {b.op(r.chance(0.5) ? "Less" : "GreaterEqual", {x, y}), x, y});
  }
  return x;
}

bool scalars(Drawing& d) {
  Random r = d.random().fork();
  static const std::vector<DType> kTypes = {DType::Float, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Bool};
  List start;
  std::vector<DType> types;
  const bool count64 = r.chance(0.2);
  const DType counter = count64 ? DType::Int64 : DType::Int32;
  for (int64_t n = r.between(1, 3); n > 0; --n) {
    types.push_back(r.pick(kTypes));
    start.push_back(d.fresh(randomBetween(r, types.back(), {}, -1, 2), true));
  }
  const Output limit = d.freshInt(r.between(0, 6), counter);
  const bool also = r.chance(0.3), swap = r.chance(0.2), gradient = r.chance(0.4);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    // Loops ask for shapes that stay: sources of which less is known are held to theirs.
    for (Output& o : start) o = b.op("EnsureShape", {o}, {{"shape", Shape{}}});
    const Output stop = b.op("EnsureShape", {limit}, {{"shape", Shape{}}});
    List initial{b.number(counter, 0)};
    initial.insert(initial.end(), start.begin(), start.end());
    const List outs = api::whileLoop(
        b,
        [&](const List& x) {
          const Output more = b.op("Less", {x[0], stop});
          if (!also || !isFloating(types[0])) return more;
          return b.op("LogicalAnd", {more, b.op("Less", {b.op("Abs", {x[1]}), b.number(types[0], 100)})});
        },
        [&](const List& x) {
          List out{b.op("AddV2", {x[0], b.number(counter, 1)})};
          for (const DType t : types) out.push_back(scalarExpression(d, r, x, t));
          // Variables that take each other's values.
          if (swap && types.size() > 1 && types[0] == types[1]) out[1] = x[2], out[2] = x[1];
          return out;
        },
        initial);
    offerAll(d, outs);
    if (!b.ok() || !gradient) return;
    for (size_t i = 0; i < types.size(); ++i)
      if (isFloating(types[i])) return differentiate(d, {outs[i + 1]}, {start[i]});
  });
}

/// A recurrent cell whose gradients, and optionally an additional variable, accumulate products over all iterations.
bool sums(Drawing& d) {
  Random r = d.random().fork();
  const int64_t batch = r.between(1, 3), in = r.between(1, 4), units = r.between(1, 5), rounds = r.between(0, 4);
  const Output x = d.fresh(randomTensor(r, DType::Float, {batch, in}), true), h0 = numbersNearZero(d, {batch, units}, 0.6),
               w = numbersNearZero(d, {units, units}, 0.6);
  const Output u = numbersNearZero(d, {in, units}, 0.6), bias = numbersNearZero(d, {units}, 0.6);
  const Output limit = d.freshInt(rounds);
  const bool biased = r.chance(0.7), fed = r.chance(0.5), added = r.chance(0.5), turned = r.chance(0.3), gradient = r.chance(0.85);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const auto held = [&](Output o, const Shape& s) { return b.op("EnsureShape", {o}, {{"shape", s}}); };
    const Output h1 = held(h0, {batch, units}), w1 = held(w, {units, units}), u1 = held(u, {in, units}), bias1 = held(bias, {units}), x1 = held(x, {batch, in}),
                 stop = held(limit, {});
    List initial{b.scalar<int32_t>(0), h1};
    if (added) initial.push_back(b.constant(Tensor::zeros(DType::Float, {units, units}), "sum"));
    const List outs = api::whileLoop(
        b,
        [&](const List& v) {
          return b.op("Less", {v[0], stop});
        },
        [&](const List& v) {
          Output y = b.op("MatMul", {v[1], w1}, turned ? AttrMap{{"transpose_b", true}} : AttrMap{});
          if (fed) y = b.op("AddV2", {y, b.op("MatMul", {x1, u1})});
          if (biased) y = b.op("BiasAdd", {y, bias1});
          y = b.op(r.chance(0.5) ? "Tanh" : r.chance(0.5) ? "Sigmoid" : "Relu", {y});
          List out{b.op("AddV2", {v[0], b.scalar<int32_t>(1)}), y};
          if (added) out.push_back(b.op(r.chance(0.5) ? "AddV2" : "Add", {v[2], b.op("MatMul", {v[1], y}, {{"transpose_a", true}})}));
          return out;
        },
        initial);
    offerAll(d, outs);
    if (b.ok() && gradient) differentiate(d, {outs[1]}, fed ? List{w1, u1, bias1} : biased ? List{w1, bias1, h1} : List{w1, h1});
  });
}

/// Products with a matrix so large that a plan turns it once.
bool turned(Drawing& d) {
  Random r = d.random().fork();
  const int64_t batch = r.between(1, 3), units = r.pick(std::vector<int64_t>{64, 64, 65, 72}), width = r.chance(0.5) ? units : r.between(57, 80),
                rounds = r.between(1, 3);
  const bool transposed = r.chance(0.6), sliced = r.chance(0.3), gradient = !transposed || r.chance(0.4);
  const Output h0 = numbersNearZero(d, {batch, units}, 0.5), w = numbersNearZero(d, transposed ? Shape{width, units} : Shape{units, width}, 0.1),
               back = numbersNearZero(d, {width, units}, 0.1);
  const int32_t cut = int32_t(r.between(1, width - 1));
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const auto held = [&](Output o, const Shape& s) { return b.op("EnsureShape", {o}, {{"shape", s}}); };
    const Output h1 = held(h0, {batch, units}), w1 = held(w, transposed ? Shape{width, units} : Shape{units, width}), back1 = held(back, {width, units});
    const List outs = api::whileLoop(
        b,
        [&](const List& v) {
          return b.op("Less", {v[0], b.scalar(int32_t(rounds))});
        },
        [&](const List& v) {
          Output y = b.op("MatMul", {v[1], w1}, transposed ? AttrMap{{"transpose_b", true}} : AttrMap{});
          if (sliced)
            y = b.op("ConcatV2",
                     {b.op("Slice", {y, b.ints({0, cut}), b.ints({-1, -1})}), b.op("Slice", {y, b.ints({0, 0}), b.ints({-1, cut})}), b.scalar<int32_t>(1)},
                     {{"N", int64_t(2)}});
          y = b.op("Tanh", {y});
          if (width != units) y = b.op("MatMul", {y, back1});
          return List{b.op("AddV2", {v[0], b.scalar<int32_t>(1)}), y};
        },
        {b.scalar<int32_t>(0), h1});
    offerAll(d, outs);
    if (b.ok() && gradient) differentiate(d, {outs[1]}, r.chance(0.5) ? List{h1} : List{w1, h1});
  });
}

}  // namespace

bool drawLoop(Drawing& d) {
  const double kind = d.random().uniform();
  if (kind < 0.4) return scalars(d);
  if (kind < 0.75) return sums(d);
  return turned(d);
}

}  // namespace weft::generated
