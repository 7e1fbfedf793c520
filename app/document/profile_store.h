#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>

#include "adapters/profile_contents.h"

namespace weft::app {

class Document;
class Workspace;

/// The trace that is looked at, the one that it is compared with, and what is selected in it. Belongs to a workspace; GUI thread.
class ProfileStore : public QObject {
  Q_OBJECT

 public:
  /// The workspace's; made when first asked for.
  static ProfileStore& of(Workspace& workspace);

  const ProfilePtr& current() const { return current_; }
  const ProfilePtr& compared() const { return compared_; }
  bool isBusy() const { return pending_ > 0; }
  QString lastError() const { return error_; }

  using Done = std::function<void(const QString& error)>;
  /// Reads a trace beside the GUI thread; the open graph completes what the file does not say.
  void open(const QString& path, Done done = {});
  void save(const QString& path, Done done = {});
  /// Reads the trace that the current one is compared with; empty path: none.
  void compareWith(const QString& path, Done done = {});
  /// Records steps of the document's training; starts one of `steps` steps and a few before them if none is running.
  /// REQUIRES: whyNoTrace() is empty.
  void trace(qint64 steps, Done done = {});
  QString whyNoTrace() const;

  int selectedSlice() const { return slice_; }
  /// Selects a slice and its node in the current document, if it has it; -1: none.
  void selectSlice(int slice);
  /// A node by name; its first slice becomes the selected one.
  void selectNode(const QString& node);

  /// Gives the canvas values for ColorMode::Values: "time" or "memory" of the nodes, as the colours of a trace. Returns an error, or empty.
  QString applyHeat(Document* document, const QString& what);

 signals:
  void currentChanged();
  void comparedChanged();
  void sliceSelected(int slice);
  void busyChanged();

 private:
  explicit ProfileStore(Workspace& workspace);
  void take(const TracedStepsPtr& steps);
  void show(ProfilePtr profile);
  void work(const QString& title, std::function<ProfileOutcome()> make, std::function<void(ProfilePtr)> use, Done done);
  void followDocument();
  void finish(const QString& error);

  Workspace& workspace_;
  ProfilePtr current_, compared_;
  QString error_;
  Done traced_;  // of the trace that is being recorded
  int slice_ = -1, pending_ = 0;
  bool selecting_ = false;
};

}  // namespace weft::app
