#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::cpu {

/// A short list of numbers (one per dimension) that does not allocate memory for up to 12 of them.
class SmallInts {
 public:
  SmallInts() = default;
  SmallInts(size_t n, int64_t value) {
    for (size_t i = 0; i < n; ++i) push_back(value);
  }
  void push_back(int64_t v) {
    if (size_ < kInline) {
      inline_[size_++] = v;
      return;
    }
    if (size_ == kInline) more_.assign(inline_, inline_ + kInline);
    more_.push_back(v);
    ++size_;
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return size_ <= kInline ? inline_ : more_.data(); }
  const int64_t* data() const { return size_ <= kInline ? inline_ : more_.data(); }
  int64_t& operator[](size_t i) { return data()[i]; }
  int64_t operator[](size_t i) const { return data()[i]; }
  int64_t& back() { return data()[size_ - 1]; }
  int64_t back() const { return data()[size_ - 1]; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size_; }

 private:
  static constexpr size_t kInline = 12;
  size_t size_ = 0;
  int64_t inline_[kInline] = {};
  std::vector<int64_t> more_;
};

}  // namespace weft::cpu
