#pragma once

#include <memory>

#include "ops/datasets.h"

// What iterators of one device and of several devices share.
namespace weft {

/// The handle of a session resource that a node makes: its container and shared name, or the node's name.
ResourceHandle iteratorHandle(const AttrMap& attrs, const std::string& node, Device& device);
/// The handle of a resource without a name; the resource lives as long as its handles.
ResourceHandle anonymousHandle(KernelContext& c, const char* name, std::shared_ptr<SessionResource> resource);
Tensor handleTensor(ResourceHandle handle);
/// The second output of ops that make anonymous iterators.
Tensor deleterTensor();
/// Ops that delete anonymous iterators do nothing: the iterator is freed with its last handle.
Status deleteIterator(KernelContext& c);
/// The shapes of an element's components, from attribute output_shapes.
Status elementShapes(ShapeContext& c);
/// A record with what all iterator ops have in common.
OpRecord& iteratorOp(OpRegistry& ops, const char* name, const char* summary);

}  // namespace weft
