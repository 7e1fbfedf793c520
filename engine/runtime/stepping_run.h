#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/dataflow_run.h"
#include "runtime/step_snapshot.h"
#include "weft/debug.h"

// A run that a StepController steps through. It differs from an ordinary run of the dataflow executor in four points: among ready nodes, dead
// ones come first, then the smallest id; loops run one iteration at a time; no output reuses an input's memory; and the controller is called
// before and after each live op.
namespace weft::dataflow {

/// Maps tensors of the user's graph to the plan.
struct SteppingNames {
  const Graph* graph = nullptr;
  std::vector<Output> feeds;  ///< In the signature's order.
  std::vector<int> planOf;    ///< By id in the user's graph; -1: not in the plan.
};

/// A variable's value on the host, by name. NOT_FOUND; FAILED_PRECONDITION if it is not initialised.
Result<Tensor> variableNow(const SessionState& session, const std::string& name);
/// `isReference`: reads of this step that share the buffer see the new value, as after a TensorFlow 1.x Assign.
Status setVariableNow(const SessionState& session, const std::string& name, const Tensor& value, bool isReference);

class SteppingRun final : public DataflowRun {
 public:
  SteppingRun(const Structure& structure, const SteppingNames& names) : DataflowRun(structure), names_(names), point_(*this) {}
  Status runUnder(StepController& controller, std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state);

  Result<Tensor*> forward(int k, const Shape& shape, std::initializer_list<int>) override { return allocate(k, shape); }
  bool wanted(int) const override { return true; }

 private:
  class Point final : public StepPoint {
   public:
    explicit Point(SteppingRun& run) : run_(run) {}
    const Graph& graph() const override { return *run_.names_.graph; }
    const Node& node() const override { return *run_.user_; }
    int64_t index() const override { return run_.index_; }
    const std::vector<LoopPlace>& loops() const override { return run_.loops_; }
    Result<Tensor> input(int i) const override;
    Result<Tensor> output(int k) const override;
    Result<Tensor> tensor(Output o) const override;
    Status setTensor(Output o, const Tensor& value) override;
    Result<Tensor> variable(const std::string& name) const override;
    Status setVariable(const std::string& name, const Tensor& value) override;
    std::vector<int> ready() const override;
    std::string cannotRestart() const override { return run_.snapshot_->irreversible(); }

   private:
    SteppingRun& run_;
  };
  /// Current location of a tensor of the plan.
  struct Place {
    Tensor* value = nullptr;
    std::shared_ptr<Variable>* ref = nullptr;
    const DataNode* node = nullptr;
  };

  Status runQueue() override;
  int window(const FrameInfo&) const override { return 1; }
  void sortIn();
  Status step(const Ready& r);
  Status computeNow(const Ready& r);
  Status keepVariables();
  bool keepObjects();
  /// Applies the verdict; returns whether the run continues.
  bool follow(StepVerdict verdict);
  Output planOutput(Output user) const;
  Result<Place> find(Output user) const;
  Result<Tensor> inputNow(int i) const;

  const SteppingNames& names_;
  Point point_;
  StepController* controller_ = nullptr;
  std::optional<StepSnapshot> snapshot_;
  std::vector<Ready> heap_;  ///< Ready nodes; the next one in front.
  StepVerdict verdict_ = StepVerdict::Go;
  // The op at which the controller is called.
  const Node* user_ = nullptr;
  int64_t index_ = 0;
  std::vector<LoopPlace> loops_;
  std::vector<Tensor> taken_;  ///< Its inputs after it was computed, because their slots may be empty by then.
  std::vector<Tensor> moved_;  ///< Output of an Enter, Exit or NextIteration, which is stored in another frame or iteration.
  bool computed_ = false;
};

}  // namespace weft::dataflow
