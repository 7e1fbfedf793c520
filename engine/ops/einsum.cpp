#include <algorithm>
#include <map>

#include "device/cpu/gemm.h"
#include "device/cpu/kernel_precision.h"
#include "device/cpu/move.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Einsum: sums of products in Einstein's convention. Every equation becomes: take diagonals, sum out labels that occur once, transpose both operands to [batch,
// free, contracted], multiply matrices, transpose the result to the output's order.
namespace weft {
namespace {

/// Labels are characters. The dimensions of an ellipsis, counted from the last, are kEllipsis and the following numbers.
constexpr int kEllipsis = 256;

struct Subscript {
  std::vector<int> labels;
  int ellipsis = -1;  ///< Index of the label before which "..." stands; -1: none.
};
struct Equation {
  std::vector<Subscript> inputs;
  Subscript output;
};

Result<Subscript> parseSubscript(std::string_view text, bool isInput) {
  Subscript s;
  const auto periods = std::count(text.begin(), text.end(), '.');
  const size_t dots = text.find("...");
  if (periods != 0 && (periods != 3 || dots == text.npos)) {
    return invalidArgument("Expected at most one ellipsis (...), but found ", periods, " periods (.) in the ", isInput ? "input" : "output",
                           " subscript: ", std::string(text));
  }
  for (size_t i = 0; i < text.size(); ++i) {
    if (periods && i == dots) {
      s.ellipsis = int(s.labels.size());
      i += 2;
    } else {
      s.labels.push_back(static_cast<unsigned char>(text[i]));
    }
  }
  return s;
}

Result<Equation> parseEquation(const std::string& text, int inputs) {
  const size_t arrow = text.find("->");
  if (arrow == text.npos || text.find("->", arrow + 2) != text.npos) return invalidArgument("Expecting exactly one '->' in einsum equation: ", text);
  const std::string left = text.substr(0, arrow), right = text.substr(arrow + 2);
  Equation e;
  size_t begin = 0;
  while (true) {
    const size_t end = left.find(',', begin);
    WEFT_LET(auto s, parseSubscript(std::string_view(left).substr(begin, end == left.npos ? left.npos : end - begin), true));
    e.inputs.push_back(std::move(s));
    if (end == left.npos) break;
    begin = end + 1;
  }
  if (e.inputs.size() > 2) return invalidArgument("Expecting 1 or 2 input subscripts in equation '", text, "' but got: ", e.inputs.size());
  if (int(e.inputs.size()) != inputs) return invalidArgument("Expected ", e.inputs.size(), " inputs for equation ", text, " but got: ", inputs);
  WEFT_LET(e.output, parseSubscript(right, false));
  for (int label : e.output.labels) {
    const auto has = [&](const Subscript& s) { return std::count(s.labels.begin(), s.labels.end(), label) != 0; };
    if (!std::any_of(e.inputs.begin(), e.inputs.end(), has)) {
      return invalidArgument("Einsum output subscripts for equation '", text, "' has label '", std::string(1, char(label)),
                             "' which is not present in the input subscripts");
    }
  }
  return e;
}

/// The labels, with the ellipsis replaced by `count` dimensions.
std::vector<int> spelledOut(const Subscript& s, int count) {
  std::vector<int> out = s.labels;
  if (s.ellipsis < 0) return out;
  std::vector<int> dims;
  for (int i = count; i > 0; --i) dims.push_back(kEllipsis + i - 1);
  out.insert(out.begin() + s.ellipsis, dims.begin(), dims.end());
  return out;
}

// ---- shapes

Status einsumShape(ShapeContext& c) {
  WEFT_LET(const Equation e, parseEquation(c.attrs().text("equation"), c.inputCount()));
  std::map<int, int64_t> sizes;
  Shape broadcast;
  bool broadcastKnown = true;
  for (size_t i = 0; i < e.inputs.size(); ++i) {
    const Subscript& s = e.inputs[i];
    const Shape& in = c.input(int(i));
    const int named = int(s.labels.size());
    if (s.ellipsis < 0) WEFT_TRY(c.requireRank(in, named));
    else WEFT_TRY(c.requireRankAtLeast(in, named));
    if (!in.hasRank()) {
      for (int label : s.labels) sizes.emplace(label, Shape::kUnknownDim);
      if (s.ellipsis >= 0) broadcastKnown = false;
      continue;
    }
    const int count = in.rank() - named;
    const std::vector<int> labels = spelledOut(s, count);
    for (int d = 0; d < in.rank(); ++d) {
      const int label = labels[size_t(d)];
      if (label >= kEllipsis) continue;
      const auto [it, isNew] = sizes.emplace(label, in.dim(d));
      if (!isNew) {
        WEFT_LET(it->second, c.mergeDims(it->second, in.dim(d)));
      }
    }
    if (s.ellipsis >= 0 && broadcastKnown) {
      const Shape own = in.slice(s.ellipsis, s.ellipsis + count);
      for (int d = 1; d <= std::min(own.rank(), broadcast.rank()); ++d) {
        const int64_t a = broadcast.dim(broadcast.rank() - d), b = own.dim(own.rank() - d);
        if (a > 1 && b > 1 && a != b) return invalidArgument("Dimensions must be equal, but are ", a, " and ", b);
      }
      WEFT_LET(broadcast, broadcastShapes(broadcast, own));
    }
  }
  if (e.output.ellipsis < 0 && broadcastKnown && broadcast.rank() > 0) return invalidArgument("Shape must be at most rank 0 but is rank ", broadcast.rank());
  if (e.output.ellipsis >= 0 && !broadcastKnown) return {};
  Shape out;
  for (int label : spelledOut(e.output, broadcast.rank())) {
    out.append(label >= kEllipsis ? broadcast.dim(broadcast.rank() - 1 - (label - kEllipsis)) : sizes[label]);
  }
  c.setOutput(0, std::move(out));
  return {};
}

// ---- the kernel

struct Axis {
  int label;
  int64_t size, stride;
};
/// An operand indexed by its labels. Each label occurs once, because repeated ones have become diagonals.
struct Operand {
  DType type;
  std::vector<Axis> axes;
  const void* data;

  const Axis* find(int label) const {
    for (const Axis& a : axes) {
      if (a.label == label) return &a;
    }
    return nullptr;
  }
};

int64_t product(const std::vector<Axis>& axes) {
  int64_t n = 1;
  for (const Axis& a : axes) n *= a.size;
  return n;
}

/// A dense copy of `from` with its axes in the given order.
Result<Tensor> arranged(KernelContext& c, const Operand& from, const std::vector<Axis>& order) {
  Shape flat;
  for (const Axis& a : order) flat.append(a.size);
  WEFT_LET(Tensor out, c.scratch(from.type, flat));
  if (out.elements() == 0) return out;
  cpu::BoxCopy box;
  int64_t stride = out.elements();
  for (const Axis& a : order) {
    stride /= a.size;
    box.add(a.size, a.stride, stride);
  }
  if (order.empty()) box.add(1, 1, 1);
  cpu::copyBox(from.type, std::move(box), from.data, out.mutableRaw());
  return out;
}

/// Sums of rows of `length`.
Result<Tensor> rowSums(KernelContext& c, const Tensor& in, int64_t rows, int64_t length) {
  WEFT_LET(Tensor out, c.scratch(in.dtype(), {rows}));
  withNumber(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T* x = elementsOf<T>(in);
    T* y = elementsOf<T>(out);
    for (int64_t r = 0; r < rows; ++r) {
      T sum = T(0);
      for (int64_t i = 0; i < length; ++i) sum += x[r * length + i];
      y[r] = sum;
    }
  });
  return out;
}

class EinsumKernel final : public Kernel {
 public:
  explicit EinsumKernel(Equation e) : equation_(std::move(e)) {}

  Status compute(KernelContext& c) override {
    std::vector<Operand> operands;
    std::map<int, int64_t> sizes;
    Shape broadcast;
    for (size_t i = 0; i < equation_.inputs.size(); ++i) WEFT_TRY(addOperand(c.input(int(i)), int(i), operands, sizes, broadcast));
    if (equation_.output.ellipsis < 0 && broadcast.rank() > 0 && !equation_.output.labels.empty()) {
      return invalidArgument("Output contains ", broadcast.rank(), " broadcasting dimension(s) but no ellipsis (...) was found in the output subscripts.");
    }
    const std::vector<int> labels = spelledOut(equation_.output, broadcast.rank());
    const auto isOut = [&](int label) { return std::count(labels.begin(), labels.end(), label) != 0; };
    Tensor result;
    std::vector<Axis> order;  // of the result; strides not set yet
    if (operands.size() == 1) {
      for (const Axis& a : operands[0].axes) {
        if (isOut(a.label)) order.push_back(a);
      }
      WEFT_LET(result, reduced(c, operands[0], order));
    } else {
      WEFT_LET(result, multiplied(c, operands[0], operands[1], isOut, order));
    }
    return store(c, result, order, labels, sizes, broadcast);
  }

 private:
  Status addOperand(const Tensor& in, int index, std::vector<Operand>& operands, std::map<int, int64_t>& sizes, Shape& broadcast) const {
    const Subscript& s = equation_.inputs[size_t(index)];
    const int named = int(s.labels.size());
    if (s.ellipsis < 0 && in.rank() != named) return invalidArgument("Expected input ", index, " to have rank ", named, " but got: ", in.rank());
    if (in.rank() < named) return invalidArgument("Expected input ", index, " to have rank at least ", named, " but got: ", in.rank());
    const int count = in.rank() - named;
    const std::vector<int> all = spelledOut(s, count);
    const cpu::SmallInts strides = cpu::denseStrides(in.shape());
    Operand o{in.dtype(), {}, in.raw()};
    for (int d = 0; d < in.rank(); ++d) {
      const int label = all[size_t(d)];
      const int64_t n = in.dim(d);
      if (label < kEllipsis) {
        const auto [it, isNew] = sizes.emplace(label, n);
        if (!isNew && it->second != n) {
          return invalidArgument("Expected dimension ", it->second, " at axis ", d, " of the input shaped ", in.shape().toString(), " but got dimension ", n);
        }
      } else if (n == 1 && equation_.inputs.size() == 2) {
        continue;  // fits any size of the other operand
      }
      bool found = false;
      for (Axis& a : o.axes) {
        if (a.label != label) continue;
        a.stride += strides[size_t(d)];
        found = true;
      }
      if (!found) o.axes.push_back({label, n, strides[size_t(d)]});
    }
    if (s.ellipsis >= 0) {
      const Shape own = in.shape().slice(s.ellipsis, s.ellipsis + count);
      const auto both = broadcastShapes(broadcast, own);
      if (!both.ok()) return invalidArgument("Invalid broadcasting dimensions: ", broadcast.toString(), " vs. ", own.toString());
      broadcast = *both;
    }
    operands.push_back(std::move(o));
    return {};
  }

  /// A dense tensor with the axes in `order`; other axes are summed out.
  static Result<Tensor> reduced(KernelContext& c, const Operand& from, const std::vector<Axis>& order) {
    std::vector<Axis> all = order;
    for (const Axis& a : from.axes) {
      if (std::none_of(order.begin(), order.end(), [&](const Axis& o) { return o.label == a.label; })) all.push_back(a);
    }
    WEFT_LET(Tensor dense, arranged(c, from, all));
    if (all.size() == order.size()) return dense;
    const int64_t rows = product(order);
    return rowSums(c, dense, rows, rows == 0 ? 0 : product({all.begin() + int64_t(order.size()), all.end()}));
  }

  template <typename F>
  static Result<Tensor> multiplied(KernelContext& c, const Operand& x, const Operand& y, F&& isOut, std::vector<Axis>& order) {
    std::vector<Axis> batchX, batchY, freeX, freeY, innerX, innerY;
    for (const Axis& a : x.axes) {
      if (const Axis* other = y.find(a.label)) {
        (isOut(a.label) ? batchX : innerX).push_back(a);
        (isOut(a.label) ? batchY : innerY).push_back(*other);
      } else if (isOut(a.label)) {
        freeX.push_back(a);
      }
    }
    for (const Axis& a : y.axes) {
      if (!x.find(a.label) && isOut(a.label)) freeY.push_back(a);
    }
    const auto joined = [](std::initializer_list<const std::vector<Axis>*> parts) {
      std::vector<Axis> all;
      for (const auto* p : parts) all.insert(all.end(), p->begin(), p->end());
      return all;
    };
    WEFT_LET(const Tensor left, reduced(c, x, joined({&batchX, &freeX, &innerX})));
    WEFT_LET(const Tensor right, reduced(c, y, joined({&batchY, &innerY, &freeY})));
    order = joined({&batchX, &freeX, &freeY});
    const int64_t count = product(batchX);
    cpu::GemmShape shape;
    shape.m = product(freeX), shape.k = product(innerX), shape.n = product(freeY);
    if (Shape{count, shape.m, shape.n}.elements() < 0) return invalidArgument("The product has too many elements");
    WEFT_LET(Tensor out, c.scratch(x.type, {count, shape.m, shape.n}));
    if (out.elements() == 0) return out;
    if (shape.k == 0) {
      std::fill_n(static_cast<char*>(out.mutableRaw()), out.bytes(), 0);
      return out;
    }
    std::vector<int64_t> leftAt, rightAt;
    for (int64_t i = 0; i < count; ++i) {
      leftAt.push_back(i * shape.m * shape.k);
      rightAt.push_back(i * shape.k * shape.n);
    }
    WEFT_TRY(
        cpu::gemmBatch(x.type, shape, false, count, leftAt.data(), rightAt.data(), left.raw(), right.raw(), out.mutableRaw(), precisionFor(c, shape, x.type)));
    return out;
  }

  /// Transposes the result to the output's order; a label that occurs twice there fills the diagonal.
  static Status store(KernelContext& c, const Tensor& result, const std::vector<Axis>& order, const std::vector<int>& labels,
                      const std::map<int, int64_t>& sizes, const Shape& broadcast) {
    Shape shape;
    for (int label : labels) shape.append(label >= kEllipsis ? broadcast.dim(broadcast.rank() - 1 - (label - kEllipsis)) : sizes.at(label));
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    if (out->elements() == 0) return {};
    const cpu::SmallInts strides = cpu::denseStrides(shape);
    cpu::BoxCopy box;
    int64_t from = result.elements(), filled = 1;
    for (const Axis& a : order) {
      from /= a.size;
      filled *= a.size;
      int64_t to = 0;
      for (size_t d = 0; d < labels.size(); ++d) {
        if (labels[d] == a.label) to += strides[d];
      }
      box.add(a.size, from, to);
    }
    if (filled != out->elements()) std::fill_n(static_cast<char*>(out->mutableRaw()), out->bytes(), 0);
    if (order.empty()) box.add(1, 1, 1);
    cpu::copyBox(result.dtype(), std::move(box), result.raw(), out->mutableRaw());
    return {};
  }

  const Equation equation_;
};

Result<std::unique_ptr<Kernel>> makeEinsum(KernelInit& init) {
  WEFT_LET(Equation e, parseEquation(init.attrs().text("equation"), int(init.node().inputs.size())));
  return std::unique_ptr<Kernel>(std::make_unique<EinsumKernel>(std::move(e)));
}

}  // namespace

void registerEinsum(OpRegistry& ops) {
  OpRecord& r =
      ops.add("Einsum")
          .category("Math")
          .keywords("einstein summation tensor product contraction")
          .summary("Sum of products of tensors in Einstein notation.")
          .description(
              "The equation names the dimensions of each input and of the output: `ij,jk->ik` is a matrix product, `ii->i` a diagonal, `ij->` the sum of all "
              "elements. `...` stands for any number of dimensions, which are broadcast.")
          .input("inputs: N * T", "One or two tensors.")
          .output("output: T", "The result.")
          .attr("equation: string", "Subscripts of the inputs and the output, such as `ij,jk->ik`.")
          .attr("N: int >= 1", "Number of inputs.")
          .attr("T: type", "Type of the elements.")
          .shape(einsumShape)
          .noGradient("TensorFlow 1.15 defines no gradient for this op; tf.einsum is composed of other ops.")
          .cpu({{"T", {DType::Float, DType::Double, DType::Complex64, DType::Complex128}}}, makeEinsum);
  r.gradientIsError = true;
}

}  // namespace weft
