#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

namespace weft::widgets {

/// All values of a run over its steps, oldest first. T has `double step, wall`. A value with a smaller step (a resumed run) first removes those that it
/// replaces, as TensorBoard does; a second value of the same step is kept beside the first. A plain value; not synchronized.
template <typename T>
class StepList {
 public:
  void append(T value) {
    ++version_;
    if (!items_.empty() && value.step < items_.back().step) eraseFrom(value.step);
    items_.push_back(std::move(value));
  }
  /// Appends all values in the given order.
  void append(std::vector<T> values) {
    const auto back = [](const T& a, const T& b) { return b.step < a.step; };
    const bool rises = values.empty() || ((items_.empty() || !(values.front().step < items_.back().step)) &&
                                          std::adjacent_find(values.begin(), values.end(), back) == values.end());
    if (!rises) {
      for (T& value : values) append(std::move(value));
      return;
    }
    version_ += values.size();
    items_.insert(items_.end(), std::make_move_iterator(values.begin()), std::make_move_iterator(values.end()));
  }
  /// Removes the values of that step and all later ones.
  void eraseFrom(double step) {
    ++version_;
    items_.erase(std::lower_bound(items_.begin(), items_.end(), step, [](const T& a, double at) { return a.step < at; }), items_.end());
  }
  void clear() {
    ++version_;
    items_.clear();
  }

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  const T& operator[](std::size_t i) const { return items_[i]; }
  const T& back() const { return items_.back(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  /// Increases whenever the contents change.
  std::uint64_t version() const { return version_; }

  /// Index of the last value at or before `step`; the first one if all come later. REQUIRES: not empty.
  std::size_t at(double step) const {
    const auto after = std::upper_bound(items_.begin(), items_.end(), step, [](double s, const T& a) { return s < a.step; });
    return after == items_.begin() ? 0 : static_cast<std::size_t>(after - items_.begin()) - 1;
  }

 private:
  std::deque<T> items_;  // a deque: moving thousands of histograms on growth would be slow
  std::uint64_t version_ = 0;
};

}  // namespace weft::widgets
