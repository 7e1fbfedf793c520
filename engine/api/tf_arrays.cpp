#include <algorithm>
#include <numeric>

#include "api/convert.h"
#include "api/tf.h"
#include "ops/grad_ops.h"

namespace weft::api::tf {
namespace {

Tensor ints(const Shape& s, DType type) {
  if (type == DType::Int64) return Tensor::vector(s.toVector());
  const auto dims = s.toVector();
  return Tensor::vector(std::vector<int32_t>(dims.begin(), dims.end()));
}

Tensor numbers(DType type, const Shape& shape, int value) {
  if (type == DType::String) return Tensor::zeros(type, shape);
  auto t = literalValue(Literal{Tensor::scalar(int64_t(value)), false}, type);
  if (!t.ok()) return Tensor::zeros(type, shape);
  Tensor out = Tensor::zeros(type, shape);
  const size_t each = sizeOf(type);
  for (int64_t i = 0; i < out.elements(); ++i) std::copy_n(static_cast<const char*>(t->raw()), each, static_cast<char*>(out.mutableRaw()) + size_t(i) * each);
  return out;
}

Output integer(GraphBuilder& b, int64_t v, DType type, Name name) {
  return b.constant(type == DType::Int64 ? Tensor::scalar(v) : Tensor::scalar(int32_t(v)), name);
}

}  // namespace

Output constant(GraphBuilder& b, const Argument& value, DType type, Name name) { return toTensor(b, value, name, type); }
Output identity(GraphBuilder& b, const Argument& x, Name name) { return emit(b, "Identity", {x}, {}, name); }

Output shape(GraphBuilder& b, const Argument& x, Name name, DType type, bool optimize) {
  const py::Scope scope(b, otherwise(name, "Shape"));
  const Output t = toTensor(b, x, {});
  const Shape s = b.shape(t);
  if (optimize && b.ok() && s.isFullyKnown()) return b.constant(ints(s, type), scope.name());
  return b.op("Shape", {t}, {{"out_type", type}}, scope.name());
}

Output size(GraphBuilder& b, const Argument& x, Name name, DType type, bool optimize) {
  const py::Scope scope(b, otherwise(name, "Size"));
  const Output t = toTensor(b, x, {});
  const Shape s = b.shape(t);
  if (optimize && b.ok()) {
    if (s.isFullyKnown()) return integer(b, s.elements(), type, scope.name());
    const auto dims = s.dims();
    if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return integer(b, 0, type, scope.name());
  }
  return b.op("Size", {t}, {{"out_type", type}}, scope.name());
}

Output rank(GraphBuilder& b, const Argument& x, Name name, bool optimize) {
  const py::Scope scope(b, otherwise(name, "Rank"));
  const Output t = toTensor(b, x, {});
  if (optimize && b.ok() && b.shape(t).hasRank()) return b.scalar(int32_t(b.shape(t).rank()), scope.name());
  return b.op("Rank", {t}, {}, scope.name());
}

// TF tests whether the product of the sizes is small before it knows that they are tensors; the nodes of the test stay.
void comparedCount(GraphBuilder& b, const ArgumentList& sizes) {
  Argument product = sizes.front();
  for (size_t i = 1; i < sizes.size(); i++) {
    const auto *x = std::get_if<int64_t>(&product), *y = std::get_if<int64_t>(&sizes[i]);
    product = x && y ? Argument(int64_t(uint64_t(*x) * uint64_t(*y))) : Argument(times(b, product, sizes[i]));
  }
  compare(b, "Less", product, 1000);
}

Output filled(GraphBuilder& b, const Argument& dims, int value, DType type, Name name) {
  if (!b.ok()) return {};  // the type may belong to a tensor that could not be made
  const py::Scope scope(b, otherwise(name, value ? "ones" : "zeros"));
  if ((type >= DType::QInt8 && type <= DType::QInt32) || type == DType::QInt16 || type == DType::QUInt16) {  // Python numbers cannot have these types
    b.fail(typeError("Expected ", dtypeName(type), ", got ", value, " of type 'int' instead."));
    return {};
  }
  Output shape;
  const bool isTensor = std::holds_alternative<Output>(dims);
  if (!isTensor && !holdsTensor(dims)) {
    const auto* given = std::get_if<Shape>(&dims);
    const auto* list = std::get_if<ArgumentList>(&dims);
    const bool none = list && std::any_of(list->begin(), list->end(), isNone);
    if ((given && !given->isFullyKnown()) || none) {
      b.fail(invalidArgument("Cannot convert a partially known TensorShape to a Tensor: ", given ? given->toPythonString() : std::string("(?)")));
      return {};
    }
    const Arguments one = {{"shape", dims}};
    const Shape known(one.integers("shape"));
    // A lone number is no list of sizes for TF's shortcut.
    const bool lone = std::holds_alternative<int64_t>(dims);
    if (!lone && known.elements() >= 0 && known.elements() < 1000) return b.constant(numbers(type, known, value), scope.name());
    const auto sizes = known.dims();
    const bool wide = !lone && std::any_of(sizes.begin(), sizes.end(), [](int64_t d) { return d != int32_t(d); });
    shape = toTensor(b, Argument(known), "shape_as_tensor", wide ? DType::Int64 : DType::Int32);
  } else {
    if (const auto* list = std::get_if<ArgumentList>(&dims); list && !list->empty()) comparedCount(b, *list);
    shape = toTensor(b, dims, {}, isTensor ? DType::Invalid : DType::Int32);
  }
  const Shape s = b.shape(shape);
  // A scalar, or a tensor of unknown rank, becomes a vector.
  if (!s.hasRank() || s.rank() == 0) shape = reshape(b, shape, std::vector<int64_t>{-1});
  const Output number = b.ok() ? b.constant(numbers(type, {}, value)) : Output{};
  return b.op("Fill", {shape, number}, {}, scope.name());
}

Output zerosLike(GraphBuilder& b, const Argument& x, DType type, Name name, bool optimize) {
  const py::Scope scope(b, otherwise(name, "zeros_like"));
  const Output t = toTensor(b, x, "tensor");
  const DType own = b.dtype(t), want = type == DType::Invalid ? own : type;
  if (optimize && b.ok() && b.shape(t).isFullyKnown() && own != DType::Variant) return zeros(b, b.shape(t), want, scope.name());
  if (want != own && want != DType::Variant) return zeros(b, shape(b, t, {}, DType::Int32, optimize), want, scope.name());
  return b.op("ZerosLike", {t}, {}, scope.name());
}

Output onesLike(GraphBuilder& b, const Argument& x, DType type, Name name, bool optimize) {
  const py::Scope scope(b, otherwise(name, "ones_like"));
  const Output t = toTensor(b, x, "tensor");
  const Output dims = shape(b, t, {}, DType::Int32, optimize);
  const Output out = ones(b, dims, type == DType::Invalid ? b.dtype(t) : type, scope.name());
  b.setShape(out, b.shape(t));
  return out;
}

Output fill(GraphBuilder& b, const Argument& dims, const Argument& value, Name name) { return emit(b, "Fill", {dims, value}, {}, name); }
Output reshape(GraphBuilder& b, const Argument& x, const Argument& shape, Name name) { return emit(b, "Reshape", {x, shape}, {}, name); }
Output expandDims(GraphBuilder& b, const Argument& x, const Argument& axis, Name name) { return emit(b, "ExpandDims", {x, axis}, {}, name); }
Output squeeze(GraphBuilder& b, const Argument& x, const std::vector<int64_t>& axes, Name name) {
  return emit(b, "Squeeze", {x}, {{"squeeze_dims", axes}}, name);
}

Output concatenate(GraphBuilder& b, const Argument& values, const Argument& axis, Name name) {
  const ArgumentList list = items(values);
  if (list.size() != 1) return emit(b, "ConcatV2", {Argument(list), axis}, {}, otherwise(name, "concat"));
  // A single tensor: the axis node is made but not used.
  const py::Scope scope(b, otherwise(name, "concat"));
  const Shape of = b.shape(toTensor(b, axis, "concat_dim", DType::Int32));
  if (of.hasRank() && of.rank() != 0) {  // as where tensors and axis change places, the order of TensorFlow before 1.0
    b.fail(invalidArgument("Shape ", of.toPythonString(), " must have rank 0"));
    return {};
  }
  return identity(b, list[0], otherwise(name, "concat"));
}

Output stack(GraphBuilder& b, const Argument& values, int64_t axis, Name name) {
  name = otherwise(name, "stack");
  const ArgumentList list = items(values);
  if (axis == 0) return toTensor(b, values, name);
  if (list.empty() || !b.ok()) {
    b.fail(invalidArgument("stack of an empty list"));
    return {};
  }
  const Output first = toTensor(b, list[0], name);
  if (const Shape s = b.shape(first); s.hasRank()) {
    const int64_t rank = s.rank() + 1;
    if (axis < -rank || axis >= rank) {
      b.fail(invalidArgument("axis = ", axis, " not in [", -rank, ", ", rank, ")"));
      return {};
    }
  }
  return emit(b, "Pack", {Argument(list)}, {{"axis", axis}}, name);
}

std::vector<Output> unstack(GraphBuilder& b, const Argument& x, std::optional<int64_t> count, int64_t axis, Name name) {
  Argument value = x;
  if (!count) {
    const Output t = toTensor(b, x, {});
    const Shape s = b.shape(t);
    value = t;
    if (!b.ok()) return {};
    if (s.hasRank()) {
      if (axis < -s.rank() || axis >= s.rank()) {
        b.fail(invalidArgument("axis = ", axis, " not in [", -s.rank(), ", ", s.rank(), ")"));
        return {};
      }
      const int64_t d = s.dim(int(axis < 0 ? axis + s.rank() : axis));
      if (d >= 0) count = d;
    }
    if (!count) {
      b.fail(invalidArgument("Cannot infer num from shape ", s.toPythonString()));
      return {};
    }
  }
  return emitAll(b, "Unpack", {value}, {{"num", *count}, {"axis", axis}}, otherwise(name, "unstack"));
}

std::vector<Output> split(GraphBuilder& b, const Argument& x, const Argument& parts, const Argument& axis, Name name, std::optional<int64_t> count) {
  const auto* n = std::get_if<int64_t>(&parts);
  // The sizes are converted to a tensor first; for a plain number it stays unused.
  const Output sizes = toTensor(b, parts, {});
  if (!b.ok()) return {};
  if (n) return emitAll(b, "Split", {axis, x}, {{"num_split", *n}}, otherwise(name, "split"));
  const Shape s = b.shape(sizes);
  if (s.hasRank() && s.rank() == 0) {
    b.fail(invalidArgument("Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: ", tensorText(b, sizes)));
    return {};
  }
  if (!count && s.hasRank() && s.dim(0) >= 0) count = s.dim(0);
  if (!count) {
    b.fail(invalidArgument("Cannot infer num from shape ", tensorText(b, sizes)));
    return {};
  }
  return emitAll(b, "SplitV", {x, sizes, axis}, {{"num_split", *count}}, otherwise(name, "split"));
}

Output transpose(GraphBuilder& b, const Argument& x, const Argument& perm, Name name, bool conjugate) {
  const py::Scope scope(b, otherwise(name, "transpose"));
  const Output given = std::holds_alternative<Output>(x) ? std::get<Output>(x) : Output{};
  const std::string_view op = conjugate && given.valid() && isComplex(b.dtype(given)) ? "ConjugateTranspose" : "Transpose";
  if (!isNone(perm)) return emit(b, op, {x, perm}, {}, scope.name());
  const Output a = toTensor(b, x, "a");
  const Shape s = b.shape(a);
  Argument reversed;
  if (!b.ok()) return {};
  if (s.hasRank() && s.rank() > 0) {
    std::vector<int64_t> list(static_cast<size_t>(s.rank()));
    std::iota(list.rbegin(), list.rend(), 0);
    // NumPy computes the perm from these two constants at once, as one int32 list.
    reversed = Literal{Tensor::vector(std::vector<int32_t>(list.begin(), list.end())), false};
  } else {
    const Output r = b.op("Rank", {a});
    const Output last = minus(b, r, 1);
    const Output all = emit(b, "Range", {int64_t(0), r, int64_t(1)});
    reversed = minus(b, last, all);
  }
  const Output out = emit(b, op, {a, reversed}, {}, scope.name());
  if (s.hasRank()) {
    auto dims = s.toVector();
    std::reverse(dims.begin(), dims.end());
    b.setShape(out, Shape(dims));
  }
  return out;
}

Output gather(GraphBuilder& b, const Argument& params, const Argument& indices, const Argument& axis, Name name, int64_t batchDims) {
  const Argument along = isNone(axis) ? Argument(batchDims) : axis;
  const auto known = knownValue(b, along);
  const auto* v = std::get_if<VariablePtr>(&params);
  if (v && (*v)->resource && known && known->asInt(0) == 0) {
    const Output rows = emit(b, "ResourceGather", {params, indices}, {{"dtype", (*v)->dtype}, {"validate_indices", true}}, otherwise(name, "Gather"));
    return identity(b, rows);
  }
  return emit(b, "GatherV2", {params, indices, along}, {{"batch_dims", known && known->asInt(0) == 0 ? int64_t(0) : batchDims}}, otherwise(name, "GatherV2"));
}

Output where(GraphBuilder& b, const Argument& condition, const Argument& x, const Argument& y, Name name) {
  if (isNone(x) != isNone(y)) {
    b.fail(invalidArgument("x and y must both be non-None or both be None."));
    return {};
  }
  if (!isNone(x)) return emit(b, "Select", {condition, x, y}, {}, name);
  const py::Scope scope(b, otherwise(name, "Where"));
  const Output c = toTensor(b, condition, "condition", DType::Invalid, DType::Bool);
  return b.op("Where", {c}, {}, scope.name());
}

Output oneHot(GraphBuilder& b, const Argument& indices, const Argument& depth, const Argument& on, const Argument& off, int64_t axis, DType type, Name name) {
  const py::Scope scope(b, otherwise(name, "one_hot"));
  // The values are converted once to determine their types, and again by the op.
  const DType onType = isNone(on) ? DType::Invalid : b.dtype(toTensor(b, on, {}));
  const DType offType = isNone(off) ? DType::Invalid : b.dtype(toTensor(b, off, {}));
  if (!b.ok()) return {};
  if (type != DType::Invalid) {
    for (const auto& [t, which] : {std::pair(onType, "on_value"), std::pair(offType, "off_value")}) {
      if (t == DType::Invalid || t == type) continue;
      b.fail(typeError("dtype <dtype: '", dtypeName(t), "'> of ", which, " does not match dtype parameter <dtype: '", dtypeName(type), "'>"));
      return {};
    }
  } else {
    type = onType != DType::Invalid ? onType : offType != DType::Invalid ? offType : DType::Float;
  }
  const Argument onValue = isNone(on) ? Argument(b.constant(numbers(type, {}, 1), "on_value")) : on;
  const Argument offValue = isNone(off) ? Argument(b.constant(numbers(type, {}, 0), "off_value")) : off;
  if (onType != DType::Invalid && offType != DType::Invalid && onType != offType) {
    b.fail(typeError("dtype <dtype: '", dtypeName(onType), "'> of on_value does not match dtype <dtype: '", dtypeName(offType), "'> of off_value"));
    return {};
  }
  return emit(b, "OneHot", {indices, depth, onValue, offValue}, {{"axis", axis}}, scope.name());
}

Output item(GraphBuilder& b, const Argument& given, const std::vector<Index>& indices) {
  ArgumentList begin, end, step;
  int64_t beginMask = 0, endMask = 0, newAxis = 0, shrink = 0, ellipsis = 0, bit = 1;
  const Argument x = std::holds_alternative<VariablePtr>(given) ? Argument(toTensor(b, given, {})) : given;
  for (const Index& i : indices) {
    const bool isRange = i.kind == Index::Kind::Range;
    if (isRange && isNone(i.begin)) beginMask |= bit;
    if (isRange && isNone(i.end)) endMask |= bit;
    if (i.kind == Index::Kind::NewAxis) newAxis |= bit;
    if (i.kind == Index::Kind::Ellipsis) ellipsis |= bit;
    if (i.kind == Index::Kind::At) {
      shrink |= bit;
      begin.push_back(i.begin);
      const auto* n = std::get_if<int64_t>(&i.begin);
      end.push_back(n ? Argument(*n + 1) : Argument(plus(b, i.begin, 1)));
    } else {
      begin.push_back(isRange && !isNone(i.begin) ? i.begin : Argument(0));
      end.push_back(isRange && !isNone(i.end) ? i.end : Argument(0));
    }
    step.push_back(isRange && !isNone(i.step) ? i.step : Argument(1));
    bit <<= 1;
  }
  const py::Scope scope(b, "strided_slice");
  Output from, to, by;
  if (begin.empty()) {
    from = to = by = toTensor(b, Literal{Tensor::zeros(DType::Int32, {0}), false}, {});
  } else {
    from = stack(b, begin);
    to = stack(b, end);
    by = stack(b, step);
  }
  if (b.dtype(from) == DType::Int64 || b.dtype(to) == DType::Int64 || b.dtype(by) == DType::Int64) {
    from = b.cast(from, DType::Int64);
    to = b.cast(to, DType::Int64);
    by = b.cast(by, DType::Int64);
  }
  return emit(b, "StridedSlice", {x, from, to, by},
              {{"begin_mask", beginMask}, {"end_mask", endMask}, {"ellipsis_mask", ellipsis}, {"new_axis_mask", newAxis}, {"shrink_axis_mask", shrink}},
              scope.name());
}

Output booleanMask(GraphBuilder& b, const Argument& tensor, const Argument& mask, Name name, std::optional<int64_t> axis) {
  const py::Scope scope(b, otherwise(name, "boolean_mask"));
  const Output x = toTensor(b, tensor, "tensor"), m = toTensor(b, mask, "mask");
  const Shape s = b.shape(x), ms = b.shape(m);
  if (!b.ok()) return {};
  if (!ms.hasRank()) {
    b.fail(invalidArgument("Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] is ok, but shape=None is not."));
    return {};
  }
  if (ms.rank() == 0) {
    b.fail(invalidArgument("mask cannot be scalar."));
    return {};
  }
  const int64_t first = axis.value_or(0), last = first + ms.rank();
  const Shape masked = s.hasRank() ? s.slice(int(first), int(last)) : Shape::unknown();
  if (!masked.compatibleWith(ms)) {
    b.fail(invalidArgument("Shapes ", masked.toPythonString(), " and ", ms.toPythonString(), " are incompatible"));
    return {};
  }
  const Output leading = emit(b, "Prod", {part(b, shape(b, x), first, last), std::vector<int64_t>{0}});
  const Output before = part(b, shape(b, x), {}, first);
  const Output after = part(b, shape(b, x), last, {});
  const Output flat = reshape(b, x, concatenate(b, ArgumentList{before, ArgumentList{leading}, after}, 0));
  if (s.hasRank()) {
    Shape known = s.slice(0, int(first));
    known.append(masked.isFullyKnown() ? masked.elements() : -1);
    known.append(s.slice(int(last)));
    b.setShape(flat, known);
  }
  const Output line = reshape(b, m, std::vector<int64_t>{-1});
  const Output chosen = squeeze(b, where(b, line), {1});
  return gather(b, flat, chosen, first);
}

Output sequenceMask(GraphBuilder& b, const Argument& lengths, const Argument& maxLength, DType type, Name name) {
  const py::Scope scope(b, otherwise(name, "SequenceMask"));
  const Output count = toTensor(b, lengths, {});
  Output most;
  if (isNone(maxLength)) {
    const Output largest = emit(b, "Max", {count, allAxes(b, count)});
    most = emit(b, "Maximum", {b.number(b.dtype(largest), 0), largest});
  } else {
    most = toTensor(b, maxLength, {});
  }
  if (!b.ok()) return {};
  if (b.shape(most).hasRank() && b.shape(most).rank() != 0) {
    b.fail(invalidArgument("maxlen must be scalar for sequence_mask"));
    return {};
  }
  const Output from = b.number(b.dtype(most), 0), by = b.number(b.dtype(most), 1);
  const Output row = b.op("Range", {from, most, by});
  const Output column = b.op("Cast", {expandDims(b, count, -1)}, {{"DstT", b.dtype(most)}});
  const Output result = b.op("Less", {row, column});
  return type == DType::Bool ? result : b.op("Cast", {result}, {{"DstT", type}});
}

Output pad(GraphBuilder& b, const Argument& x, const Argument& paddings, const std::string& mode, Name name, const Argument& value) {
  std::string kind = mode;
  std::transform(kind.begin(), kind.end(), kind.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  Output out;
  if (kind == "CONSTANT") {
    const auto known = std::holds_alternative<Output>(value) ? std::nullopt : knownValue(b, value);
    if (known && known->dtype() != DType::String && known->elements() == 1 && known->asDouble(0) == 0) out = emit(b, "Pad", {x, paddings}, {}, name);
    else out = emit(b, "PadV2", {x, paddings, value}, {}, name);
  } else if (kind == "REFLECT" || kind == "SYMMETRIC") {
    out = emit(b, "MirrorPad", {x, paddings}, {{"mode", kind}}, name);
  } else {
    b.fail(invalidArgument("Unknown padding mode: ", mode));
  }
  return out;
}

std::vector<Output> meshgrid(GraphBuilder& b, const ArgumentList& args, const std::string& indexing, Name name) {
  if (indexing != "xy" && indexing != "ij") {
    b.fail(invalidArgument("indexing parameter must be either 'xy' or 'ij'"));
    return {};
  }
  const py::Scope scope(b, otherwise(name, "meshgrid"));
  const size_t n = args.size();
  std::vector<Output> out;
  for (size_t i = 0; i < n; ++i) {
    std::vector<int64_t> dims(n, 1);
    dims[i] = -1;
    out.push_back(reshape(b, stack(b, args[i]), dims));
  }
  ArgumentList shapes;
  for (const Argument& a : args) shapes.emplace_back(size(b, a));
  const DType type = n ? b.dtype(toTensor(b, args[0], {})) : DType::Float;
  if (indexing == "xy" && n > 1) {
    std::vector<int64_t> dims(n, 1);
    dims[1] = -1;
    out[0] = reshape(b, out[0], dims);
    std::swap(dims[0], dims[1]);
    out[1] = reshape(b, out[1], dims);
    std::swap(shapes[0], shapes[1]);
  }
  const Output factor = ones(b, shapes, type);
  for (Output& o : out) o = times(b, o, factor);
  return out;
}

}  // namespace weft::api::tf
