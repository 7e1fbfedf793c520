#pragma once

#include <vector>

#include "ops/blocking_resource.h"

namespace weft {

/// Collects gradients and gives their mean or sum once there are enough. Gradients of past steps are dropped.
class Accumulator : public BlockingResource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow26ConditionalAccumulatorBaseE";

  Accumulator(DType dtype, Shape shape, bool mean) : dtype_(dtype), shape_(std::move(shape)), mean_(mean) {}
  std::string kind() const override { return "accumulator"; }
  DType dtype() const { return dtype_; }

  int64_t count() const;
  /// Sets the current step; earlier steps are past.
  void setStep(int64_t step);
  /// Adds the gradient in the inputs of an apply op, unless its step is past.
  Status apply(int64_t step, const std::vector<Tensor>& gradient);
  /// Waits for `required` gradients, gives their mean or sum, and begins the next step.
  AsyncKernel::Cancel take(int64_t required, AsyncKernel::Done done);
  /// Whether gradients are slices; determines how many tensors a gradient has.
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
/// For slices: indices, values and optionally the dense shape.
std::shared_ptr<Accumulator> makeSparseAccumulator(DType dtype, const Shape& shape, bool mean);

}  // namespace weft
