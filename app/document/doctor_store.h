#pragma once

#include <QHash>
#include <QObject>
#include <QPair>
#include <functional>

#include "adapters/doctor_notes.h"

namespace weft::app {

class Document;
class Workspace;

/// What the doctor said of each document. GUI thread; the work runs on another thread.
class DoctorStore : public QObject {
  Q_OBJECT

 public:
  /// The workspace's instance; created on the first call.
  static DoctorStore& of(Workspace& workspace);

  struct Examination {
    QVector<DoctorNote> notes;
    QString error;
    GraphContentsPtr of;  ///< The contents that were examined.
    bool done = false, onlyGraph = false;
    QVector<DoctorNote> during;  ///< Of the last training that was watched.
    bool watched = false;        ///< There was one.
    bool program = false;        ///< It was that of a Python program.
  };
  /// Of the current document; not done if it was never examined.
  Examination current() const;
  bool isBusy() const { return busy_; }
  /// Why the current document cannot be examined; empty: it can.
  QString whyNot() const;
  using Done = std::function<void(const QString& error)>;
  /// REQUIRES: whyNot() is empty.
  void examine(Done done = {});

 signals:
  void changed();

 private:
  explicit DoctorStore(Workspace& workspace);
  Examination& of(Document* document);
  /// Findings of the program, as far as the documents of its graphs are there.
  void takeProgramNotes();

  Workspace& workspace_;
  QHash<const Document*, Examination> known_;
  QVector<QPair<int, DoctorNote>> waiting_;  ///< Of the program: number of the graph.
  bool busy_ = false;
};

}  // namespace weft::app
