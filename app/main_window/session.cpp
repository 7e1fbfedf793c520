#include "main_window/session.h"

#include <QFileInfo>
#include <memory>

#include "document/document.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "main_window/document_page.h"
#include "shell/shell.h"

namespace weft::app {
namespace {
constexpr int kSaveEveryMs = 30000;
const QString kDocuments = QStringLiteral("session/documents");
const QString kCurrent = QStringLiteral("session/current");

/// The path that opens it again: its file, or its SavedModel.
QString pathOf(const Document& document) { return document.path().isEmpty() && document.savedModel() ? document.savedModel()->path : document.path(); }
}  // namespace

Session::Session(Workspace& workspace, Shell& shell, PageOf pageOf, QObject* parent)
    : QObject(parent), workspace_(workspace), shell_(shell), pageOf_(std::move(pageOf)) {
  timer_.setInterval(kSaveEveryMs);
  connect(&timer_, &QTimer::timeout, this, &Session::remember);
  connect(&workspace, &Workspace::documentAdded, &timer_, qOverload<>(&QTimer::start));
  connect(&workspace, &Workspace::fileAdded, &timer_, qOverload<>(&QTimer::start));
}

void Session::remember() {
  QVariantList documents;
  for (Document* document : workspace_.documents()) {
    if (pathOf(*document).isEmpty()) continue;
    const DocumentPage* page = pageOf_(document);
    QVariantMap entry = page ? page->viewState() : QVariantMap();
    entry.insert(QStringLiteral("path"), pathOf(*document));
    documents << entry;
  }
  for (const FileTab* file : workspace_.files()) documents << QVariantMap{{QStringLiteral("path"), file->openPath()}};
  workspace_.settings().setValue(kDocuments, documents);
  const QString front = workspace_.currentFile() ? workspace_.currentFile()->openPath() : workspace_.current() ? pathOf(*workspace_.current()) : QString();
  workspace_.settings().setValue(kCurrent, shell_.isStartPageShown() ? QString() : front);
}

bool Session::canRestore() const { return !workspace_.settings().value(kDocuments).toList().isEmpty(); }

int Session::restore() {
  const QVariantList documents = workspace_.settings().value(kDocuments).toList();
  const QString current = workspace_.settings().value(kCurrent).toString();
  QStringList gone;
  const auto wanted = std::make_shared<QVector<QVariantMap>>();
  for (const QVariant& each : documents) {
    const QVariantMap entry = each.toMap();
    const QString path = entry.value(QStringLiteral("path")).toString();
    if (QFileInfo::exists(path)) *wanted << entry;
    else gone << path;
  }
  openFrom(wanted, 0, current);
  if (!gone.isEmpty()) {
    shell_.tell([gone] {
      return Message{Message::Kind::Warning, QStringLiteral("session"), tr("Open last time, but missing now: %1").arg(gone.join(QStringLiteral(", ")))};
    });
  }
  return int(wanted->size());
}

/// Opens them one by one, to restore the order of the tabs.
void Session::openFrom(const std::shared_ptr<QVector<QVariantMap>>& wanted, int index, const QString& current) {
  if (index >= wanted->size()) {
    for (Document* document : workspace_.documents()) {
      if (pathOf(*document) == current) workspace_.setCurrent(document);
    }
    for (FileTab* file : workspace_.files()) {
      if (file->openPath() == current) workspace_.setCurrentFile(file);
    }
    return;
  }
  const QVariantMap entry = wanted->at(index);
  const QString path = entry.value(QStringLiteral("path")).toString();
  workspace_.open(path, [this, wanted, index, current, entry, path](const QString& error) {
    for (Document* document : workspace_.documents()) {
      if (!error.isEmpty() || pathOf(*document) != path) continue;
      if (DocumentPage* page = pageOf_(document)) page->restoreView(entry);
    }
    openFrom(wanted, index + 1, current);
  });
}

}  // namespace weft::app
