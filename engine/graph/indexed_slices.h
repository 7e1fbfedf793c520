#pragma once

#include <optional>
#include <string_view>

#include "weft/builder.h"

// Gradients that are IndexedSlices travel through gradient functions as stand-ins: Outputs that name no node (node <= -2, so valid() is
// false) and are looked up in a registry of the builder.
namespace weft {

/// Whether `o` stands for IndexedSlices.
inline bool isSlices(Output o) { return o.node <= -2; }

/// An Output that stands for rows `indices` with `values` of a tensor of shape `denseShape`; the builder remembers them.
WEFT_API Output makeSlices(GraphBuilder& b, Output values, Output indices, Output denseShape);
inline Output makeSlices(GradContext& c, Output values, Output indices, Output denseShape) { return makeSlices(c.b(), values, indices, denseShape); }

/// What `o` stands for; nothing if it is an ordinary output.
WEFT_API std::optional<IndexedSlices> slicesOf(GraphBuilder& b, Output o);

/// `o` itself, or the dense tensor of the slices for which it stands (UnsortedSegmentSum named `name`, as TensorFlow converts them).
WEFT_API Output densified(GraphBuilder& b, Output o, std::string_view name = {});

}  // namespace weft
