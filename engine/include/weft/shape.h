#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "weft/error.h"

namespace weft {

/// A shape. Its rank or any of its dimensions (-1) may be unknown. A value; up to 8 dims are stored inline.
class WEFT_API Shape {
 public:
  static constexpr int kUnknownRank = -1;
  static constexpr int64_t kUnknownDim = -1;
  static constexpr int kMaxRank = 254;  // as TensorFlow

  Shape() = default;  ///< A scalar: rank 0.
  Shape(std::initializer_list<int64_t> dims) : Shape(std::span<const int64_t>(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const int64_t> dims);
  explicit Shape(const std::vector<int64_t>& dims) : Shape(std::span<const int64_t>(dims)) {}
  static Shape unknown();                ///< Unknown rank.
  static Shape unknownOfRank(int rank);  ///< Known rank, all dims unknown.
  /// Parses what toString() prints: "[2,?,3]", "[]", "<unknown>"; also "?".
  static Result<Shape> parse(std::string_view text);

  bool hasRank() const { return rank_ >= 0; }
  int rank() const { return rank_; }                                             ///< -1 if unknown.
  int64_t dim(int i) const { return rank_ <= kInline ? inline_[i] : more_[i]; }  ///< REQUIRES: 0 <= i < rank().
  int64_t operator[](int i) const { return dim(i); }
  std::span<const int64_t> dims() const { return {rank_ <= kInline ? inline_.data() : more_.data(), size_t(rank_ < 0 ? 0 : rank_)}; }
  std::vector<int64_t> toVector() const { return {dims().begin(), dims().end()}; }
  void setDim(int i, int64_t value) { (rank_ <= kInline ? inline_[i] : more_[i]) = value; }
  void append(int64_t dim);
  void append(const Shape& other);
  /// Dims [begin, end). Negative positions count from the end. An unknown rank stays unknown.
  Shape slice(int begin, int end = kMaxRank + 1) const;

  bool isFullyKnown() const;
  bool isScalar() const { return rank_ == 0; }
  /// Product of the dims; -1 if a dim is unknown or the product exceeds 63 bits.
  int64_t elements() const;
  bool operator==(const Shape& other) const;
  /// Whether some fully known shape matches both.
  bool compatibleWith(const Shape& other) const;
  /// Combines what both know. Errors name both shapes.
  Result<Shape> mergedWith(const Shape& other) const;

  std::string toString() const;        ///< "[2,?,3]", "<unknown>"; as TensorFlow's messages.
  std::string toPythonString() const;  ///< "(2, ?, 3)", "<unknown>": as TensorFlow's Python messages.

 private:
  static constexpr int kInline = 8;
  int rank_ = 0;
  std::array<int64_t, kInline> inline_{};
  std::vector<int64_t> more_;
};

/// NumPy's broadcasting of two shapes, which may have unknown dims. An error if they do not fit ("Incompatible shapes: [2] vs. [3]" at run time).
WEFT_API Result<Shape> broadcastShapes(const Shape& a, const Shape& b);

}  // namespace weft
