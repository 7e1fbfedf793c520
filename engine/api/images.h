#pragma once

#include "api/statement.h"
#include "api/tf.h"

// What the functions of tf.image share.
namespace weft::api {
namespace images {

/// The nodes that check that an image has three dimensions or more, none of them 0; none if that is known.
std::vector<int> checkImage(GraphBuilder& b, Output image);
Output checkedImage(GraphBuilder& b, Output image);  ///< The image behind those checks.
/// Sizes: numbers where they are known, else tensors.
ArgumentList dimensions(GraphBuilder& b, Output image, int rank);
/// tf.image.convert_image_dtype
Output converted(GraphBuilder& b, const Argument& image, DType type, bool saturate = false, tf::Name name = {});

}  // namespace images

void registerImageColours(ApiRegistry& registry);

}  // namespace weft::api
