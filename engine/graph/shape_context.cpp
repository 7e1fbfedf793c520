#include "graph/shape_context.h"

#include <algorithm>
#include <new>
#include <set>
#include <string>

namespace weft {

Result<Shape> ShapeContext::constantAsShape(int i) const {
  const Shape& given = inputs_[i];
  if (!given.isScalar()) WEFT_TRY(requireRank(given, 1));
  if (const Tensor* t = constants_ ? constants_(i) : nullptr) {
    askedFor_.emplace_back(i, true);
    if (t->dtype() != DType::Int32 && t->dtype() != DType::Int64) {
      return invalidArgument("Input tensor must be int32 or int64, but was ", dtypeShortName(t->dtype()));
    }
    if (t->rank() == 0) {
      if (t->asInt(0) != -1) return invalidArgument("Input tensor must be rank 1, or if its rank 0 it must have value -1");
      return Shape::unknown();
    }
    Shape out;
    for (int64_t k = 0; k < t->elements(); ++k) {
      const int64_t d = t->asInt(k);
      if (d < -1) return invalidArgument("Invalid value in tensor used for shape: ", d);
      out.append(d);
    }
    return out;
  }
  if (given.isScalar()) return Shape::unknown();
  if (lookups_.asShape) {
    Shape partial = lookups_.asShape(i);
    if (partial.hasRank()) {
      askedFor_.emplace_back(i, true);
      return partial;
    }
  }
  return given.hasRank() && given.dim(0) >= 0 && given.dim(0) <= Shape::kMaxRank ? Shape::unknownOfRank(int(given.dim(0))) : Shape::unknown();
}

std::optional<int64_t> ShapeContext::constantInt(int i, int64_t k) const {
  const Tensor* t = constant(i);
  if (!t || k < 0 || k >= t->elements() || !(isInteger(t->dtype()) || t->dtype() == DType::Bool)) return std::nullopt;
  return t->asInt(k);
}

Status ShapeContext::requireRank(const Shape& s, int rank) const {
  if (s.hasRank() && s.rank() != rank) return invalidArgument("Shape must be rank ", rank, " but is rank ", s.rank());
  return {};
}

Status ShapeContext::requireRankAtLeast(const Shape& s, int rank) const {
  if (s.hasRank() && s.rank() < rank) return invalidArgument("Shape must be at least rank ", rank, " but is rank ", s.rank());
  return {};
}

Status ShapeContext::requireRankAtMost(const Shape& s, int rank) const {
  if (s.hasRank() && s.rank() > rank) return invalidArgument("Shape must be at most rank ", rank, " but is rank ", s.rank());
  return {};
}

Result<int64_t> ShapeContext::mergeDims(int64_t a, int64_t b) const {
  if (a < 0) return b;
  if (b < 0 || a == b) return a;
  return invalidArgument("Dimensions must be equal, but are ", a, " and ", b);
}

std::string ShapeContext::errorContext() const {
  std::string out = " for '" + node_.name + "' (op: '" + node_.op + "') with input shapes: ";
  for (size_t i = 0; i < inputs_.size(); ++i) out += (i ? ", " : "") + inputs_[i].toString();
  std::string values, partial;
  for (int i = 0; i < inputCount(); ++i) {
    const bool asShape = std::count(askedFor_.begin(), askedFor_.end(), std::pair(i, true)) > 0;
    const Tensor* t = constants_ ? constants_(i) : nullptr;
    if (asShape && t && t->rank() == 1) {
      std::string dims;
      for (int64_t k = 0; k < std::min<int64_t>(t->elements(), Shape::kMaxRank); ++k)
        dims += (k ? "," : "") + (t->asInt(k) < 0 ? std::string("?") : std::to_string(t->asInt(k)));
      partial += (partial.empty() ? "input[" : ", input[") + std::to_string(i) + "] = [" + dims + "]";
    } else if (asShape && lookups_.asShape && lookups_.asShape(i).hasRank()) {
      partial += (partial.empty() ? "input[" : ", input[") + std::to_string(i) + "] = " + lookups_.asShape(i).toString();
    } else if (t && std::count(askedFor_.begin(), askedFor_.end(), std::pair(i, false)) > 0) {
      std::string list;
      const int64_t shown = std::min<int64_t>(t->elements(), 256);
      for (int64_t k = 0; k < shown && t->dtype() != DType::String; ++k) list += (k ? " " : "") + std::to_string(t->asInt(k));
      values += (values.empty() ? "input[" : ", input[") + std::to_string(i) + "] = <" + list + (shown < t->elements() ? "...>" : ">");
    }
  }
  if (!values.empty()) out += " and with computed input tensors: " + values;
  if (!partial.empty()) out += " and with input tensors computed as partial shapes: " + partial;
  return out + ".";
}

namespace shapes {

Status scalar(ShapeContext& c) {
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, Shape{});
  return {};
}

Status unchanged(ShapeContext& c) {
  c.setOutput(0, c.input(0));
  return {};
}

Status unchangedOfRankAtLeast1(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  c.setOutput(0, c.input(0).hasRank() ? c.input(0) : Shape::unknown());
  return {};
}

Status broadcast(ShapeContext& c) {
  const Shape &a = c.input(0), &b = c.input(1);
  if (!a.hasRank() || !b.hasRank()) {
    c.setOutput(0, Shape::unknown());
    return {};
  }
  const int rank = std::max(a.rank(), b.rank());
  Shape out = Shape::unknownOfRank(rank);
  for (int i = 0; i < rank; ++i) {
    const int ai = i - (rank - a.rank()), bi = i - (rank - b.rank());
    const int64_t da = ai < 0 ? 1 : a.dim(ai), db = bi < 0 ? 1 : b.dim(bi);
    if (da < 0 || db < 0) {
      // An unknown dim may be 1, so only a known dim above 1 determines the result.
      out.setDim(i, da > 1 ? da : db > 1 ? db : Shape::kUnknownDim);
    } else if (da == 1) {
      out.setDim(i, db);
    } else if (db == 1) {
      out.setDim(i, da);
    } else {
      WEFT_LET(const int64_t d, c.mergeDims(da, db));
      out.setDim(i, d);
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status mergeAll(ShapeContext& c) {
  Shape out = Shape::unknown();
  for (int i = 0; i < c.inputCount(); ++i) {
    auto merged = out.mergedWith(c.input(i));
    if (!merged.ok()) {
      merged.error().message = concat("From merging shape ", 0, " with other shapes. ", merged.error().message);
      return merged.error();
    }
    out = std::move(merged).value();
  }
  if (c.outputCount() > 0) c.setOutput(0, std::move(out));
  return {};
}

Status unknown(ShapeContext& c) {
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, Shape::unknown());
  return {};
}

Status none(ShapeContext&) { return {}; }

Result<int64_t> windowOutput(int64_t input, int64_t window, int64_t dilation, int64_t stride, std::string_view padding, int64_t before, int64_t after) {
  if (stride <= 0) return invalidArgument("Stride must be > 0, but got ", stride);
  if (dilation < 1) return invalidArgument("Dilation rate must be >= 1, but got ", dilation);
  if (input < 0) return Shape::kUnknownDim;
  if (padding == "SAME") return (input + stride - 1) / stride;
  if (window < 0) return Shape::kUnknownDim;
  const int64_t effective = (window - 1) * dilation + 1;
  const int64_t padded = input + (padding == "EXPLICIT" ? before + after : 0);
  if (padded < effective) return invalidArgument("Negative dimension size caused by subtracting ", effective, " from ", padded);
  return (padded - effective + stride) / stride;
}

}  // namespace shapes

namespace {

/// Shape functions compute with arbitrary sizes from files. Exceptions, and sizes beyond 63 bits, become errors of the node.
Status runGuarded(const ShapeFunction& function, ShapeContext& c) {
  try {
    WEFT_TRY(function(c));
  } catch (const std::bad_alloc&) {
    return resourceExhausted("not enough memory to infer the shapes");
  } catch (const std::exception& e) {
    return invalidArgument("the shapes cannot be inferred: ", e.what());
  }
  for (const Shape& s : c.outputs()) {
    if (std::any_of(s.dims().begin(), s.dims().end(), [](int64_t d) { return d < Shape::kUnknownDim; })) {
      return invalidArgument("the sizes of an output do not fit in 63 bits or are negative");
    }
  }
  return {};
}

}  // namespace

namespace {

/// Rejects values beyond 32 bits in attributes that TensorFlow reads as 32-bit integers, instead of truncating them.
Status requireNarrow(const Node& node) {
  static const std::set<std::string, std::less<>> kNarrow = {
      "axis",       "batch_dims",  "batch_dim", "seq_dim", "concat_dim", "channels", "ratio",         "block_size",    "depth_radius",     "num_bits",
      "precision",  "width",       "num_split", "num",     "begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask", "max_outputs",
      "max_images", "window_size", "stride",    "ksize",   "ksizes",     "strides",  "dilations",     "rates",         "squeeze_dims"};
  const auto narrow = [](int64_t v) { return v == int32_t(v); };
  for (const auto& [name, value] : node.attrs) {
    const auto* number = value.get<int64_t>();
    const auto* list = number ? nullptr : value.get<std::vector<int64_t>>();
    if (!number && !list) continue;
    const int64_t* wide = number && !narrow(*number) ? number : nullptr;
    if (list)
      for (const int64_t& v : *list) wide = wide || narrow(v) ? wide : &v;
    if (wide && kNarrow.count(name)) return invalidArgument("Attr ", name, " has value ", *wide, " out of range for an int32");
  }
  return {};
}

}  // namespace

Result<std::vector<Shape>> inferShapes(const Node& node, const std::vector<Shape>& inputs, ShapeContext::ConstantLookup constants,
                                       ShapeContext::Lookups lookups) {
  ShapeContext c(node, inputs, std::move(constants), std::move(lookups));
  if (node.record && node.record->shapeFunction) {
    Status s = requireNarrow(node);
    if (s.ok()) s = runGuarded(node.record->shapeFunction, c);
    if (!s.ok()) {
      Error e = std::move(s.error());
      e.message += c.errorContext();
      e.atNode(node.name);
      return e;
    }
  }
  return c.outputs();
}

}  // namespace weft
