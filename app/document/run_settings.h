#pragma once

#include <QMap>
#include <QObject>
#include <QString>

namespace weft::app {

class Document;

/// Of the number beside the button that trains several steps, and of run.steps.
inline constexpr int kMostStepCount = 1000000;

/// What a run is started with; 0 and empty: what the document says.
struct RunRequest {
  qint64 steps = 0, epochs = 0;
  qint64 firstSteps = 0;       ///< Pauses after so many; 0: does not.
  int patience = 0;            ///< Ends after so many evaluations without gain; 0: never.
  QString resumeFrom;          ///< Prefix of a checkpoint.
  qint64 resumeStep = 0;       ///< Its step, if it is known.
  bool paused = false;         ///< Waits before its first step.
  QString origin;              ///< In words: `run 1, step 2000`.
  QMap<QString, QString> set;  ///< `seed`, `batch_size`, `device` ("GPU:0"), live scalars and tensors by name.
};

/// What the next runs of one document are started with beside what its file says, and the live scalars that somebody has set. Goes with the document, and to the one
/// that takes its place; two documents never see each other's.
class RunSettings : public QObject {
  Q_OBJECT

 public:
  /// The document's own; made when first asked for.
  static RunSettings& of(Document& document);
  /// Null: nothing was ever set.
  static const RunSettings* find(const Document* document);

  const RunRequest& next() const { return next_; }
  void setNext(const RunRequest& request) { next_ = request; }
  /// NaN: nobody has set it, so that what the document says holds, whatever that becomes.
  double live(const QString& name) const;
  void setLive(const QString& name, double value) { live_[name] = value; }
  /// Whose runs those of the document are: the same number for what takes its place, and for the same file opened again.
  quint64 owner() const { return owner_; }
  void setOwner(quint64 owner) { owner_ = owner; }
  /// Those of a document whose place this one takes; live scalars that it does not have go.
  void takeOver(const Document& old);

 private:
  explicit RunSettings(Document& document);

  Document& document_;
  RunRequest next_;
  quint64 owner_;
  QMap<QString, double> live_;
};

}  // namespace weft::app
