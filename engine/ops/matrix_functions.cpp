#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include "ops/linear_grads.h"
#include "ops/linear_matrices.h"

// Functions of whole matrices: square root and logarithm.
namespace weft {
namespace {

using namespace linear;

Status sameSquare(ShapeContext& c) { return squareShape(c, 2); }

// One square matrix in, one out.

/// f(matrix, result) -> false if it cannot be done; then `error`.
template <typename W = std::complex<double>, typename F>
Status perMatrix(KernelContext& c, F&& f, const char* error) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  bool good = true;
  const auto run = [&]<typename T>(std::type_identity<T>) {
    const Batch b = batchOf(in);
    for (int64_t i = 0; b.rows > 0 && i < b.count; ++i) {
      Matrix<T> result(b.rows, b.cols);
      good = f(matrixAt<T>(in, i), result) && good;
      storeMatrix(*out, i, result);
    }
  };
  run(std::type_identity<W>());
  return good ? Status() : Status(invalidArgument(error));
}

Status runSquareRoot(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  const auto root = []<typename T>(const Matrix<T>& a, Matrix<T>& out) {
    const Matrix<T> found = Matrix<T>(a).sqrt();
    out = found;
    return true;
  };
  // Of a real matrix by real numbers: where its root is not real, NaN says so, and not the real part of what it is.
  return isComplex(c.input(0).dtype()) ? perMatrix(c, root, "") : perMatrix<double>(c, root, "");
}
Status runExponential(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  return perMatrix(
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
  return perMatrix(
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
  const char* none = "TensorFlow 1.15 has no gradient for it.";
  addMatrixOp(ops, "MatrixSquareRoot", "The matrix whose product with itself is the given one.")
      .input("input: T", kIn)
      .output("output: T", "The roots.")
      .attr(kTypes)
      .shape(sameSquare)
      .gradient(linear::squareRootGradient)
      .cpu(types, simpleKernel(runSquareRoot));
  addMatrixOp(ops, "MatrixLogarithm", "The principal logarithm of each matrix.")
      .input("input: T", kIn)
      .output("output: T", "The logarithms.")
      .attr("T: {complex64, complex128}")
      .shape(sameSquare)
      .noGradient(none)
      .cpu({{"T", types::kComplex}}, simpleKernel(runLogarithm))
      .gradientIsError = true;
  addMatrixOp(ops, "MatrixExponential", "The exponential of each matrix.")
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
