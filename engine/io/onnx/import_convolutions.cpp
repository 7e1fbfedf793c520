#include <algorithm>

#include "io/onnx/import_windows.h"

// Convolutions. TensorFlow's CPU kernels want channels last, so they are computed that way; the importer turns tensors only where an op needs the other order.

namespace weft::onnx_io {

constexpr int64_t kLargestWindow = 1 << 20;

bool Windows::padded() const {
  const auto some = [](int64_t v) { return v != 0; };
  return std::any_of(before.begin(), before.end(), some) || std::any_of(after.begin(), after.end(), some);
}

Result<Windows> windowsOf(const ImportNode& n, Ints kernel, const Shape& input) {
  Windows w;
  w.kernel = n.hasAttr("kernel_shape") ? n.integers("kernel_shape") : std::move(kernel);
  const size_t count = w.kernel.size();
  w.strides = n.integers("strides");
  w.dilations = n.integers("dilations");
  if (w.strides.empty()) w.strides.assign(count, 1);
  if (w.dilations.empty()) w.dilations.assign(count, 1);
  Ints pads = n.integers("pads");
  const std::string how = n.text("auto_pad", "NOTSET");
  if (pads.empty() || how != "NOTSET") pads.assign(2 * count, 0);
  if (count == 0 || w.strides.size() != count || w.dilations.size() != count || pads.size() != 2 * count ||
      (input.hasRank() && size_t(input.rank()) != count + 2))
    return invalidArgument("its kernel has ", count, " dimensions; expected as many strides, dilations and pairs of pads, and an input of 2 more dimensions");
  for (size_t i = 0; i < count; ++i)
    if (w.kernel[i] < 1 || w.strides[i] < 1 || w.dilations[i] < 1 || w.kernel[i] > kLargestWindow || w.strides[i] > kLargestWindow ||
        w.dilations[i] > kLargestWindow)
      return invalidArgument("its kernel, strides and dilations must be from 1 to ", kLargestWindow);
  w.before.assign(pads.begin(), pads.begin() + std::ptrdiff_t(count));
  w.after.assign(pads.begin() + std::ptrdiff_t(count), pads.end());
  for (const int64_t p : pads)
    if (p < 0 || p > kLargestWindow) return unimplemented("pads of ", p);
  if (how == "SAME_UPPER") w.same = true;
  if (how == "SAME_LOWER") {
    for (int d = 0; d < int(count); ++d) {
      const int64_t size = input.hasRank() ? input.dim(d + 2) : -1;
      if (size < 0) return unimplemented("SAME_LOWER for an input whose size is not known");
      const int64_t windows = (size + w.strides[size_t(d)] - 1) / w.strides[size_t(d)];
      const int64_t total = std::max<int64_t>(0, (windows - 1) * w.strides[size_t(d)] + w.reach(d) - size);
      w.after[size_t(d)] = total / 2;
      w.before[size_t(d)] = total - total / 2;
    }
  }
  return w;
}

Ints spatialOnly(const Ints& values, int64_t others) {
  Ints out{others};
  out.insert(out.end(), values.begin(), values.end());
  out.push_back(others);
  return out;
}

namespace {

/// A one-dimensional convolution is a two-dimensional one of height 1.
Windows withHeight(Windows w) {
  if (w.spatial() != 1) return w;
  for (Ints* list : {&w.kernel, &w.strides, &w.dilations}) list->insert(list->begin(), 1);
  for (Ints* list : {&w.before, &w.after}) list->insert(list->begin(), 0);
  return w;
}

Output addHeight(ImportNode& n, Output x) {
  const Output at = n.b.scalar(int32_t(1));
  return n.op("ExpandDims", {x, at});
}

Output dropHeight(ImportNode& n, Output x) { return n.b.op("Squeeze", {x}, {{"squeeze_dims", Ints{1}}}); }

/// [out, in, spatial…] → [spatial…, in, out]
Ints filterOrder(int rank) {
  Ints perm;
  for (int i = 2; i < rank; ++i) perm.push_back(i);
  perm.push_back(1);
  perm.push_back(0);
  return perm;
}

/// A filter [spatial…, in, out] with zeros between its elements, which does what dilations do; they become 1.
Output spreadOut(ImportNode& n, Output filter, const Shape& sizes, Windows* w) {
  for (int d = 0; d < w->spatial(); ++d) {
    const int64_t by = w->dilations[size_t(d)], reach = w->reach(d);
    if (by == 1) continue;
    Ints before, after, parts, joined;
    for (int i = 0; i < sizes.rank(); ++i) {
      const int64_t size = i < d ? w->kernel[size_t(i)] : sizes.dim(i);
      parts.push_back(size);
      joined.push_back(i == d ? size * by : size);
      if (i == d) parts.push_back(1);
    }
    before.assign(parts.size(), 0);
    after = before;
    after[size_t(d) + 1] = by - 1;
    filter = n.slice(n.reshape(n.pad(n.reshape(filter, parts), before, after), joined), d, 0, reach);
    w->kernel[size_t(d)] = reach;
    w->dilations[size_t(d)] = 1;
  }
  return filter;
}

/// Convolves a tensor with channels last; explicit padding where Conv2D takes it, else by Pad.
Output convolved(ImportNode& n, Output x, Output filter, const Windows& w) {
  if (w.spatial() == 3 && !w.same) {
    const Shape sizes = n.b.shape(filter);
    Windows close = w;
    const Output spread = spreadOut(n, filter, sizes, &close);
    if (close.dilations != w.dilations) return convolved(n, x, spread, close);
  }
  AttrMap attrs{{"strides", spatialOnly(w.strides)}, {"dilations", spatialOnly(w.dilations)}, {"padding", w.same ? "SAME" : "VALID"}};
  if (w.padded() && w.spatial() == 2) {
    Ints sides{0, 0};
    for (size_t d = 0; d < 2; ++d) sides.insert(sides.end(), {w.before[d], w.after[d]});
    sides.insert(sides.end(), {0, 0});
    attrs.set("padding", "EXPLICIT");
    attrs.set("explicit_paddings", sides);
  } else if (w.padded()) {
    x = n.pad(x, spatialOnly(w.before, 0), spatialOnly(w.after, 0));
  }
  return n.op(w.spatial() == 2 ? "Conv2D" : "Conv3D", {x, filter}, std::move(attrs));
}

bool allOne(const Ints& values) {
  return std::all_of(values.begin(), values.end(), [](int64_t v) { return v == 1; });
}

Result<Output> grouped(ImportNode& n, Output x, Output weights, const Shape& filter, int64_t groups, const Windows& w) {
  const int rank = filter.rank();
  const int64_t out = filter.dim(0), in = filter.dim(1);
  if (groups < 1 || out < 1 || in < 1 || out % groups) return invalidArgument(groups, " groups of ", out, " filters");
  // One input channel for each group, and square strides: a depthwise convolution.
  if (in == 1 && w.spatial() == 2 && w.strides[0] == w.strides[1] && allOne(w.dilations)) {
    const Output parts = n.reshape(weights, {groups, out / groups, filter.dim(2), filter.dim(3)});
    const Output depthwise = n.transpose(parts, {2, 3, 0, 1});
    if (w.padded()) x = n.pad(x, spatialOnly(w.before, 0), spatialOnly(w.after, 0));
    return n.op("DepthwiseConv2dNative", {x, depthwise}, {{"strides", spatialOnly(w.strides)}, {"padding", w.same ? "SAME" : "VALID"}});
  }
  if (groups > 1024) return unimplemented(groups, " groups");
  const Output last = n.b.scalar(int32_t(rank - 1));
  const Outputs pieces = n.ops("Split", {last, x}, {{"num_split", groups}}),
                filters = n.ops("Split", {last, n.transpose(weights, filterOrder(rank))}, {{"num_split", groups}});
  WEFT_TRY(n.b.status());
  Outputs made;
  for (size_t g = 0; g < pieces.size(); ++g) made.push_back(convolved(n, pieces[g], filters[g], w));
  return n.concat(made, rank - 1);
}

/// Convolves `x`, which has its channels last, with filters in ONNX's order.
Result<Output> convolvedBy(ImportNode& n, Output x, Output weights) {
  Shape filter = n.b.shape(weights);
  const int rank = filter.rank();
  if (rank < 3 || rank > 5 || !filter.isFullyKnown())
    return unimplemented("filters of shape ", filter.toString(), "; expected 1 to 3 known spatial dimensions");
  const Shape input = n.b.shape(x);
  if (!input.hasRank()) return unimplemented("the rank of its input is not known");
  if (input.rank() != rank) return invalidArgument("its input has ", input.rank(), " dimensions; expected ", rank, ", as its filters have");
  Shape first{input.dim(0), input.dim(rank - 1)};
  for (int d = 1; d < rank - 1; ++d) first.append(input.dim(d));
  WEFT_LET(Windows w, windowsOf(n, filter.slice(2).toVector(), first));
  if (w.kernel != filter.slice(2).toVector()) return invalidArgument("its kernel_shape does not fit its filters ", filter.toString());
  if (rank == 3) {
    x = addHeight(n, x);
    Ints sizes = filter.toVector();
    sizes.insert(sizes.begin() + 2, 1);
    weights = n.reshape(weights, sizes);
    filter = Shape(sizes);
    w = withHeight(w);
  }
  Output made;
  if (const int64_t groups = n.integer("group", 1); groups == 1) {
    made = convolved(n, x, n.transpose(weights, filterOrder(filter.rank())), w);
  } else {
    WEFT_LET(made, grouped(n, x, weights, filter, groups, w));
  }
  return rank == 3 ? dropHeight(n, made) : made;
}

Translation conv(ImportNode& n) {
  const Output weights = n.in(1);
  const int rank = n.rank(0) < 0 ? n.rank(1) : n.rank(0);
  if (rank < 3) return unimplemented("an input of rank ", rank, "; expected 3 to 5");
  Output x;
  if (n.rank(0) < 0) {
    // The input has as many dimensions as the filters, where shapes do not tell.
    x = n.b.identity(n.in(0));
    n.b.setShape(x, Shape::unknownOfRank(rank));
    x = n.transpose(x, toChannelsLast(rank));
  } else {
    x = n.last(0);
  }
  WEFT_LET(Output made, convolvedBy(n, x, weights));
  if (n.has(2)) made = n.op("BiasAdd", {made, n.in(2)});
  n.channelsLast = true;
  return Outputs{made};
}

/// A quantized operand without its zero point, in double, which holds the sums exactly.
Output withoutZero(ImportNode& n, Output x, int zeroInput, int rank) {
  const Output wide = n.b.cast(x, DType::Double);
  if (!n.has(zeroInput)) return wide;
  Output zero = n.b.cast(n.in(zeroInput), DType::Double);
  if (n.rank(zeroInput) == 1 && n.b.shape(zero).dim(0) != 1) {
    Ints perFilter(size_t(rank), 1);
    perFilter[0] = -1;
    zero = n.reshape(zero, perFilter);
  }
  return n.op("Sub", {wide, zero});
}

Translation convInteger(ImportNode& n) {
  const int rank = n.rank(0);
  if (rank < 3) return unimplemented("an input of rank ", rank, "; expected 3 to 5");
  const Output x = withoutZero(n, n.last(0), 2, rank), weights = withoutZero(n, n.in(1), 3, rank);
  WEFT_LET(const Output made, convolvedBy(n, x, weights));
  n.channelsLast = true;
  return Outputs{n.b.cast(made, DType::Int32)};
}

Translation qLinearConv(ImportNode& n) {
  const int rank = n.rank(0);
  if (rank < 3) return unimplemented("an input of rank ", rank, "; expected 3 to 5");
  const Output x = withoutZero(n, n.last(0), 2, rank), weights = withoutZero(n, n.in(3), 5, rank);
  WEFT_LET(Output made, convolvedBy(n, x, weights));
  if (n.has(8)) made = n.op("AddV2", {made, n.b.cast(n.in(8), DType::Double)});
  // One scale for each filter lies along the last dimension.
  const Output ours = n.b.cast(n.in(1), DType::Double), theirs = n.b.cast(n.in(4), DType::Double), result = n.b.cast(n.in(6), DType::Double);
  const Output factor = n.op("RealDiv", {n.op("Mul", {ours, theirs}), result});
  WEFT_LET(const Output q, quantizedTo(n, n.op("Mul", {made, factor}), n.in(7), n.b.dtype(n.in(7))));
  n.channelsLast = true;
  return Outputs{q};
}

/// The sizes of a transposed convolution: of the full result, and what is cut from it.
Result<Ints> transposedSizes(const ImportNode& n, const Shape& input, Windows* w) {
  const size_t count = w->kernel.size();
  Ints more = n.integers("output_padding"), wanted = n.integers("output_shape"), full;
  if (more.empty()) more.assign(count, 0);
  if (wanted.size() > count) wanted.erase(wanted.begin(), wanted.end() - std::ptrdiff_t(count));
  if (more.size() != count || (!wanted.empty() && wanted.size() != count))
    return invalidArgument("its output_shape and output_padding must have ", count, " sizes");
  const std::string how = n.text("auto_pad", "NOTSET");
  for (size_t d = 0; d < count; ++d) {
    const int64_t size = input.dim(int(d) + 2);
    if (size < 1) return unimplemented("an input whose size is not known");
    if (more[d] < 0 || more[d] >= std::max(w->strides[d], w->dilations[d])) return invalidArgument("an output_padding of ", more[d]);
    const int64_t whole = (size - 1) * w->strides[d] + w->reach(int(d)) + more[d];
    if (!wanted.empty() || how == "SAME_UPPER" || how == "SAME_LOWER") {
      const int64_t total = whole - (wanted.empty() ? size * w->strides[d] : wanted[d]);
      // A result that is larger than the full one grows at its end.
      const int64_t cut = std::max<int64_t>(0, total), small = cut / 2;
      w->before[d] = how == "SAME_UPPER" ? small : cut - small;
      w->after[d] = total - w->before[d];
    }
    full.push_back(whole);
  }
  return full;
}

Translation convTranspose(ImportNode& n) {
  Output weights = n.in(1);
  Shape filter = n.b.shape(weights);
  const int rank = filter.rank();
  if (rank < 3 || rank > 5 || !filter.isFullyKnown() || n.rank(0) != rank)
    return unimplemented("filters of shape ", filter.toString(), " for an input of rank ", n.rank(0));
  Output x = n.last(0);
  const Shape input = n.b.shape(x);
  Shape first{input.dim(0), input.dim(rank - 1)};
  for (int d = 1; d < rank - 1; ++d) first.append(input.dim(d));
  WEFT_LET(Windows w, windowsOf(n, filter.slice(2).toVector(), first));
  WEFT_LET(Ints full, transposedSizes(n, first, &w));
  const Ints before = w.before, after = w.after;
  if (rank == 3) {
    x = addHeight(n, x);
    Ints sizes = filter.toVector();
    sizes.insert(sizes.begin() + 2, 1);
    weights = n.reshape(weights, sizes);
    filter = Shape(sizes);
    w = withHeight(w);
    full.insert(full.begin(), 1);
  }
  const int64_t groups = n.integer("group", 1), out = filter.dim(1);
  if (groups < 1 || groups > 1024 || filter.dim(0) % groups) return unimplemented(groups, " groups");
  const int last = filter.rank() - 1;
  // A window may begin where only output_padding reaches; the gradient's sizes must allow for it.
  for (size_t d = 0; d < full.size(); ++d) {
    const int64_t whole = (n.b.shape(x).dim(int(d) + 1) - 1) * w.strides[d] + w.reach(int(d));
    if ((full[d] - w.reach(int(d))) / w.strides[d] != (whole - w.reach(int(d))) / w.strides[d]) full[d] = whole;
  }
  Output sizes;
  if (input.dim(0) >= 0) {
    Ints all{input.dim(0)};
    all.insert(all.end(), full.begin(), full.end());
    all.push_back(out);
    sizes = n.intVector(all);
  } else {
    Ints rest = full;
    rest.push_back(out);
    const Output batch = n.slice(n.shapeOf(x), 0, 0, 1), others = n.intVector(rest);
    sizes = n.concat({batch, others}, 0);
  }
  const char* op = w.spatial() == 2 ? "Conv2DBackpropInput" : "Conv3DBackpropInputV2";
  Shape order;
  for (const int64_t p : filterOrder(filter.rank())) order.append(filter.dim(int(p)));
  const Output turned = spreadOut(n, n.transpose(weights, filterOrder(filter.rank())), order, &w);
  const AttrMap attrs{{"strides", spatialOnly(w.strides)}, {"padding", "VALID"}};
  Output made;
  if (groups == 1) {
    made = n.op(op, {sizes, turned, x}, attrs);
  } else {
    const Output axis = n.b.scalar(int32_t(last));
    const Outputs pieces = n.ops("Split", {axis, x}, {{"num_split", groups}}), filters = n.ops("Split", {axis, turned}, {{"num_split", groups}});
    WEFT_TRY(n.b.status());
    Outputs parts;
    for (size_t g = 0; g < pieces.size(); ++g) parts.push_back(n.op(op, {sizes, filters[g], pieces[g]}, attrs));
    made = n.concat(parts, last);
  }
  if (rank == 3) made = dropHeight(n, made);
  // What ONNX calls padding is cut from the full result; the rest of output_padding holds zeros.
  Ints low(size_t(rank), 0), high = low;
  const size_t own = before.size(), skip = full.size() - own;
  Ints more = n.integers("output_padding");
  more.resize(own, 0);
  for (size_t d = 0; d < own; ++d) {
    const int64_t whole = (input.dim(int(d) + 1) - 1) * w.strides[d + skip] + w.reach(int(d + skip)) + more[d], length = whole - before[d] - after[d];
    if (length < 1) return invalidArgument("its pads leave nothing of dimension ", d);
    if (before[d] > 0) made = n.slice(made, int(d) + 1, before[d], INT64_MAX);
    if (before[d] < 0) low[d + 1] = -before[d];
    const int64_t have = full[d + skip] - before[d];
    if (have > length) made = n.slice(made, int(d) + 1, 0, length);
    if (have < length) high[d + 1] = length - have;
  }
  made = n.pad(made, low, high);
  if (n.has(2)) made = n.op("BiasAdd", {made, n.in(2)});
  n.channelsLast = true;
  return Outputs{made};
}

}  // namespace

std::vector<ImportRule> convolutionImports() {
  return {{"Conv", conv}, {"ConvInteger", convInteger}, {"ConvTranspose", convTranspose}, {"QLinearConv", qLinearConv}};
}

}  // namespace weft::onnx_io
