#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/dtype.h"
#include "weft/error.h"
#include "weft/shape.h"

namespace weft {

/// A reference-counted block of memory. Elements of String, Resource and Variant tensors are objects owned by the buffer.
class WEFT_API Buffer {
 public:
  virtual ~Buffer() = default;
  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  /// Where the bytes are: 0 is the host, devices count from 1 (kernel/device.h).
  int place() const { return place_; }
  void ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  void unref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  bool isUnique() const { return count_.load(std::memory_order_acquire) == 1; }
  int useCount() const { return count_.load(std::memory_order_relaxed); }
  /// Other tasks may read this memory: while it is shared, it is not written in place, not even by updates of the variable whose value it is.
  void publish() { published_.store(true, std::memory_order_release); }
  bool isPublished() const { return published_.load(std::memory_order_acquire); }

 protected:
  Buffer(void* data, size_t bytes, int place = 0) : data_(data), bytes_(bytes), place_(place) {}
  virtual void destroy() { delete this; }
  void* data_;
  size_t bytes_;
  int place_;
  std::atomic<int> count_{1};
  std::atomic<bool> published_{false};
};

/// Intrusive pointer to a Buffer.
class BufferPtr {
 public:
  BufferPtr() = default;
  static BufferPtr adopt(Buffer* b) {
    BufferPtr p;
    p.b_ = b;
    return p;
  }  ///< Takes over the initial reference of `b`.
  static BufferPtr share(Buffer* b) {
    if (b) b->ref();
    return adopt(b);
  }
  BufferPtr(const BufferPtr& o) : b_(o.b_) {
    if (b_) b_->ref();
  }
  BufferPtr(BufferPtr&& o) noexcept : b_(o.b_) { o.b_ = nullptr; }
  BufferPtr& operator=(BufferPtr o) noexcept {
    std::swap(b_, o.b_);
    return *this;
  }
  ~BufferPtr() {
    if (b_) b_->unref();
  }
  Buffer* get() const { return b_; }
  Buffer* operator->() const { return b_; }
  explicit operator bool() const { return b_ != nullptr; }

 private:
  Buffer* b_ = nullptr;
};

/// A dense row-major array. Copies share the buffer. The contents of a shared tensor never change.
class WEFT_API Tensor {
 public:
  Tensor() = default;  ///< No value: dtype Invalid.
  Tensor(DType dtype, Shape shape, BufferPtr buffer) : Tensor(dtype, std::move(shape), std::move(buffer), nullptr) {}
  /// A view of `buffer` that starts at `data` (nullptr: at its beginning).
  Tensor(DType dtype, Shape shape, BufferPtr buffer, void* data)
      : dtype_(dtype),
        shape_(std::move(shape)),
        buffer_(std::move(buffer)),
        data_(data      ? data
              : buffer_ ? buffer_->data()
                        : nullptr) {}

  /// Numbers are uninitialised and 64-byte aligned, strings are empty. RESOURCE_EXHAUSTED if memory is short.
  /// INVALID_ARGUMENT if the shape is not fully known or overflows.
  static Result<Tensor> allocate(DType dtype, const Shape& shape);
  /// As allocate(), with all bytes zero. For shapes that are known to be small and valid: it terminates if memory is exhausted.
  static Tensor zeros(DType dtype, const Shape& shape);
  template <typename T>
  static Tensor scalar(T value) {
    Tensor t = zeros(DTypeOf<T>::value, {});
    *t.mutableData<T>() = std::move(value);
    return t;
  }
  static Tensor scalar(const char* text) { return scalar(std::string(text)); }
  template <typename T>
  static Tensor vector(const std::vector<T>& values) {
    return of(values, {int64_t(values.size())});
  }
  template <typename T>
  static Tensor of(const std::vector<T>& values, const Shape& shape) {  ///< REQUIRES: as many values as the shape has elements.
    Tensor t = zeros(DTypeOf<T>::value, shape);
    T* out = t.mutableData<T>();
    for (size_t i = 0; i < values.size(); ++i) out[i] = values[i];
    return t;
  }
  /// A tensor over `data`, without copying. `owner` keeps the data alive until the tensor's last copy is destroyed.
  static Tensor borrow(DType dtype, const Shape& shape, void* data, std::shared_ptr<const void> owner);

  bool hasValue() const { return dtype_ != DType::Invalid; }
  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  int64_t dim(int i) const { return shape_.dim(i); }
  int64_t elements() const { return shape_.elements(); }
  size_t bytes() const { return size_t(elements()) * sizeOf(dtype_); }  ///< 0 for object elements.
  /// Bytes that the tensor holds, including the characters of strings.
  size_t totalBytes() const;

  template <typename T>
  const T* data() const {
    assert(DTypeOf<T>::value == dtype_);
    return static_cast<const T*>(data_);
  }
  template <typename T>
  std::span<const T> flat() const {
    return {data<T>(), size_t(elements())};
  }
  /// REQUIRES: the buffer has no other reader.
  template <typename T>
  T* mutableData() {
    assert(DTypeOf<T>::value == dtype_);
    return static_cast<T*>(data_);
  }
  const void* raw() const { return data_; }
  void* mutableRaw() { return data_; }
  template <typename T>
  T at(int64_t i) const {
    return data<T>()[i];
  }

  const BufferPtr& buffer() const { return buffer_; }
  bool sharesBufferWith(const Tensor& o) const { return buffer_.get() == o.buffer_.get(); }
  bool ownsBufferAlone() const { return buffer_ && buffer_->isUnique(); }
  int place() const { return buffer_ ? buffer_->place() : 0; }

  /// The same elements with another shape. REQUIRES: an equal number of elements.
  Tensor reshaped(Shape shape) const { return Tensor(dtype_, std::move(shape), buffer_, data_); }
  /// The same bytes, read as another type of the same size.
  Tensor withDType(DType t) const { return Tensor(t, shape_, buffer_, data_); }
  /// Rows [begin, end) of the first dimension, sharing the buffer. Unaligned views are allowed. REQUIRES: rank >= 1.
  Tensor rows(int64_t begin, int64_t end) const;
  Result<Tensor> clone() const;  ///< A separate copy in host memory.
  /// Element `i` converted from any numeric type. Complex: its real part.
  double asDouble(int64_t i) const;
  int64_t asInt(int64_t i) const;
  /// Same dtype, shape and bits (strings: characters).
  bool identicalTo(const Tensor& o) const;

  /// For display, with at most `limit` elements: "float32 [2,3] [[1 2 3] [4 5 6]]".
  std::string toString(int64_t limit = 32) const;

 private:
  DType dtype_ = DType::Invalid;
  Shape shape_;
  BufferPtr buffer_;
  void* data_ = nullptr;
};

}  // namespace weft
