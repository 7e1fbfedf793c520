#include "adapters/file_sources.h"

#include "adapters/file_engine.h"
#include "adapters/tasks.h"
#include "weft/statistics.h"

namespace weft::app {
namespace {

constexpr int kFileBins = 64;

class DataSource : public widgets::TensorSource {
 public:
  DataSource(TensorDataPtr data, const ValueSummary& s) : data_(std::move(data)) {
    facts_.isNumeric = s.numeric;
    facts_.elements = s.count;
    facts_.bytes = qint64(tensorOf(*data_).totalBytes());
    facts_.nans = s.nan;
    facts_.positiveInfinities = s.positiveInf;
    facts_.negativeInfinities = s.negativeInf;
    facts_.zeros = s.zeros;
    facts_.min = s.min;
    facts_.max = s.max;
    facts_.mean = s.mean;
    facts_.std = s.std;
    // The widget's bins reach from min to max; here, bins of few distinct integers are one wide and centred on them.
    const bool wide = s.numeric && s.low < s.min && s.max > s.min;
    if (wide)
      for (const int64_t n : histogramBetween(tensorOf(*data_), s.min, s.max, kFileBins)) facts_.histogram << n;
    else
      for (const int64_t n : s.histogram) facts_.histogram << n;
  }
  QString dtype() const override { return data_->dtype(); }
  QVector<qint64> shape() const override { return data_->shape(); }
  const widgets::TensorFacts& facts() const override { return facts_; }
  double number(qint64 flat) const override { return data_->isNumeric() ? data_->number(flat) : 0; }
  QString text(qint64 flat) const override { return data_->text(flat); }
  const TensorDataPtr& data() const { return data_; }

 private:
  TensorDataPtr data_;
  widgets::TensorFacts facts_;
};

}  // namespace

TensorSourcePtr sourceOf(const TensorDataPtr& data, TaskState& task) {
  if (!data) return nullptr;
  const auto s = summaryOf(tensorOf(*data), kFileBins, [&task](double) { return !task.cancelled.load(std::memory_order_relaxed); });
  return s.ok() ? std::make_shared<DataSource>(data, *s) : nullptr;
}

TensorDataPtr dataOf(const widgets::TensorSource& source) {
  const auto* made = dynamic_cast<const DataSource*>(&source);
  return made ? made->data() : nullptr;
}

TensorSourcePtr differenceSource(const TensorDataPtr& here, const TensorDataPtr& there, TaskState& task) {
  if (!here || !there || !here->isNumeric() || here->shape() != there->shape() || here->dtype() != there->dtype()) return nullptr;
  const Tensor& a = tensorOf(*here);
  auto difference = Tensor::allocate(DType::Double, a.shape());
  if (!difference.ok()) return nullptr;
  auto* out = difference->mutableData<double>();
  for (int64_t i = 0; i < a.elements(); ++i) {
    if (i % 65536 == 0 && task.cancelled.load(std::memory_order_relaxed)) return nullptr;
    // Equal values differ by 0, also infinities and NaN.
    const double x = here->number(i), y = there->number(i);
    out[i] = x == y || (x != x && y != y) ? 0 : y - x;
  }
  return sourceOf(wrapTensor(std::move(*difference)), task);
}

}  // namespace weft::app
