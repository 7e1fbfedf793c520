#pragma once

#include <vector>

#include "ops/waiting_room.h"

namespace weft {

/// Gathers gradients of several steps and gives their mean, or sum, when there are enough. Gradients of steps that are over are dropped.
class Accumulator : public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "N10tensorflow26ConditionalAccumulatorBaseE";

  Accumulator(DType dtype, Shape shape, bool mean) : dtype_(dtype), shape_(std::move(shape)), mean_(mean) {}
  std::string kind() const override { return "accumulator"; }
  DType dtype() const { return dtype_; }

  int64_t count() const;
  /// Steps before this one are over.
  void setStep(int64_t step);
  /// Adds what the inputs of an apply op say, if its step is not over.
  Status apply(int64_t step, const std::vector<Tensor>& gradient);
  /// Waits for `required` gradients; gives their mean or sum and begins the next step.
  AsyncKernel::Cancel take(int64_t required, AsyncKernel::Done done);
  /// How many tensors a gradient is, with and without its shape.
  virtual bool isSparse() const = 0;

 protected:
  virtual Status check(const std::vector<Tensor>& gradient) const WEFT_REQUIRES(mutex_) = 0;
  virtual Status add(const std::vector<Tensor>& gradient) WEFT_REQUIRES(mutex_) = 0;
  virtual Result<Outputs> result() WEFT_REQUIRES(mutex_) = 0;
  const Shape& shape() const { return shape_; }
  bool isMean() const { return mean_; }
  int64_t counter_ WEFT_GUARDED_BY(mutex_) = 0;

 private:
  const DType dtype_;
  const Shape shape_;
  const bool mean_;
  int64_t step_ WEFT_GUARDED_BY(mutex_) = 0;
};

std::shared_ptr<Accumulator> makeDenseAccumulator(DType dtype, const Shape& shape, bool mean);
/// Of slices: indices, values and, perhaps, the shape of the whole.
std::shared_ptr<Accumulator> makeSparseAccumulator(DType dtype, const Shape& shape, bool mean);

}  // namespace weft
