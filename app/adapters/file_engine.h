// Only sources in app/adapters include this: the engine's side of FileTensors.
#pragma once

#include <memory>
#include <span>

#include "adapters/file_tensors.h"
#include "weft/checkpoint.h"
#include "weft/tensor.h"

namespace weft::app {

TensorDataPtr wrapTensor(Tensor tensor);
/// The tensor wrapped by wrapTensor().
const Tensor& tensorOf(const TensorData& data);

/// Variables of a checkpoint.
class CheckpointTensors : public FileTensors {
 public:
  explicit CheckpointTensors(std::unique_ptr<CheckpointReader> reader);
  TensorRead read(int index) const override;
  const CheckpointReader& reader() const { return *reader_; }
  /// As the only input of an edit.
  std::span<const std::unique_ptr<CheckpointReader>> inputs() const { return {&reader_, 1}; }

 private:
  std::unique_ptr<CheckpointReader> reader_;
};

/// Arrays in memory.
class ArrayTensors : public FileTensors {
 public:
  explicit ArrayTensors(std::vector<std::pair<std::string, Tensor>> arrays);
  TensorRead read(int index) const override;

 private:
  std::vector<std::pair<std::string, Tensor>> arrays_;
};

}  // namespace weft::app
