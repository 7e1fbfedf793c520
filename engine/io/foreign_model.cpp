#include "io/foreign_model.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"

namespace weft {

namespace {

/// A dimension of a permutation's result: its size, and how many elements apart its neighbours are in the source and in the result.
struct PermutedDim {
  int64_t size = 1, from = 0, to = 0;
};

/// The dimensions of the result, without those of size 1; neighbours that are neighbours in the source too are one.
std::vector<PermutedDim> mergedDims(const Shape& shape, const std::vector<int64_t>& order) {
  std::vector<int64_t> strides(order.size(), 1);
  for (int d = shape.rank() - 2; d >= 0; --d) strides[size_t(d)] = strides[size_t(d) + 1] * shape.dim(d + 1);
  std::vector<PermutedDim> out;
  for (const int64_t d : order) {
    const int64_t size = shape.dim(int(d)), step = strides[size_t(d)];
    if (size == 1) continue;
    if (!out.empty() && out.back().from == step * size) out.back() = {out.back().size * size, step, 0};
    else out.push_back({size, step, 0});
  }
  int64_t step = 1;
  for (auto d = out.rbegin(); d != out.rend(); ++d) d->to = std::exchange(step, step * d->size);
  return out;
}

/// Copies blocks of the plane of two dimensions: of the one whose elements are neighbours in the source and the one whose elements are in the result.
template <typename T>
void permuteInto(const T* from, T* to, std::vector<PermutedDim> dims) {
  constexpr int64_t kBlock = 32, kGrain = 8;
  const PermutedDim columns = dims.back();
  dims.pop_back();
  const auto nearest = std::find_if(dims.begin(), dims.end(), [](const PermutedDim& d) { return d.from == 1; });
  PermutedDim rows{1, 1, 0};
  if (nearest != dims.end()) {
    rows = *nearest;
    dims.erase(nearest);
  }
  int64_t planes = 1;
  for (const PermutedDim& d : dims) planes *= d.size;
  const int64_t strips = (rows.size + kBlock - 1) / kBlock;
  parallelFor(planes * strips, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t strip = begin; strip < end; ++strip) {
      int64_t source = 0, target = 0, plane = strip / strips;
      for (auto d = dims.rbegin(); d != dims.rend(); ++d) {
        source += plane % d->size * d->from;
        target += plane % d->size * d->to;
        plane /= d->size;
      }
      if (columns.from == 1) {
        std::copy_n(from + source, columns.size, to + target);
        continue;
      }
      const int64_t firstRow = strip % strips * kBlock, lastRow = std::min(firstRow + kBlock, rows.size);
      for (int64_t left = 0; left < columns.size; left += kBlock)
        for (int64_t row = firstRow; row < lastRow; ++row)
          for (int64_t column = left; column < std::min(left + kBlock, columns.size); ++column)
            to[target + row * rows.to + column] = from[source + row * rows.from + column * columns.from];
    }
  });
}

struct SixteenBytes {
  uint64_t halves[2];
};

}  // namespace

Result<Tensor> permuted(const Tensor& t, const std::vector<int64_t>& order) {
  Shape shape;
  for (const int64_t d : order) shape.append(t.dim(int(d)));
  WEFT_LET(Tensor out, Tensor::allocate(t.dtype(), shape));
  std::vector<PermutedDim> dims = mergedDims(t.shape(), order);
  if (dims.empty()) dims.push_back({1, 1, 1});
  const auto copy = [&]<typename T>(T) { permuteInto(static_cast<const T*>(t.raw()), static_cast<T*>(out.mutableRaw()), dims); };
  if (shape.elements() == 0) return out;
  switch (sizeOf(t.dtype())) {
    case 1: copy(uint8_t()); break;
    case 2: copy(uint16_t()); break;
    case 4: copy(uint32_t()); break;
    case 8: copy(uint64_t()); break;
    default: copy(SixteenBytes()); break;
  }
  return out;
}

std::string nodeNameFrom(std::string_view text, const std::string& otherwise) {
  std::string out;
  for (const char c : text) {
    // A name begins with a letter, a digit or a dot.
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    const bool inside = c == '_' || c == '-' || (c == '/' && !out.empty() && out.back() != '/');
    if (out.empty() ? letter : letter || inside) {
      out += c;
    } else if (!out.empty() && out.back() != '_' && c != '/') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '/') out.pop_back();
  return out.empty() ? otherwise : out;
}

Result<Output> endOfModel(const Graph& graph, const std::string& tensor) { return graph.findOutput(tensor.find(':') == tensor.npos ? tensor + ":0" : tensor); }

ImportedModel servedModel(MetaGraph meta, const NamedOutputs& inputs, const NamedOutputs& outputs, std::vector<std::string> warnings) {
  tensorflow::MetaGraphDef rest;
  rest.mutable_meta_info_def()->add_tags("serve");
  rest.mutable_meta_info_def()->set_tensorflow_version("1.15.5");
  auto& signature = (*rest.mutable_signature_def())["serving_default"];
  signature.set_method_name("tensorflow/serving/predict");
  const auto fill = [&](const NamedOutputs& tensors, auto& map) {
    for (const auto& [name, o] : tensors) {
      std::string key = name;
      for (int i = 1; map.count(key); ++i) key = concat(name, "_", i);
      auto& info = map[key];
      info.set_name(meta.graph.tensorName(o));
      info.set_dtype(tensorflow::DataType(int(meta.graph.dtype(o))));
      shapeToProto(meta.graph.shape(o), info.mutable_tensor_shape());
    }
  };
  fill(inputs, *signature.mutable_inputs());
  fill(outputs, *signature.mutable_outputs());
  meta.rest = std::make_shared<const std::string>(rest.SerializeAsString());
  return {std::move(meta), std::move(warnings)};
}

}  // namespace weft
