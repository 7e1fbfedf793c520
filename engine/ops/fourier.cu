#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/fourier_shapes.h"

// Discrete Fourier transforms in double precision, by Stockham's algorithm for any factors: each launch handles one factor of all lines, so that lines of n
// elements take n times the sum of n's factors. There is no cuFFT in the host build.
namespace weft::cuda {
namespace {

constexpr int kMostRank = 3;

/// The first elements of boxes: where an element of a box of `size` lies in one of `given`, which is not smaller.
struct Crop {
  int rank = 0;
  int64_t size[kMostRank] = {}, given[kMostRank] = {};
  __device__ int64_t operator()(int64_t i) const {
    int64_t at = 0, stride = 1;
    for (int d = rank - 1; d >= 0; --d) {
      at += i % size[d] * stride;
      stride *= given[d];
      i /= size[d];
    }
    return at + i * stride;
  }
};

/// Two arrays between which transforms go back and forth.
class Lines {
 public:
  static Result<Lines> of(CudaDevice& d, int64_t elements, bool forward) {
    Lines l(d, elements, forward);
    WEFT_LET(l.memory_, scratch(d, 2 * size_t(elements) * sizeof(Complex128)));
    l.now_ = static_cast<Complex128*>(l.memory_.mutableRaw());
    l.other_ = l.now_ + elements;
    return l;
  }
  Complex128* now() { return now_; }
  Complex128* other() { return other_; }
  void exchange() { std::swap(now_, other_); }
  /// Transforms along an axis of n elements, `inner` apart, the first `elements` of the array.
  Status transform(int64_t elements, int64_t n, int64_t inner) {
    if (n <= 1) return {};
    WEFT_LET(Tensor memory, scratch(device_, size_t(n) * sizeof(Complex128)));
    auto* turns = static_cast<Complex128*>(memory.mutableRaw());
    WEFT_TRY(fillTurns(device_, n, forward_, turns));
    int64_t rest = n, done = 1;
    while (rest > 1) {
      int64_t factor = rest % 4 == 0 ? 4 : 2;
      while (rest % factor != 0) factor = factor * factor > rest ? rest : factor + 1;
      WEFT_TRY(pass(device_, elements, n, inner, done, factor, turns, now_, other_));
      exchange();
      done *= factor;
      rest /= factor;
    }
    return {};
  }

  static Status fillTurns(CudaDevice& d, int64_t n, bool forward, Complex128* turns) {
    const double whole = (forward ? -1 : 1) * 6.283185307179586476925286766559;
    return forEach(d, n, [=] __device__(int64_t k) { turns[k] = Complex128(cos(whole * double(k) / double(n)), sin(whole * double(k) / double(n))); });
  }
  /// One factor of n, after those whose product is `done`.
  static Status pass(CudaDevice& d, int64_t elements, int64_t n, int64_t inner, int64_t done, int64_t factor, const Complex128* turns, const Complex128* from,
                     Complex128* to) {
    const int64_t left = n / done, part = left / factor;
    return forEach(d, elements, [=] __device__(int64_t i) {
      const int64_t v = i % inner, line = i / inner / n, j = i / inner % n, q = j % done, c = j / done % factor, p = j / done / factor;
      Complex128 sum(0);
      for (int64_t t = 0; t < factor; ++t) {
        const int64_t k = p + part * t;
        sum = sum + from[(line * n + q + done * k) * inner + v] * turns[c * k % left * done];
      }
      to[i] = sum;
    });
  }

 private:
  Lines(CudaDevice& d, int64_t elements, bool forward) : device_(d), forward_(forward) {}
  CudaDevice& device_;
  const bool forward_;
  Tensor memory_;
  Complex128 *now_ = nullptr, *other_ = nullptr;
};

__device__ Complex128 complexOf(float x) { return Complex128(double(x)); }
__device__ Complex128 complexOf(Complex64 x) { return Complex128(double(x.re), double(x.im)); }
__device__ Complex128 complexOf(Complex128 x) { return x; }
__device__ void store(Complex128 x, float* to) { *to = float(x.re); }
__device__ void store(Complex128 x, Complex64* to) { *to = Complex64(float(x.re), float(x.im)); }
__device__ void store(Complex128 x, Complex128* to) { *to = x; }

template <typename T>
Status load(CudaDevice& d, const T* from, const Crop& crop, int64_t n, Complex128* to) {
  return forEach(d, n, [=] __device__(int64_t i) { to[i] = complexOf(from[crop(i)]); });
}
template <typename R>
Status storeScaled(CudaDevice& d, const Complex128* from, double scale, int64_t n, R* to) {
  return forEach(d, n, [=] __device__(int64_t i) { store(Complex128(from[i].re * scale, from[i].im * scale), &to[i]); });
}
/// The first `half` elements of lines of n.
Status keepHalf(CudaDevice& d, const Complex128* from, int64_t lines, int64_t n, int64_t half, Complex128* to) {
  return forEach(d, lines * half, [=] __device__(int64_t i) { to[i] = from[i / half * n + i % half]; });
}
/// Lines of n from their first `half` elements: the spectra of real lines.
Status mirror(CudaDevice& d, const Complex128* from, int64_t lines, int64_t n, int64_t half, Complex128* to) {
  return forEach(d, lines * n, [=] __device__(int64_t i) {
    const int64_t line = i / n, k = i % n;
    const Complex128 x = from[line * half + (k < half ? k : n - k)];
    to[i] = k < half ? x : Complex128(x.re, -x.im);
  });
}

template <typename T, typename R>
Status runFourier(KernelContext& c) {
  WEFT_LET(const FourierCall f, fourierCallOf(c));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, f.out));
  const int64_t total = f.full.elements();
  if (total < 0) return invalidArgument("The transform's shape ", f.full.toString(), " is too large");
  CudaDevice& d = deviceOf(c);
  if (in.elements() == 0 || total == 0) {
    if (out->elements() > 0) WEFT_CUDA_TRY(cudaMemsetAsync(out->mutableRaw(), 0, out->bytes(), d.stream()));
    return {};
  }
  const int rank = f.full.rank(), axes = f.kind.rank;
  const int64_t n = f.full.dim(rank - 1), half = n / 2 + 1, lines = total / n;
  const bool toReal = f.kind.real && !f.kind.forward, fromReal = f.kind.real && f.kind.forward;
  // Between real numbers, the outer axes are transformed for the half that is kept.
  const int64_t kept = f.kind.real ? half : n, loaded = toReal ? half : n;
  Crop crop;
  crop.rank = axes;
  for (int k = 0; k < axes; ++k) {
    crop.given[k] = in.dim(rank - axes + k);
    crop.size[k] = k == axes - 1 ? loaded : f.full.dim(rank - axes + k);
  }
  WEFT_LET(Lines work, Lines::of(d, lines * std::max(n, half), f.kind.forward));
  WEFT_TRY(load(d, dataOf<T>(in), crop, lines * loaded, work.now()));
  if (!toReal) WEFT_TRY(work.transform(total, n, 1));
  if (fromReal) {
    WEFT_TRY(keepHalf(d, work.now(), lines, n, half, work.other()));
    work.exchange();
  }
  int64_t inner = kept;
  for (int k = rank - 2; k >= rank - axes; --k) {
    WEFT_TRY(work.transform(lines * kept, f.full.dim(k), inner));
    inner *= f.full.dim(k);
  }
  if (toReal) {
    WEFT_TRY(mirror(d, work.now(), lines, n, half, work.other()));
    work.exchange();
    WEFT_TRY(work.transform(total, n, 1));
  }
  double scale = 1;
  for (int k = rank - axes; k < rank && !f.kind.forward; ++k) scale /= double(f.full.dim(k));
  return storeScaled(d, work.now(), scale, out->elements(), mutableDataOf<R>(*out));
}

}  // namespace

void registerFourierGpu(OpRegistry& ops) {
  for (const std::string rank : {"", "2D", "3D"}) {
    for (const std::string name : {"FFT", "IFFT"}) {
      addAny(ops, (name + rank).c_str(), runFourier<Complex64, Complex64>, {}, {{"Tcomplex", {DType::Complex64}}});
      addAny(ops, (name + rank).c_str(), runFourier<Complex128, Complex128>, {}, {{"Tcomplex", {DType::Complex128}}});
      addAny(ops, ("Batch" + name + rank).c_str(), runFourier<Complex64, Complex64>);
    }
    addAny(ops, ("RFFT" + rank).c_str(), runFourier<float, Complex64>, {"fft_length"});
    addAny(ops, ("IRFFT" + rank).c_str(), runFourier<Complex64, float>, {"fft_length"});
  }
}

}  // namespace weft::cuda
