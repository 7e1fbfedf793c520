#pragma once

#include <QHash>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QVector>
#include <memory>
#include <optional>

namespace weft::app {

class Document;
class Program;
class ProgramGraphs;

/// The last value of a tensor that a program fetched.
struct NotedValue {
  QString dtype, shape;                  ///< "f32", "50×10"; "" for a scalar.
  QString text;                          ///< The value of a small tensor, written out.
  double least = 0, most = 0, mean = 0;  ///< Statistics of a large one.
  qint64 bad = 0;                        ///< Number of elements that are NaN or infinite.
  qint64 run = 0;                        ///< The run of its graph that fetched it.
  /// "= 0.3125", or "min -1  max 2.5  mean 0.1", in the user's language.
  QString words() const;
};

/// Facts from a program's run on one of its lines.
struct LineNote {
  struct Made {
    QString tensor, shape, dtype;  ///< "conv1/Conv2D:0", "50×28×28×32" ("" for a scalar, "?" for an unknown rank), "f32".
    bool variable = false;
  };
  QVector<Made> made;
  int more = 0, nodes = 0;
  bool gradients = false;            ///< Gradients, or training ops that use them.
  QStringList scopes;                ///< Name scopes of the nodes, with a slash at the end.
  QString variableScope, nameScope;  ///< The scopes that the line entered; both empty: none.
  QVector<QPair<int, QString>> ran;  ///< Graph numbers and tensors that were fetched here.
  QStringList printed;               ///< The first printed texts and the last one.
  int prints = 0;
};

/// Facts from a program's last run for the editor and the canvas: notes by line and values by tensor. Kept until the next start. GUI thread.
class ProgramNotes : public QObject {
  Q_OBJECT

 public:
  ProgramNotes(Program& program, ProgramGraphs& graphs);

  /// Notes by line, from 1 on.
  const QMap<int, LineNote>& linesOf(const QString& file) const;
  std::optional<NotedValue> value(int graph, const QString& tensor) const;
  /// The value of a tensor, if the document shows one of the program's graphs.
  std::optional<NotedValue> valueOf(const Document* document, const QString& tensor) const;
  /// The line that entered a name scope ("net/conv1/") of any of its graphs; empty: unknown.
  std::optional<QPair<QString, int>> enteredAt(const QString& scope) const;
  bool isEmpty() const { return files_.isEmpty(); }

  /// Reads the notes that the program writes (studio_notes.py). Returns false if they are malformed.
  bool read(const QByteArray& json);

 signals:
  void changed();

 private:
  Program& program_;
  ProgramGraphs& graphs_;
  QHash<QString, QMap<int, LineNote>> files_;
  QHash<QPair<int, QString>, NotedValue> values_;
  QHash<QString, QPair<QString, int>> scopes_;
};

/// The canvas's short form of "float32": "f32".
QString shortDType(const QString& dtype);

}  // namespace weft::app
