#include "device/moves.h"
#include "ops/registry.h"

// Diag and DiagPart: diagonals of tensors of any rank; the number of dimensions is doubled or halved.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

Status diagShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  if (!c.input(0).hasRank()) return {};
  Shape out = c.input(0);
  out.append(c.input(0));
  c.setOutput(0, std::move(out));
  return {};
}
Status diagPartShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  if (!in.hasRank()) return {};
  if (in.rank() % 2 != 0 || in.rank() == 0) return invalidArgument("Input must have even and non-zero rank, input rank is ", in.rank());
  Shape out;
  for (int d = 0; d < in.rank() / 2; ++d) {
    WEFT_LET(const int64_t n, c.mergeDims(in.dim(d), in.dim(d + in.rank() / 2)));
    out.append(n);
  }
  c.setOutput(0, std::move(out));
  return {};
}
Status runDiag(KernelContext& c) {
  const Tensor& in = c.input(0);
  if (in.rank() < 1) return invalidArgument("Input must be at least rank 1, got ", in.rank());
  Shape shape = in.shape();
  shape.append(in.shape());
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  const int64_t n = in.elements();
  WEFT_TRY(fillWithZeros(c, *out));
  cpu::BoxCopy box;
  box.add(n, 1, n + 1);
  return moveBox(c, *out, std::move(box), in.raw(), out->mutableRaw());
}
Status runDiagPart(KernelContext& c) {
  const Tensor& in = c.input(0);
  const int half = in.rank() / 2;
  if (in.rank() % 2 != 0 || in.rank() == 0)
    return invalidArgument("The rank of the tensor should be                                          even and positive, got shape ", in.shape().toString());
  for (int d = 0; d < half; ++d) {
    if (in.dim(d) != in.dim(d + half)) return invalidArgument("Invalid shape ", in.shape().toString(), ": dimensions ", d, " and ", d + half, " do not match.");
  }
  WEFT_LET(Tensor* out, c.allocate(0, in.shape().slice(0, half)));
  const int64_t n = out->elements();
  cpu::BoxCopy box;
  box.add(n, n + 1, 1);
  return moveBox(c, *out, std::move(box), in.raw(), out->mutableRaw());
}

}  // namespace

void registerTensorDiagonals(OpRegistry& ops) {
  const std::vector<DType> diag = {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Complex64, DType::Complex128};
  ops.add("Diag")
      .category("Linear algebra")
      .summary("Diagonal tensor of twice the rank: the input's elements where both halves of the index are equal, zeros elsewhere.")
      .input("diagonal: T", "The elements.")
      .output("output: T", "The tensor.")
      .attr("T: {bfloat16, half, float, double, int32, int64, complex64, complex128}", "Type of the elements.")
      .shape(diagShape)
      .gradient([](GradContext& c) -> Grads { return std::vector{c.b().op("DiagPart", {c.grad()})}; })
      .cpu({{"T", diag}}, simpleKernel(runDiag));
  ops.add("DiagPart")
      .category("Linear algebra")
      .summary("Diagonal part of a tensor: the elements whose index has two equal halves.")
      .input("input: T", "A tensor of even rank; its shape consists of two equal halves.")
      .output("diagonal: T", "A tensor of half the rank.")
      .attr("T: {bfloat16, half, float, double, int32, int64, complex64, complex128}", "Type of the elements.")
      .shape(diagPartShape)
      .gradient([](GradContext& c) -> Grads { return std::vector{c.b().op("Diag", {c.grad()})}; })
      .cpu({{"T", diag}}, simpleKernel(runDiagPart));
}

}  // namespace weft
