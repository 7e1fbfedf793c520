// Pooling layers of Keras. Sequences are pooled as images of height 1.
#include "api/keras_layer.h"
#include "ops/grad_ops.h"

namespace weft::api::keras {
using namespace records;

namespace {

Built pooled(KerasLayer& l, const char* op, int dims) {
  GraphBuilder& b = l.b;
  Output x = l.channelsLast(l.input({dims + 2}));
  std::vector<int64_t> pool = sizes(l.a.integers("pool_size"), size_t(dims)), strides = sizes(l.a.integers("strides"), size_t(dims));
  if (strides.empty()) strides = pool;
  if (pool.size() != size_t(dims) || strides.size() != size_t(dims))
    return l.fail(invalidArgument("pool_size and strides are expected to have ", dims, " numbers"));
  if (dims == 1) {
    x = b.op("ExpandDims", {x, b.scalar<int32_t>(1, "axis")});
    pool.insert(pool.begin(), 1);
    strides.insert(strides.begin(), 1);
  }
  if (!b.ok()) return b.status().error();
  Output y = b.op(op, {x},
                  {{"ksize", std::vector<int64_t>{1, pool[0], pool[1], 1}},
                   {"strides", std::vector<int64_t>{1, strides[0], strides[1], 1}},
                   {"padding", upper(l.a.text("padding"))}});
  if (dims == 1) y = b.op("Squeeze", {y}, {{"squeeze_dims", std::vector<int64_t>{1}}});
  return l.done(l.channelsBack(y));
}

Built global(KerasLayer& l, const char* op, int dims) {
  const Output x = l.input({dims + 2});
  if (!l.b.ok()) return l.b.status().error();
  std::vector<int64_t> axes;
  for (int i = 0; i < dims; ++i) axes.push_back(i + (l.channelsFirst() ? 2 : 1));
  return l.done(l.b.op(op, {x, ints(l.b, axes, "axes")}, {{"keep_dims", l.a.flag("keepdims")}}));
}

}  // namespace

void registerPools(ApiRegistry& r) {
  const ApiParameter padding = optional("padding", "string", std::string("valid"), "valid: no padding; same: zero padding.", {"valid", "same"});
  const ApiParameter keep = optional("keepdims", "bool", false, "Whether the pooled dimensions stay, with size 1.");
  const auto add = [&](const char* kind, const char* op, int dims, std::string summary) {
    layer(r, kind, std::move(summary),
          {inputs(), optional("pool_size", "ints", std::vector<int64_t>(size_t(dims), 2), "Size of the window."),
           optional("strides", "ints", std::vector<int64_t>{}, "Stride of the window; empty: its size."), padding, dataFormat()},
          [op, dims](KerasLayer& l) { return pooled(l, op, dims); }, "pool", {"pool_size"});
  };
  add("MaxPooling1D", "MaxPool", 1, "Keeps the largest value of each window of a sequence.");
  add("MaxPooling2D", "MaxPool", 2, "Keeps the largest value of each window of an image.");
  add("AveragePooling1D", "AvgPool", 1, "Keeps the mean of each window of a sequence.");
  add("AveragePooling2D", "AvgPool", 2, "Keeps the mean of each window of an image.");
  const auto all = [&](const char* kind, const char* op, int dims, std::string summary) {
    layer(
        r, kind, std::move(summary), {inputs(), dataFormat(), keep}, [op, dims](KerasLayer& l) { return global(l, op, dims); }, "pool");
  };
  all("GlobalMaxPooling1D", "Max", 1, "The maximum of each channel over a sequence.");
  all("GlobalMaxPooling2D", "Max", 2, "The maximum of each channel over an image.");
  all("GlobalAveragePooling1D", "Mean", 1, "The mean of each channel over a sequence.");
  all("GlobalAveragePooling2D", "Mean", 2, "The mean of each channel over an image.");
}

}  // namespace weft::api::keras
