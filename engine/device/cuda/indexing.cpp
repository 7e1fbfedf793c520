#include "device/cuda/indexing.cuh"

#include <vector>

namespace weft::cuda {
namespace {

/// Stride of each dim of `out` in an operand: 0 where the operand has size 1 or no dim.
std::vector<int64_t> stridesIn(const Shape& operand, const Shape& out) {
  std::vector<int64_t> strides(size_t(out.rank()), 0);
  int64_t stride = 1;
  for (int d = operand.rank() - 1; d >= 0; --d) {
    if (operand.dim(d) != 1) strides[size_t(d + out.rank() - operand.rank())] = stride;
    stride *= operand.dim(d);
  }
  return strides;
}

Error tooManyDims(const std::string& op, size_t rank) {
  return unimplemented(op, " on the GPU takes up to ", kMostDims, " dims that cannot be joined, got ", rank);
}

}  // namespace

void rowMajorStrides(const Shape& shape, int64_t* strides) {
  int64_t stride = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    strides[d] = stride;
    stride *= shape.dim(d);
  }
}

Result<Broadcast> broadcastOf(const Shape& out, const Shape& a, const Shape& b) {
  const std::vector<int64_t> inA = stridesIn(a, out), inB = stridesIn(b, out);
  std::vector<int64_t> dims, sa, sb;
  for (int d = 0; d < out.rank(); ++d) {
    const int64_t n = out.dim(d);
    if (n == 1) continue;
    const size_t at = size_t(d);
    if (!dims.empty() && sa.back() == inA[at] * n && sb.back() == inB[at] * n) {
      dims.back() *= n;
      sa.back() = inA[at];
      sb.back() = inB[at];
      continue;
    }
    dims.push_back(n);
    sa.push_back(inA[at]);
    sb.push_back(inB[at]);
  }
  if (dims.size() > kMostDims) return tooManyDims("Broadcasting", dims.size());
  Broadcast r;
  r.a.rank = r.b.rank = int(dims.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    r.a.dims[d] = r.b.dims[d] = dims[d];
    r.a.stride[d] = sa[d];
    r.b.stride[d] = sb[d];
  }
  r.plain = dims.size() <= 1;
  return r;
}

Result<Strided> joined(const std::string& op, const std::vector<int64_t>& dims, const std::vector<int64_t>& strides, int64_t start) {
  std::vector<int64_t> d, s;
  for (size_t k = 0; k < dims.size(); ++k) {
    if (dims[k] == 1) continue;
    if (!d.empty() && s.back() == strides[k] * dims[k]) {
      d.back() *= dims[k];
      s.back() = strides[k];
      continue;
    }
    d.push_back(dims[k]);
    s.push_back(strides[k]);
  }
  if (d.size() > kMostDims) return tooManyDims(op, d.size());
  Strided r;
  r.rank = int(d.size());
  r.start = start;
  for (size_t k = 0; k < d.size(); ++k) {
    r.dims[k] = d[k];
    r.stride[k] = s[k];
  }
  return r;
}

}  // namespace weft::cuda
