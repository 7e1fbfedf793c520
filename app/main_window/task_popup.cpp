#include "main_window/task_popup.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/icons.h"
#include "common/progress.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
constexpr int kPopupWidth = 340, kRefreshMs = 100;
}

TaskPopup::TaskPopup(Workspace& workspace, QWidget* window) : QFrame(window, Qt::Popup), workspace_(workspace) {
  setObjectName(QStringLiteral("task_popup"));
  setAccessibleName(tr("Running tasks"));
  setFixedWidth(kPopupWidth);
  setProperty("kind", QStringLiteral("card"));
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(12, 8, 8, 8);
  column_->setSpacing(6);
  none_ = new QLabel(tr("Nothing is running."), this);
  column_->addWidget(none_);
  timer_.setInterval(kRefreshMs);
  connect(&timer_, &QTimer::timeout, this, &TaskPopup::refresh);
  connect(&workspace.tasks(), &Tasks::changed, this, [this] {
    if (isVisible()) refresh();
  });
}

void TaskPopup::openAt(QPoint corner) {
  corner_ = corner;
  refresh();
  show();
  timer_.start();
}

void TaskPopup::refresh() {
  if (!isVisible()) timer_.stop();
  const QVector<Tasks::Info> running = workspace_.tasks().running();
  for (const int id : rows_.keys()) {
    bool there = false;
    for (const Tasks::Info& info : running) there = there || info.id == id;
    if (!there) rows_.take(id).box->deleteLater();
  }
  for (const Tasks::Info& info : running) {
    if (!rows_.contains(info.id)) {
      Row row{new QWidget(this), nullptr, nullptr};
      auto* line = new QHBoxLayout(row.box);
      line->setContentsMargins(0, 0, 0, 0);
      row.title = new QLabel(info.title, row.box);
      row.title->setToolTip(info.title);
      row.bar = new QProgressBar(row.box);
      row.bar->setTextVisible(false);
      row.bar->setFixedWidth(90);
      row.bar->setAccessibleName(info.title);
      auto* cancel = new QToolButton(row.box);
      cancel->setProperty("kind", QStringLiteral("flat"));
      cancel->setIcon(widgets::icon(QStringLiteral("close")));
      cancel->setToolTip(tr("Cancel"));
      cancel->setAccessibleName(tr("Cancel %1").arg(info.title));
      connect(cancel, &QToolButton::clicked, this, [this, id = info.id] { workspace_.tasks().cancel(id); });
      line->addWidget(row.title, 1);
      line->addWidget(row.bar);
      line->addWidget(cancel);
      column_->addWidget(row.box);
      rows_.insert(info.id, row);
    }
    const Row& row = rows_[info.id];
    widgets::showProgress(row.bar, info.progress);
  }
  none_->setVisible(running.isEmpty());
  adjustSize();
  move(parentWidget()->mapToGlobal(corner_) - QPoint(width(), height()));
}

}  // namespace weft::app
