#include "views/runs/remote_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/discard.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/remote_folders.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "views/runs/run_cards.h"

namespace weft::app {
namespace {
constexpr int kStateIcon = 14, kStateGap = 6;
}

RemoteStrip::RemoteStrip(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setObjectName(QStringLiteral("remote_strip"));
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(kCellSide, 0, kCellSide, 4);
  column_->setSpacing(4);
  connect(&RemoteFolders::of(context.workspace), &RemoteFolders::changed, this, &RemoteStrip::refresh);
  refresh();
}

RemoteStrip::Row RemoteStrip::makeRow(const QString& address) {
  Row row{address, new QWidget(this), nullptr, nullptr, nullptr, nullptr, nullptr};
  auto* line = new QHBoxLayout(row.widget);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(kStateGap);
  row.icon = new QLabel(row.widget);
  row.icon->setFixedWidth(kStateIcon);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(0);
  row.name = new QLabel(row.widget);
  row.name->setTextFormat(Qt::PlainText);
  row.name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row.state = new QLabel(row.widget);
  row.state->setObjectName(QStringLiteral("remote_state"));
  row.state->setTextFormat(Qt::PlainText);  // an error repeats what the other machine says
  row.state->setWordWrap(true);
  row.state->setTextInteractionFlags(Qt::TextSelectableByMouse);
  texts->addWidget(row.name);
  texts->addWidget(row.state);
  const auto button = [&](const char* icon) {
    auto* made = new QToolButton(row.widget);
    made->setAutoRaise(true);
    made->setIcon(widgets::icon(QLatin1String(icon)));
    return made;
  };
  row.connect = button("refresh");
  row.connect->setObjectName(QStringLiteral("remote_connect"));
  row.close = button("close");
  row.close->setObjectName(QStringLiteral("remote_close"));
  line->addWidget(row.icon, 0, Qt::AlignTop);
  line->addLayout(texts, 1);
  line->addWidget(row.connect, 0, Qt::AlignTop);
  line->addWidget(row.close, 0, Qt::AlignTop);
  column_->addWidget(row.widget);
  connect(row.connect, &QToolButton::clicked, this, [this, address] { context_.actions.run(QStringLiteral("panels.connect-remote"), {address}); });
  connect(row.close, &QToolButton::clicked, this, [this, address] { context_.actions.run(QStringLiteral("panels.close-logdir"), {address}); });
  return row;
}

void RemoteStrip::refresh() {
  const QVector<RemoteFolder> folders = RemoteFolders::of(context_.workspace).folders();
  std::erase_if(rows_, [&](const Row& row) {
    for (const RemoteFolder& folder : folders)
      if (folder.address == row.address) return false;
    column_->removeWidget(row.widget);
    widgets::discard(row.widget);
    return true;
  });
  for (size_t i = rows_.size(); i < size_t(folders.size()); ++i) rows_.push_back(makeRow(folders[qsizetype(i)].address));
  for (size_t i = 0; i < rows_.size(); ++i) {
    const RemoteFolder& folder = folders[qsizetype(i)];
    const Row& row = rows_[i];
    using Kind = RemoteLink::Kind;
    const bool bad = folder.link.kind == Kind::Failed || !folder.copy.problem.isEmpty(), waits = folder.link.kind == Kind::Waiting;
    const bool good = folder.link.kind == Kind::Connected && !bad;
    const auto role = bad ? widgets::Role::Error : waits ? widgets::Role::Warning : good ? widgets::Role::Ok : widgets::Role::Text3;
    const QString icon = bad ? QStringLiteral("error") : waits ? QStringLiteral("warning") : good ? QStringLiteral("check") : QStringLiteral("clock");
    row.icon->setPixmap(widgets::iconPixmap(icon, kStateIcon, widgets::Theme::current().color(role), devicePixelRatioF()));
    row.name->setText(folder.name);
    row.name->setToolTip(folder.address);
    const QString state = RemoteFolders::stateText(folder);
    if (row.state->text() != state) row.state->setText(state);
    row.state->setProperty("kind", QStringLiteral("muted"));
    row.connect->setVisible(folder.link.kind == Kind::Failed || waits || folder.link.kind == Kind::Idle);
    row.connect->setToolTip(tr("Connect now"));
    row.connect->setAccessibleName(tr("Connect to %1 now").arg(folder.host));
    row.close->setToolTip(tr("Close: stops following this folder and removes its runs"));
    row.close->setAccessibleName(tr("Close %1").arg(folder.address));
  }
  setVisible(!rows_.empty());
}

void RemoteStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refresh();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
