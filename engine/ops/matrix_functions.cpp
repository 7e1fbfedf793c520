#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include "ops/linear_grads.h"
#include "ops/linear_matrices.h"

// Functions of whole matrices: square root and logarithm.
namespace weft {
namespace {

using namespace linear;

// One square matrix in, one out.

/// f(matrix, result), computed in W, returns false on failure, which is reported as `error`.
template <typename W, typename F>
Status perMatrixOf(KernelContext& c, F&& f, const char* error) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  return mapMatrices<W>(in, *out, f) ? Status() : Status(invalidArgument(error));
}

Status runSquareRoot(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  const auto root = []<typename T>(const Matrix<T>& a, Matrix<T>& out) {
    const Matrix<T> found = Matrix<T>(a).sqrt();
    out = found;
    return true;
  };
  // A real matrix uses real arithmetic. If its root is not real, the result is NaN instead of the root's real part.
  return isComplex(c.input(0).dtype()) ? perMatrixOf<std::complex<double>>(c, root, "") : perMatrixOf<double>(c, root, "");
}
Status runExponential(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  return perMatrixOf<std::complex<double>>(
      c,
      []<typename T>(const Matrix<T>& a, Matrix<T>& out) {
        const Matrix<T> e = Matrix<T>(a).exp();
        out = e;
        return true;
      },
      "");
}
Status runLogarithm(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  return perMatrixOf<std::complex<double>>(
      c,
      []<typename T>(const Matrix<T>& a, Matrix<T>& out) {
        const Matrix<T> log = Matrix<T>(a).log();
        out = log;
        return true;
      },
      "");
}

}  // namespace

void registerMatrixFunctions(OpRegistry& ops) {
  const std::vector<DType> field = {DType::Float, DType::Double, DType::Complex64, DType::Complex128};
  const std::vector<KernelConstraint> types = {{"T", field}};
  const char* none = "TensorFlow 1.15 defines no gradient for it.";
  addMatrixOp(ops, "MatrixSquareRoot", "Matrix square root of each square matrix: B with B B = A.")
      .input("input: T", kIn)
      .output("output: T", "The square roots.")
      .attr(kTypes)
      .shape(sameSquare)
      .gradient(linear::squareRootGradient)
      .cpu(types, simpleKernel(runSquareRoot));
  addMatrixOp(ops, "MatrixLogarithm", "Principal matrix logarithm of each square matrix.")
      .input("input: T", kIn)
      .output("output: T", "The logarithms.")
      .attr("T: {complex64, complex128}")
      .shape(sameSquare)
      .noGradient(none)
      .cpu({{"T", types::kComplex}}, simpleKernel(runLogarithm))
      .gradientIsError = true;
  addMatrixOp(ops, "MatrixExponential", "Matrix exponential of each square matrix.")
      .input("input: T", kIn)
      .output("output: T", "The exponentials.")
      .attr(kTypes)
      .deprecated(27, "Use Python implementation tf.linalg.matrix_exponential instead.")
      .shape(sameSquare)
      .noGradient(none)
      .cpu(types, simpleKernel(runExponential))
      .gradientIsError = true;
}

}  // namespace weft
