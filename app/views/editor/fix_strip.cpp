#include "views/editor/fix_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/theme.h"
#include "shell/style.h"

namespace weft::app {

using widgets::Role;

FixStrip::FixStrip(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("fix_strip"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(6);
  auto* row = new QHBoxLayout;
  names_ = new QLabel(this);
  names_->setObjectName(QStringLiteral("fix_names"));
  names_->setTextFormat(Qt::RichText);
  names_->setMinimumWidth(1);
  names_->setWordWrap(true);
  convert_ = new QPushButton(this);
  convert_->setObjectName(QStringLiteral("fix_convert"));
  cancel_ = new QPushButton(this);
  row->addWidget(names_, 1);
  row->addWidget(convert_);
  row->addWidget(cancel_);
  text_ = new QPlainTextEdit(this);
  text_->setReadOnly(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFocusPolicy(Qt::NoFocus);
  column->addLayout(row);
  column->addWidget(text_);
  connect(convert_, &QPushButton::clicked, this, &FixStrip::accepted);
  connect(cancel_, &QPushButton::clicked, this, &FixStrip::rejected);
  retranslate();
  hide();
}

void FixStrip::propose(const VariableFix& fix) {
  fix_ = fix;
  text_->setPlainText(fix.text);
  text_->setVisible(fix.error.isEmpty());
  convert_->setVisible(fix.error.isEmpty());
  retranslate();
  show();
  (fix.error.isEmpty() ? convert_ : cancel_)->setFocus();
}

QString FixStrip::namesText() const {
  if (!fix_.error.isEmpty()) return fix_.error;
  const QString then = fix_.shares ? tr("%1, shared by all of them").arg(fix_.then) : fix_.then;
  return tr("Names now: %1. Then: %2.").arg(fix_.now.join(QStringLiteral(", ")), then);
}

void FixStrip::retranslate() {
  const widgets::Theme& theme = widgets::Theme::current();
  setSheet(this, QStringLiteral("#fix_strip { background: %1; border: none; border-top: 1px solid %2; }")
                     .arg(theme.color(Role::InfoSoft).name(), theme.color(Role::Border).name()));
  convert_->setText(tr("Convert"));
  convert_->setToolTip(tr("Replaces the program's lines with those below; Ctrl+Z undoes it"));
  cancel_->setText(tr("Cancel"));
  text_->setFont(theme.monoFont());
  text_->setAccessibleName(tr("The lines after the conversion"));
  const int lines = std::clamp(int(fix_.text.count(u'\n')) + 1, 1, 6);
  text_->setFixedHeight(QFontMetrics(theme.monoFont()).lineSpacing() * lines + 24);
  names_->setText(namesText().toHtmlEscaped());
}

void FixStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QFrame::changeEvent(event);
}

void FixStrip::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit rejected();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return fix_.error.isEmpty() ? emit accepted() : emit rejected();
  QFrame::keyPressEvent(event);
}

}  // namespace weft::app
