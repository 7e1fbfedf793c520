// Layers of Keras that move values: flatten, reshape, permute, repeat, padding, cropping, enlarging.
#include <algorithm>

#include "api/keras_layer.h"
#include "api/narrow.h"
#include "ops/grad_ops.h"

namespace weft::api::keras {
using namespace records;

namespace {

Built flatten(KerasLayer& l) {
  Output x = l.input();
  if (!l.b.ok()) return l.b.status().error();
  x = l.channelsLast(x);
  const Shape s = l.b.shape(x);
  if (s.rank() == 2) return l.done(x);
  if (s.rank() < 2) return l.done(l.b.op("ExpandDims", {x, l.b.scalar<int32_t>(1, "axis")}));
  const int64_t inner = s.slice(1).elements();
  if (inner >= 0) return l.done(reshapedTail(l.b, x, x, 1, {inner}));
  const Output rows = l.b.op("Slice", {py::shape(l.b, x), ints(l.b, {0}, "begin"), ints(l.b, {1}, "size")});
  return l.done(l.b.op("Reshape", {x, l.b.op("ConcatV2", {rows, ints(l.b, {-1}, "rest"), l.b.scalar<int32_t>(0, "axis")})}));
}

Built reshape(KerasLayer& l) {
  const Output x = l.input();
  const Shape s = l.b.shape(x);
  if (!l.b.ok()) return l.b.status().error();
  std::vector<int64_t> dims = l.a.integers("target_shape");
  const auto unknown = std::find(dims.begin(), dims.end(), -1);
  const int64_t all = s.rank() > 0 ? s.slice(1).elements() : -1;
  if (unknown != dims.end() && all >= 0) {
    int64_t others = 1;
    const bool tooMany = std::any_of(dims.begin(), dims.end(), [&](int64_t d) { return d != -1 && __builtin_mul_overflow(others, d, &others); });
    if (tooMany || std::count(dims.begin(), dims.end(), -1) > 1 || others <= 0 || all % others != 0)
      return l.fail(invalidArgument("target_shape is ", argumentToText(Argument(dims)), ", which ", all, " values per sample do not fill"));
    *unknown = all / others;
  }
  return l.done(reshapedTail(l.b, x, x, 1, dims));
}

Built permute(KerasLayer& l) {
  const Output x = l.input();
  const std::vector<int64_t> dims = l.a.integers("dims");
  if (!l.b.ok()) return l.b.status().error();
  std::vector<int64_t> perm{0};
  perm.insert(perm.end(), dims.begin(), dims.end());
  std::vector<int64_t> sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != int64_t(i) || int(sorted.size()) != l.b.shape(x).rank())
      return l.fail(
          invalidArgument("dims is ", argumentToText(Argument(dims)), ", expected each dimension of ", l.b.shape(x).toPythonString(), " from 1 on once"));
  return l.done(l.b.op("Transpose", {x, ints(l.b, perm, "perm")}));
}

Built repeatVector(KerasLayer& l) {
  const Output x = l.input({2});
  if (!l.b.ok()) return l.b.status().error();
  if (!requireSize(l.b, l.a.integer("n"), "n")) return l.b.status().error();
  const Output wide = l.b.op("ExpandDims", {x, l.b.scalar<int32_t>(1, "axis")});
  return l.done(l.b.op("Tile", {wide, ints(l.b, {1, l.a.integer("n"), 1}, "multiples")}));
}

/// Two numbers for each spatial dimension: before and after. One number stands for all, one per dimension for both of its ends.
Result<std::vector<int64_t>> margins(KerasLayer& l, const char* name, size_t dims) {
  std::vector<int64_t> v = l.a.integers(name);
  if (v.size() == 1) v.resize(2 * dims, v[0]);
  if (dims == 2 && v.size() == 2) v = {v[0], v[0], v[1], v[1]};
  const bool negative = std::any_of(v.begin(), v.end(), [](int64_t n) { return n < 0; });
  if (v.size() != 2 * dims || negative)
    return l.fail(invalidArgument(name, " is ", argumentToText(Argument(v)), ", expected ", 2 * dims, " numbers from 0 on")).error();
  return v;
}

Built padded(KerasLayer& l, int dims) {
  const Output x = l.channelsLast(l.input({dims + 2}));
  WEFT_LET(const std::vector<int64_t> by, margins(l, "padding", size_t(dims)));
  if (!l.b.ok()) return l.b.status().error();
  Tensor paddings = Tensor::zeros(DType::Int32, Shape{dims + 2, 2});
  for (size_t i = 0; i < by.size(); ++i) paddings.mutableData<int32_t>()[2 + i] = fit32(l.b, by[i], "padding");
  if (!l.b.ok()) return l.b.status().error();
  return l.done(l.channelsBack(l.b.op("Pad", {x, l.b.constant(paddings, "paddings")})));
}

Built cropped(KerasLayer& l, int dims) {
  const Output x = l.channelsLast(l.input({dims + 2}));
  WEFT_LET(const std::vector<int64_t> by, margins(l, "cropping", size_t(dims)));
  if (!l.b.ok()) return l.b.status().error();
  std::vector<int64_t> begin{0}, end{0}, strides(size_t(dims) + 2, 1);
  int64_t endMask = 1 | (1 << (dims + 1));
  for (int i = 0; i < dims; ++i) {
    begin.push_back(by[size_t(2 * i)]);
    end.push_back(-by[size_t(2 * i) + 1]);
    if (end.back() == 0) endMask |= 1 << (i + 1);
  }
  begin.push_back(0);
  end.push_back(0);
  return l.done(l.channelsBack(l.b.op("StridedSlice", {x, ints(l.b, begin, "begin"), ints(l.b, end, "end"), ints(l.b, strides, "strides")},
                                      {{"begin_mask", int64_t(0)}, {"end_mask", endMask}})));
}

/// Each value `count` times along a dimension.
Output repeated(GraphBuilder& b, Output x, int axis, int64_t count) {
  if (count == 1 || !b.ok()) return x;
  const Shape s = b.shape(x);
  std::vector<int64_t> tiles(size_t(s.rank()) + 1, 1);
  tiles[size_t(axis) + 1] = count;
  const Output wide = b.op("Tile", {b.op("ExpandDims", {x, b.scalar<int32_t>(axis + 1, "axis")}), ints(b, tiles, "multiples")});
  std::vector<int64_t> dims = s.toVector();
  if (dims[size_t(axis)] >= 0) dims[size_t(axis)] *= count;
  if (std::count(dims.begin(), dims.end(), -1) <= 1) return b.op("Reshape", {wide, ints(b, dims, "shape")});
  std::vector<int32_t> factors(size_t(s.rank()), 1);
  factors[size_t(axis)] = int32_t(count);
  const Output out = b.op("Reshape", {wide, b.op("Mul", {py::shape(b, x), b.ints(factors, "factors")})});
  b.setShape(out, Shape(dims));
  return out;
}

Built upSampling(KerasLayer& l, int dims) {
  Output x = l.channelsLast(l.input({dims + 2}));
  const std::vector<int64_t> size = sizes(l.a.integers("size"), size_t(dims));
  if (size.size() != size_t(dims)) return l.fail(invalidArgument("size is ", argumentToText(Argument(size)), ", expected ", dims, " numbers"));
  for (const int64_t n : size)
    if (!requireSize(l.b, n, "size")) return l.b.status().error();
  if (dims == 2 && l.a.text("interpolation") == "bilinear") {
    const Output spatial = l.b.op("Slice", {py::shape(l.b, x), ints(l.b, {1}, "begin"), ints(l.b, {2}, "size")});
    const Output target = l.b.op("Mul", {spatial, ints(l.b, size, "factors")});
    return l.done(l.channelsBack(l.b.op("ResizeBilinear", {x, target}, {{"half_pixel_centers", true}})));
  }
  for (int i = 0; i < dims; ++i) x = repeated(l.b, x, i + 1, size[size_t(i)]);
  return l.done(l.channelsBack(x));
}

}  // namespace

void registerShapes(ApiRegistry& r) {
  const ApiParameter margin = optional("padding", "ints", std::vector<int64_t>{1}, "How many zeros before and after each dimension.");
  const ApiParameter crop = optional("cropping", "ints", std::vector<int64_t>{1}, "How many values to cut off before and after each dimension.");
  const auto size = [](int dims) { return optional("size", "ints", std::vector<int64_t>(size_t(dims), 2), "How often each row and column is repeated."); };
  layer(r, "Flatten", "Flattens each sample to one row.", {inputs(), dataFormat()}, flatten, "flatten");
  layer(r, "Reshape", "Changes the shape of each sample.",
        {inputs(), required("target_shape", "ints", "Shape of a sample; one dimension may be -1 and is inferred.")}, reshape, "reshape", {"target_shape"});
  layer(r, "Permute", "Permutes the dimensions of each sample.",
        {inputs(), required("dims", "ints", "Dimension i of the result is dimension dims[i] of the input, from 1 on.")}, permute, "reshape", {"dims"});
  layer(r, "RepeatVector", "Repeats each row as a sequence.", {inputs(), required("n", "int", "How often.")}, repeatVector, "reshape", {"n"});
  layer(r, "ZeroPadding1D", "Puts zeros around sequences.", {inputs(), margin}, [](KerasLayer& l) { return padded(l, 1); }, "reshape", {"padding"});
  layer(r, "ZeroPadding2D", "Puts zeros around images.", {inputs(), margin, dataFormat()}, [](KerasLayer& l) { return padded(l, 2); }, "reshape", {"padding"});
  layer(r, "Cropping1D", "Cuts off the ends of sequences.", {inputs(), crop}, [](KerasLayer& l) { return cropped(l, 1); }, "reshape", {"cropping"});
  layer(r, "Cropping2D", "Cuts off the borders of images.", {inputs(), crop, dataFormat()}, [](KerasLayer& l) { return cropped(l, 2); }, "reshape",
        {"cropping"});
  layer(r, "UpSampling1D", "Repeats the steps of sequences.", {inputs(), size(1)}, [](KerasLayer& l) { return upSampling(l, 1); }, "reshape", {"size"});
  layer(r, "UpSampling2D", "Enlarges images by whole factors.",
        {inputs(), size(2), optional("interpolation", "string", std::string("nearest"), "How values in between are found.", {"nearest", "bilinear"}),
         dataFormat()},
        [](KerasLayer& l) { return upSampling(l, 2); }, "reshape", {"size"});
}

}  // namespace weft::api::keras
