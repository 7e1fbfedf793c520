#include "weft/shape.h"

#include <charconv>

namespace weft {

Shape::Shape(std::span<const int64_t> dims) : rank_(int(dims.size())) {
  if (rank_ <= kInline) {
    for (int i = 0; i < rank_; ++i) inline_[i] = dims[i];
  } else {
    more_.assign(dims.begin(), dims.end());
  }
}

Shape Shape::unknown() {
  Shape s;
  s.rank_ = kUnknownRank;
  return s;
}

Shape Shape::unknownOfRank(int rank) { return rank < 0 ? unknown() : Shape(std::vector<int64_t>(rank, kUnknownDim)); }

Result<Shape> Shape::parse(std::string_view text) {
  const std::string_view whole = text;
  if (text == "?" || text == "<unknown>" || text == "unknown") return unknown();
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return invalidArgument("\"", whole, "\" is no shape; expected something like [2,?,3]");
  }
  text = text.substr(1, text.size() - 2);
  Shape out;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    int64_t value = kUnknownDim;
    if (item != "?") {
      const auto r = std::from_chars(item.data(), item.data() + item.size(), value);
      if (r.ec != std::errc() || r.ptr != item.data() + item.size() || value < -1) {
        return invalidArgument("\"", whole, "\" is no shape; \"", item, "\" is no dimension");
      }
    }
    out.append(value);
  }
  return out;
}

void Shape::append(int64_t dim) {
  if (rank_ < 0) return;
  if (rank_ < kInline) {
    inline_[rank_++] = dim;
    return;
  }
  if (rank_ == kInline) more_.assign(inline_.begin(), inline_.end());
  more_.push_back(dim);
  ++rank_;
}

void Shape::append(const Shape& other) {
  if (!other.hasRank()) {
    *this = unknown();
    return;
  }
  for (int64_t d : other.dims()) append(d);
}

Shape Shape::slice(int begin, int end) const {
  if (!hasRank()) return unknown();
  if (begin < 0) begin += rank_;
  if (end < 0) end += rank_;
  begin = std::max(begin, 0);
  end = std::min(end, rank_);
  return begin < end ? Shape(dims().subspan(begin, end - begin)) : Shape();
}

bool Shape::isFullyKnown() const {
  if (rank_ < 0) return false;
  for (int64_t d : dims()) {
    if (d < 0) return false;
  }
  return true;
}

int64_t Shape::elements() const {
  if (rank_ < 0) return -1;
  int64_t n = 1;
  bool zero = false;
  for (int64_t d : dims()) {
    if (d < 0) return -1;
    zero |= d == 0;
  }
  if (zero) return 0;
  for (int64_t d : dims()) {
    if (__builtin_mul_overflow(n, d, &n)) return -1;
  }
  return n;
}

bool Shape::operator==(const Shape& other) const {
  if (rank_ != other.rank_) return false;
  const auto a = dims(), b = other.dims();
  return std::equal(a.begin(), a.end(), b.begin());
}

bool Shape::compatibleWith(const Shape& other) const {
  if (!hasRank() || !other.hasRank()) return true;
  if (rank_ != other.rank_) return false;
  for (int i = 0; i < rank_; ++i) {
    if (dim(i) >= 0 && other.dim(i) >= 0 && dim(i) != other.dim(i)) return false;
  }
  return true;
}

Result<Shape> Shape::mergedWith(const Shape& other) const {
  if (!hasRank()) return other;
  if (!other.hasRank()) return *this;
  if (rank_ != other.rank_) {
    return invalidArgument("Shapes must be equal rank, but are ", rank_, " and ", other.rank_);
  }
  Shape out = *this;
  for (int i = 0; i < rank_; ++i) {
    if (dim(i) < 0) {
      out.setDim(i, other.dim(i));
    } else if (other.dim(i) >= 0 && other.dim(i) != dim(i)) {
      return invalidArgument("Dimension ", i, " in both shapes must be equal, but are ", dim(i), " and ", other.dim(i), ". Shapes are ", toString(), " and ",
                             other.toString(), ".");
    }
  }
  return out;
}

std::string Shape::toString() const {
  if (rank_ < 0) return "<unknown>";
  std::string out = "[";
  for (int i = 0; i < rank_; ++i) {
    if (i) out += ',';
    out += dim(i) < 0 ? "?" : std::to_string(dim(i));
  }
  return out + "]";
}

std::string Shape::toPythonString() const {
  if (rank_ < 0) return "<unknown>";
  std::string out = "(";
  for (int i = 0; i < rank_; ++i) {
    if (i) out += ", ";
    out += dim(i) < 0 ? "?" : std::to_string(dim(i));
  }
  return out + (rank_ == 1 ? ",)" : ")");
}

Result<Shape> broadcastShapes(const Shape& a, const Shape& b) {
  if (!a.hasRank() || !b.hasRank()) return Shape::unknown();
  const int rank = std::max(a.rank(), b.rank());
  Shape out = Shape::unknownOfRank(rank);
  for (int i = 0; i < rank; ++i) {
    const int ai = i - (rank - a.rank()), bi = i - (rank - b.rank());
    const int64_t da = ai < 0 ? 1 : a.dim(ai), db = bi < 0 ? 1 : b.dim(bi);
    int64_t d;
    if (da == db) {
      d = da;
    } else if (da == 1) {
      d = db;
    } else if (db == 1) {
      d = da;
    } else if (da < 0 || db < 0) {
      d = std::max(da, db);  // the known dim is 0 or > 1; the other must equal it or be 1
    } else {
      return invalidArgument("Incompatible shapes: ", a.toString(), " vs. ", b.toString());
    }
    out.setDim(i, d);
  }
  return out;
}

}  // namespace weft
