#include "views/program/migration_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBlock>
#include <QVBoxLayout>

#include "common/theme.h"
#include "document/program.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {

using widgets::Role;

/// Added lines green, removed ones red, positions grey.
Role lineRole(const QString& line) {
  if (line.startsWith(QLatin1String("+++")) || line.startsWith(QLatin1String("---")) || line.startsWith(u'@')) return Role::Text3;
  return line.startsWith(u'+') ? Role::Ok : line.startsWith(u'-') ? Role::Error : Role::Text1;
}

}  // namespace

MigrationDialog::MigrationDialog(const QString& script, QWidget* parent) : QDialog(parent), script_(script) {
  const QFileInfo info(script);
  target_ = info.path() + u'/' + info.completeBaseName() + QStringLiteral("_migrated.py");
  setObjectName(QStringLiteral("migration_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Translate %1").arg(info.fileName()));
  resize(820, 600);
  lead_ = new QLabel(this);
  lead_->setObjectName(QStringLiteral("migration_lead"));
  lead_->setWordWrap(true);
  difference_ = new QPlainTextEdit(this);
  difference_->setObjectName(QStringLiteral("migration_difference"));
  difference_->setReadOnly(true);
  difference_->setLineWrapMode(QPlainTextEdit::NoWrap);
  difference_->setFont(widgets::Theme::current().monoFont());
  difference_->setAccessibleName(tr("Changes in the program"));
  notes_ = new QListWidget(this);
  notes_->setObjectName(QStringLiteral("migration_notes"));
  notes_->setAccessibleName(tr("Lines to look at"));
  notes_->setToolTip(tr("What the translation cannot decide. The lines are those of the new program"));
  notes_->setWordWrap(true);
  notes_->hide();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  write_ = buttons->addButton(tr("&Write %1").arg(QFileInfo(target_).fileName()), QDialogButtonBox::AcceptRole);
  write_->setObjectName(QStringLiteral("migration_write"));
  write_->setDefault(true);
  write_->setMinimumWidth(write_->sizeHint().width() + 24);  // the default button's text is bold, which its size hint does not know
  write_->setToolTip(QFileInfo::exists(target_) ? tr("Replaces the file of an earlier translation, and opens it: %1").arg(target_)
                                                : tr("Leaves the program as it is, and opens the new one: %1").arg(target_));
  replace_ = buttons->addButton(tr("&Change the program itself"), QDialogButtonBox::ActionRole);
  replace_->setObjectName(QStringLiteral("migration_replace"));
  replace_->setToolTip(tr("Replaces %1").arg(script_));
  auto* layout = dialogColumn(this);
  layout->addWidget(lead_);
  layout->addWidget(difference_, 4);
  layout->addWidget(notes_, 1);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(write_, &QPushButton::clicked, this, [this] {
    writing_ = target_;
    start({QStringLiteral("--output"), target_, QStringLiteral("--force")});
  });
  connect(replace_, &QPushButton::clicked, this, [this] {
    writing_ = script_;
    start({QStringLiteral("--in-place")});
  });
  connect(&process_, &QProcess::finished, this, &MigrationDialog::ended);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) showError(tr("%1 cannot be started: %2").arg(process_.program(), process_.errorString()));
  });
  start({QStringLiteral("--dry-run")});
}

MigrationDialog::~MigrationDialog() {
  process_.disconnect(this);
  if (process_.state() == QProcess::NotRunning) return;
  if (writing_.isEmpty()) process_.kill();  // a file is written in an instant, and killing would leave its temporary one
  process_.waitForFinished(2000);
}

void MigrationDialog::setReady(bool ready) {
  write_->setEnabled(ready);
  replace_->setEnabled(ready);
}

void MigrationDialog::start(const QStringList& options) {
  setReady(false);
  lead_->setText(writing_.isEmpty() ? tr("The program is being read…") : tr("Writing %1…").arg(writing_));
  process_.start(weftProgram(), QStringList{QStringLiteral("py"), QStringLiteral("--migrate"), script_} + options);
}

void MigrationDialog::ended() {
  const QString errors = QString::fromUtf8(process_.readAllStandardError()).trimmed();
  if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0) {
    showError(errors.isEmpty() ? tr("The translation ended unexpectedly.") : errors);
    return;
  }
  if (writing_.isEmpty()) {
    showResult(QString::fromUtf8(process_.readAllStandardOutput()));
    return;
  }
  emit written(writing_);
  accept();
}

void MigrationDialog::showResult(const QString& text) {
  static const QRegularExpression kNote(QStringLiteral("^[^\\s+@-].*\\.py:(\\d+): (.*)$"));
  const widgets::Theme& theme = widgets::Theme::current();
  const QStringList lines = text.split(u'\n');
  QTextCursor cursor(difference_->document());
  cursor.beginEditBlock();
  int changed = 0;
  for (const QString& line : lines) {
    if (const auto note = kNote.match(line); note.hasMatch()) {
      notes_->addItem(tr("Line %1: %2").arg(note.captured(1), note.captured(2)));
      continue;
    }
    if (line.isEmpty()) continue;
    const Role role = lineRole(line);
    changed += role == Role::Ok;
    QTextCharFormat format;
    format.setForeground(theme.color(role));
    if (!difference_->document()->isEmpty()) cursor.insertBlock();
    cursor.insertText(line, format);
  }
  cursor.endEditBlock();
  difference_->moveCursor(QTextCursor::Start);
  notes_->setVisible(notes_->count() > 0);
  lead_->setText(changed ? tr("For Python 3 and TensorFlow 1.15, %n line(s) of this program change.", nullptr, changed)
                         : tr("Nothing in this program has to change for Python 3 and TensorFlow 1.15."));
  setReady(changed > 0);
}

void MigrationDialog::showError(const QString& text) {
  writing_.clear();
  lead_->setText(text);
  setReady(!difference_->document()->isEmpty());  // another try, if only the writing failed
}

}  // namespace weft::app
