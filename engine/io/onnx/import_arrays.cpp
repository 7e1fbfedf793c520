#include <algorithm>
#include <numeric>

#include "io/onnx/import_node.h"

// Shapes, and ops that rearrange, cut, join or extend tensors.

namespace weft::onnx_io {
namespace {

Translation shapeOp(ImportNode& n) {
  const Output x = n.in(0);
  const Output all = n.b.op("Shape", {x}, {{"out_type", DType::Int64}});
  if (!n.hasAttr("start") && !n.hasAttr("end")) return Outputs{all};
  return Outputs{n.slice(all, 0, n.integer("start"), n.integer("end", INT64_MAX))};
}

Translation sizeOp(ImportNode& n) { return Outputs{n.b.op("Size", {n.in(0)}, {{"out_type", DType::Int64}})}; }

Translation reshapeOp(ImportNode& n) {
  const Output x = n.in(0);
  const Shape own = n.b.shape(x);
  const bool zeroCopies = !n.integer("allowzero");
  std::optional<Ints> wanted;
  if (n.opset < 5) {
    wanted = n.integers("shape");
  } else if (const auto known = n.value(n.in(1)); known && isInteger(known->dtype())) {
    wanted.emplace();
    for (int64_t i = 0; i < known->elements(); ++i) wanted->push_back(known->asInt(i));
  }
  if (wanted) {
    // The size -1 and a copied one that is not known can be told apart only by computing the copied one.
    bool open = false;
    Ints shape = *wanted;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] != 0 || !zeroCopies) continue;
      if (!own.hasRank() || int(i) >= own.rank()) return invalidArgument("size ", i, " is 0, to copy a dimension, but the input's shape is ", own.toString());
      shape[i] = own.dim(int(i));
      open = open || shape[i] < 0;
    }
    if (!open) return Outputs{n.reshape(x, shape)};
    if (std::count(shape.begin(), shape.end(), -1) == 1) return Outputs{n.reshape(x, shape)};
    const Output sizes = n.shapeOf(x);
    Outputs parts;
    for (size_t i = 0; i < shape.size(); ++i) parts.push_back((*wanted)[i] == 0 ? n.slice(sizes, 0, int64_t(i), int64_t(i) + 1) : n.intVector({shape[i]}));
    const Output full = n.concat(parts, 0);
    return Outputs{n.op("Reshape", {x, full})};
  }
  const Output shape = n.in(1);
  const Shape length = n.b.shape(shape);
  if (!zeroCopies) return Outputs{n.op("Reshape", {x, shape})};
  if (!length.isFullyKnown() || length.rank() != 1 || !own.hasRank()) return unimplemented("neither the new shape nor the rank of its input is known");
  Output sizes = n.b.op("Shape", {x}, {{"out_type", DType::Int64}});
  const int64_t count = length.dim(0);
  if (count < own.rank()) sizes = n.slice(sizes, 0, 0, count);
  if (count > own.rank()) sizes = n.pad(sizes, {0}, {count - own.rank()});
  const Output zero = n.b.number(DType::Int64, 0);
  const Output copied = n.op("Equal", {shape, zero});
  return Outputs{n.op("Reshape", {x, n.op("Select", {copied, sizes, shape})})};
}

Translation flatten(ImportNode& n) {
  const Output x = n.in(0);
  const Shape shape = n.b.shape(x);
  int64_t axis = n.integer("axis", 1);
  if (axis < 0 && !shape.hasRank()) return unimplemented("the rank of its input is not known");
  if (axis < 0) axis += shape.rank();
  if (axis < 0 || (shape.hasRank() && axis > shape.rank())) return invalidArgument("axis ", n.integer("axis", 1), " of a tensor of shape ", shape.toString());
  if (axis == 0) return Outputs{n.reshape(x, {1, -1})};
  if (shape.hasRank()) {
    const int64_t lead = shape.slice(0, int(axis)).elements(), rest = shape.slice(int(axis)).elements();
    if (lead >= 0 && rest >= 0) return Outputs{n.reshape(x, {lead, rest})};
    if (rest > 0) return Outputs{n.reshape(x, {-1, rest})};
    if (lead > 0) return Outputs{n.reshape(x, {lead, -1})};
  }
  const Output lead = n.reduce("Prod", n.slice(n.shapeOf(x), 0, 0, axis), {0}, true), rest = n.intVector({-1});
  return Outputs{n.op("Reshape", {x, n.concat({lead, rest}, 0)})};
}

Translation squeeze(ImportNode& n) {
  const Output x = n.in(0);
  WEFT_LET(const Ints axes, n.axes(13, 1));
  return Outputs{n.b.op("Squeeze", {x}, {{"squeeze_dims", axes}})};
}

Translation unsqueeze(ImportNode& n) {
  Output x = n.in(0);
  WEFT_LET(Ints axes, n.axes(13, 1));
  const int rank = n.rank(0);
  if (rank < 0 && axes.size() > 1) return unimplemented("the rank of its input is not known");
  if (axes.empty()) return Outputs{n.b.identity(x)};
  if (rank >= 0) {
    for (int64_t& a : axes)
      if ((a = axisOf(a, rank + int64_t(axes.size()))) < 0) return invalidArgument("an axis is outside of ", rank + int64_t(axes.size()), " dimensions");
    std::sort(axes.begin(), axes.end());
  }
  for (const int64_t a : axes) {
    const Output at = n.b.scalar(int32_t(a));
    x = n.op("ExpandDims", {x, at});
  }
  return Outputs{x};
}

Translation concatOp(ImportNode& n) {
  const int rank = n.rank(0);
  int64_t axis = n.integer("axis", 1);
  bool turned = rank >= 3;
  for (int i = 0; i < n.inputs(); ++i) turned = turned && n.isLast(i);
  Outputs parts;
  if (turned) {
    axis = axisOf(axis, rank);
    if (axis < 0) return invalidArgument("axis ", n.integer("axis"), " of tensors of rank ", rank);
    for (int i = 0; i < n.inputs(); ++i) parts.push_back(n.last(i));
    n.channelsLast = true;
    const Ints first = toChannelsLast(rank);
    axis = std::find(first.begin(), first.end(), axis) - first.begin();
  } else {
    parts = n.all();
  }
  if (parts.empty()) return invalidArgument("it joins no tensors");
  return Outputs{parts.size() == 1 ? n.b.identity(parts[0]) : n.concat(parts, int(axis))};
}

Translation split(ImportNode& n) {
  const Output x = n.in(0);
  const Shape shape = n.b.shape(x);
  int64_t axis = n.integer("axis", 0);
  const int64_t count = n.outputs();
  if (count < 1) return invalidArgument("it has no outputs");
  Ints sizes = n.integers("split");
  if (n.opset >= 13 && n.has(1)) {
    WEFT_LET(sizes, n.ints(1));
  }
  const Output where = n.b.scalar(int32_t(axis));
  if (sizes.empty()) {
    const int64_t at = shape.hasRank() ? axisOf(axis, shape.rank()) : -1, size = at < 0 ? -1 : shape.dim(int(at));
    if (size < 0 || size % count == 0) return n.ops("Split", {where, x}, {{"num_split", count}});
    // Parts of equal size but for the last.
    for (int64_t left = size, part = (size + count - 1) / count; int64_t(sizes.size()) < count; left -= sizes.back()) sizes.push_back(std::min(part, left));
  }
  if (int64_t(sizes.size()) != count) return invalidArgument("it has ", sizes.size(), " sizes for ", count, " outputs");
  const Output parts = n.intVector(sizes);
  return n.ops("SplitV", {x, parts, where}, {{"num_split", count}});
}

Translation expand(ImportNode& n) {
  const Output x = n.in(0), shape = n.in(1);
  const Output own = n.b.op("Shape", {x}, {{"out_type", n.b.dtype(shape)}});
  const Output full = n.b.op("BroadcastArgs", {own, shape});
  return Outputs{n.op("BroadcastTo", {x, full})};
}

Translation tile(ImportNode& n) {
  const Output x = n.in(0);
  if (n.opset >= 6) return Outputs{n.op("Tile", {x, n.in(1)})};
  WEFT_LET(const double times, n.number(1));
  WEFT_LET(const double axis, n.number(2));
  const int rank = n.rank(0);
  if (rank < 0 || axis < 0 || axis >= rank) return invalidArgument("axis ", axis, " of a tensor of rank ", rank);
  Ints all(size_t(rank), 1);
  all[size_t(axis)] = int64_t(times);
  const Output repeats = n.intVector(all);
  return Outputs{n.op("Tile", {x, repeats})};
}

Translation transposeOp(ImportNode& n) {
  const int rank = n.rank(0);
  Ints perm = n.integers("perm");
  if (perm.empty()) {
    if (rank < 0) return unimplemented("the rank of its input is not known");
    for (int i = rank - 1; i >= 0; --i) perm.push_back(i);
  }
  if (const int expected = rank < 0 ? int(perm.size()) : rank; !isPermutation(perm, expected))
    return invalidArgument("its perm is ", Shape(perm).toString(), "; expected each of ", expected, " dimensions once");
  // From channels last as computed to channels last as wanted: nothing to do.
  if (n.isLast(0) && perm == toChannelsLast(rank)) return Outputs{n.b.identity(n.last(0))};
  const Output x = n.in(0);
  return Outputs{std::is_sorted(perm.begin(), perm.end()) ? n.b.identity(x) : n.transpose(x, perm)};
}

/// Index of the element that a padded position shows; -1: none.
int64_t shownAt(int64_t at, int64_t size, const std::string& mode) {
  if (at >= 0 && at < size) return at;
  if (mode == "edge") return std::clamp<int64_t>(at, 0, size - 1);
  if (mode == "wrap") return ((at % size) + size) % size;
  if (size == 1) return 0;
  const int64_t period = 2 * (size - 1), place = ((at % period) + period) % period;
  return place < size ? place : period - place;
}

Translation padOp(ImportNode& n) {
  Output x = n.in(0);
  const std::string mode = n.text("mode", "constant");
  const int rank = n.rank(0);
  Ints pads = n.integers(n.opset < 2 ? "paddings" : "pads");
  if (n.opset >= 11) {
    if (!n.value(n.in(1))) {
      WEFT_TRY(n.b.status());
      if (mode != "constant" || n.has(3)) return unimplemented("its pads are computed by the graph");
      const Output sides = n.transpose(n.reshape(n.in(1), {2, -1}), {1, 0});
      return Outputs{n.has(2) ? n.op("PadV2", {x, sides, n.reshape(n.in(2), {})}) : n.op("Pad", {x, sides})};
    }
    WEFT_LET(pads, n.ints(1));
  }
  for (const int64_t p : pads)
    if (p < INT32_MIN || p > INT32_MAX) return invalidArgument("a pad of ", p, "; expected a 32-bit integer");
  if (rank < 0) return unimplemented("the rank of its input is not known");
  Ints axes(pads.size() / 2);
  std::iota(axes.begin(), axes.end(), 0);
  if (n.has(3)) {
    WEFT_LET(axes, n.ints(3));
  }
  if (pads.size() != 2 * axes.size()) return invalidArgument("it has ", pads.size(), " pads for ", axes.size(), " dimensions");
  Ints before(size_t(rank), 0), after(size_t(rank), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axisOf(axes[i], rank);
    if (axis < 0) return invalidArgument("axis ", axes[i], " of a tensor of rank ", rank);
    before[size_t(axis)] = pads[i];
    after[size_t(axis)] = pads[i + axes.size()];
  }
  const bool cuts = std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p < 0; });
  const Output start = x;
  if (mode != "constant") {
    const Shape shape = n.b.shape(x);
    for (int d = 0; d < rank; ++d) {
      if (before[size_t(d)] == 0 && after[size_t(d)] == 0) continue;
      const int64_t size = shape.dim(d);
      const int64_t low = before[size_t(d)], high = after[size_t(d)];
      if (size < 0 && mode == "reflect" && low >= 0 && high >= 0) {
        // Once the size is known, MirrorPad refuses a pad that is not smaller.
        std::vector<int32_t> sides(size_t(rank) * 2, 0);
        sides[size_t(d) * 2] = int32_t(low);
        sides[size_t(d) * 2 + 1] = int32_t(high);
        x = n.op("MirrorPad", {x, n.b.constant(Tensor::of(sides, {rank, 2}))}, {{"mode", "REFLECT"}});
        continue;
      }
      if (size < 1 || size > (1 << 20) || low > (1 << 20) || high > (1 << 20)) return unimplemented("the size of dimension ", d, " is not known");
      Ints at;
      for (int64_t i = -before[size_t(d)]; i < size + after[size_t(d)]; ++i) at.push_back(shownAt(i, size, mode));
      WEFT_TRY(n.spend(int64_t(at.size() * sizeof(int32_t))));
      x = n.gather(x, n.intVector(at), d);
    }
    return Outputs{x == start ? n.b.identity(x) : x};
  }
  for (int d = 0; d < rank && cuts; ++d) {
    int64_t &low = before[size_t(d)], &high = after[size_t(d)];
    if (low >= 0 && high >= 0) continue;
    x = n.slice(x, d, std::max<int64_t>(0, -low), high < 0 ? high : INT64_MAX);
    low = std::max<int64_t>(0, low);
    high = std::max<int64_t>(0, high);
  }
  if (n.opset < 11 || !n.has(2)) {
    const double value = double(n.opset < 11 ? n.real("value") : 0);
    x = n.pad(x, before, after, value == 0 ? std::nullopt : std::optional(value));
  } else {
    std::vector<int32_t> sides;
    for (int d = 0; d < rank; ++d) sides.insert(sides.end(), {int32_t(before[size_t(d)]), int32_t(after[size_t(d)])});
    const Output widths = n.b.constant(Tensor::of(sides, {rank, 2}));
    x = n.op("PadV2", {x, widths, n.reshape(n.in(2), {})});
  }
  return Outputs{x == start ? n.b.identity(x) : x};
}

/// Begins, ends or steps of a slice: constants, or parts of a tensor.
struct Bounds {
  std::optional<Ints> known;
  Output computed;
};

Bounds boundsOf(ImportNode& n, int input) {
  Bounds out;
  const Output x = n.in(input);
  if (const auto known = n.value(x); known && isInteger(known->dtype())) {
    out.known.emplace();
    for (int64_t i = 0; i < known->elements(); ++i) out.known->push_back(known->asInt(i));
  } else {
    out.computed = n.b.cast(x, DType::Int64);
  }
  return out;
}

Output boundsByAxis(ImportNode& n, const Bounds& bounds, const Ints& axes, int64_t length) {
  Ints all(size_t(length), 0);
  if (bounds.known) {
    for (size_t i = 0; i < axes.size(); ++i) all[size_t(axes[i])] = (*bounds.known)[i];
    std::vector<int64_t> wide(all.begin(), all.end());
    return n.b.constant(Tensor::vector(wide));
  }
  Outputs parts;
  for (int64_t d = 0; d < length; ++d) {
    const auto at = std::find(axes.begin(), axes.end(), d) - axes.begin();
    parts.push_back(at < std::ptrdiff_t(axes.size()) ? n.slice(bounds.computed, 0, at, at + 1) : n.b.constant(Tensor::vector(std::vector<int64_t>{0})));
  }
  return n.concat(parts, 0);
}

Translation sliceOp(ImportNode& n) {
  const Output x = n.in(0);
  const int rank = n.rank(0);
  Bounds starts, ends;
  Ints axes = n.integers("axes"), steps;
  if (n.opset < 10) {
    starts.known = n.integers("starts");
    ends.known = n.integers("ends");
  } else {
    starts = boundsOf(n, 1);
    ends = boundsOf(n, 2);
    if (n.has(3)) {
      WEFT_LET(axes, n.ints(3));
    }
    if (n.has(4)) {
      WEFT_LET(steps, n.ints(4));
    }
  }
  size_t count = starts.known ? starts.known->size() : ends.known ? ends.known->size() : axes.size();
  if (count == 0 && !starts.known) {
    const Shape length = n.b.shape(n.in(1));
    if (length.rank() != 1 || length.dim(0) < 0) return unimplemented("how many dimensions it cuts is not known");
    count = size_t(length.dim(0));
  }
  if (axes.empty()) {
    axes.resize(count);
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (steps.empty()) steps.assign(count, 1);
  if (axes.size() != count || steps.size() != count || (starts.known && starts.known->size() != count) || (ends.known && ends.known->size() != count))
    return invalidArgument("its starts, ends, axes and steps are not equally many");
  int64_t most = 0, mask = 0;
  for (int64_t& a : axes) {
    if (a < 0 && rank < 0) return unimplemented("the rank of its input is not known");
    if (a < 0) a += rank;
    if (a < 0 || a > 31 || (rank >= 0 && a >= rank)) return invalidArgument("an axis is outside of ", rank, " dimensions");
    most = std::max(most, a + 1);
  }
  for (int64_t d = 0; d < most; ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) mask |= int64_t(1) << d;
  std::vector<int64_t> by(size_t(most), 1);
  for (size_t i = 0; i < count; ++i) by[size_t(axes[i])] = steps[i];
  if (most == 0) return Outputs{n.b.identity(x)};
  const Output from = boundsByAxis(n, starts, axes, most), to = boundsByAxis(n, ends, axes, most), step = n.b.constant(Tensor::vector(by));
  return Outputs{n.op("StridedSlice", {x, from, to, step}, {{"begin_mask", mask}, {"end_mask", mask}})};
}

Translation depthToSpace(ImportNode& n) {
  const int64_t block = n.integer("blocksize");
  const Shape shape = n.b.shape(n.in(0));
  if (n.text("mode", "DCR") == "DCR" && shape.rank() == 4) {
    n.channelsLast = true;
    return Outputs{n.op("DepthToSpace", {n.last(0)}, {{"block_size", block}})};
  }
  if (shape.rank() != 4 || shape.dim(1) < 0 || shape.dim(2) < 0 || shape.dim(3) < 0 || block < 1) return unimplemented("the shape of its input is not known");
  const int64_t c = shape.dim(1) / (block * block), h = shape.dim(2), w = shape.dim(3);
  const Output parts = n.transpose(n.reshape(n.in(0), {-1, c, block, block, h, w}), {0, 1, 4, 2, 5, 3});
  return Outputs{n.reshape(parts, {-1, c, h * block, w * block})};
}

Translation spaceToDepth(ImportNode& n) {
  const Shape shape = n.b.shape(n.in(0));
  if (n.text("mode", "DCR") != "DCR") {
    const int64_t block = n.integer("blocksize");
    if (shape.rank() != 4 || shape.dim(1) < 0 || shape.dim(2) < 0 || shape.dim(3) < 0 || block < 1) return unimplemented("the shape of its input is not known");
    const int64_t c = shape.dim(1), h = shape.dim(2) / block, w = shape.dim(3) / block;
    const Output parts = n.transpose(n.reshape(n.in(0), {-1, c, h, block, w, block}), {0, 1, 3, 5, 2, 4});
    return Outputs{n.reshape(parts, {-1, c * block * block, h, w})};
  }
  if (shape.rank() != 4) return unimplemented("the rank of its input is not known");
  n.channelsLast = true;
  return Outputs{n.op("SpaceToDepth", {n.last(0)}, {{"block_size", n.integer("blocksize")}})};
}

Translation trilu(ImportNode& n) {
  const Output x = n.in(0);
  const bool upper = n.integer("upper", 1);
  int64_t k = 0;
  if (n.has(1)) {
    WEFT_LET(const double given, n.number(1));
    k = int64_t(std::clamp(given, -1e6, 1e6));
  }
  const int rank = n.rank(0);
  if (rank < 2) return unimplemented("an input of rank ", rank, "; expected 2 or more");
  const Output sizes = n.b.op("Shape", {x}, {{"out_type", DType::Int64}});
  // MatrixBandPart refuses more diagonals than there are.
  const auto atMost = [&](int64_t count, int axis) {
    const Output wanted = n.b.number(DType::Int64, double(count));
    if (count < 0) return wanted;
    return n.op("Minimum", {wanted, n.reshape(n.slice(sizes, 0, axis, int64_t(axis) + 1), {})});
  };
  const auto band = [&](Output of, int64_t lower, int64_t higher) {
    const Output below = atMost(lower, rank - 2), above = atMost(higher, rank - 1);
    return n.op("MatrixBandPart", {of, below, above});
  };
  if (upper ? k <= 0 : k >= 0) return Outputs{upper ? band(x, -k, -1) : band(x, -1, k)};
  const Output ones = n.b.cast(n.op("OnesLike", {x}), DType::Bool);
  const Output rest = upper ? band(ones, -1, k - 1) : band(ones, -k - 1, -1), zeros = n.op("ZerosLike", {x});
  return Outputs{n.op("Select", {rest, zeros, x})};
}

Translation reverseSequence(ImportNode& n) {
  const Output x = n.in(0), lengths = n.in(1);
  return Outputs{n.op("ReverseSequence", {x, lengths}, {{"seq_dim", n.integer("time_axis", 0)}, {"batch_dim", n.integer("batch_axis", 1)}})};
}

/// Cuts or pads each axis around its centre.
Translation centerCropPad(ImportNode& n) {
  Output x = n.in(0);
  const Shape shape = n.b.shape(x);
  WEFT_LET(const Ints sizes, n.ints(1));
  Ints axes = n.integers("axes");
  if (axes.empty()) {
    axes.resize(sizes.size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (!shape.hasRank() || axes.size() != sizes.size()) return unimplemented("the rank of its input is not known");
  Ints before(size_t(shape.rank()), 0), after = before;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axisOf(axes[i], shape.rank());
    if (axis < 0 || shape.dim(int(axis)) < 0) return unimplemented("the shape of its input is not known");
    const int64_t more = sizes[i] - shape.dim(int(axis));
    if (more > 0) before[size_t(axis)] = more / 2, after[size_t(axis)] = more - more / 2;
    if (more < 0) x = n.slice(x, int(axis), -more / 2, -more / 2 + sizes[i]);
  }
  return Outputs{n.b.identity(n.pad(x, before, after))};
}

}  // namespace

std::vector<ImportRule> arrayImports() {
  return {{"CenterCropPad", centerCropPad},
          {"Concat", concatOp},
          {"DepthToSpace", depthToSpace},
          {"Expand", expand},
          {"Flatten", flatten},
          {"Pad", padOp},
          {"Reshape", reshapeOp},
          {"ReverseSequence", reverseSequence},
          {"Shape", shapeOp},
          {"Size", sizeOp},
          {"Slice", sliceOp},
          {"SpaceToDepth", spaceToDepth},
          {"Split", split},
          {"Squeeze", squeeze},
          {"Tile", tile},
          {"Transpose", transposeOp},
          {"Trilu", trilu},
          {"Unsqueeze", unsqueeze}};
}

}  // namespace weft::onnx_io
