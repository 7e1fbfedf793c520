#include "ops/session_objects.h"

#include <atomic>

#include "ops/state_ops.h"

namespace weft {

ObjectKey objectKey(const Node& node, ObjectNaming naming) {
  static std::atomic<int64_t> count{0};
  ObjectKey key{node.attrs.text("container"), node.attrs.text("shared_name")};
  if (key.container.empty()) key.container = SessionState::kDefaultContainer;
  if (!key.name.empty()) return key;
  const bool afterNode = naming == ObjectNaming::AfterNode || (naming == ObjectNaming::ByAttr && node.attrs.flag("use_node_name_sharing"));
  key.name = afterNode ? node.name : concat("_", count.fetch_add(1), "_", node.name);
  return key;
}

Result<ObjectKey> objectKeyAt(KernelContext& c, int i) {
  const Tensor& t = c.input(i);
  if (t.dtype() == DType::String) {
    if (t.elements() != 2) return invalidArgument("Resource handle must have 2 elements, but had shape: ", t.shape().toString());
    return ObjectKey{t.data<std::string>()[0], t.data<std::string>()[1]};
  }
  if (t.dtype() != DType::Resource || t.elements() < 1) return invalidArgument("Input ", i, " of ", c.node().name, " is not a handle");
  return ObjectKey{handleOf(c, i).container, handleOf(c, i).name};
}

Error noSuchObject(const ObjectKey& key, const char* typeName) {
  return notFound("Resource ", key.container, "/", key.name, "/", typeName, " does not exist.");
}

Status ObjectHandle::output(KernelContext& c, ObjectNaming naming, const std::function<Result<std::shared_ptr<SessionResource>>(const ObjectKey&)>& make) {
  const MutexLock lock(mutex_);
  const bool reference = isRef(c.node().outputTypes[0]);
  if (!made_) {
    const ObjectKey key = objectKey(c.node(), naming);
    WEFT_LET(std::shared_ptr<SessionResource> object, make(key));
    if (reference) {
      reference_ = std::make_shared<Variable>();
      reference_->dtype = DType::String;
      reference_->shape = Shape{2};
      reference_->name = c.node().name;
      reference_->set(Tensor::vector<std::string>({key.container, key.name}));
    } else {
      WEFT_LET(handle_, Tensor::allocate(DType::Resource, {}));
      ResourceHandle& h = *handle_.mutableData<ResourceHandle>();
      h.container = key.container;
      h.name = key.name;
      h.device = "/job:localhost/replica:0/task:0/device:CPU:0";
      h.resource = std::move(object);
    }
    made_ = true;
  }
  if (reference) c.setOutputRef(0, reference_);
  else c.setOutput(0, handle_);
  return {};
}

OpRecord& withSharedName(OpRecord& op) {
  return op.attr("container: string = ''", "Resource container that holds the object; empty: the default container.")
      .attr("shared_name: string = ''", "Ops with the same shared name use one object; empty: this node has its own.")
      .stateful();
}

namespace shapes {

Status objectHandle(ShapeContext& c) {
  c.setOutput(0, isRef(c.node().outputTypes[0]) ? Shape{2} : Shape());
  return {};
}

Status pairOfTexts(ShapeContext& c) {
  c.setOutput(0, Shape{2});
  return {};
}

Status unknownOfObject(ShapeContext& c) {
  if (c.inputType(0) != DType::String) return {};
  WEFT_TRY(c.requireRank(c.input(0), 1));
  if (c.input(0).hasRank() && c.input(0).dim(0) >= 0 && c.input(0).dim(0) != 2) return invalidArgument("Dimension must be 2 but is ", c.input(0).dim(0));
  return {};
}

Status scalarsOfObject(ShapeContext& c) {
  WEFT_TRY(unknownOfObject(c));
  return scalar(c);
}

}  // namespace shapes
}  // namespace weft
