#pragma once

#include <QDateTime>
#include <QPair>
#include <QString>
#include <QVector>

namespace weft::app {

/// The progress of a run.
struct RunProgress {
  qint64 step = 0, totalSteps = 0;
  double epoch = 0, totalEpochs = 0;
  double samplesPerSecond = 0;
  double elapsed = 0, left = -1;  ///< Seconds; left < 0: unknown.
  double loss = 0, accuracy = 0, testAccuracy = 0, testLoss = 0;
  bool hasLoss = false, hasAccuracy = false, hasTestAccuracy = false, hasTestLoss = false;
};

/// A training of this session or an earlier one.
struct RunRecord {
  enum class End { Running, Finished, Stopped, StoppedEarly, Failed };
  struct Checkpoint {
    qint64 step = 0;
    QString prefix;
    double testAccuracy = -1, testLoss = -1;  ///< From the evaluation at that step or the last one before; negative: none.
  };
  struct Edit {
    qint64 step = 0;  ///< Applies after that step.
    QString name;
    double value = 0;
  };
  int number = 0;        ///< Unique among a document's runs and among those of a session; also determines the colour. 0: a folder without a number.
  bool earlier = false;  ///< From an earlier session, or another program.
  quint64 owner = 0;     ///< RunSettings::owner() of its document; 0: unknown.
  QString name;          ///< `run 3`
  QString document;      ///< Title of the trained document.
  QString file;          ///< Its path; empty: it was never saved.
  QString documentHash;  ///< SHA-1 of its bytes.
  QString folder;
  QString origin;  ///< The source of its variables, in words; empty: initialised.
  QString notes;
  QDateTime started;
  QVector<QPair<QString, QString>> settings;
  QVector<Checkpoint> checkpoints;
  QVector<Edit> edits;
  RunProgress progress;
  End end = End::Running;
  QString error;
};

/// `run 3`, in the present language.
QString runName(int number);
/// The index of a run's colour; -1: any.
inline int hueOf(const RunRecord& run) { return run.number - 1; }
/// "host:port" of the TensorFlow server that computed it; empty: this machine.
QString serverOf(const RunRecord& run);
/// A fraction as an accuracy text: "98.1 %"; "NaN" if it is not a number.
QString percentText(double share);
/// Writes FOLDER/run.json, the record of a run for later use by any program. Any thread. Returns an error, or empty.
QString writeRunRecord(const RunRecord& run);
/// The state or end of a run in one word: "done", "stopped" …
QString endWord(RunRecord::End end);
/// The same as a sentence without a name: "stopped after 120 of 200 steps".
QString endSentence(const RunRecord& run);

}  // namespace weft::app
