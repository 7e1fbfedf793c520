#pragma once

#include <optional>
#include <string_view>

#include "weft/builder.h"

// IndexedSlices pass through gradient functions as stand-ins: Outputs without a node (node <= -2, so valid() is false), which are looked up in a
// registry of the builder.
namespace weft {

/// Whether `o` stands for IndexedSlices.
inline bool isSlices(Output o) { return o.node <= -2; }

/// A stand-in Output for the rows `indices`, with `values`, of a tensor of shape `denseShape`. Registers them in the builder.
WEFT_API Output makeSlices(GraphBuilder& b, Output values, Output indices, Output denseShape);
inline Output makeSlices(GradContext& c, Output values, Output indices, Output denseShape) { return makeSlices(c.b(), values, indices, denseShape); }

/// The slices that `o` stands for; nullopt for an ordinary output.
WEFT_API std::optional<IndexedSlices> slicesOf(GraphBuilder& b, Output o);

/// `o` itself, or its slices as a dense tensor (UnsortedSegmentSum named `name`, as TensorFlow converts them).
WEFT_API Output densified(GraphBuilder& b, Output o, std::string_view name = {});

}  // namespace weft
