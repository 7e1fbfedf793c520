#pragma once

#include <QObject>
#include <QVector>
#include <functional>

#include "adapters/group_facts.h"

namespace weft::app {

class Workspace;

/// The groups of the current document, and the user's libraries of groups, whose paths the settings keep. GUI thread; files are read and written on other threads.
class GroupStore : public QObject {
  Q_OBJECT

 public:
  /// The workspace's instance; created on the first call.
  static GroupStore& of(Workspace& workspace);

  /// Of the current document.
  const QVector<GroupFacts>& groups() const { return groups_; }
  /// In the order in which they were added; one that cannot be read has an error.
  const QVector<GroupLibrary>& libraries() const { return libraries_; }
  /// Everything that can be inserted: the document's groups, then those of libraries.
  QVector<widgets::PaletteItem> items() const;

  using Done = std::function<void(const QString& error)>;
  /// Adds a library, or reads it again. A file that is none is not added.
  void addLibrary(const QString& path, Done done = {});
  /// The file stays. False: there is no such library.
  bool removeLibrary(const QString& path);
  /// Writes groups of the current document (none named: all) to a library, which is added.
  void save(const QString& path, const QStringList& names, Done done = {});

 signals:
  void changed();

 private:
  explicit GroupStore(Workspace& workspace);
  void follow();
  void refresh();
  void keep(const GroupLibrary& library);
  void storePaths();

  Workspace& workspace_;
  QVector<GroupFacts> groups_;
  QVector<GroupLibrary> libraries_;
  const void* shown_ = nullptr;  // contents of which groups_ are
};

}  // namespace weft::app
