#include "ops/iterator_state.h"

#include "ops/datasets.h"
#include "tensor/variant.h"

namespace weft {
namespace {

/// Ops with state that gives the same in every run of a pipeline: sources of data, tables that are filled before it starts, checks.
bool isRepeatable(const OpRecord& op) {
  switch (op.opRole) {
    case OpRole::Dataset:
    case OpRole::ShuffleDataset:
    case OpRole::BatchDataset:
    case OpRole::Table:
    case OpRole::Check:
    case OpRole::Print: return true;
    default: return op.name.starts_with("LookupTableFind") || op.name.starts_with("LookupTableSize");
  }
}

// ---- the variant

class SavedState final : public VariantObject {
 public:
  explicit SavedState(IteratorState::Values v) : values(std::make_shared<const IteratorState::Values>(std::move(v))) {}
  const std::shared_ptr<const IteratorState::Values> values;

  static constexpr const char* kTypeName = "tensorflow::Iterator";
  Result<EncodedVariant> encoded() const override {
    EncodedVariant out{kTypeName, "", {}};
    for (const auto& [name, t] : *values) {
      out.metadata += kMark + name;
      out.tensors.push_back(t);
    }
    return out;
  }
  static Made decode(EncodedVariant from) {
    IteratorState::Values values;
    std::string_view rest = from.metadata;
    for (Tensor& t : from.tensors) {
      if (!rest.starts_with(kMark)) return dataLoss("The saved state of an iterator has more values than names");
      rest.remove_prefix(kMark.size());
      const size_t end = std::min(rest.find(kMark), rest.size());
      values.emplace(rest.substr(0, end), std::move(t));
      rest.remove_prefix(end);
    }
    if (!rest.empty()) return dataLoss("The saved state of an iterator has more names than values");
    return std::shared_ptr<const VariantObject>(std::make_shared<SavedState>(std::move(values)));
  }

 private:
  inline static const std::string kMark = "@@";  // before each name, as in TensorFlow
};

}  // namespace

IteratorState IteratorState::below(std::string_view name) const {
  IteratorState s = *this;
  s.prefix_ += name;
  s.prefix_ += '/';
  return s;
}

Status IteratorState::field(std::string_view name, Tensor& t) {
  const std::string key = prefix_ + std::string(name);
  if (!restores_) {
    values_[key] = t;
    return {};
  }
  const auto at = values_.find(key);
  if (at == values_.end()) return dataLoss("The saved state of the iterator does not fit its data set: it has no ", key);
  t = at->second;
  return {};
}

template <typename T>
Status IteratorState::scalar(std::string_view name, T& v) {
  Tensor t = Tensor::scalar(v);
  WEFT_TRY(field(name, t));
  if (t.dtype() != DTypeOf<T>::value || !t.shape().isScalar())
    return dataLoss("The saved state of the iterator does not fit its data set: ", prefix_, name, " is ", dtypeName(t.dtype()), " ", t.shape().toString());
  v = t.data<T>()[0];
  return {};
}

Status IteratorState::value(std::string_view name, int64_t& v) { return scalar(name, v); }
Status IteratorState::value(std::string_view name, bool& v) { return scalar(name, v); }
Status IteratorState::value(std::string_view name, std::string& v) { return scalar(name, v); }
Status IteratorState::value(std::string_view name, int& v) {
  int64_t wide = v;
  WEFT_TRY(scalar(name, wide));
  v = int(wide);
  return {};
}
Status IteratorState::value(std::string_view name, size_t& v) {
  auto wide = int64_t(v);
  WEFT_TRY(scalar(name, wide));
  if (wide < 0) return dataLoss("The saved state of the iterator has ", wide, " as ", prefix_, name);
  v = size_t(wide);
  return {};
}
Status IteratorState::value(std::string_view name, Element& v) {
  WEFT_TRY(resize(name, v));
  for (size_t k = 0; k < v.size(); ++k) WEFT_TRY(field(concat(name, "/", k), v[k]));
  return {};
}

Status IteratorState::outcome(std::string_view name, Status& v) {
  int code = int(v.code());
  std::string message = v.ok() ? "" : v.error().message;
  WEFT_TRY(value(concat(name, "_code"), code));
  WEFT_TRY(value(concat(name, "_message"), message));
  if (!restores_) return {};
  v = {};
  if (code == int(Code::Ok)) return {};
  Error error;
  error.code = Code(code);
  error.message = std::move(message);
  v = std::move(error);
  return {};
}

Status IteratorState::size(std::string_view name, size_t& n) {
  WEFT_TRY(value(concat(name, "_size"), n));
  if (restores_ && n > values_.size()) return dataLoss("The saved state of the iterator has ", n, " as the size of ", prefix_, name);
  return {};
}

Status IteratorState::inner(std::string_view name, std::unique_ptr<DatasetIterator>& iterator, const Make& make) {
  bool open = iterator != nullptr;
  WEFT_TRY(value(concat(name, "_open"), open));
  if (!open) {
    iterator.reset();
    return {};
  }
  if (!iterator) {
    if (!make) return internalError("An iterator was to be restored into one that has ended");
    WEFT_LET(iterator, make());
  }
  IteratorState its = below(name);
  return iterator->exchange(its);
}

Status IteratorState::requireStateless(const Captured& function) {
  WEFT_LET(const std::string op, opInFunction(function, [](const OpRecord& r) { return r.isStateful && !isRepeatable(r); }));
  if (op.empty()) return {};
  return failedPrecondition(op, " is stateful: the position of an iterator whose function depends on it cannot be saved");
}

Tensor stateTensor(IteratorState::Values values) {
  Tensor t = Tensor::zeros(DType::Variant, {});
  static_cast<VariantValue*>(t.mutableRaw())->object = std::make_shared<SavedState>(std::move(values));
  return t;
}

Result<std::shared_ptr<const IteratorState::Values>> stateIn(const Tensor& t) {
  const auto* saved =
      t.dtype() == DType::Variant && t.shape().isScalar() ? dynamic_cast<const SavedState*>(static_cast<const VariantValue*>(t.raw())->object.get()) : nullptr;
  if (!saved) return invalidArgument("The variant holds no state of an iterator");
  return saved->values;
}

void registerIteratorStates() { setVariantDecoder(SavedState::kTypeName, &SavedState::decode); }

}  // namespace weft
