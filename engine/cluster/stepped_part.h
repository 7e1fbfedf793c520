#pragma once

#include <memory>
#include <string>

#include "cluster/proto/debug.pb.h"
#include "runtime/partition_run.h"
#include "weft/cond_var.h"
#include "weft/debug.h"
#include "weft/mutex.h"

namespace weft::cluster {

/// The part of a stepped step that a task runs: it stops before and after each op until its master asks for the next event. Ends with the run's cancellation.
/// Thread-safe.
class SteppedPart final : public StepController {
 public:
  SteppedPart(std::shared_ptr<const WorkerSession> session, CancellationToken cancellation)
      : session_(std::move(session)), cancellation_(std::move(cancellation)) {}

  /// Answers a request. One for the next event waits for it until `cancellation`.
  Result<pb::PartResponse> answer(const pb::PartRequest& request, const CancellationToken& cancellation);
  /// The part's run is over. Called by whoever ran it, after the run.
  void ended(const Status& status);

  void runBegins(const Graph& graph, std::span<const int> nodes) override;
  void fed(Output, const Tensor&) override {}
  StepVerdict before(StepPoint& point) override;
  StepVerdict after(StepPoint& point, const Status& status) override;
  void dead(const Node& node, const std::vector<LoopPlace>& loops) override;
  void runEnds(const Status&) override {}
  void waits() override;

 private:
  Result<pb::PartEvent> next(const pb::PartRequest& request, const CancellationToken& cancellation) WEFT_EXCLUDES(mutex_);
  Result<Tensor> read(const pb::PartRequest& request) WEFT_EXCLUDES(mutex_);
  Status setTensor(const std::string& name, const Tensor& value) WEFT_EXCLUDES(mutex_);
  void publish(pb::PartEvent event) WEFT_REQUIRES(mutex_);
  StepVerdict stop(StepPoint* point, bool computed, pb::PartEvent event) WEFT_EXCLUDES(mutex_);

  const std::shared_ptr<const WorkerSession> session_;
  const CancellationToken cancellation_;
  Mutex mutex_;
  CondVar changed_;
  pb::PartEvent event_ WEFT_GUARDED_BY(mutex_);
  google::protobuf::RepeatedPtrField<pb::DeadNode> dead_ WEFT_GUARDED_BY(mutex_);  ///< Since the latest event.
  bool taken_ WEFT_GUARDED_BY(mutex_) = true;                                      ///< The event has been sent.
  bool go_ WEFT_GUARDED_BY(mutex_) = false, end_ WEFT_GUARDED_BY(mutex_) = false;
  StepPoint* point_ WEFT_GUARDED_BY(mutex_) = nullptr;  ///< While stopped at an op.
  bool computed_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace weft::cluster
