#include <utility>

#include "base/murmur_hash.h"
#include "kernel/async_kernel.h"
#include "kernel/device.h"
#include "kernel/step_state.h"
#include "ops/frame_ids.h"
#include "ops/registry.h"

// The ends of edges between devices, as a master's partitioner makes them. Both meet at the step's rendezvous under a key that each can compute alone.
namespace weft {

uint64_t frameId(const std::vector<LoopPlace>& loops, FrameIds ids) {
  uint64_t id = 0;
  std::string name;
  int64_t parentIteration = 0;
  for (const LoopPlace& loop : loops) {
    if (ids == FrameIds::OfNames) {
      name = concat(name, ";", parentIteration, ";", loop.frame);
      id = murmurHash(name);
    } else {
      id = combineHashes(id, combineHashes(uint64_t(parentIteration), murmurHash(loop.frame)));
    }
    parentIteration = loop.iteration;
  }
  return id;
}

namespace {

/// The rendezvous key of an edge.
class EdgeKey {
 public:
  explicit EdgeKey(const AttrMap& attrs) : outside_(RendezvousKey::ofEdge(attrs)), edge_(outside_, 0, outside_.rfind(';') + 1) {}
  std::string at(KernelContext& c) const {
    const std::vector<LoopPlace> loops = c.loops();
    if (loops.empty()) return outside_;
    return concat(edge_, frameId(loops, c.step().frameIds()), ":", loops.back().iteration);
  }

 private:
  const std::string outside_, edge_;
};

Result<Rendezvous*> rendezvousOf(KernelContext& c) {
  if (Rendezvous* found = c.step().rendezvous()) return found;
  return failedPrecondition(c.node().op, " runs only in a step of several tasks, which has a rendezvous");
}

class SendKernel final : public Kernel {
 public:
  explicit SendKernel(KernelInit& init) : key_(init.attrs()) {}
  Status compute(KernelContext& c) override {
    WEFT_LET(Rendezvous * rendezvous, rendezvousOf(c));
    if (!c.input(0).hasValue()) return rendezvous->send(key_.at(c), Tensor(), true);
    WEFT_LET(Tensor value, hostTensor(c.input(0)));
    // It may be a variable's buffer, which the next update must leave as it is until the receiver has read it.
    if (value.buffer()) value.buffer()->publish();
    return rendezvous->send(key_.at(c), std::move(value), false);
  }

 private:
  const EdgeKey key_;
};

class ReceiveKernel final : public AsyncKernel {
 public:
  explicit ReceiveKernel(KernelInit& init) : key_(init.attrs()) {}
  Cancel start(KernelContext& c, Done done) override {
    const auto rendezvous = rendezvousOf(c);
    if (!rendezvous.ok()) {
      done(rendezvous.error());
      return {};
    }
    return (*rendezvous)->receive(key_.at(c), [done = std::move(done), type = baseType(c.node().outputTypes[0]), name = c.node().name](Result<Received> r) {
      Status status = r.ok() ? checkReceived(*r, type, name) : r.status();
      if (!status.ok()) done(std::move(status.error()));
      else done(Outputs{r->dead ? Tensor() : std::move(r->value)});
    });
  }

 private:
  const EdgeKey key_;
};

void addEdgeAttrs(OpRecord& record) {
  record.category("Control flow")
      .keywords("rendezvous distributed edge")
      .attr("tensor_name: string", "Name of the edge.")
      .attr("send_device: string", "The device that sends.")
      .attr("send_device_incarnation: int", "A number that the sending device drew when its process started.")
      .attr("recv_device: string", "The device that receives.")
      .attr("client_terminated: bool = false", "Whether the other end is the caller, who feeds or fetches the tensor.")
      .stateful()
      .noGradient("Graphs are differentiated before they are divided among devices.");
}

}  // namespace

void registerSendRecv(OpRegistry& ops) {
  for (const char* name : {"_Send", "_HostSend"}) {
    OpRecord& record = ops.add(name)
                           .summary("Sends a tensor to another device.")
                           .description("A master puts it where it divides a graph among devices. The tensor waits in the step's rendezvous.")
                           .input("tensor: T", "The tensor.")
                           .attr("T: type", "Its type.")
                           .shape(shapes::none)
                           .cpu({}, kernelOf<SendKernel>());
    addEdgeAttrs(record);
  }
  for (const char* name : {"_Recv", "_HostRecv"}) {
    OpRecord& record = ops.add(name)
                           .summary("Receives a tensor from another device.")
                           .description("A master puts it where it divides a graph among devices. Other ops run while it waits.")
                           .output("tensor: tensor_type", "The tensor.")
                           .attr("tensor_type: type", "Its type.")
                           .shape(shapes::unknown)
                           .cpu({}, kernelOf<ReceiveKernel>());
    addEdgeAttrs(record);
  }
  state(ops, OpRole::Send, Effect::Object, "_Send _HostSend");
  state(ops, OpRole::Receive, Effect::Object, "_Recv _HostRecv");
  retain(ops, "_Send _HostSend");
}

}  // namespace weft
