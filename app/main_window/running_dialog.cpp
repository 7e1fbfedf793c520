#include "main_window/running_dialog.h"
#include "shell/dialog_parts.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::app {

RunningDialog::RunningDialog(const QVector<Activity>& activities, Reason reason, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("running_dialog"));
  setWindowTitle(tr("Something is running"));
  auto* layout = dialogColumn(this, 8);
  for (const Activity& activity : activities) {
    auto* line = new QLabel(activity.text, this);
    line->setWordWrap(true);
    layout->addWidget(line);
  }
  const bool trains = std::any_of(activities.begin(), activities.end(), [](const Activity& a) { return a.kind == Activity::Kind::Training; });
  auto* what = new QLabel(this);
  what->setProperty("kind", QStringLiteral("muted"));
  what->setWordWrap(true);
  what->setText(trains ? tr("Training saves a checkpoint when it is stopped, so that you can resume it later.")
                       : tr("Results of the computation are lost when it ends."));
  layout->addWidget(what);
  layout->addSpacing(4);
  auto* buttons = new QDialogButtonBox(this);
  const auto button = [&](const QString& text, QDialogButtonBox::ButtonRole role, Answer answer) {
    QPushButton* b = buttons->addButton(text, role);
    b->setAutoDefault(false);
    connect(b, &QPushButton::clicked, this, [this, answer] {
      answer_ = answer;
      answer == Answer::Cancel ? reject() : accept();
    });
    return b;
  };
  button(reason == Reason::Quit     ? tr("&Stop and quit")
         : reason == Reason::Reload ? tr("&Stop and reload")
                                    : tr("&Stop and close"),
         QDialogButtonBox::DestructiveRole, Answer::Stop);
  if (trains && reason == Reason::Close) button(tr("Close, &keep training"), QDialogButtonBox::AcceptRole, Answer::Keep);
  QPushButton* cancel = button(tr("&Cancel"), QDialogButtonBox::RejectRole, Answer::Cancel);
  cancel->setDefault(true);  // so that Enter loses nothing
  cancel->setFocus();
  layout->addWidget(buttons);
  setMinimumWidth(460);
}

}  // namespace weft::app
