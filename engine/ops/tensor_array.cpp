#include "ops/tensor_array.h"

#include "tensor/element_types.h"

namespace weft {
namespace {
constexpr int64_t kMaxGap = int64_t(1) << 22;  // maximum gap between the last element and a written one, so that a wrong index does not exhaust memory
}

bool TensorArray::dynamicSize() const {
  const MutexLock lock(mutex_);
  return options_.dynamicSize;
}

Shape TensorArray::elementShape() const {
  const MutexLock lock(mutex_);
  return options_.elementShape;
}

Status TensorArray::checkOpen() const {
  if (closed_) return invalidArgument("TensorArray ", options_.name, " has already been closed.");
  return {};
}

Result<int64_t> TensorArray::size() const {
  const MutexLock lock(mutex_);
  WEFT_TRY(checkOpen());
  return int64_t(slots_.size());
}

Result<int64_t> TensorArray::concatSize() const {
  const MutexLock lock(mutex_);
  WEFT_TRY(checkOpen());
  return options_.isGradient && marked_ >= 0 ? marked_ : int64_t(slots_.size());
}

void TensorArray::markSize(int64_t size) {
  const MutexLock lock(mutex_);
  if (!options_.isGradient) marked_ = size;
}

Status TensorArray::mergeElementShape(const Shape& shape) {
  const MutexLock lock(mutex_);
  WEFT_LET(options_.elementShape, options_.elementShape.mergedWith(shape));
  return {};
}

Status TensorArray::write(int64_t index, const Tensor& given) {
  WEFT_LET(const Tensor value, tensorAt(*options_.device, given));
  const MutexLock lock(mutex_);
  WEFT_TRY(checkOpen());
  if (index < 0 || (!options_.dynamicSize && index >= int64_t(slots_.size())))
    return problem(concat("Tried to write to index ", index, " but array is not resizeable and size is: ", slots_.size()));
  if (index >= int64_t(slots_.size())) {
    if (index - int64_t(slots_.size()) > kMaxGap)
      return resourceExhausted("Tried to write to index ", index, " of TensorArray ", options_.name, ", which has ", slots_.size(),
                               " elements: it grows by at most ", kMaxGap, " at once");
    if (size_t(index) >= slots_.capacity()) slots_.reserve(2 * size_t(index + 1));
    slots_.resize(size_t(index) + 1);
  }
  Slot& slot = slots_[size_t(index)];
  const std::string refusal = concat("Could not write to TensorArray index ", index, " because ");
  if (value.dtype() != options_.dtype)
    return problem(concat(refusal, "the value dtype is ", dtypeShortName(value.dtype()), " but TensorArray dtype is ", dtypeShortName(options_.dtype), "."));
  if (!options_.elementShape.compatibleWith(value.shape()))
    return problem(concat(refusal, "the value shape is ", value.shape().toString(), " which is incompatible with the TensorArray's inferred element shape: ",
                          options_.elementShape.toString(), " (consider setting infer_shape=False)."));
  if (options_.identicalShapes && !options_.elementShape.isFullyKnown()) options_.elementShape = value.shape();
  if (slot.read) return problem(refusal + "it has already been read.");
  if (slot.written) {
    if (!options_.isGradient) return problem(refusal + "it has already been written to.");
    return add(slot, index, value);
  }
  slot.value = value;
  slot.shape = value.shape();
  slot.written = true;
  return {};
}

Status TensorArray::add(Slot& slot, int64_t index, const Tensor& value) {
  if (!(slot.shape == value.shape()))
    return problem(concat("Could not aggregate to TensorArray index ", index, " because the existing shape is ", slot.shape.toString(),
                          " but the new input shape is ", value.shape().toString(), "."));
  gradientsAllowed_ = false;
  if (!slot.value.hasValue() || slot.value.elements() == 0) {
    slot.value = value;
    slot.ownCopy = false;
    return {};
  }
  if (options_.device->place() != 0 || !slot.ownCopy) {
    auto sum = options_.device->sum(slot.value, value);
    if (!sum.ok()) return unimplemented("TensorArray ", options_.name, ": ", sum.error().message, ".");
    slot.value = std::move(*sum);
    slot.ownCopy = true;
    return {};
  }
  withNumber(value.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T* b = elementsOf<T>(value);
    T* out = elementsOf<T>(slot.value);
    for (int64_t i = 0, n = value.elements(); i < n; ++i) out[i] = T(out[i] + b[i]);
  });
  return {};
}

Result<Tensor> TensorArray::read(int64_t index, Device& reader) {
  Tensor value;
  {
    const MutexLock lock(mutex_);
    WEFT_LET(value, take(index));
  }
  return tensorAt(reader, value);
}

Result<Tensor> TensorArray::take(int64_t index) {
  WEFT_TRY(checkOpen());
  if (index < 0 || index >= int64_t(slots_.size())) return problem(concat("Tried to read from index ", index, " but array size is: ", slots_.size()));
  Slot& slot = slots_[size_t(index)];
  if (slot.cleared)
    return problem(concat("Could not read index ", index,
                          " twice because it was cleared after a previous read "
                          "(perhaps try setting clear_after_read = false?)."));
  Tensor value = slot.value;
  if (!value.hasValue()) {
    Shape shape = slot.written ? slot.shape : options_.elementShape;
    if (!shape.isFullyKnown())
      return problem(concat("Could not read from TensorArray index ", index, ".  Furthermore, the element shape is not fully defined: ", shape.toString(),
                            ".  It is possible you are working with a resizeable TensorArray and stop_gradients is not allowing the gradients to be "
                            "written.  If you set the full element_shape property on the forward TensorArray, the proper all-zeros tensor will be "
                            "returned instead of incurring this error."));
    WEFT_LET(value, options_.device->zeros(options_.dtype, shape));
    if (!slot.written) {
      slot.shape = shape;
      slot.written = true;
    }
    slot.value = value;
  }
  slot.ownCopy = false;  // readers now share the buffer
  slot.read = true;
  if (options_.clearAfterRead) {
    slot.value = Tensor();
    slot.cleared = true;
  }
  return value;
}

void TensorArray::close() {
  std::vector<Slot> dying;
  const MutexLock lock(mutex_);
  dying.swap(slots_);
  closed_ = true;
}

Result<std::shared_ptr<TensorArray>> TensorArray::makeGradient(const std::string& name, const Shape& prepend) {
  const MutexLock lock(mutex_);
  WEFT_TRY(checkOpen());
  if (!gradientsAllowed_)
    return invalidArgument("Unable to create a gradients TensorArray for ", options_.name,
                           ".  Perhaps you used the multiple_writes_aggregate flag on a previous write?  Gradient calculation is impossible when "
                           "multiple writes are performed to the same index.");
  options_.dynamicSize = false;
  Options options = options_;
  options.name = name;
  options.isGradient = true;
  options.clearAfterRead = true;
  const auto behind = [&](const Shape& s) {
    if (!s.hasRank()) return s;
    Shape whole = prepend;
    whole.append(s);
    return whole;
  };
  options.elementShape = behind(options_.elementShape);
  auto gradient = std::make_shared<TensorArray>(std::move(options), int64_t(slots_.size()));
  const MutexLock ofGradient(gradient->mutex_);
  gradient->marked_ = marked_;
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (!slots_[i].written) continue;
    gradient->slots_[i].shape = behind(slots_[i].shape);
    gradient->slots_[i].written = true;
  }
  return gradient;
}

}  // namespace weft
