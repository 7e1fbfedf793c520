#pragma once

#include <string>
#include <vector>

#include "kernel/device.h"
#include "tensor/variable.h"
#include "weft/mutex.h"
#include "weft/tensor.h"

namespace weft {

/// An array of tensors that lives in one step and whose elements are each written once, as created by TensorArrayV3.
/// The gradient array of another array (source "gradients") adds up writes to the same element. Reading an element that was never written, but exists in the
/// forward array, gives zeros of the forward element's shape. Thread-safe. Errors have TensorFlow's wording.
class TensorArray final : public SessionResource {
 public:
  struct Options {
    std::string name;
    DType dtype = DType::Invalid;
    Shape elementShape = Shape::unknown();
    bool identicalShapes = false;
    bool dynamicSize = false;
    bool clearAfterRead = true;
    bool isGradient = false;
    Device* device = nullptr;  ///< Where its values are.
  };
  TensorArray(Options options, int64_t size) : options_(std::move(options)), slots_(size_t(size)) {}
  std::string kind() const override { return "tensor array"; }

  const std::string& name() const { return options_.name; }
  DType dtype() const { return options_.dtype; }
  bool dynamicSize() const;
  Shape elementShape() const;
  Result<int64_t> size() const;
  /// The size for Concat and for Gather of all elements. For a gradient array it is the forward array's size at its last split or scatter.
  Result<int64_t> concatSize() const;
  void markSize(int64_t size);
  /// Narrows the element shape; INVALID_ARGUMENT if `shape` does not fit it.
  Status mergeElementShape(const Shape& shape);

  Status write(int64_t index, const Tensor& value);
  /// The value, where kernels of `reader` find it.
  Result<Tensor> read(int64_t index, Device& reader);
  void close();

  /// The gradient array, with this array's present size, which is fixed from now on. The shapes of its elements begin with `prepend`.
  Result<std::shared_ptr<TensorArray>> makeGradient(const std::string& name, const Shape& prepend = {});

 private:
  struct Slot {
    Tensor value;  // no value: zeros of `shape`, if written
    Shape shape;
    bool written = false, read = false, cleared = false, ownCopy = false;
  };
  Status checkOpen() const WEFT_REQUIRES(mutex_);
  Result<Tensor> take(int64_t index) WEFT_REQUIRES(mutex_);
  Status add(Slot& slot, int64_t index, const Tensor& value) WEFT_REQUIRES(mutex_);
  Error problem(const std::string& what) const { return invalidArgument("TensorArray ", options_.name, ": ", what); }

  mutable Mutex mutex_;
  Options options_;  // elementShape and dynamicSize guarded by mutex_
  std::vector<Slot> slots_ WEFT_GUARDED_BY(mutex_);
  int64_t marked_ WEFT_GUARDED_BY(mutex_) = -1;
  bool closed_ WEFT_GUARDED_BY(mutex_) = false;
  bool gradientsAllowed_ WEFT_GUARDED_BY(mutex_) = true;  // false once two writes were added up
};

}  // namespace weft
