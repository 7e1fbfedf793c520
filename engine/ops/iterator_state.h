#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/functions.h"
#include "weft/tensor.h"

namespace weft {

class DatasetIterator;
struct Captured;

/// The position of an iterator and of the iterators below it, as values by name. One description serves both directions: an iterator names its fields
/// (DatasetIterator::exchange), and they are written, or set from what was written.
class IteratorState {
 public:
  using Values = std::map<std::string, Tensor>;
  using Element = std::vector<Tensor>;

  /// `values` are filled, or, if `restores`, read. They outlive the state.
  IteratorState(Values& values, bool restores, CallSite site) : values_(values), restores_(restores), site_(site) {}
  bool restores() const { return restores_; }
  const CallSite& site() const { return site_; }
  /// The part of the state whose names begin with `name`.
  IteratorState below(std::string_view name) const;

  /// One field. DATA_LOSS if it was not written, or with another type: the state belongs to another pipeline.
  Status value(std::string_view name, int64_t& v);
  Status value(std::string_view name, int& v);
  Status value(std::string_view name, size_t& v);
  Status value(std::string_view name, bool& v);
  Status value(std::string_view name, std::string& v);
  Status value(std::string_view name, Element& v);
  /// The outcome of computing an element.
  Status outcome(std::string_view name, Status& v);
  /// A list of elements: std::vector, std::deque.
  template <typename List>
  Status elements(std::string_view name, List& list) {
    WEFT_TRY(resize(name, list));
    for (size_t i = 0; i < list.size(); ++i) WEFT_TRY(value(concat(name, "[", i, "]"), list[i]));
    return {};
  }
  /// Writes the size of a list, or gives it the size that was written.
  template <typename List>
  Status resize(std::string_view name, List& list) {
    size_t n = list.size();
    WEFT_TRY(size(name, n));
    if (restores_) list.resize(n);
    return {};
  }

  /// The size of a list whose entries are written next.
  Status size(std::string_view name, size_t& n);

  /// The state of an iterator below this one; null if it has ended. `make` creates the iterator where restoring finds none; without it, there must be one.
  using Make = std::function<Result<std::unique_ptr<DatasetIterator>>()>;
  Status inner(std::string_view name, std::unique_ptr<DatasetIterator>& iterator, const Make& make = {});

  /// FAILED_PRECONDITION if the function depends on state that is not saved with the iterator: variables, random streams, objects of the session.
  static Status requireStateless(const Captured& function);

 private:
  Status field(std::string_view name, Tensor& t);
  template <typename T>
  Status scalar(std::string_view name, T& v);

  Values& values_;
  const bool restores_;
  CallSite site_;
  std::string prefix_;
};

/// The state as a variant that checkpoints hold, with TensorFlow's type name; the names of the fields are Weft's own.
Tensor stateTensor(IteratorState::Values values);
/// INVALID_ARGUMENT unless `t` is such a variant.
Result<std::shared_ptr<const IteratorState::Values>> stateIn(const Tensor& t);
void registerIteratorStates();

}  // namespace weft
