// The records of a TFRecord file and the parsing of their features, in Qt's terms.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

namespace weft::app {

struct TaskState;

/// How to parse a feature (engine: FeatureSpec).
struct ParseSpec {
  enum class Kind { Fixed, Variable, FixedSequence, Sparse };
  QString name;
  Kind kind = Kind::Fixed;
  QString dtype;  ///< "float32", "int64", "string"
  QVector<qint64> shape;
  bool hasDefault = false, isSequence = false;
  QString indexKey;  ///< Of Sparse: the feature with the positions of the values.
};

/// The feature of one name over all sampled records.
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
  QString name, type, values;  ///< `values`: the first values in one line.
  qint64 count = 0;
  QByteArray bytes;  ///< The first string of a bytes feature (for pictures).
};
struct RecordView {
  qint64 bytes = 0;
  QVector<RecordFeature> features;
  QString hex;  ///< The first bytes of a record that is not an Example.
  QString error;
  std::shared_ptr<const void> parsed;  ///< For applied().
};

/// The records of a file. Immutable except for the read position, which a mutex guards; any thread.
class FileRecords {
 public:
  virtual ~FileRecords() = default;
  virtual qint64 count() const = 0;
  virtual bool isComplete() const = 0;  ///< Whether count() covers the whole file.
  virtual qint64 bytesOf(qint64 record) const = 0;
  /// "Example", "SequenceExample", or empty for plain bytes.
  virtual QString form() const = 0;
  virtual qint64 sampled() const = 0;  ///< Number of records that columns() was derived from.
  virtual const QVector<FeatureColumn>& columns() const = 0;
  /// Blocks.
  virtual RecordView read(qint64 record) const = 0;
  /// The result of parsing a record's feature with a spec: "float32 28×28", or why it fails.
  virtual QString applied(const ParseSpec& spec, const RecordView& view, bool* ok) const = 0;
  /// A Python program that parses the records, or a comment that says why no parse call can.
  virtual QString program(const QVector<ParseSpec>& specs) const = 0;
};
using FileRecordsPtr = std::shared_ptr<const FileRecords>;

/// Null and an error if not even the first record can be read.
FileRecordsPtr openRecords(const QString& path, TaskState& task, QString* error);

}  // namespace weft::app
