#include "code_editor/find_bar.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "code_editor/code_editor.h"
#include "common/icons.h"

namespace weft::widgets {

FindBar::FindBar(CodeEditor* editor, QWidget* parent) : QWidget(parent), editor_(editor) {
  setObjectName(QStringLiteral("find_bar"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(4);
  text_ = new QLineEdit(this);
  text_->setObjectName(QStringLiteral("find_text"));
  text_->setMinimumWidth(140);
  with_ = new QLineEdit(this);
  with_->setObjectName(QStringLiteral("replace_text"));
  with_->setMinimumWidth(120);
  count_ = new QLabel(this);
  count_->setProperty("kind", QStringLiteral("muted"));
  cases_ = new QCheckBox(this);
  const auto button = [this](const char* icon) {
    auto* b = new QToolButton(this);
    if (*icon) b->setIcon(widgets::icon(QLatin1String(icon)));
    b->setAutoRaise(true);
    return b;
  };
  previous_ = button("chevron-up");
  next_ = button("chevron-down");
  one_ = button("");
  all_ = button("");
  close_ = button("close");
  for (QWidget* w : {static_cast<QWidget*>(text_), static_cast<QWidget*>(count_), static_cast<QWidget*>(previous_), static_cast<QWidget*>(next_),
                     static_cast<QWidget*>(cases_), static_cast<QWidget*>(with_), static_cast<QWidget*>(one_), static_cast<QWidget*>(all_)})
    row->addWidget(w);
  row->addStretch(1);
  row->addWidget(close_);
  connect(text_, &QLineEdit::textChanged, this, [this] {
    count();
    // Search from the start of the current match, so that it extends while the user types.
    int line = 0, column = 0, toLine = 0, toColumn = 0;
    editor_->getSelection(&line, &column, &toLine, &toColumn);
    if (line >= 0) editor_->setCursorPosition(line, column);
    if (!text_->text().isEmpty()) find();
  });
  connect(cases_, &QCheckBox::toggled, this, &FindBar::count);
  connect(editor, &QsciScintilla::textChanged, this, [this] {
    if (isVisible()) count();
  });
  connect(previous_, &QToolButton::clicked, this, [this] { find(false); });
  connect(next_, &QToolButton::clicked, this, [this] { find(true); });
  connect(one_, &QToolButton::clicked, this, &FindBar::replaceOne);
  connect(all_, &QToolButton::clicked, this, &FindBar::replaceAll);
  connect(close_, &QToolButton::clicked, this, [this] {
    hide();
    editor_->setFocus();
  });
  retranslate();
  hide();
}

void FindBar::open(bool replace) {
  const QString selected = editor_->selectedText();
  for (QWidget* w : {static_cast<QWidget*>(with_), static_cast<QWidget*>(one_), static_cast<QWidget*>(all_)}) w->setVisible(replace && !editor_->isReadOnly());
  show();
  if (!selected.isEmpty() && !selected.contains(u'\n')) text_->setText(selected);
  count();
  text_->selectAll();
  text_->setFocus();
}

bool FindBar::find(bool forward) {
  if (text_->text().isEmpty()) return false;
  int line = -1, column = -1;
  if (!forward) {  // from the start of the current match
    int toLine = 0, toColumn = 0;
    editor_->getSelection(&line, &column, &toLine, &toColumn);
  }
  return editor_->findFirst(text_->text(), false, cases_->isChecked(), false, true, forward, line, column);
}

void FindBar::replaceOne() {
  const Qt::CaseSensitivity cases = cases_->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive;
  if (editor_->selectedText().compare(text_->text(), cases) == 0 && !text_->text().isEmpty()) editor_->replaceSelectedText(with_->text());
  find();
}

int FindBar::replaceAll() {
  if (text_->text().isEmpty()) return 0;
  QString text = editor_->text();
  const int found = int(text.count(text_->text(), cases_->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive));
  if (found > 0) editor_->replaceAll(text.replace(text_->text(), with_->text(), cases_->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive));
  return found;
}

void FindBar::count() {
  matches_ = text_->text().isEmpty() ? 0 : int(editor_->text().count(text_->text(), cases_->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive));
  count_->setText(text_->text().isEmpty() ? QString() : matches_ == 0 ? tr("not found") : tr("%n match(es)", nullptr, matches_));
  for (QToolButton* b : {previous_, next_, one_, all_}) b->setEnabled(matches_ > 0);
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close_->click();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    with_->hasFocus() ? replaceOne() : void(find(!(event->modifiers() & Qt::ShiftModifier)));
    return;
  }
  QWidget::keyPressEvent(event);
}

void FindBar::retranslate() {
  text_->setPlaceholderText(tr("Find"));
  text_->setAccessibleName(tr("Find"));
  with_->setPlaceholderText(tr("Replace with"));
  with_->setAccessibleName(tr("Replace with"));
  cases_->setText(tr("Aa"));
  cases_->setToolTip(tr("Match case"));
  previous_->setToolTip(tr("Previous match (Shift+Enter)"));
  next_->setToolTip(tr("Next match (Enter)"));
  one_->setText(tr("Replace"));
  all_->setText(tr("All"));
  one_->setToolTip(tr("Replaces this match and goes to the next"));
  all_->setToolTip(tr("Replaces all matches in one step"));
  close_->setToolTip(tr("Close (Esc)"));
  for (QToolButton* b : {previous_, next_, one_, all_, close_}) b->setAccessibleName(b->toolTip());
  count();
}

void FindBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
