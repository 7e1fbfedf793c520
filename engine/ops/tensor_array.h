#pragma once

#include <string>
#include <vector>

#include "tensor/variable.h"
#include "weft/mutex.h"
#include "weft/tensor.h"

namespace weft {

/// An array of tensors that lives in one step and whose elements are written once each, as TensorArrayV3 makes it.
///
/// The array of gradients of another array (source "gradients") adds what is written to the same element, and reads of elements that were
/// never written, but exist in the forward array, give zeros of the forward element's shape. Thread-safe. Errors are in TensorFlow's words.
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
  };
  TensorArray(Options options, int64_t size) : options_(std::move(options)), slots_(size_t(size)) {}
  std::string kind() const override { return "tensor array"; }

  const std::string& name() const { return options_.name; }
  DType dtype() const { return options_.dtype; }
  bool dynamicSize() const;
  Shape elementShape() const;
  Result<int64_t> size() const;
  /// Size that Concat and Gather of everything see: a gradient array's is that of the forward array when it was last split or scattered.
  Result<int64_t> concatSize() const;
  void markSize(int64_t size);
  /// Narrows the element shape; INVALID_ARGUMENT if `shape` does not fit it.
  Status mergeElementShape(const Shape& shape);

  Status write(int64_t index, const Tensor& value);
  Result<Tensor> read(int64_t index);
  void close();

  /// The array of this one's gradients, as long as this one is now; its size is fixed from now on. Shapes of its elements begin with `prepend`.
  Result<std::shared_ptr<TensorArray>> makeGradient(const std::string& name, const Shape& prepend = {});

 private:
  struct Slot {
    Tensor value;  // no value: zeros of `shape`, if written
    Shape shape;
    bool written = false, read = false, cleared = false, ownCopy = false;
  };
  Status checkOpen() const WEFT_REQUIRES(mutex_);
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
