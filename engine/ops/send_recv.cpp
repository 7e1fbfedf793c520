#include "ops/registry.h"

// Transfers between tasks. Their nodes are made where a graph is cut into one graph per task, never by programs.
namespace weft {

void registerSendRecv(OpRegistry& ops) {
  const auto place = [](OpRecord& record) {
    record.attr("tensor_name: string", "Names the value in the step.")
        .attr("send_device: string", "Full name of the sender's device.")
        .attr("send_device_incarnation: int", "Changes when the sender's task is restarted.")
        .attr("recv_device: string", "Full name of the receiver's device.")
        .attr("client_terminated: bool = false", "Whether the other end is the session's client.")
        .stateful()
        .noGradient("Transfers are added after differentiation.")
        .shape(shapes::unknown);
  };
  for (const char* name : {"_Send", "_HostSend"}) {
    OpRecord& record = ops.add(name).category("Control flow").summary("Sends a tensor to another device or task.");
    place(record.input("tensor: T", "The tensor.").attr("T: type", "Its type."));
  }
  for (const char* name : {"_Recv", "_HostRecv"}) {
    OpRecord& record = ops.add(name).category("Control flow").summary("Receives a tensor from another device or task.");
    place(record.output("tensor: tensor_type", "The tensor.").attr("tensor_type: type", "Its type."));
  }
  state(ops, OpRole::Compute, Effect::Declared, "_Send _HostSend _Recv _HostRecv");
}

}  // namespace weft
