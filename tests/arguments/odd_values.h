#pragma once

#include <cstdint>
#include <string>

#include "weft/graph.h"
#include "weft/op.h"
#include "weft/tensor.h"

namespace weft::arguments {

/// The same numbers for the same seed on every machine (splitmix64).
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  uint64_t next();
  int below(int n) { return n <= 0 ? 0 : int(next() % uint64_t(n)); }  ///< 0 … n - 1.
  bool oneIn(int n) { return below(n) == 0; }
  template <typename List>
  auto pick(const List& list) {
    return list[size_t(below(int(list.size())))];
  }

 private:
  uint64_t state_;
};

/// Numbers at the limits of what an op may accept as a size, an index or a count.
int64_t oddInteger(Dice& dice, int64_t around);
double oddNumber(Dice& dice);
std::string oddText(Dice& dice, const std::string& around);
DType oddType(Dice& dice);
/// A shape that differs from `around`: other ranks, zeros, one more or less. Few elements.
Shape oddShape(Dice& dice, const Shape& around);
/// A shape for an attribute, including unknown dimensions and products that overflow.
Shape oddDeclaredShape(Dice& dice, const Shape& around);

/// Elements of `like` again and again in another shape and type. Types without plain elements give an empty tensor of no type.
Tensor reshapedLike(const Tensor& like, DType type, const Shape& shape);
/// `like` with some or all elements replaced by odd ones.
Tensor withOddElements(Dice& dice, const Tensor& like);

/// A node that gives one tensor of `type`: a constant, a variable for references, a handle or a list for resources and variants.
Node producerOf(DType type, bool reference, const std::string& name);
/// A node that gives a resource or variant of a kind chosen at random.
Node oddHandle(Dice& dice, DType type, const std::string& name);

}  // namespace weft::arguments
