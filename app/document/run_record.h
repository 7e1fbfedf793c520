#pragma once

#include <QDateTime>
#include <QPair>
#include <QString>
#include <QVector>

namespace weft::app {

/// Where a run stands.
struct RunProgress {
  qint64 step = 0, totalSteps = 0;
  double epoch = 0, totalEpochs = 0;
  double samplesPerSecond = 0;
  double elapsed = 0, left = -1;  ///< Seconds; left < 0: not known.
  double loss = 0, accuracy = 0, testAccuracy = 0, testLoss = 0;
  bool hasLoss = false, hasAccuracy = false, hasTestAccuracy = false, hasTestLoss = false;
};

/// A training, of this start of the program or an earlier one.
struct RunRecord {
  enum class End { Running, Finished, Stopped, StoppedEarly, Failed };
  struct Checkpoint {
    qint64 step = 0;
    QString prefix;
    double testAccuracy = -1, testLoss = -1;  ///< Of the evaluation at that step or the last before it; negative: none.
  };
  struct Edit {
    qint64 step = 0;  ///< From the step after it on.
    QString name;
    double value = 0;
  };
  int number = 0;        ///< Unique among the runs of a document, and among those of a start of the program; its colour too. 0: a folder without a number.
  bool earlier = false;  ///< Of an earlier start of the program, or another program.
  quint64 owner = 0;     ///< RunSettings::owner() of its document; 0: not known.
  QString name;          ///< `run 3`
  QString document;      ///< Title of what was trained.
  QString file;          ///< Its path; empty: it was never saved.
  QString documentHash;  ///< SHA-1 of its bytes.
  QString folder;
  QString origin;  ///< Where its variables come from, in words; empty: initialised.
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
/// The number of the colour that a run has everywhere; -1: any.
inline int hueOf(const RunRecord& run) { return run.number - 1; }
/// A share as an accuracy is written: "98.1 %"; "NaN" if it is none.
QString percentText(double share);
/// Writes FOLDER/run.json: what somebody wants to know of a run later, in any program. Any thread. What went wrong, or nothing.
QString writeRunRecord(const RunRecord& run);
/// How a run ended, or that it goes on, in one word: "done", "stopped" …
QString endWord(RunRecord::End end);
/// The same in a sentence without a name: "stopped after 120 of 200 steps".
QString endSentence(const RunRecord& run);

}  // namespace weft::app
