#include "adapters/file_records.h"

#include <QCoreApplication>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/tasks.h"
#include "common/format.h"
#include "weft/examples.h"
#include "weft/mutex.h"
#include "weft/record_schema.h"

namespace weft::app {
namespace {

struct RecordsText {
  Q_DECLARE_TR_FUNCTIONS(FileRecords)
};

constexpr int64_t kMostRecords = 5'000'000;
constexpr int64_t kSampledBytes = 256 << 20;  // of records that the columns are derived from
constexpr int kShownValues = 24, kShownHex = 256;

using Features = std::vector<ExampleFeature>;

QString typeName(ExampleFeature::Kind kind) {
  static const char* kNames[] = {"empty", "bytes", "float", "int64"};
  return QLatin1String(kNames[int(kind)]);
}

QString range(int64_t least, int64_t most) { return least == most ? QString::number(least) : QStringLiteral("%1…%2").arg(least).arg(most); }

template <typename T, typename F>
QString joined(const std::vector<T>& values, F&& show) {
  QStringList parts;
  for (size_t i = 0; i < values.size() && i < kShownValues; ++i) parts << show(values[i]);
  if (values.size() > kShownValues) parts << QStringLiteral("…");
  return parts.join(QStringLiteral(", "));
}

QString bytesText(const std::string& bytes) {
  const bool text = std::all_of(bytes.begin(), bytes.end(), [](char c) { return uint8_t(c) >= 32 || c == '\n' || c == '\t'; });
  if (text)
    return QStringLiteral("\"%1\"").arg(QString::fromUtf8(bytes.data(), qsizetype(std::min<size_t>(bytes.size(), 200))).simplified()) +
           (bytes.size() > 200 ? QStringLiteral("…") : QString());
  return RecordsText::tr("%n byte(s)", nullptr, int(std::min<size_t>(bytes.size(), INT_MAX)));
}

QString valuesText(const ExampleFeature& f) {
  switch (f.kind) {
    case ExampleFeature::Kind::Bytes: return joined(f.bytes, [](const std::string& s) { return bytesText(s); });
    case ExampleFeature::Kind::Float: return joined(f.floats, [](float v) { return QString::number(double(v), 'g', 6); });
    case ExampleFeature::Kind::Int64: return joined(f.ints, [](int64_t v) { return QString::number(v); });
    case ExampleFeature::Kind::Empty: break;
  }
  return {};
}

ParseSpec toApp(const FeatureSpec& spec) {
  ParseSpec out;
  out.name = text(spec.name);
  out.kind = ParseSpec::Kind(int(spec.kind));
  out.dtype = text(dtypeName(spec.dtype));
  for (const int64_t d : spec.shape.dims()) out.shape << d;
  out.hasDefault = spec.hasDefault;
  out.isSequence = spec.isSequence;
  out.indexKey = text(spec.indexKey);
  return out;
}

FeatureSpec toEngine(const ParseSpec& spec) {
  FeatureSpec out;
  out.name = spec.name.toStdString();
  out.kind = FeatureSpec::Kind(int(spec.kind));
  out.dtype = dtypeFromName(spec.dtype.toStdString());
  for (const qint64 d : spec.shape) out.shape.append(d);
  out.hasDefault = spec.hasDefault;
  out.isSequence = spec.isSequence;
  out.indexKey = spec.indexKey.toStdString();
  return out;
}

class EngineRecords : public FileRecords {
 public:
  EngineRecords(const QString& path, std::unique_ptr<RecordFile> file, TaskState& task) : path_(path.toStdString()), file_(std::move(file)) {
    SchemaInference inference;
    int64_t bytes = 0;
    for (int64_t i = 0; i < file_->count() && bytes < kSampledBytes && !task.cancelled; ++i) {
      const auto record = file_->read(i);
      if (!record.ok()) break;
      bytes += int64_t(record->size());
      inference.add(*record);
    }
    schema_ = inference.schema();
    const std::vector<FeatureSpec> specs = proposeSpecs(schema_);
    for (size_t i = 0; i < specs.size(); ++i) columns_ << columnOf(schema_.features[i], specs[i]);
  }

  qint64 count() const override { return file_->count(); }
  bool isComplete() const override { return file_->isComplete(); }
  qint64 bytesOf(qint64 record) const override { return file_->bytesOf(record); }
  QString form() const override {
    return schema_.form == RecordForm::Example           ? QStringLiteral("Example")
           : schema_.form == RecordForm::SequenceExample ? QStringLiteral("SequenceExample")
                                                         : QString();
  }
  qint64 sampled() const override { return schema_.records; }
  const QVector<FeatureColumn>& columns() const override { return columns_; }

  RecordView read(qint64 record) const override {
    RecordView view;
    Result<std::string> bytes = [&] {
      const MutexLock lock(mutex_);
      return file_->read(record);
    }();
    if (!bytes.ok()) {
      view.error = errorText(bytes.error());
      return view;
    }
    view.bytes = qint64(bytes->size());
    auto features = schema_.form == RecordForm::Bytes ? Result<Features>(Features{}) : parseExample(*bytes, schema_.form);
    if (!features.ok()) view.error = errorText(features.error());
    if (schema_.form == RecordForm::Bytes || !features.ok()) {
      view.hex = QString::fromLatin1(QByteArray(bytes->data(), qsizetype(std::min<size_t>(bytes->size(), kShownHex))).toHex(' '));
      return view;
    }
    for (const ExampleFeature& f : *features) {
      RecordFeature out{text(f.name), typeName(f.kind), valuesText(f), f.size(), {}};
      if (!f.bytes.empty()) out.bytes = QByteArray(f.bytes[0].data(), qsizetype(f.bytes[0].size()));
      view.features << out;
    }
    view.parsed = std::make_shared<const Features>(std::move(*features));
    return view;
  }

  QString applied(const ParseSpec& spec, const RecordView& view, bool* ok) const override {
    *ok = false;
    const auto* features = static_cast<const Features*>(view.parsed.get());
    if (!features) return {};
    const std::string name = spec.name.toStdString();
    const auto at =
        std::find_if(features->begin(), features->end(), [&](const ExampleFeature& f) { return f.name == name && f.isSequence == spec.isSequence; });
    const auto tensor = applySpec(toEngine(spec), at == features->end() ? nullptr : &*at);
    if (!tensor.ok()) return text(tensor.error().message);
    *ok = true;
    QString dims;
    shapeText(tensor->shape(), &dims);
    const QString what = text(dtypeName(tensor->dtype())) + u' ' + dims;
    return spec.kind == ParseSpec::Kind::Variable || spec.kind == ParseSpec::Kind::Sparse
               ? RecordsText::tr("SparseTensor, %1 value(s)").arg(tensor->elements()) + QStringLiteral(" · ") + text(dtypeName(tensor->dtype()))
               : what;
  }

  QString program(const QVector<ParseSpec>& specs) const override {
    std::vector<FeatureSpec> all;
    for (const ParseSpec& s : specs) all.push_back(toEngine(s));
    const auto program = parseProgram(schema_, all, {path_, file_->compression(), file_->count()});
    return program.ok() ? text(*program) : text("# " + program.error().message + '\n');
  }

 private:
  static FeatureColumn columnOf(const FeatureSummary& s, const FeatureSpec& proposed) {
    FeatureColumn c;
    c.name = text(s.name);
    c.type = typeName(s.kind);
    c.lengths = s.isSequence ? RecordsText::tr("%1 steps of %2").arg(range(s.least, s.most), range(s.leastStep, s.mostStep)) : range(s.leastStated, s.most);
    c.content = text(s.content);
    c.records = s.records - s.empty;
    c.mixed = s.mixed;
    c.isSequence = s.isSequence;
    c.proposed = toApp(proposed);
    return c;
  }

  const std::string path_;
  mutable Mutex mutex_;
  std::unique_ptr<RecordFile> file_;  // reads are guarded by mutex_
  RecordSchema schema_;
  QVector<FeatureColumn> columns_;
};

}  // namespace

FileRecordsPtr openRecords(const QString& path, TaskState& task, QString* error) {
  auto file = RecordFile::open(path.toStdString(), kMostRecords, [&task](double done) {
    task.progress.store(done, std::memory_order_relaxed);
    return !task.cancelled.load(std::memory_order_relaxed);
  });
  if (!file.ok()) {
    *error = errorText(file.error());
    return nullptr;
  }
  if ((*file)->count() == 0) return nullptr;
  return std::make_shared<EngineRecords>(path, std::move(*file), task);
}

}  // namespace weft::app
