#include <atomic>

#include "kernel/session_state.h"
#include "ops/registry.h"

// Tensors kept in a session between runs, under a handle that is fetched and later fed.
namespace weft {
namespace {

class StoredTensor final : public SessionResource {
 public:
  explicit StoredTensor(Tensor v) : value(std::move(v)) {}
  std::string kind() const override { return "session tensor"; }
  const Tensor value;
};

constexpr std::string_view kContainer = "_session_tensors";

Status store(KernelContext& c) {
  static std::atomic<int64_t> count{0};
  const std::string name = concat(c.node().name, ";", count.fetch_add(1), ";", "/job:localhost/replica:0/task:0/device:CPU:0");
  WEFT_LET(Tensor copy, c.input(0).clone());
  WEFT_LET(auto stored, c.session().lookupOrCreate<StoredTensor>(
                            kContainer, name, [&]() -> Result<std::shared_ptr<StoredTensor>> { return std::make_shared<StoredTensor>(copy); }));
  if (c.node().outputTypes[0] == DType::String) {
    c.setOutput(0, Tensor::scalar(name));
    return {};
  }
  WEFT_LET(Tensor * out, c.allocate(0, {}));
  ResourceHandle& handle = *out->mutableData<ResourceHandle>();
  handle.container = kContainer;
  handle.name = name;
  handle.dtype = copy.dtype();
  handle.shape = copy.shape();
  handle.device = "/job:localhost/replica:0/task:0/device:CPU:0";
  handle.resource = stored;
  return {};
}

Result<std::string> nameAt(KernelContext& c) {
  if (!c.input(0).shape().isScalar()) return invalidArgument("The handle must be a scalar, but has shape ", c.input(0).shape().toString());
  return c.input(0).data<std::string>()[0];
}

Status get(KernelContext& c) {
  WEFT_LET(const std::string name, nameAt(c));
  const auto stored = c.session().find<StoredTensor>(kContainer, name);
  if (!stored) return invalidArgument("The tensor with handle '", name, "' is not in the session store.");
  const DType wanted = c.node().attrs.type("dtype");
  if (stored->value.dtype() != wanted)
    return invalidArgument("The tensor with handle '", name, "' is ", dtypeShortName(stored->value.dtype()), ", not ", dtypeShortName(wanted));
  c.setOutput(0, stored->value);
  return {};
}

Status forget(KernelContext& c) {
  WEFT_LET(const std::string name, nameAt(c));
  if (c.session().erase(typeid(StoredTensor), kContainer, name).ok()) return {};
  return invalidArgument("Failed to delete a tensor with handle '", name, "' in the session store.");
}

}  // namespace

void registerSessionTensors(OpRegistry& ops) {
  constexpr const char* kNoGradient = "Tensors kept between runs are not differentiable.";
  for (const bool second : {false, true}) {
    ops.add(second ? "GetSessionHandleV2" : "GetSessionHandle")
        .category("Variables")
        .summary("Stores a tensor in the session and returns a handle to it.")
        .input("value: T", "The tensor.")
        .output(second ? "handle: resource" : "handle: string", "Handle that can be fetched and later fed to GetSessionTensor.")
        .attr("T: type")
        .stateful()
        .shape(shapes::scalar)
        .noGradient(kNoGradient)
        .cpu({}, simpleKernel(store));
  }
  const auto handleShape = [](ShapeContext& c) -> Status { return c.requireRank(c.input(0), 0); };
  ops.add("GetSessionTensor")
      .category("Variables")
      .summary("Returns the tensor stored in the session under a handle.")
      .input("handle: string", "The handle.")
      .output("value: dtype", "The tensor.")
      .attr("dtype: type")
      .stateful()
      .shape(handleShape)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(get));
  ops.add("DeleteSessionTensor")
      .category("Variables")
      .summary("Deletes the tensor stored in the session under a handle.")
      .input("handle: string", "The handle.")
      .stateful()
      .shape(handleShape)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(forget));
  state(ops, OpRole::Compute, Effect::Object, "DeleteSessionTensor GetSessionHandle GetSessionHandleV2");
  state(ops, OpRole::Compute, Effect::Reads, "GetSessionTensor");
}

}  // namespace weft
