#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "adapters/tasks.h"
#include "adapters/why_answers.h"

namespace weft::app {

class Document;
class Workspace;

/// A recorded training that the present one can be compared with.
struct OtherTraining {
  QString title;  ///< "lenet · run 2", or what was changed: "lenet · run 3 with learning_rate=0.1".
  std::shared_ptr<WhyEngine> engine;
};

/// Questions about the numbers of the present or last training, and their answers. One is answered at a time; a new one ends the one before. GUI thread; the work
/// runs on another thread.
class WhyStore : public QObject {
  Q_OBJECT

 public:
  /// The workspace's instance; created on the first call.
  static WhyStore& of(Workspace& workspace);

  /// Why nothing can be asked; empty: it can.
  QString whyNot() const;
  WhyRange range() const;
  bool isBusy() const { return busy_; }

  using Done = std::function<void(const QString& error)>;
  /// `step` 0: the last one. REQUIRES: whyNot() is empty, as for the others.
  void ask(const QString& element, qint64 step, Done done = {});
  /// Follows a part of link `link` instead of what was followed there.
  void follow(int link, const WhyPart& part, Done done = {});
  void askRows(Done done = {});
  void compare(qint64 firstStep, qint64 secondStep, Done done = {});

  /// The trainings of this session before the present one, and those trained again, newest first: as many as their recorded steps fit in the memory for them.
  const QVector<OtherTraining>& others() const { return others_; }
  /// Title of the present or last training: "lenet · run 3".
  QString title() const;
  /// Compares with a step of others()[other]; `step` 0: the first that differs.
  void compareWith(int other, qint64 step, Done done = {});
  /// Trains a document (null: what was trained) up to the last recorded step, with settings replaced, then compares with it. The training joins others().
  void compareAgain(Document* document, const QVector<QPair<QString, QString>>& set, qint64 step, Done done = {});

  const QString& question() const { return question_; }
  qint64 step() const { return step_; }  ///< Of the question.
  const WhyPath& path() const { return path_; }
  /// Of the question; without rows and error until askRows().
  const WhyRows& rows() const { return rows_; }
  const WhyDifference& difference() const { return difference_; }
  /// The training that difference() compares with; empty: two steps of the present one.
  const QString& otherTitle() const { return otherTitle_; }
  QString error() const { return error_; }     ///< Of the last question.
  double seconds() const { return seconds_; }  ///< That its answer took.

 signals:
  void changed();
  /// A question was asked: about a number, or about two steps.
  void asked(bool comparison);
  /// Steps were recorded, or another training began.
  void rangeChanged();
  void othersChanged();

 private:
  explicit WhyStore(Workspace& workspace);
  ~WhyStore() override;
  std::shared_ptr<WhyEngine> engine() const;
  /// `work` runs on another thread, then `finish` on this one, unless another question was asked. `times`: it counts as the answer's time.
  void start(const QString& title, std::function<void(WhyEngine&, TaskState&)> work, std::function<QString()> finish, Done done, bool times = true);

  void keepPresent();
  void addOther(OtherTraining other);

  Workspace& workspace_;
  QVector<OtherTraining> others_;
  QString otherTitle_;
  mutable QString title_;  // of engine_'s training
  mutable std::shared_ptr<WhyEngine> engine_;
  int generation_ = 0, task_ = 0;
  bool busy_ = false;
  QString question_, error_;
  qint64 step_ = 0;
  WhyPath path_;
  WhyRows rows_;
  WhyDifference difference_;
  double seconds_ = 0;
};

}  // namespace weft::app
