// Sweeps of documents: the one that runs, and the runs of the document in front.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>

#include "adapters/experiment_page.h"
#include "adapters/sweep_job.h"

namespace weft::app {

class Document;
class Workspace;

/// One sweep runs at a time. The page shows a sweep of the document in front, read on another thread, and again when there is news. GUI thread.
class Experiments : public QObject {
  Q_OBJECT

 public:
  /// The experiments of a workspace; created on the first call, lives as long as the workspace.
  static Experiments& of(Workspace& workspace);
  ~Experiments() override;

  /// Why no sweep of `document` can begin now, in one sentence; empty if one can.
  QString whyNot(const Document* document) const;
  /// REQUIRES: whyNot(document).isEmpty(). Fills in what the document determines.
  void start(Document* document, SweepRequest request);
  /// Goes on with a stopped sweep; 0: the last one.
  void goOn(Document* document, qint64 sweep);
  void pause();
  void resume();
  void stop();
  /// The present or last sweep of this session; phase Done and no name if there was none.
  const SweepState& state() const { return state_; }
  bool isActive() const { return job_ && state_.isActive(); }
  /// The document that the present sweep trains; null if it was closed.
  Document* document() const { return document_; }

  /// The runs of the document in front; never null.
  const ExperimentPagePtr& page() const { return page_; }
  /// Whether runs compute, or the page is being read.
  bool isBusy() const { return reading_ || (isActive() && state_.phase != SweepState::Phase::Paused); }
  /// What the page shows; a new request is read soon.
  const ExperimentRequest& request() const { return request_; }
  void setRequest(const ExperimentRequest& request);
  /// Looks whether there is news; called while somebody looks.
  void refresh();
  /// Reads runs from event files into the store of the document in front. `done` gets the number of runs, or an error.
  void import(const QString& folder, std::function<void(qint64 runs, const QString& error)> done);

  /// Ids of the selected runs.
  const QVector<qint64>& selection() const { return selection_; }
  void select(const QVector<qint64>& runs);
  /// The run whose parameters `promote` would use: the only selected one, else the best; −1: none. Index into the page's runs.
  int promoted() const;
  /// Writes the parameters of a run into the document in front. `done` gets an error, or empty.
  void promote(int run, std::function<void(const QString& error)> done);

 signals:
  void progressed();  ///< The sweep's state changed.
  void ended();
  void pageChanged();
  void selectionChanged();

 private:
  explicit Experiments(Workspace& workspace);
  void poll();
  void readAgain();
  QString fileOf(const Document* document) const;

  Workspace& workspace_;
  QPointer<Document> document_;
  std::unique_ptr<SweepJob> job_;
  SweepState state_;
  quint64 seen_ = 0;  // version of the job
  QElapsedTimer sinceRead_;
  ExperimentRequest request_;
  ExperimentPagePtr page_ = std::make_shared<ExperimentPage>();
  QVector<qint64> selection_;
  QTimer poll_;
  bool reading_ = false, again_ = false;
  std::unique_ptr<ExperimentReader> reader_;
};

}  // namespace weft::app
