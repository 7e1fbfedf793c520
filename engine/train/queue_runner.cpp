#include <algorithm>
#include <atomic>

#include "proto/meta_graph.pb.h"
#include "weft/coordinator.h"

namespace weft {
namespace {

/// One thread: runs `op` until the coordinator stops or the data ends; the last thread to reach the end closes the queue.
Status fill(Session& session, const Coordinator::Sign& sign, const QueueRunner& runner, const std::string& op, std::atomic<int>& running) {
  while (!sign.shouldStop()) {
    Status status = session.run({}, {}, {op}).status();
    if (status.ok()) continue;
    if (std::find(runner.closedCodes.begin(), runner.closedCodes.end(), status.code()) != runner.closedCodes.end()) {
      // Errors are ignored, because the queue may be closed already.
      if (--running == 0 && !runner.closeOp.empty()) (void)session.run({}, {}, {runner.closeOp});
      return {};
    }
    return status;
  }
  return {};
}

}  // namespace

Result<QueueRunner> QueueRunner::parse(std::string_view bytes) {
  tensorflow::QueueRunnerDef def;
  if (!def.ParseFromArray(bytes.data(), int(bytes.size()))) return invalidArgument("This is no QueueRunnerDef: ", int64_t(bytes.size()), " bytes");
  if (def.enqueue_op_name_size() == 0) return invalidArgument("The QueueRunnerDef of '", def.queue_name(), "' names no enqueue op");
  QueueRunner runner;
  runner.queueName = def.queue_name();
  runner.enqueueOps.assign(def.enqueue_op_name().begin(), def.enqueue_op_name().end());
  runner.closeOp = def.close_op_name();
  runner.cancelOp = def.cancel_op_name();
  if (def.queue_closed_exception_types_size() > 0) {
    runner.closedCodes.clear();
    for (const int code : def.queue_closed_exception_types()) runner.closedCodes.push_back(Code(code));
  }
  return runner;
}

void QueueRunner::start(Session& session, Coordinator& coordinator) const {
  const auto shared = std::make_shared<const QueueRunner>(*this);
  const auto running = std::make_shared<std::atomic<int>>(int(enqueueOps.size()));
  for (const std::string& op : enqueueOps) {
    coordinator.start("QueueRunnerThread-" + queueName + "-" + op,
                      [&session, sign = coordinator.sign(), shared, running, op] { return fill(session, sign, *shared, op, *running); });
  }
  if (cancelOp.empty()) return;
  coordinator.start("QueueRunnerThread-" + queueName + "-close_on_stop", [&session, sign = coordinator.sign(), shared, running]() -> Status {
    // Ends by itself once all data is in the queue, so nothing has to be woken.
    while (!sign.waitForStop(std::chrono::milliseconds(200))) {
      if (*running == 0) return {};
    }
    (void)session.run({}, {}, {shared->cancelOp});
    return {};
  });
}

}  // namespace weft
