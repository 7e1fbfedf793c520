// Small networks with their gradients: the patterns that plan rewrites target.
#include "api/control_flow.h"
#include "drawing.h"
#include "values.h"

namespace weft::generated {
namespace {

using List = std::vector<Output>;

/// Weights near zero as a constant or a placeholder.
Output weights(Drawing& d, const Shape& shape) { return d.fresh(randomBetween(d.random(), DType::Float, shape, -0.6, 0.6), d.random().chance(0.3)); }

/// Images through convolutions with bias, Relu and pool.
bool pictures(Drawing& d) {
  Random& r = d.random();
  const int64_t batch = r.between(1, 2), size = r.between(3, 6), in = r.between(1, 3), out = r.between(1, 4), k = r.between(1, 3), stride = r.between(1, 2);
  const Output x = d.fresh(randomTensor(r, DType::Float, {batch, size, size, in}), true), w = weights(d, {k, k, in, out}), bias = weights(d, {out});
  const bool gradient = r.chance(0.6), pool = r.chance(0.8), max = r.chance(0.8);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    Output y = b.op("Conv2D", {x, w}, {{"strides", std::vector<int64_t>{1, stride, stride, 1}}, {"padding", "SAME"}});
    y = b.op("Relu", {b.op("BiasAdd", {y, bias})});
    if (pool)
      y = b.op(max ? "MaxPool" : "AvgPool", {y},
               {{"ksize", std::vector<int64_t>{1, 2, 2, 1}}, {"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "SAME"}});
    if (!b.ok()) return;
    d.offer(y);
    if (gradient) differentiate(d, {b.op("Square", {y})}, {x, w, bias});
  });
}

/// A recurrent cell over concat([x, h]) * w, unrolled or in a loop, with gradients of weights and state.
bool recurrent(Drawing& d) {
  Random& r = d.random();
  const bool large = r.chance(0.2);  // so that a loop transposes its matrix once
  const int64_t batch = r.between(1, 3), in = r.between(1, 4), units = large ? 64 : r.between(1, 5), steps = r.between(1, 3);
  const Output x = d.fresh(randomTensor(r, DType::Float, {batch, in}), true), h0 = weights(d, {batch, units}), w = weights(d, {in + units, units}),
               bias = weights(d, {units});
  const bool loop = large || r.chance(0.5), gradient = large || r.chance(0.8);
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const auto cell = [&](Output h) {
      const Output both = b.op("ConcatV2", {x, h, b.scalar<int32_t>(1)}, {{"N", int64_t(2)}});
      return b.op("Tanh", {b.op("BiasAdd", {b.op("MatMul", {both, w}), bias})});
    };
    Output h = h0;
    if (loop) {
      const List outs = api::whileLoop(
          b,
          [&](const List& v) {
            return b.op("Less", {v[0], b.scalar(int32_t(steps))});
          },
          [&](const List& v) {
            return List{b.op("AddV2", {v[0], b.scalar<int32_t>(1)}), cell(v[1])};
          },
          {b.scalar<int32_t>(0), h});
      if (!b.ok()) return;
      h = outs[1];
    } else {
      for (int64_t i = 0; i < steps; ++i) h = cell(h);
    }
    if (!b.ok()) return;
    d.offer(h);
    if (gradient) differentiate(d, {h}, {w, h0, bias});
  });
}

/// Products that are added up, and products of which slices are read.
bool products(Drawing& d) {
  Random& r = d.random();
  const int64_t n = r.between(1, 4), k = r.between(1, 4), m = r.between(2, 5);
  const Output x = d.fresh(randomTensor(r, DType::Float, {n, k}), true), y = weights(d, {n, k}), w = weights(d, {k, m}), v = weights(d, {m, k});
  const bool many = r.chance(0.5);
  const int32_t cut = int32_t(r.between(1, m - 1));
  return d.attempt([&] {
    GraphBuilder& b = d.b();
    const Output first = b.op("MatMul", {x, w}), second = b.op("MatMul", {y, w}), turned = b.op("MatMul", {x, v}, {{"transpose_b", true}});
    d.offer(many ? b.op("AddN", {first, second, b.op("MatMul", {y, v}, {{"transpose_b", true}})}) : b.op("Add", {first, second}));
    d.offer(b.op("Slice", {turned, b.ints({0, 0}), b.ints({-1, cut})}));
    if (r.chance(0.5)) d.offer(b.op("Slice", {turned, b.ints({0, cut}), b.ints({-1, -1})}));
    if (r.chance(0.5)) differentiate(d, {b.op("AddV2", {first, second})}, {w, x});
  });
}

}  // namespace

bool drawNetwork(Drawing& d) {
  switch (d.random().below(3)) {
    case 0: return pictures(d);
    case 1: return recurrent(d);
    default: return products(d);
  }
}

}  // namespace weft::generated
