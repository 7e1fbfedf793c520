// Arrays of plain values that grow throughout a training.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace weft::widgets {

/// A buffer that grows without copying: large buffers have their own pages, which are remapped. So an array of millions of values grows as fast as one of a
/// few. New bytes are uninitialized. Not synchronized. Throws std::bad_alloc.
class GrowingBytes {
 public:
  GrowingBytes() = default;
  ~GrowingBytes() { release(); }
  GrowingBytes(const GrowingBytes&) = delete;
  GrowingBytes& operator=(const GrowingBytes&) = delete;
  GrowingBytes(GrowingBytes&& other) noexcept : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingBytes& operator=(GrowingBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  void* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  /// Reserves at least `bytes`; the contents are kept.
  void reserve(std::size_t bytes);
  void release();

 private:
  void* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// A std::vector of plain values on top of GrowingBytes.
template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray& other) { append({other.data(), other.size_}); }
  GrowingArray(GrowingArray&& other) noexcept : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  GrowingArray& operator=(GrowingArray other) noexcept {
    bytes_ = std::move(other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return static_cast<T*>(bytes_.data()); }
  const T* data() const { return static_cast<const T*>(bytes_.data()); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  const T& front() const { return data()[0]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  void push_back(const T& value) {
    const T copy = value;  // `value` may be an element of this array
    bytes_.reserve((size_ + 1) * sizeof(T));
    data()[size_++] = copy;
  }
  /// REQUIRES: `values` are not elements of this array.
  void append(std::span<const T> values) {
    if (values.empty()) return;
    bytes_.reserve((size_ + values.size()) * sizeof(T));
    std::memcpy(static_cast<void*>(data() + size_), values.data(), values.size_bytes());
    size_ += values.size();
  }
  /// New elements are T().
  void resize(std::size_t size) {
    bytes_.reserve(size * sizeof(T));
    for (std::size_t i = size_; i < size; ++i) data()[i] = T();
    size_ = size;
  }
  void clear() {
    bytes_.release();
    size_ = 0;
  }

 private:
  GrowingBytes bytes_;
  std::size_t size_ = 0;
};

}  // namespace weft::widgets
