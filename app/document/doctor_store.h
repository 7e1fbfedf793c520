#pragma once

#include <QHash>
#include <QObject>
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

  Workspace& workspace_;
  QHash<const Document*, Examination> known_;
  bool busy_ = false;
};

}  // namespace weft::app
