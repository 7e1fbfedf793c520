#pragma once

#include "api/statement.h"
#include "api/tf.h"

// Shared by the functions of tf.image.
namespace weft::api {
namespace images {

/// Nodes that check that an image has at least three dimensions, none of them 0; empty if this is known.
std::vector<int> checkImage(GraphBuilder& b, Output image);
Output checkedImage(GraphBuilder& b, Output image);  ///< The image behind those checks.
/// Sizes: numbers if known, else tensors.
ArgumentList dimensions(GraphBuilder& b, Output image, int rank);
/// tf.image.convert_image_dtype
Output converted(GraphBuilder& b, const Argument& image, DType type, bool saturate = false, tf::Name name = {});

}  // namespace images

void registerImageColours(ApiRegistry& registry);

}  // namespace weft::api
