// The records of a TFRecord file, and how their features would be parsed, in Qt's terms.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

namespace weft::app {

struct TaskState;

/// How a feature is parsed (engine: FeatureSpec).
struct ParseSpec {
  enum class Kind { Fixed, Variable, FixedSequence };
  QString name;
  Kind kind = Kind::Fixed;
  QString dtype;  ///< "float32", "int64", "string"
  QVector<qint64> shape;
  bool hasDefault = false;
};

/// What all records looked at have under one name.
struct FeatureColumn {
  QString name, type;  ///< "float", "int64", "bytes"
  QString lengths;     ///< "1", "3…17"
  QString content;     ///< of bytes: "JPEG", "text", "raw", …
  qint64 records = 0;
  bool mixed = false, isSequence = false;
  ParseSpec proposed;
};

/// One feature of one record.
struct RecordFeature {
  QString name, type, values;  ///< The first values in one line.
  qint64 count = 0;
  QByteArray bytes;  ///< The first string of a bytes feature (pictures).
};
struct RecordView {
  qint64 bytes = 0;
  QVector<RecordFeature> features;
  QString hex;  ///< The first bytes, of records that are no examples.
  QString error;
  std::shared_ptr<const void> parsed;  ///< For applied().
};

/// Immutable but for its place in the file, which a mutex guards; any thread.
class FileRecords {
 public:
  virtual ~FileRecords() = default;
  virtual qint64 count() const = 0;
  virtual bool isComplete() const = 0;  ///< Whether count() is that of the whole file.
  virtual qint64 bytesOf(qint64 record) const = 0;
  /// "Example", "SequenceExample" or empty: bytes of any kind.
  virtual QString form() const = 0;
  virtual qint64 sampled() const = 0;  ///< Records that columns() were found from.
  virtual const QVector<FeatureColumn>& columns() const = 0;
  /// Blocks.
  virtual RecordView read(qint64 record) const = 0;
  /// What a spec makes of the feature of a record: "float32 28×28", or why it fails.
  virtual QString applied(const ParseSpec& spec, const RecordView& view, bool* ok) const = 0;
  /// A parse function in Python.
  virtual QString program(const QVector<ParseSpec>& specs) const = 0;
  static QString specText(const ParseSpec& spec);
};
using FileRecordsPtr = std::shared_ptr<const FileRecords>;

/// Null and an error if there is not even a first record.
FileRecordsPtr openRecords(const QString& path, TaskState& task, QString* error);

}  // namespace weft::app
