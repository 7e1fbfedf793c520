#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "kernel/session_state.h"
#include "ops/registry.h"
#include "weft/mutex.h"

// Named objects in a session, created by one op and used by others: queues, tables, accumulators, barriers, readers, maps. Ops of the first version pass them
// as references to a string tensor [container, name], those of the second as resource handles.
// A class T of such objects gives TensorFlow's name for it in messages: `static constexpr const char* kTypeName = "N10tensorflow…E"`.
namespace weft {

/// How an object is named if its node has no `shared_name`.
enum class ObjectNaming {
  Private,    ///< "_7_NODE": not shared.
  AfterNode,  ///< The node's name.
  ByAttr,     ///< The node's name if its attribute use_node_name_sharing is set, else private.
};

/// Identifies an object in the session.
struct ObjectKey {
  std::string container, name;
};

/// The key for `node`. Private names are unique in the process.
ObjectKey objectKey(const Node& node, ObjectNaming naming);

/// The key of the object in input `i`, a reference or a handle. INVALID_ARGUMENT for other tensors.
Result<ObjectKey> objectKeyAt(KernelContext& c, int i);

/// NOT_FOUND "Resource localhost/q/N10tensorflow14QueueInterfaceE does not exist."
Error noSuchObject(const ObjectKey& key, const char* typeName);

/// The object named by input `i`; NOT_FOUND if it no longer exists.
template <typename T>
Result<std::shared_ptr<T>> objectAt(KernelContext& c, int i = 0) {
  WEFT_LET(const ObjectKey key, objectKeyAt(c, i));
  std::shared_ptr<T> found = c.session().find<T>(key.container, key.name);
  if (!found) return noSuchObject(key, T::kTypeName);
  return found;
}

/// The handle that a node outputs; created in the first run and then kept.
class ObjectHandle final : public NodeState {
 public:
  /// Sets output 0. `make` finds or creates the object of this key. It is called by one thread at a time, until it has succeeded once.
  Status output(KernelContext& c, ObjectNaming naming, const std::function<Result<std::shared_ptr<SessionResource>>(const ObjectKey&)>& make);

 private:
  Mutex mutex_;
  bool made_ WEFT_GUARDED_BY(mutex_) = false;
  Tensor handle_ WEFT_GUARDED_BY(mutex_);                        // a Resource …
  std::shared_ptr<Variable> reference_ WEFT_GUARDED_BY(mutex_);  // … or what a reference leads to
};

/// Describes how an op creates objects.
template <typename T>
struct ObjectMaker {
  ObjectNaming naming = ObjectNaming::Private;
  /// Creates an object for this node with this name.
  std::function<Result<std::shared_ptr<T>>(KernelContext& c, const std::string& name)> make;
  /// Checks whether an existing shared object matches the node. May be empty.
  std::function<Status(T&)> check;
};

/// The kernel of an op that creates an object. `prepare` reads the node's attributes once.
template <typename T>
KernelFactory objectKernel(Result<ObjectMaker<T>> (*prepare)(const Node&)) {
  return [prepare](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    WEFT_LET(ObjectMaker<T> maker, prepare(init.node()));
    auto handle = init.state<ObjectHandle>([] { return std::make_shared<ObjectHandle>(); });
    return functionKernel([maker = std::move(maker), handle = std::move(handle)](KernelContext& c) {
      return handle->output(c, maker.naming, [&](const ObjectKey& key) -> Result<std::shared_ptr<SessionResource>> {
        WEFT_LET(std::shared_ptr<T> object,
                 c.session().lookupOrCreate<T>(key.container, key.name, [&] { return maker.make(c, key.name); }));
        if (maker.check) WEFT_TRY(maker.check(*object));
        return std::shared_ptr<SessionResource>(std::move(object));
      });
    });
  };
}

/// The handle in the records of the first ("") and the second version ("V2").
struct HandleWords {
  const char* suffix;
  const char* type;  ///< "Ref(string)", "resource"
};
inline constexpr HandleWords kHandleVersions[] = {{"", "Ref(string)"}, {"V2", "resource"}};
/// Adds the attributes container and shared_name.
OpRecord& withSharedName(OpRecord& op);

namespace shapes {
/// Shape function: an object's handle is a vector of two strings, or a scalar resource.
Status objectHandle(ShapeContext& c);
/// Shape function: [2]. TensorFlow infers it for the handles of stacks and accumulators, even for resources, whose value is a scalar. Programs compare it with
/// _output_shapes.
Status pairOfTexts(ShapeContext& c);
/// Shape function: input 0 is such a handle; all outputs are scalars.
Status scalarsOfObject(ShapeContext& c);
/// Shape function: input 0 is such a handle; the outputs are unknown.
Status unknownOfObject(ShapeContext& c);
}  // namespace shapes

}  // namespace weft
