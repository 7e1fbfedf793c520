#include "adapters/tensor_source.h"

#include "adapters/engine_graph.h"
#include "common/format.h"
#include "weft/tensor_statistics.h"

namespace weft::app {
namespace {

constexpr int kTensorBins = 48;

class EngineTensorSource final : public widgets::TensorSource {
 public:
  explicit EngineTensorSource(Tensor tensor) : tensor_(std::move(tensor)) {
    const TensorStatistics s = statisticsOf(tensor_);
    facts_ = {s.isNumeric, s.elements, s.bytes, s.nans, s.positiveInfinities, s.negativeInfinities, s.zeros, s.min, s.max, s.mean, s.std, {}};
    if (s.isNumeric)
      for (const int64_t count : histogramOf(tensor_, s, kTensorBins)) facts_.histogram << count;
  }
  QString dtype() const override { return app::text(dtypeName(tensor_.dtype())); }
  QVector<qint64> shape() const override {
    QVector<qint64> dims;
    for (const int64_t d : tensor_.shape().dims()) dims << d;
    return dims;
  }
  const widgets::TensorFacts& facts() const override { return facts_; }
  double number(qint64 flat) const override {
    return !facts_.isNumeric ? 0 : tensor_.dtype() == DType::Float ? double(tensor_.at<float>(flat)) : tensor_.asDouble(flat);
  }
  QString text(qint64 flat) const override {
    if (tensor_.dtype() == DType::String) return app::text(tensor_.at<std::string>(flat));
    if (!facts_.isNumeric) return QStringLiteral("–");
    if (tensor_.dtype() == DType::Bool) return tensor_.at<bool>(flat) ? QStringLiteral("true") : QStringLiteral("false");
    if (isInteger(tensor_.dtype())) return QString::number(tensor_.asInt(flat));
    return widgets::formatValue(number(flat), 5);
  }

 private:
  Tensor tensor_;
  widgets::TensorFacts facts_;
};

}  // namespace

std::shared_ptr<const widgets::TensorSource> tensorSource(Tensor tensor) { return std::make_shared<const EngineTensorSource>(std::move(tensor)); }

}  // namespace weft::app
