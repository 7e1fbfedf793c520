#include "ops/rearranging.h"

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "kernel/device.h"

// Rows moved along their axis or divided into parts.
namespace weft::cuda {
namespace {

// ReverseSequence.

template <typename T, typename L>
Status reverseSequences(CudaDevice& d, const Tensor& in, const L* lengths, int seq, int batch, ErrorSlot wrong, Tensor& out) {
  const T* from = static_cast<const T*>(in.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  const int64_t n = in.dim(seq), batches = in.dim(batch);
  int64_t step = 1, batchStep = 1;
  for (int k = in.rank() - 1; k > seq; --k) step *= in.dim(k);
  for (int k = in.rank() - 1; k > batch; --k) batchStep *= in.dim(k);
  return forEach(d, in.elements(), [=] __device__(int64_t i) {
    const int64_t at = i / step % n, b = i / batchStep % batches;
    int64_t length = int64_t(lengths[b]);
    if (length < 0 || length > n) {
      wrong.report(b);
      length = 0;
    }
    to[i] = from[at < length ? i + (length - 1 - 2 * at) * step : i];
  });
}

Status runReverseSequence(KernelContext& c) {
  WEFT_TRY(checkReverseSequence(c));
  const Tensor &in = c.input(0), &lengths = c.input(1);
  const int seq = int(c.node().attrs.integer("seq_dim")), batch = int(c.node().attrs.integer("batch_dim"));
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, lengths, [seq](int64_t i, const Tensor& t) { return wrongSequenceLength(t, i, seq); }));
  return forSizeOf(in.dtype(), [&]<typename T>() {
    return lengths.dtype() == DType::Int64 ? reverseSequences<T>(d, in, dataOf<int64_t>(lengths), seq, batch, wrong, *out)
                                           : reverseSequences<T>(d, in, dataOf<int32_t>(lengths), seq, batch, wrong, *out);
  });
}

// Roll.

constexpr int kMostRolled = 8;
/// Dims that are rolled, from the inside out; dims between them are joined.
struct RolledDims {
  int rank = 0;
  int64_t size[kMostRolled] = {}, shift[kMostRolled] = {};
};

template <typename T>
Status roll(CudaDevice& d, const RolledDims& r, const Tensor& in, Tensor& out) {
  const T* from = static_cast<const T*>(in.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  return forEach(d, in.elements(), [=] __device__(int64_t i) {
    int64_t rest = i, at = 0, stride = 1;
    for (int k = r.rank - 1; k >= 0; --k) {
      const int64_t place = rest % r.size[k] - r.shift[k];
      rest /= r.size[k];
      at += (place < 0 ? place + r.size[k] : place) * stride;
      stride *= r.size[k];
    }
    to[i] = from[at];
  });
}

Status runRoll(KernelContext& c) {
  WEFT_LET(const std::vector<int64_t> by, rollShifts(c));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  RolledDims r;
  for (int k = 0; k < in.rank(); ++k) {
    const int64_t n = in.dim(k), shift = by[size_t(k)];
    // A dim at rest joins the one outside of it, whose shift then counts in rows.
    if (shift == 0 && r.rank > 0) {
      r.size[r.rank - 1] *= n;
      r.shift[r.rank - 1] *= n;
      continue;
    }
    if (r.rank == kMostRolled) return unimplemented("Roll on the GPU takes up to ", kMostRolled, " rolled dims");
    r.size[r.rank] = n;
    r.shift[r.rank++] = shift;
  }
  return forSizeOf(in.dtype(), [&]<typename T>() { return roll<T>(deviceOf(c), r, in, *out); });
}

// DynamicPartition.

/// Row i goes to address places[i].
template <typename T>
Status scatterRows(CudaDevice& d, const Tensor& data, const Tensor& places, int64_t row) {
  const T* from = static_cast<const T*>(data.raw());
  const int64_t* to = dataOf<int64_t>(places);
  return forEach(d, places.elements() * row, [=] __device__(int64_t i) { reinterpret_cast<T*>(to[i / row])[i % row] = from[i]; });
}

/// The shapes of the results depend on the partitions, so the host looks at them.
Status runDynamicPartition(KernelContext& c) {
  const Tensor& data = c.input(0);
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const Tensor parts, d.toHost(c.input(1)));
  WEFT_LET(const std::vector<int64_t> sizes, partitionSizes(c, parts));
  const Shape tail = data.shape().slice(parts.rank());
  const int64_t row = tail.elements(), bytes = row * int64_t(sizeOf(data.dtype()));
  std::vector<int64_t> next;  // address of the next row of each result
  for (size_t k = 0; k < sizes.size(); ++k) {
    Shape shape{sizes[k]};
    shape.append(tail);
    WEFT_LET(Tensor * out, c.allocate(int(k), shape));
    next.push_back(int64_t(reinterpret_cast<intptr_t>(out->mutableRaw())));
  }
  if (data.elements() == 0) return {};
  std::vector<int64_t> places;
  for (const int32_t p : parts.flat<int32_t>()) {
    places.push_back(next[size_t(p)]);
    next[size_t(p)] += bytes;
  }
  WEFT_LET(const Tensor onDevice, d.fromHost(Tensor::vector(places)));
  return forSizeOf(data.dtype(), [&]<typename T>() { return scatterRows<T>(d, data, onDevice, row); });
}

}  // namespace

void registerRearrangingGpu(OpRegistry& ops) {
  addAny(ops, "ReverseSequence", runReverseSequence, {}, {{"T", {DType::Half, DType::Float, DType::Double, DType::Bool}}});
  addAny(ops, "Roll", runRoll, {"shift", "axis"},
         {{"T", {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Complex64, DType::Complex128}}});
  addAny(ops, "DynamicPartition", runDynamicPartition, {}, {{"T", {DType::Half, DType::Float, DType::Double, DType::Complex64, DType::Complex128}}});
}

}  // namespace weft::cuda
