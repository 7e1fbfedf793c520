#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "ops/registry.h"

// Vectors as sets (Unique, ListDiff), and positions of nonzero elements.
namespace weft {
namespace {

/// The type for comparing elements: 16-bit floats compare as floats, so that -0 equals 0 and NaN differs from every NaN.
template <typename T>
using Key = std::conditional_t<cpu::kIsSmallFloat<T>, float, std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>>;

template <typename F>
bool withKeyed(DType t, F&& f) {
  if (t == DType::String) {
    f(cpu::TypeTag<std::string>());
    return true;
  }
  if (t == DType::Bool) {
    f(cpu::TypeTag<bool>());
    return true;
  }
  return !isComplex(t) && cpu::withNumber(t, [&](auto tag) {
    if constexpr (!cpu::kIsComplex<typename decltype(tag)::type>) f(tag);
  });
}

void writeIndex(Tensor& t, int64_t i, int64_t v) {
  if (t.dtype() == DType::Int64) t.mutableData<int64_t>()[i] = v;
  else t.mutableData<int32_t>()[i] = int32_t(v);
}

/// Numbers distinct keys in order of first occurrence. Integers use open addressing, other types a standard hash table.
template <typename K>
class Numbering {
 public:
  explicit Numbering(int64_t n) {
    if constexpr (std::is_integral_v<K>) {
      while (int64_t(1) << bits_ < 2 * n) ++bits_;
      slots_.assign(size_t(1) << bits_, -1);
    } else {
      map_.reserve(size_t(n));
    }
  }
  /// The number of `key`, and whether it is new.
  std::pair<int64_t, bool> add(K key) {
    if constexpr (std::is_integral_v<K>) {
      const size_t mask = slots_.size() - 1;
      for (size_t at = size_t((uint64_t(key) * 0x9E3779B97F4A7C15u) >> (64 - bits_));; at = (at + 1) & mask) {
        int64_t& slot = slots_[at];
        if (slot < 0) {
          slot = int64_t(keys_.size());
          keys_.push_back(key);
          return {slot, true};
        }
        if (keys_[size_t(slot)] == key) return {slot, false};
      }
    } else {
      const auto [it, fresh] = map_.emplace(key, int64_t(map_.size()));
      return {it->second, fresh};
    }
  }

 private:
  int bits_ = 4;
  std::vector<int64_t> slots_;
  std::vector<std::conditional_t<std::is_same_v<K, bool>, char, K>> keys_;
  std::unordered_map<K, int64_t> map_;
};

Status uniqueShape(ShapeContext& c) {
  if (c.outputCount() == 2) WEFT_TRY(c.requireRank(c.input(0), 1));  // UniqueWithCounts leaves the check to the kernel
  c.setOutput(0, Shape::unknownOfRank(1));
  c.setOutput(1, c.input(0));
  if (c.outputCount() > 2) c.setOutput(2, Shape::unknownOfRank(1));
  return {};
}

/// Unique and UniqueWithCounts.
Status runUnique(KernelContext& c) {
  const Tensor& x = c.input(0);
  if (x.rank() != 1) return invalidArgument("unique expects a 1D vector.");
  Status status = unimplemented("Unique of ", dtypeShortName(x.dtype()));
  withKeyed(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    status = [&]() -> Status {
      const T* v = static_cast<const T*>(x.raw());
      const int64_t n = x.elements();
      WEFT_LET(Tensor* idx, c.allocate(1, x.shape()));
      Numbering<Key<T>> seen(n);
      std::vector<int64_t> firsts, counts;
      for (int64_t i = 0; i < n; ++i) {
        const auto [number, fresh] = seen.add(Key<T>(v[i]));
        if (fresh) {
          firsts.push_back(i);
          counts.push_back(0);
        }
        ++counts[size_t(number)];
        writeIndex(*idx, i, number);
      }
      WEFT_LET(Tensor* out, c.allocate(0, Shape{int64_t(firsts.size())}));
      T* y = static_cast<T*>(out->mutableRaw());
      for (size_t i = 0; i < firsts.size(); ++i) y[i] = v[firsts[i]];
      if (c.outputCount() > 2) {
        WEFT_LET(Tensor* count, c.allocate(2, Shape{int64_t(firsts.size())}));
        for (size_t i = 0; i < counts.size(); ++i) writeIndex(*count, int64_t(i), counts[i]);
      }
      return {};
    }();
  });
  return status;
}

// UniqueV2 and UniqueWithCountsV2: whole slices along an axis are compared.

/// The axis in input 1; -1 if it is empty (then the tensor must be a vector).
Result<int64_t> uniqueAxis(const Tensor& axis, int rank) {
  if (axis.rank() != 1) return invalidArgument("axis expects a 1D vector.");
  if (axis.elements() > 1) return invalidArgument("axis does not support input tensors larger than 1 elements");
  if (axis.elements() == 0) {
    if (rank != 1) return invalidArgument("unique expects a 1D vector.");
    return int64_t(-1);
  }
  const int64_t a = axis.asInt(0), at = a < 0 ? a + rank : a;
  if (at < 0 || at >= rank) return invalidArgument("axis has to be between [0, ", rank, ")");
  return at;
}

Status uniqueV2Shape(ShapeContext& c) {
  const Shape& in = c.input(0);
  const Tensor* axis = c.constant(1);
  Shape out = in.hasRank() ? Shape::unknownOfRank(in.rank()) : Shape::unknown();
  int64_t length = Shape::kUnknownDim;
  if (axis && in.hasRank()) {
    WEFT_LET(int64_t at, uniqueAxis(*axis, in.rank()));
    at = std::max<int64_t>(at, 0);
    out = in;
    length = in.dim(int(at));
    out.setDim(int(at), Shape::kUnknownDim);
  }
  c.setOutput(0, std::move(out));
  c.setOutput(1, Shape{length});
  if (c.outputCount() > 2) c.setOutput(2, Shape::unknownOfRank(1));
  return {};
}

Status runUniqueV2(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(const int64_t named, uniqueAxis(c.input(1), x.rank()));
  const int axis = int(std::max<int64_t>(named, 0));
  const int64_t n = x.dim(axis), before = x.shape().slice(0, axis).elements(), after = x.shape().slice(axis + 1).elements();
  Status status = unimplemented("Unique of ", dtypeShortName(x.dtype()));
  withKeyed(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    status = [&]() -> Status {
      const T* v = static_cast<const T*>(x.raw());
      const auto at = [&](int64_t slice, int64_t k) -> const T& { return v[(k / after * n + slice) * after + k % after]; };
      const int64_t size = before * after;
      WEFT_LET(Tensor* idx, c.allocate(1, Shape{n}));
      std::vector<int64_t> firsts, counts;
      std::unordered_multimap<size_t, int64_t> seen;  // hash of a slice -> its number
      for (int64_t i = 0; i < n; ++i) {
        size_t hash = 0;
        for (int64_t k = 0; k < size; ++k) hash = hash * 31 + std::hash<Key<T>>()(Key<T>(at(i, k)));
        int64_t number = -1;
        const auto [begin, end] = seen.equal_range(hash);
        for (auto it = begin; it != end && number < 0; ++it) {
          bool same = true;
          for (int64_t k = 0; same && k < size; ++k) same = Key<T>(at(i, k)) == Key<T>(at(firsts[size_t(it->second)], k));
          if (same) number = it->second;
        }
        if (number < 0) {
          number = int64_t(firsts.size());
          seen.emplace(hash, number);
          firsts.push_back(i);
          counts.push_back(0);
        }
        ++counts[size_t(number)];
        writeIndex(*idx, i, number);
      }
      Shape shape = x.shape();
      shape.setDim(axis, int64_t(firsts.size()));
      WEFT_LET(Tensor* out, c.allocate(0, shape));
      T* y = static_cast<T*>(out->mutableRaw());
      for (size_t j = 0; j < firsts.size(); ++j)
        for (int64_t k = 0; k < size; ++k) y[(k / after * int64_t(firsts.size()) + int64_t(j)) * after + k % after] = at(firsts[j], k);
      if (c.outputCount() > 2) {
        WEFT_LET(Tensor* count, c.allocate(2, Shape{int64_t(firsts.size())}));
        for (size_t i = 0; i < counts.size(); ++i) writeIndex(*count, int64_t(i), counts[i]);
      }
      return {};
    }();
  });
  return status;
}

Status listDiffShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  c.setOutput(0, Shape::unknownOfRank(1));
  c.setOutput(1, Shape::unknownOfRank(1));
  return {};
}

Status runListDiff(KernelContext& c) {
  const Tensor &x = c.input(0), &y = c.input(1);
  if (x.rank() != 1) return invalidArgument("x should be a 1D vector.");
  if (y.rank() != 1) return invalidArgument("y should be a 1D vector.");
  Status status = unimplemented("ListDiff of ", dtypeShortName(x.dtype()));
  withKeyed(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    status = [&]() -> Status {
      const T *v = static_cast<const T*>(x.raw()), *w = static_cast<const T*>(y.raw());
      std::unordered_set<Key<T>> other;
      for (int64_t i = 0; i < y.elements(); ++i) other.insert(Key<T>(w[i]));
      std::vector<int64_t> left;
      for (int64_t i = 0; i < x.elements(); ++i) {
        if (!other.count(Key<T>(v[i]))) left.push_back(i);
      }
      WEFT_LET(Tensor* out, c.allocate(0, Shape{int64_t(left.size())}));
      WEFT_LET(Tensor* idx, c.allocate(1, Shape{int64_t(left.size())}));
      for (size_t i = 0; i < left.size(); ++i) {
        static_cast<T*>(out->mutableRaw())[i] = v[left[i]];
        writeIndex(*idx, int64_t(i), left[i]);
      }
      return {};
    }();
  });
  return status;
}

Status whereShape(ShapeContext& c) {
  c.setOutput(0, c.input(0).hasRank() ? Shape{Shape::kUnknownDim, c.input(0).rank()} : Shape::unknownOfRank(2));
  return {};
}

/// One bit for each of n <= 64 elements: whether it is not zero (NaN is not).
template <typename T>
uint64_t nonzeroBits(const T* v, int64_t n) {
  if constexpr (sizeof(T) == 1) {
    if (n == 64) {
      uint64_t out = 0;
      for (int k = 0; k < 8; ++k) {
        uint64_t eight;
        std::memcpy(&eight, v + 8 * k, 8);
        // The highest bit of each byte that is not zero, then gathered into one byte.
        eight = (((eight & 0x7f7f7f7f7f7f7f7fu) + 0x7f7f7f7f7f7f7f7fu) | eight) & 0x8080808080808080u;
        out |= (((eight >> 7) * 0x0102040810204080u) >> 56) << (8 * k);
      }
      return out;
    }
  }
  uint64_t out = 0;
  for (int64_t i = 0; i < n; ++i) {
    bool set;
    if constexpr (cpu::kIsSmallFloat<T>) set = float(v[i]) != 0;
    else set = v[i] != T(0);
    out |= uint64_t(set) << i;
  }
  return out;
}

Status runWhere(KernelContext& c) {
  const Tensor& x = c.input(0);
  const int rank = x.rank();
  if (rank < 1 || rank > 8) return invalidArgument("WhereOp : Unhandled input dimensions: ", rank);
  const int64_t n = x.elements(), words = (n + 63) / 64;
  // First the set elements as bits and their number per block, then each block writes its own part.
  constexpr int64_t kBlock = 256;  // words
  const int64_t blocks = (words + kBlock - 1) / kBlock;
  std::vector<uint64_t> bits(static_cast<size_t>(words));
  std::vector<int64_t> starts(size_t(blocks) + 1, 0);
  const auto scan = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* v = static_cast<const T*>(x.raw());
    parallelFor(blocks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        int64_t count = 0;
        for (int64_t w = b * kBlock; w < std::min(words, (b + 1) * kBlock); ++w) {
          bits[size_t(w)] = nonzeroBits(v + w * 64, std::min<int64_t>(64, n - w * 64));
          count += std::popcount(bits[size_t(w)]);
        }
        starts[size_t(b) + 1] = count;
      }
    });
  };
  if (x.dtype() == DType::Bool) scan(cpu::TypeTag<uint8_t>());
  else cpu::withNumber(x.dtype(), scan);
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  WEFT_LET(Tensor* out, c.allocate(0, Shape{starts.back(), rank}));
  int64_t* y = out->mutableData<int64_t>();
  const int64_t width = x.dim(rank - 1);
  parallelFor(blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      int64_t* to = y + starts[size_t(b)] * rank;
      int64_t line = -1, lineEnd = 0;  // of the last element found
      std::array<int64_t, 8> place{};
      for (int64_t w = b * kBlock; w < std::min(words, (b + 1) * kBlock); ++w) {
        for (uint64_t left = bits[size_t(w)]; left; left &= left - 1) {
          const int64_t i = w * 64 + std::countr_zero(left);
          if (rank == 1) {
            *to++ = i;
            continue;
          }
          if (line < 0 || i >= lineEnd) {
            line = i / width;
            lineEnd = (line + 1) * width;
            int64_t rest = line;
            for (int d = rank - 2; d >= 0; --d) {
              place[size_t(d)] = rest % x.dim(d);
              rest /= x.dim(d);
            }
          }
          for (int d = 0; d < rank - 1; ++d) *to++ = place[size_t(d)];
          *to++ = i - line * width;
        }
      }
    }
  });
  return {};
}

}  // namespace

void registerSets(OpRegistry& ops) {
  const std::vector<DType> listed = {DType::Float, DType::Double,   DType::Int32,  DType::UInt8, DType::Int16, DType::Int8,
                                     DType::Int64, DType::BFloat16, DType::UInt16, DType::Half,  DType::String};
  std::vector<DType> unique = listed;
  unique.push_back(DType::Bool);
  for (const bool counts : {false, true}) {
    OpRecord& r = ops.add(counts ? "UniqueWithCounts" : "Unique")
                      .category("Arrays")
                      .summary(counts ? "Distinct elements of a vector in order of first occurrence, and the number of occurrences of each."
                                      : "Distinct elements of a vector, in order of first occurrence.")
                      .input("x: T", "A vector.")
                      .output("y: T", "The distinct elements; every NaN counts as distinct.")
                      .output("idx: out_idx", "Index into `y` of each element of `x`.");
    if (counts) r.output("count: out_idx", "Number of occurrences of each element of `y` in `x`.");
    r.attr("T: type", "Type of the elements.")
        .attr("out_idx: {int32, int64} = DT_INT32", "Type of the indices.")
        .shape(uniqueShape)
        .noGradient("It compares elements; the result is not differentiable.")
        .cpu({{"T", unique}}, simpleKernel(runUnique));
    r.gradientIsError = true;
  }
  for (const bool counts : {false, true}) {
    OpRecord& r = ops.add(counts ? "UniqueWithCountsV2" : "UniqueV2")
                      .category("Arrays")
                      .summary(counts ? "Distinct slices along an axis in order of first occurrence, and the number of occurrences of each."
                                      : "Distinct slices along an axis, in order of first occurrence.")
                      .input("x: T", "A tensor.")
                      .input("axis: Taxis", "Axis of the slices, a vector with one element; empty for a vector `x`.")
                      .output("y: T", "The distinct slices; every NaN counts as distinct.")
                      .output("idx: out_idx", "Index into `y` of each slice of `x`.");
    if (counts) r.output("count: out_idx", "Number of occurrences of each slice of `y` in `x`.");
    r.attr("T: type", "Type of the elements.")
        .attr("Taxis: {int32, int64} = DT_INT64", "Type of the axis.")
        .attr("out_idx: {int32, int64} = DT_INT32", "Type of the indices.")
        .shape(uniqueV2Shape)
        .noGradient("It compares elements; the result is not differentiable.")
        .cpu({{"T", unique}}, simpleKernel(runUniqueV2));
    r.gradientIsError = true;
  }
  ops.add("ListDiff")
      .category("Arrays")
      .summary("Elements of one vector that do not occur in another (set difference).")
      .input("x: T", "A vector.")
      .input("y: T", "Elements to remove.")
      .output("out: T", "The remaining elements of `x`, in order and with duplicates.")
      .output("idx: out_idx", "Indices of these elements in `x`.")
      .attr("T: type", "Type of the elements.")
      .attr("out_idx: {int32, int64} = DT_INT32", "Type of the indices.")
      .shape(listDiffShape)
      .noGradient("It compares elements; the result is not differentiable.")
      .cpu({{"T", listed}}, simpleKernel(runListDiff))
      .gradientIsError = true;
  ops.add("Where")
      .category("Arrays")
      .summary("Coordinates of the elements that are true or nonzero.")
      .input("input: T", "A tensor of numbers or booleans.")
      .output("index: int64", "[n, rank]: one row of coordinates per such element, in row-major order.")
      .attr("T: {numbertype, bool} = DT_BOOL", "Type of the elements.")
      .shape(whereShape)
      .noGradient("The result is an index.")
      .cpu({}, simpleKernel(runWhere))
      .gradientIsError = true;
}

}  // namespace weft
