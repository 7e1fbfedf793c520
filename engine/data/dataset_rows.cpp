#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

#include "weft/dataset.h"

namespace weft {
namespace {

constexpr int64_t kRowsPerClass = 2;  // at least, on average

/// SplitMix64: small, fast and platform-independent; good enough for shuffling data.
class Mixer {
 public:
  Mixer(uint64_t seed, uint64_t stream) : state_(seed * 0x9E3779B97F4A7C15ull ^ (stream + 1) * 0xD1B54A32D192ED03ull) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// A number below `n`. The bias of at most 2^-40 for the sizes used here does not matter.
  int64_t below(int64_t n) { return int64_t((static_cast<unsigned __int128>(next()) * static_cast<uint64_t>(n)) >> 64); }

 private:
  uint64_t state_;
};

void shuffle(std::vector<int64_t>& rows, Mixer& random) {
  for (int64_t i = int64_t(rows.size()) - 1; i > 0; --i) std::swap(rows[size_t(i)], rows[size_t(random.below(i + 1))]);
}

template <typename To>
void castNumbers(const Tensor& from, Tensor& to, double scale) {
  To* out = static_cast<To*>(to.mutableRaw());
  const bool whole = isInteger(from.dtype()) && scale == 1 && std::is_integral_v<To>;
  if (from.dtype() == DType::UInt8) {
    const uint8_t* in = from.data<uint8_t>();
    for (int64_t i = 0, n = from.elements(); i < n; ++i) out[i] = To(double(in[i]) * scale);
  } else if (from.dtype() == DType::Float) {
    const float* in = from.data<float>();
    for (int64_t i = 0, n = from.elements(); i < n; ++i) out[i] = To(double(in[i]) * scale);
  } else {
    for (int64_t i = 0, n = from.elements(); i < n; ++i) out[i] = whole ? To(from.asInt(i)) : To(from.asDouble(i) * scale);
  }
}

Result<Tensor> oneHot(const Tensor& labels, DType dtype, int64_t classes) {
  Tensor out = Tensor::zeros(dtype, {labels.dim(0), classes});
  for (int64_t i = 0; i < labels.dim(0); ++i) {
    const int64_t label = labels.asInt(i);
    if (label < 0 || label >= classes) return outOfRange("label ", label, " in row ", i, " does not fit a placeholder for ", classes, " classes");
    if (dtype == DType::Float) out.mutableData<float>()[i * classes + label] = 1;
    else out.mutableData<double>()[i * classes + label] = 1;
  }
  return out;
}

}  // namespace

DatasetSplit splitAtEnd(int64_t size, double fraction) {
  DatasetSplit split;
  const int64_t held = std::min(size, int64_t(double(size) * fraction + 0.5));
  for (int64_t i = 0; i < size; ++i) (i < size - held ? split.training : split.evaluation).push_back(i);
  return split;
}

DatasetSplit splitByClass(int64_t size, const Tensor* labels, double fraction, int64_t seed) {
  DatasetSplit split;
  std::map<int64_t, std::vector<int64_t>> classes;
  bool byClass = labels && isInteger(labels->dtype()) && labels->rank() == 1;
  if (byClass) {
    // Numbers that rarely repeat are quantities, not classes. A class with a single row would be held back entirely or not at all.
    std::set<int64_t> kinds;
    for (int64_t i = 0; i < size; ++i) kinds.insert(labels->asInt(i));
    byClass = int64_t(kinds.size()) * kRowsPerClass <= size;
  }
  for (int64_t i = 0; i < size; ++i) classes[byClass ? labels->asInt(i) : 0].push_back(i);
  Mixer random(uint64_t(seed), 0);
  for (auto& [label, rows] : classes) {
    shuffle(rows, random);
    const size_t held = size_t(std::min<double>(double(rows.size()), double(rows.size()) * fraction + 0.5));
    split.evaluation.insert(split.evaluation.end(), rows.begin(), rows.begin() + std::ptrdiff_t(held));
    split.training.insert(split.training.end(), rows.begin() + std::ptrdiff_t(held), rows.end());
  }
  std::sort(split.training.begin(), split.training.end());
  std::sort(split.evaluation.begin(), split.evaluation.end());
  return split;
}

std::vector<int64_t> shuffledRows(const std::vector<int64_t>& rows, int64_t seed, int64_t epoch) {
  std::vector<int64_t> order = rows;
  Mixer random(uint64_t(seed), uint64_t(epoch) + 1);
  shuffle(order, random);
  return order;
}

Result<Tensor> fitColumn(const Tensor& column, DType dtype, const Shape& placeholder, double scale) {
  const bool toFloat = dtype == DType::Float || dtype == DType::Double;
  if (placeholder.rank() == 2 && placeholder.dim(1) > 1 && column.rank() == 1 && isInteger(column.dtype()) && toFloat)
    return oneHot(column, dtype, placeholder.dim(1));
  Shape shape = column.shape();
  if (placeholder.hasRank()) {
    if (placeholder.rank() < 1) return invalidArgument("a placeholder of shape [] takes no rows");
    // One unknown inner dimension is inferred from the others.
    int64_t known = 1, unknown = -1;
    shape = Shape{column.dim(0)};
    for (int d = 1; d < placeholder.rank(); ++d) {
      shape.append(placeholder.dim(d));
      if (placeholder.dim(d) < 0) unknown = unknown < 0 ? d : -2;
      else known *= placeholder.dim(d);
    }
    const int64_t have = column.shape().slice(1).elements();
    if (unknown >= 0 && known > 0) shape.setDim(int(unknown), have / known);
    if (shape.elements() != column.elements()) {
      if (column.rank() != placeholder.rank())
        return invalidArgument("rows of shape ", column.shape().slice(1).toString(), " do not fit a placeholder of shape ", placeholder.toString());
      shape = column.shape();
      if (!placeholder.slice(1).compatibleWith(shape.slice(1)))
        return invalidArgument("rows of shape ", shape.slice(1).toString(), " do not fit a placeholder of shape ", placeholder.toString());
    }
  }
  if (column.dtype() == dtype && (scale == 0 || scale == 1)) return column.reshaped(shape);
  if (!isNumeric(column.dtype()) || isComplex(column.dtype()))
    return invalidArgument("values of type ", dtypeName(column.dtype()), " do not fit a placeholder of type ", dtypeName(dtype));
  double factor = scale == 0 ? 1 : scale;
  if (scale == 0 && toFloat && column.dtype() == DType::UInt8 && column.rank() > 1) factor = 1.0 / 255;
  WEFT_LET(Tensor out, Tensor::allocate(dtype, shape));
  switch (dtype) {
    case DType::Float: castNumbers<float>(column, out, factor); break;
    case DType::Double: castNumbers<double>(column, out, factor); break;
    case DType::Int32: castNumbers<int32_t>(column, out, factor); break;
    case DType::Int64: castNumbers<int64_t>(column, out, factor); break;
    case DType::UInt8: castNumbers<uint8_t>(column, out, factor); break;
    case DType::Bool:
      for (int64_t i = 0; i < column.elements(); ++i) out.mutableData<bool>()[i] = column.asDouble(i) != 0;
      break;
    default: return unimplemented("values of type ", dtypeName(column.dtype()), " cannot be fed to a placeholder of type ", dtypeName(dtype));
  }
  return out;
}

Result<Tensor> takeRows(const Tensor& column, const int64_t* rows, int64_t count) {
  Shape shape = column.shape();
  shape.setDim(0, count);
  WEFT_LET(Tensor out, Tensor::allocate(column.dtype(), shape));
  const size_t width = column.dim(0) > 0 ? size_t(column.elements() / column.dim(0)) : 0;
  if (column.dtype() == DType::String) {
    const std::string* from = column.data<std::string>();
    for (int64_t i = 0; i < count; ++i) std::copy_n(from + size_t(rows[i]) * width, width, out.mutableData<std::string>() + size_t(i) * width);
    return out;
  }
  const size_t bytes = width * sizeOf(column.dtype());
  const char* from = static_cast<const char*>(column.raw());
  char* to = static_cast<char*>(out.mutableRaw());
  for (int64_t i = 0; i < count; ++i) std::memcpy(to + size_t(i) * bytes, from + size_t(rows[i]) * bytes, bytes);
  return out;
}

}  // namespace weft
