// Tabs of files that are not graphs.
#include <QFileInfo>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>

#include "common/discard.h"
#include "common/icons.h"
#include "document/file_tab.h"
#include "document/text_buffer.h"
#include "main_window/main_window.h"
#include "views/file_page.h"

namespace weft::app {

QObject* MainWindow::front() const { return workspace_.currentFile() ? static_cast<QObject*>(workspace_.currentFile()) : workspace_.current(); }

void MainWindow::addFilePage(FileTab* file) {
  QWidget* page = makeFilePage(ViewContext{workspace_, actions_, *this}, file, stack_);
  filePages_.insert(file, page);
  stack_->addWidget(page);
  {
    // The workspace chooses the front tab next.
    const QSignalBlocker quiet(tabs_);
    const int index = tabs_->addTab(widgets::icon(QStringLiteral("file")), QString());
    tabs_->setTabData(index, QVariant::fromValue<QObject*>(file));
  }
  if (file->text()) connect(file->text(), &TextBuffer::modifiedChanged, this, &MainWindow::updateTitle);
  startShown_ = false;
  updateTitle();
}

void MainWindow::removeFilePage(FileTab* file) {
  removeTab(file);
  QWidget* page = filePages_.take(file);
  stack_->removeWidget(page);
  widgets::discard(page);  // one of its buttons may have closed it
  if (pages_.isEmpty() && filePages_.isEmpty()) startShown_ = true;
  showCurrent();
}

void MainWindow::openDropped(const QStringList& paths, bool compare) {
  const FileTab* file = workspace_.currentFile();
  if (compare && paths.size() == 1 && file && file->tensors()) {
    actions_.run(QStringLiteral("inspect.compare"), paths);
    return;
  }
  auto opened = std::make_shared<QStringList>();
  for (const QString& path : paths) {
    workspace_.open(path, [this, opened, count = paths.size()](const QString& error) {
      FileTab* now = workspace_.currentFile();
      if (error.isEmpty() && now && now->tensors()) *opened << now->path();
      if (count != 2 || opened->size() != 2 || opened->first() == opened->last()) return;
      const QStringList both = *opened;
      const auto compare = [this, both] { actions_.run(QStringLiteral("inspect.compare"), both); };
      tell([both, compare] {
        return Message{Message::Kind::Note,
                       QStringLiteral("compare"),
                       tr("Compare %1 with %2?").arg(QFileInfo(both[0]).fileName(), QFileInfo(both[1]).fileName()),
                       {{tr("Compare"), compare}}};
      });
    });
  }
}

void MainWindow::removeTab(const QObject* shown) {
  for (int i = 0; i < tabs_->count(); ++i) {
    if (tabs_->tabData(i).value<QObject*>() != shown) continue;
    const QSignalBlocker quiet(tabs_);
    tabs_->removeTab(i);
    return;
  }
}

}  // namespace weft::app
