#include "cluster/describe.h"

#include <chrono>

#include "base/machine_memory.h"
#include "cluster/messages.h"

namespace weft::cluster {
namespace {

pb::DescribeResponse responseOf(const TaskReport& report) {
  pb::DescribeResponse out;
  out.set_version(report.version);
  out.set_uptime_seconds(report.uptimeSeconds);
  out.set_resident_bytes(report.residentBytes);
  out.set_sessions(report.sessions);
  out.set_clients(report.clients);
  out.set_graphs(report.graphs);
  out.set_steps_done(report.stepsDone);
  for (const RunningStep& step : report.steps) {
    pb::DescribeStep* s = out.add_step();
    s->set_step_id(step.id);
    s->set_seconds(step.seconds);
    s->set_awaited_in_all(step.awaitedInAll);
    for (const AwaitedTensor& tensor : step.awaited) {
      pb::DescribeAwaited* a = s->add_awaited();
      a->set_from(tensor.from);
      a->set_tensor(tensor.tensor);
      a->set_iteration(tensor.iteration);
      a->set_seconds(tensor.seconds);
    }
  }
  for (const QueueState& queue : report.queues) {
    pb::DescribeQueue* q = out.add_queue();
    q->set_name(queue.name);
    q->set_kind(queue.kind);
    q->set_size(queue.size);
    q->set_capacity(queue.capacity);
    q->set_waiting_enqueues(queue.waitingEnqueues);
    q->set_waiting_dequeues(queue.waitingDequeues);
    q->set_wanted(queue.wanted);
  }
  for (const auto& [task, seconds] : report.missing) {
    pb::DescribeMissing* m = out.add_missing();
    m->set_task(task);
    m->set_seconds(seconds);
  }
  for (const auto& [job, tasks] : report.cluster) {
    pb::JobDef* j = out.mutable_cluster()->add_job();
    j->set_name(job);
    for (const auto& [task, address] : tasks) (*j->mutable_tasks())[task] = address;
  }
  return out;
}

}  // namespace

TaskReport reportOf(const pb::DescribeResponse& response) {
  TaskReport report;
  report.version = response.version();
  report.uptimeSeconds = response.uptime_seconds();
  report.residentBytes = response.resident_bytes();
  report.sessions = response.sessions();
  report.clients = response.clients();
  report.graphs = response.graphs();
  report.stepsDone = response.steps_done();
  for (const pb::DescribeStep& s : response.step()) {
    RunningStep step;
    step.id = s.step_id();
    step.seconds = s.seconds();
    step.awaitedInAll = s.awaited_in_all();
    for (const pb::DescribeAwaited& a : s.awaited()) step.awaited.push_back({a.from(), a.tensor(), a.iteration(), a.seconds()});
    report.steps.push_back(std::move(step));
  }
  for (const pb::DescribeQueue& q : response.queue()) {
    QueueState queue;
    queue.name = q.name();
    queue.kind = q.kind();
    queue.size = q.size();
    queue.capacity = q.capacity();
    queue.waitingEnqueues = q.waiting_enqueues();
    queue.waitingDequeues = q.waiting_dequeues();
    queue.wanted = q.wanted();
    report.queues.push_back(std::move(queue));
  }
  for (const pb::DescribeMissing& m : response.missing()) report.missing.emplace_back(m.task(), m.seconds());
  for (const pb::JobDef& job : response.cluster().job())
    for (const auto& [task, address] : job.tasks()) report.cluster[job.name()][task] = address;
  return report;
}

rpc::RpcMethod describeMethod(const Worker& worker, const Master& master, const ClusterWatch::Addresses& cluster) {
  const auto began = std::chrono::steady_clock::now();
  return {kDescribe, false, [&worker, &master, &cluster, began](const std::shared_ptr<rpc::RpcCall>& call) {
            TaskReport report;
            report.version = engineVersion();
            report.uptimeSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
            report.residentBytes = residentBytes();
            report.cluster = cluster;
            worker.report(report);
            master.report(report);
            call->reply(bufferOf(responseOf(report)));
          }};
}

}  // namespace weft::cluster
