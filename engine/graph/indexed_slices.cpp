#include "graph/indexed_slices.h"

namespace weft {
namespace {

struct SlicesRegistry {
  std::vector<IndexedSlices> items;
};

}  // namespace

Output makeSlices(GraphBuilder& b, Output values, Output indices, Output denseShape) {
  auto& items = b.extension<SlicesRegistry>().items;
  items.push_back({values, indices, denseShape});
  return Output{-1 - int(items.size()), 0};
}

std::optional<IndexedSlices> slicesOf(GraphBuilder& b, Output o) {
  if (!isSlices(o)) return std::nullopt;
  return b.extension<SlicesRegistry>().items[size_t(-2 - o.node)];
}

Output densified(GraphBuilder& b, Output o, std::string_view name) {
  const auto s = slicesOf(b, o);
  if (!s) return o;
  if (!s->denseShape.valid()) {
    const auto text = [&](Output part) { return b.graph().tensorName(part); };
    b.fail(invalidArgument("Tensor conversion requested for IndexedSlices without dense_shape: IndexedSlices(indices=", text(s->indices),
                           ", values=", text(s->values), ")"));
    return {};
  }
  // The number of rows is denseShape[0], sliced as in Python; the constants of the slice precede the op in its scope.
  Output rows;
  {
    const auto scope = b.nameScope("strided_slice");
    const std::string full = b.currentScope();
    const Output begin = b.ints({0}, "stack"), end = b.ints({1}, "stack_1"), stride = b.ints({1}, "stack_2");
    rows = b.op("StridedSlice", {s->denseShape, begin, end, stride}, {{"shrink_axis_mask", 1}}, full);
  }
  return b.op("UnsortedSegmentSum", {s->values, s->indices, rows}, {}, name);
}

}  // namespace weft
