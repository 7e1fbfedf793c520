#pragma once

#include <QMap>
#include <QObject>
#include <QString>

namespace weft::app {

class Document;

/// Maximum for the number beside the button that trains several steps, and for run.steps.
inline constexpr int kMostStepCount = 1000000;

/// Settings of a run; 0 and empty: the document's.
struct RunRequest {
  qint64 steps = 0, epochs = 0;
  qint64 firstSteps = 0;       ///< Pauses after this many steps; 0: does not pause.
  int patience = 0;            ///< Stops after this many evaluations without improvement; 0: never.
  QString resumeFrom;          ///< Prefix of a checkpoint.
  qint64 resumeStep = 0;       ///< Its step, if known.
  bool paused = false;         ///< Pauses before the first step.
  QString origin;              ///< In words: `run 1, step 2000`.
  QMap<QString, QString> set;  ///< `seed`, `batch_size`, `device` ("GPU:0"), live scalars and tensors by name.
};

/// Settings for the next runs of one document in addition to its file's, and live scalars set by the user. They belong to the document and pass to its
/// replacement; documents never share them.
class RunSettings : public QObject {
  Q_OBJECT

 public:
  /// The document's settings; created on the first call.
  static RunSettings& of(Document& document);
  /// Null: nothing was ever set.
  static const RunSettings* find(const Document* document);

  const RunRequest& next() const { return next_; }
  void setNext(const RunRequest& request) { next_ = request; }
  /// NaN: not set by the user, so the document's value applies, even if that changes.
  double live(const QString& name) const;
  void setLive(const QString& name, double value) { live_[name] = value; }
  /// Identifies the document's runs: its replacement, and the same file opened again, have the same number.
  quint64 owner() const { return owner_; }
  void setOwner(quint64 owner) { owner_ = owner; }
  /// Takes over the settings of the replaced document; live scalars that the new one lacks are dropped.
  void takeOver(const Document& old);

 private:
  explicit RunSettings(Document& document);

  Document& document_;
  RunRequest next_;
  quint64 owner_;
  QMap<QString, double> live_;
};

}  // namespace weft::app
