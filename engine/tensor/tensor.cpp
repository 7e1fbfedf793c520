#include "weft/tensor.h"

#include <cstring>
#include <sstream>

#include "tensor/allocator.h"
#include "tensor/variable.h"
#include "tensor/variant.h"

namespace weft {
namespace {

/// Memory owned by another object, kept alive by `owner`.
class BorrowedBuffer final : public Buffer {
 public:
  BorrowedBuffer(void* data, size_t bytes, std::shared_ptr<const void> owner) : Buffer(data, bytes), owner_(std::move(owner)) {}

 private:
  std::shared_ptr<const void> owner_;
};

template <typename T>
std::string numberText(T v) {
  std::ostringstream out;
  out.precision(9);
  out << v;
  return out.str();
}

std::string elementText(const Tensor& t, int64_t i) {
  switch (t.dtype()) {
    case DType::String: return '"' + t.data<std::string>()[i] + '"';
    case DType::Bool: return t.data<bool>()[i] ? "true" : "false";
    case DType::Complex64: {
      const auto c = t.data<std::complex<float>>()[i];
      return "(" + numberText(c.real()) + "," + numberText(c.imag()) + ")";
    }
    case DType::Complex128: {
      const auto c = t.data<std::complex<double>>()[i];
      return "(" + numberText(c.real()) + "," + numberText(c.imag()) + ")";
    }
    case DType::Resource:
    case DType::Variant: return "<" + dtypeName(t.dtype()) + ">";
    case DType::UInt64: return std::to_string(t.data<uint64_t>()[i]);
    default: return isFloating(t.dtype()) ? numberText(t.asDouble(i)) : std::to_string(t.asInt(i));
  }
}

/// Limit on the empty rows that are printed; there may be 2^63 of them.
constexpr int64_t kEmptyRows = 8;

/// Writes the elements of dimension `d` from `offset` on, nested in brackets; stops after `left` elements.
void writeNested(std::ostream& out, const Tensor& t, int d, int64_t offset, int64_t stride, int64_t& left) {
  if (d == t.rank()) {
    if (left-- > 0) out << elementText(t, offset);
    return;
  }
  out << '[';
  const int64_t step = t.dim(d) > 0 ? stride / t.dim(d) : 0;
  for (int64_t i = 0; i < t.dim(d); ++i) {
    if (i) out << ' ';
    if (left <= 0 || (stride == 0 && i >= kEmptyRows)) {
      out << "...";
      break;
    }
    writeNested(out, t, d + 1, offset + i * step, step, left);
  }
  out << ']';
}

}  // namespace

Result<Tensor> Tensor::allocate(DType dtype, const Shape& shape) { return allocateTensor(hostAllocator(), dtype, shape); }

Tensor Tensor::zeros(DType dtype, const Shape& shape) {
  Result<Tensor> t = allocate(dtype, shape);
  if (!t.ok()) throw std::bad_alloc();
  if (const size_t n = t->bytes()) std::memset(t->mutableRaw(), 0, n);
  return std::move(t).value();
}

Tensor Tensor::borrow(DType dtype, const Shape& shape, void* data, std::shared_ptr<const void> owner) {
  const size_t bytes = size_t(shape.elements()) * sizeOf(dtype);
  return Tensor(dtype, shape, BufferPtr::adopt(new BorrowedBuffer(data, bytes, std::move(owner))));
}

size_t Tensor::totalBytes() const {
  if (dtype_ != DType::String) return bytes();
  size_t n = 0;
  for (const std::string& s : flat<std::string>()) n += s.size();
  return n;
}

Tensor Tensor::rows(int64_t begin, int64_t end) const {
  Shape shape = shape_;
  shape.setDim(0, end - begin);
  const int64_t rowElements = dim(0) > 0 ? elements() / dim(0) : 0;
  const size_t elementSize = dtype_ == DType::String     ? sizeof(std::string)
                             : dtype_ == DType::Variant  ? sizeof(VariantValue)
                             : dtype_ == DType::Resource ? sizeof(ResourceHandle)
                                                         : sizeOf(dtype_);
  return Tensor(dtype_, shape, buffer_, static_cast<char*>(data_) + size_t(begin * rowElements) * elementSize);
}

Result<Tensor> Tensor::clone() const {
  if (!hasValue()) return Tensor();
  WEFT_LET(Tensor out, allocate(dtype_, shape_));
  copyElements(*this, out);
  return out;
}

double Tensor::asDouble(int64_t i) const {
  switch (dtype_) {
    case DType::Float: return at<float>(i);
    case DType::Double: return at<double>(i);
    case DType::Half: return toFloat(at<HalfBits>(i));
    case DType::BFloat16: return toFloat(at<BFloat16Bits>(i));
    case DType::Complex64: return data<std::complex<float>>()[i].real();
    case DType::Complex128: return data<std::complex<double>>()[i].real();
    case DType::UInt64: return double(at<uint64_t>(i));
    default: return double(asInt(i));
  }
}

int64_t Tensor::asInt(int64_t i) const {
  switch (dtype_) {
    case DType::Int8:
    case DType::QInt8: return static_cast<const int8_t*>(data_)[i];
    case DType::UInt8:
    case DType::QUInt8: return static_cast<const uint8_t*>(data_)[i];
    case DType::Int16:
    case DType::QInt16: return static_cast<const int16_t*>(data_)[i];
    case DType::UInt16:
    case DType::QUInt16: return static_cast<const uint16_t*>(data_)[i];
    case DType::Int32:
    case DType::QInt32: return static_cast<const int32_t*>(data_)[i];
    case DType::UInt32: return at<uint32_t>(i);
    case DType::Int64: return at<int64_t>(i);
    case DType::UInt64: return int64_t(at<uint64_t>(i));
    case DType::Bool: return at<bool>(i);
    case DType::Float:
    case DType::Double:
    case DType::Half:
    case DType::BFloat16:
    case DType::Complex64:
    case DType::Complex128: return int64_t(asDouble(i));
    default:  // objects, and unknown dtypes
      return 0;
  }
}

bool Tensor::identicalTo(const Tensor& o) const {
  if (dtype_ != o.dtype_ || !(shape_ == o.shape_)) return false;
  if (!hasValue()) return true;
  if (dtype_ == DType::String) {
    const auto a = flat<std::string>(), b = o.flat<std::string>();
    return std::equal(a.begin(), a.end(), b.begin());
  }
  if (sizeOf(dtype_) == 0) return data_ == o.data_;
  return bytes() == 0 || std::memcmp(data_, o.data_, bytes()) == 0;
}

std::string Tensor::toString(int64_t limit) const {
  if (!hasValue()) return "<no value>";
  std::ostringstream out;
  out << dtypeName(dtype_) << ' ' << shape_.toString() << ' ';
  int64_t left = limit;
  writeNested(out, *this, 0, 0, elements(), left);
  return out.str();
}

}  // namespace weft
