#include "ops/iterators.h"

#include <atomic>

#include "kernel/device.h"
#include "kernel/session_state.h"

namespace weft {
namespace {

/// Deletes an anonymous iterator; such an iterator lives as long as its handles.
struct Deleter final : VariantObject {};

}  // namespace

ResourceHandle iteratorHandle(const AttrMap& attrs, const std::string& node, Device& device) {
  ResourceHandle handle;
  const std::string container = attrs.text("container"), shared = attrs.text("shared_name");
  handle.container = container.empty() ? std::string(SessionState::kDefaultContainer) : container;
  handle.name = shared.empty() ? node : shared;
  handle.device = device.name();
  return handle;
}

Tensor handleTensor(ResourceHandle handle) {
  Tensor t = Tensor::zeros(DType::Resource, {});
  *t.mutableData<ResourceHandle>() = std::move(handle);
  return t;
}

Tensor deleterTensor() {
  Tensor t = Tensor::zeros(DType::Variant, {});
  t.mutableData<VariantValue>()->object = std::make_shared<Deleter>();
  return t;
}

ResourceHandle anonymousHandle(KernelContext& c, const char* name, std::shared_ptr<SessionResource> resource) {
  static std::atomic<int64_t> next{0};
  ResourceHandle handle;
  handle.container = SessionState::kDefaultContainer;
  handle.name = concat(name, next++);
  handle.device = c.device().name();
  handle.resource = std::move(resource);
  return handle;
}

Status deleteIterator(KernelContext&) {
  // The iterator is freed with its last handle.
  return {};
}

Status elementShapes(ShapeContext& c) {
  const auto shapes = c.attrs().list<Shape>("output_shapes");
  if (int(shapes.size()) != c.outputCount()) {
    return invalidArgument("`output_shapes` must be the same length as `output_types` (", shapes.size(), " vs. ", c.outputCount());
  }
  for (int k = 0; k < c.outputCount(); ++k) c.setOutput(k, shapes[size_t(k)]);
  return {};
}

OpRecord& iteratorOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name)
      .category("Data")
      .keywords("tf.data pipeline input iterator")
      .summary(summary)
      .stateful()
      .shape(shapes::scalar)
      .noGradient("Elements of a data set are inputs; no gradient flows through an iterator.");
}

}  // namespace weft
