#include "adapters/file_tensors.h"

#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <algorithm>
#include <cmath>
#include <complex>

#include "adapters/engine_graph.h"
#include "adapters/file_engine.h"
#include "adapters/tasks.h"
#include "weft/arrays.h"
#include "weft/compare.h"
#include "weft/object_graph.h"

namespace weft::app {
namespace {

struct FileTensorsText {
  Q_DECLARE_TR_FUNCTIONS(FileTensors)
};

QVector<qint64> dimsOf(const Shape& shape) {
  QVector<qint64> dims;
  for (const int64_t d : shape.dims()) dims << d;
  return dims;
}

Progress progressOf(TaskState& task, double from = 0, double to = 1) {
  return [&task, from, to](double done) {
    task.progress.store(from + (to - from) * done, std::memory_order_relaxed);
    return !task.cancelled.load(std::memory_order_relaxed);
  };
}

/// Writes rows of the last dimension as lines of a CSV file.
Status writeCsv(const TensorData& data, const std::string& path) {
  const QVector<qint64> shape = data.shape();
  const qint64 columns = shape.isEmpty() ? 1 : std::max<qint64>(1, shape.last());
  std::string out;
  for (qint64 i = 0; i < data.elements(); ++i) {
    QString value = data.text(i);
    if (value.contains(u',') || value.contains(u'"') || value.contains(u'\n')) value = u'"' + value.replace(QLatin1String("\""), QLatin1String("\"\"")) + u'"';
    out += value.toStdString();
    out += (i + 1) % columns == 0 || i + 1 == data.elements() ? '\n' : ',';
  }
  return posixFileSystem().writeAtomically(path, out);
}

class EngineTensor : public TensorData {
 public:
  explicit EngineTensor(Tensor tensor) : tensor(std::move(tensor)) {}

  QString dtype() const override { return app::text(dtypeName(tensor.dtype())); }
  QVector<qint64> shape() const override { return dimsOf(tensor.shape()); }
  qint64 elements() const override { return tensor.elements(); }
  bool isNumeric() const override { return sizeOf(tensor.dtype()) > 0; }
  double number(qint64 i) const override {
    if (tensor.dtype() == DType::Complex64) return std::abs(tensor.data<std::complex<float>>()[i]);
    if (tensor.dtype() == DType::Complex128) return std::abs(tensor.data<std::complex<double>>()[i]);
    return isNumeric() ? tensor.asDouble(i) : std::nan("");
  }
  QString text(qint64 i) const override {
    const DType t = tensor.dtype();
    if (t == DType::String) return app::text(tensor.data<std::string>()[i]);
    if (t == DType::Bool) return tensor.asInt(i) ? QStringLiteral("True") : QStringLiteral("False");
    if (t == DType::UInt64) return QString::number(tensor.at<uint64_t>(i));
    if (t == DType::Complex64 || t == DType::Complex128) {
      const std::complex<double> c =
          t == DType::Complex64 ? std::complex<double>(tensor.data<std::complex<float>>()[i]) : tensor.data<std::complex<double>>()[i];
      return QStringLiteral("%1%2%3j").arg(c.real()).arg(c.imag() < 0 ? QString() : QStringLiteral("+")).arg(c.imag());
    }
    if (!isNumeric()) return QStringLiteral("?");
    if (!isFloating(t)) return QString::number(tensor.asInt(i));
    // Enough digits to distinguish any two values of the type.
    const int digits = t == DType::Double ? 17 : t == DType::Float ? 9 : t == DType::Half ? 5 : 4;
    return QString::number(tensor.asDouble(i), 'g', digits);
  }
  TensorFacts facts(TaskState& task, int bins) const override {
    TensorFacts out;
    const auto s = summaryOf(tensor, bins, [&task](double) { return !task.cancelled.load(std::memory_order_relaxed); });
    if (!s.ok()) {
      out.error = app::text(s.error().message);
      return out;
    }
    out.known = true;
    out.numeric = s->numeric;
    out.count = s->count;
    out.nan = s->nan;
    out.infinite = s->positiveInf + s->negativeInf;
    out.zeros = s->zeros;
    out.min = s->min;
    out.max = s->max;
    out.mean = s->mean;
    out.std = s->std;
    out.low = s->low;
    out.high = s->high;
    for (const int64_t n : s->histogram) out.histogram << n;
    return out;
  }
  QVector<qint64> histogram(double low, double high, int bins) const override {
    QVector<qint64> out;
    for (const int64_t n : histogramBetween(tensor, low, high, bins)) out << n;
    return out;
  }
  QString exportTo(const QString& path) const override {
    const std::string file = path.toStdString();
    const Status status = path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) ? writeCsv(*this, file) : saveNpy(file, tensor);
    if (status.ok()) return {};
    Error error = status.error();
    return errorText(error.inFile(file));
  }

  const Tensor tensor;
};

TensorEntry entryOf(const std::string& name, DType dtype, const Shape& shape) {
  TensorEntry e;
  e.name = text(name);
  e.dtype = text(dtypeName(dtype));
  e.shape = dimsOf(shape);
  e.elements = shape.elements();
  e.bytes = sizeOf(dtype) ? e.elements * qint64(sizeOf(dtype)) : -1;
  return e;
}

}  // namespace

TensorDataPtr wrapTensor(Tensor tensor) { return std::make_shared<EngineTensor>(std::move(tensor)); }
const Tensor& tensorOf(const TensorData& data) { return static_cast<const EngineTensor&>(data).tensor; }

int FileTensors::indexOf(const QString& name) const {
  const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const TensorEntry& e) { return e.name == name; });
  return at == entries_.end() ? -1 : int(at - entries_.begin());
}

CheckpointTensors::CheckpointTensors(std::unique_ptr<CheckpointReader> reader) : reader_(std::move(reader)) {
  QHash<QString, QString> names;
  if (const auto objects = readObjectGraph(*reader_); objects.ok())
    for (const CheckpointObject& object : *objects)
      for (const CheckpointObject::Value& value : object.values) names.insert(text(value.key), text(value.fullName));
  for (const CheckpointEntry& entry : reader_->tensors()) {
    TensorEntry e = entryOf(entry.name, entry.dtype, entry.shape);
    e.parts = int(entry.slices.size());
    e.role = TensorRole(int(roleOf(entry.name, *reader_)));
    e.fullName = names.value(e.name);
    entries_ << e;
  }
}

TensorRead CheckpointTensors::read(int index) const {
  auto tensor = reader_->read(reader_->tensors()[size_t(index)].name);
  if (!tensor.ok()) return {nullptr, errorText(tensor.error())};
  return {wrapTensor(std::move(*tensor)), {}};
}

ArrayTensors::ArrayTensors(std::vector<std::pair<std::string, Tensor>> arrays) : arrays_(std::move(arrays)) {
  for (const auto& [name, tensor] : arrays_) {
    TensorEntry e = entryOf(name, tensor.dtype(), tensor.shape());
    if (e.bytes < 0) e.bytes = qint64(tensor.totalBytes());
    entries_ << e;
  }
}

TensorRead ArrayTensors::read(int index) const { return {wrapTensor(arrays_[size_t(index)].second), {}}; }

int FileComparison::count(TensorChange::Kind kind) const {
  if (kind == TensorChange::Kind::OnlyThere) return int(onlyThere.size());
  return int(std::count_if(changes.begin(), changes.end(), [kind](const TensorChange& c) { return c.kind == kind; }));
}

std::shared_ptr<FileComparison> compareTensors(const FileTensors& here, FileTensorsPtr there, const QString& otherPath, TaskState& task) {
  using Kind = TensorChange::Kind;
  auto out = std::make_shared<FileComparison>();
  out->otherPath = otherPath;
  out->other = there;
  double total = 1, done = 0;
  for (const TensorEntry& e : here.entries()) total += double(e.elements);
  QSet<QString> met;
  for (int i = 0; i < here.entries().size(); ++i) {
    const TensorEntry& entry = here.entries()[i];
    const int k = there->indexOf(entry.name);
    TensorChange change;
    if (k < 0) {
      change.kind = Kind::OnlyHere;
    } else {
      met.insert(entry.name);
      change.other = there->entries()[k];
      change.kind = change.other.shape != entry.shape ? Kind::ShapeDiffers : change.other.dtype != entry.dtype ? Kind::TypeDiffers : Kind::Same;
    }
    if (change.kind == Kind::Same) {
      const TensorRead a = here.read(i), b = there->read(k);
      if (!a.data || !b.data) {
        change.kind = Kind::Unreadable;
        change.error = a.data ? b.error : a.error;
      } else {
        const auto d = differenceOf(tensorOf(*a.data), tensorOf(*b.data), progressOf(task, done / total, (done + double(entry.elements)) / total));
        if (!d.ok() && d.error().code == Code::Cancelled) return nullptr;
        if (!d.ok()) {
          change.kind = Kind::Unreadable;
          change.error = text(d.error().message);
        } else {
          change.kind = d->differing ? Kind::Changed : Kind::Same;
          change.count = d->count;
          change.differing = d->differing;
          change.worst = d->worst;
          change.maxAbsolute = d->maxAbsolute;
          change.maxRelative = d->maxRelative;
          change.relative = d->relative();
          change.cosine = d->cosine;
          change.norm = d->norm;
        }
      }
    }
    done += double(entry.elements);
    task.progress.store(done / total, std::memory_order_relaxed);
    if (task.cancelled.load(std::memory_order_relaxed)) return nullptr;
    out->changes << change;
  }
  for (const TensorEntry& e : there->entries())
    if (!met.contains(e.name)) out->onlyThere << e;
  return out;
}

}  // namespace weft::app
