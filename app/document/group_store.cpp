#include "document/group_store.h"

#include <QFileInfo>
#include <algorithm>

#include "document/document.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
const QLatin1String kPaths("groups/libraries");
}

GroupStore& GroupStore::of(Workspace& workspace) {
  if (auto* known = workspace.findChild<GroupStore*>(QString(), Qt::FindDirectChildrenOnly)) return *known;
  return *new GroupStore(workspace);
}

GroupStore::GroupStore(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  connect(&workspace, &Workspace::currentChanged, this, &GroupStore::follow);
  for (const QString& path : workspace.settings().value(kPaths).toStringList()) {
    libraries_ << GroupLibrary{path, {}, {}};
    addLibrary(path);
  }
  follow();
}

void GroupStore::follow() {
  if (Document* document = workspace_.current()) {
    connect(document, &Document::contentsChanged, this, &GroupStore::refresh, Qt::UniqueConnection);
    connect(document, &Document::textsChanged, this, &GroupStore::refresh, Qt::UniqueConnection);
  }
  refresh();
}

void GroupStore::refresh() {
  const Document* document = workspace_.current();
  const GraphContentsPtr contents = document ? document->contents() : nullptr;
  if (contents.get() == shown_) return;
  shown_ = contents.get();
  groups_ = contents ? groupFacts(*contents) : QVector<GroupFacts>();
  emit changed();
}

QVector<widgets::PaletteItem> GroupStore::items() const {
  QVector<widgets::PaletteItem> out = groupItems(groups_);
  // The document's own group comes first: one of that name was taken from the library, or would not be replaced.
  for (const GroupLibrary& library : libraries_)
    for (const GroupFacts& g : library.groups)
      if (std::none_of(groups_.begin(), groups_.end(), [&](const GroupFacts& own) { return own.name == g.name; })) out += groupItems({g});
  return out;
}

void GroupStore::keep(const GroupLibrary& library) {
  bool known = false;
  for (GroupLibrary& own : libraries_) {
    if (own.path != library.path) continue;
    own = library;
    known = true;
  }
  if (!known) libraries_ << library;
  storePaths();
  emit changed();
}

void GroupStore::storePaths() {
  QStringList paths;
  for (const GroupLibrary& library : libraries_) paths << library.path;
  workspace_.settings().setValue(kPaths, paths);
}

void GroupStore::addLibrary(const QString& path, Done done) {
  const QString full = QFileInfo(path).absoluteFilePath();
  auto read = std::make_shared<GroupLibrary>();
  workspace_.tasks().start(
      tr("Reading %1").arg(QFileInfo(path).fileName()), [read, full](TaskState&) { *read = readLibrary(full); },
      [this, read, done] {
        bool known = false;
        for (const GroupLibrary& own : std::as_const(libraries_)) known = known || own.path == read->path;
        if (read->error.isEmpty() || known) keep(*read);
        if (!read->error.isEmpty()) workspace_.log().error(read->error);
        if (done) done(read->error);
      },
      [done] {
        if (done) done(GroupStore::tr("Cancelled."));
      });
}

bool GroupStore::removeLibrary(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  const qsizetype before = libraries_.size();
  libraries_.removeIf([&](const GroupLibrary& library) { return library.path == full; });
  if (libraries_.size() == before) return false;
  storePaths();
  emit changed();
  return true;
}

void GroupStore::save(const QString& path, const QStringList& names, Done done) {
  Document* document = workspace_.current();
  QString full = QFileInfo(path).absoluteFilePath();
  if (QFileInfo(full).suffix().isEmpty()) full += QStringLiteral(".weftgroups");
  auto error = std::make_shared<QString>();
  workspace_.tasks().start(
      tr("Saving %1").arg(QFileInfo(full).fileName()),
      [error, full, names, contents = document->contents()](TaskState&) { *error = writeLibrary(full, contents, names); },
      [this, error, full, done] {
        if (!error->isEmpty()) {
          workspace_.log().error(*error);
          if (done) done(*error);
        } else {
          addLibrary(full, done);
        }
      },
      [done] {
        if (done) done(GroupStore::tr("Cancelled."));
      });
}

}  // namespace weft::app
