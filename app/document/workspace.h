#pragma once

#include <QObject>
#include <QVector>
#include <functional>

#include "document/log.h"
#include "document/run_controller.h"
#include "document/settings.h"
#include "document/tasks.h"

namespace weft::app {

class Document;

/// The open documents and what belongs to all of them. Handed to views and commands; there is no global one. GUI thread.
class Workspace : public QObject {
  Q_OBJECT

 public:
  explicit Workspace(Settings::Kind settings, QObject* parent = nullptr);
  ~Workspace() override;

  Settings& settings() { return settings_; }
  Tasks& tasks() { return tasks_; }
  Log& log() { return log_; }
  RunController& runs() { return runs_; }

  const QVector<Document*>& documents() const { return documents_; }
  Document* current() const { return current_; }
  void setCurrent(Document* document);

  /// Called when an opening or saving ended: the error, or empty.
  using Done = std::function<void(const QString& error)>;
  /// Reads a file beside the GUI thread and adds it as the current document; a file that is open already is only shown.
  void open(const QString& path, Done done = {});
  void newFromTemplate(const QString& name, Done done = {});
  void save(Document* document, const QString& path, Done done = {});
  /// Forgets the document; unsaved changes are lost. A run of it is stopped.
  void close(Document* document);
  /// Whether a file is being read or written.
  bool isBusy() const { return pending_ > 0; }

 signals:
  void documentAdded(weft::app::Document* document);
  void documentRemoved(weft::app::Document* document);
  void currentChanged();
  /// Selection, title or contents of the current document changed.
  void currentSelectionChanged();
  void titleChanged(weft::app::Document* document);
  void recentChanged();
  /// A file could not be opened or saved.
  void failed(const QString& message);

 private:
  void add(Document* document);
  void report(const QString& error, const Done& done);

  Settings settings_;
  Log log_;
  Tasks tasks_;
  RunController runs_;
  QVector<Document*> documents_;
  Document* current_ = nullptr;
  int pending_ = 0;
};

}  // namespace weft::app
