#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "kernel/session_state.h"
#include "ops/registry.h"
#include "weft/mutex.h"

// Objects that live in a session under a name, made by one op and used by others: queues, tables, accumulators, barriers, readers, maps.
// Ops of the first version pass them on as references to a string tensor [container, name], those of the second as resource handles.
//
// A class T of such objects says what TensorFlow calls it in messages: `static constexpr const char* kTypeName = "N10tensorflow…E"`.
namespace weft {

/// How an object of a node without `shared_name` is called.
enum class ObjectNaming {
  Private,    ///< "_7_NODE": nobody else finds it.
  AfterNode,  ///< By the node's name.
  ByAttr,     ///< By the node's name if its attribute use_node_name_sharing says so, else private.
};

/// Where an object lies.
struct ObjectKey {
  std::string container, name;
};

/// The key for `node`. Private names are unique in the process.
ObjectKey objectKey(const Node& node, ObjectNaming naming);

/// The object's key in input `i`, a reference or a handle. INVALID_ARGUMENT for tensors that name nothing.
Result<ObjectKey> objectKeyAt(KernelContext& c, int i);

/// NOT_FOUND "Resource localhost/q/N10tensorflow14QueueInterfaceE does not exist."
Error noSuchObject(const ObjectKey& key, const char* typeName);

/// The object that input `i` names. NOT_FOUND if it is gone.
template <typename T>
Result<std::shared_ptr<T>> objectAt(KernelContext& c, int i = 0) {
  WEFT_LET(const ObjectKey key, objectKeyAt(c, i));
  std::shared_ptr<T> found = c.session().find<T>(key.container, key.name);
  if (!found) return noSuchObject(key, T::kTypeName);
  return found;
}

/// The handle that a node gives out; made at the first run, the same from then on.
class ObjectHandle final : public NodeState {
 public:
  /// Sets output 0. `make` finds or makes the object of this key; it is called until it succeeds, once, by one thread at a time.
  Status output(KernelContext& c, ObjectNaming naming, const std::function<Result<std::shared_ptr<SessionResource>>(const ObjectKey&)>& make);

 private:
  Mutex mutex_;
  bool made_ WEFT_GUARDED_BY(mutex_) = false;
  Tensor handle_ WEFT_GUARDED_BY(mutex_);                        // a Resource …
  std::shared_ptr<Variable> reference_ WEFT_GUARDED_BY(mutex_);  // … or what a reference leads to
};

/// What a maker of objects says of itself.
template <typename T>
struct ObjectMaker {
  ObjectNaming naming = ObjectNaming::Private;
  /// A new object for this node under this name.
  std::function<Result<std::shared_ptr<T>>(KernelContext& c, const std::string& name)> make;
  /// Whether an object that is there already (it is shared) is what the node asks for. May be empty.
  std::function<Status(T&)> check;
};

/// The kernel of an op that makes an object. `prepare` looks at the node's attributes once.
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

/// What ops say of the handle of the first ("") and the second version ("V2").
struct HandleWords {
  const char* suffix;
  const char* type;  ///< "Ref(string)", "resource"
};
inline constexpr HandleWords kHandleVersions[] = {{"", "Ref(string)"}, {"V2", "resource"}};
/// Adds the attributes container and shared_name.
OpRecord& withSharedName(OpRecord& op);

namespace shapes {
/// The handle of an object is a vector of two strings, or a scalar resource.
Status objectHandle(ShapeContext& c);
/// [2]: what TensorFlow states of handles of stacks and accumulators, of resources too, whose value is a scalar. Readers compare it with _output_shapes.
Status pairOfTexts(ShapeContext& c);
/// Input 0 is such a handle; all outputs are scalars.
Status scalarsOfObject(ShapeContext& c);
/// Input 0 is such a handle; nothing is known of the outputs.
Status unknownOfObject(ShapeContext& c);
}  // namespace shapes

}  // namespace weft
