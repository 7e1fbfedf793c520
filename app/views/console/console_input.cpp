#include "views/console/console_input.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QTextBlock>
#include <algorithm>

#include "common/theme.h"

namespace weft::app {

using widgets::Role;

namespace {
constexpr int kMostLines = 8, kMostRows = 10;
constexpr const char* kIndent = "    ";
}  // namespace

ConsoleInput::ConsoleInput(QWidget* parent) : QPlainTextEdit(parent), offer_(new QListWidget(this)) {
  setFrameShape(QFrame::NoFrame);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; border-radius: 0; padding: 2px 0; }"));
  offer_->setWindowFlags(Qt::ToolTip);
  offer_->setFocusPolicy(Qt::NoFocus);
  offer_->setUniformItemSizes(true);
  offer_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  offer_->hide();
  connect(offer_, &QListWidget::itemClicked, this, &ConsoleInput::take);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    updateGeometry();
    if (offer_->isVisible()) filterOffer();
  });
  restyle();
}

void ConsoleInput::restyle() {
  setFont(widgets::Theme::current().monoFont());
  offer_->setFont(font());
  setViewportMargins(fontMetrics().horizontalAdvance(QStringLiteral(">>> ")) + 12, 0, 0, 0);
  updateGeometry();
}

QSize ConsoleInput::sizeHint() const {
  const int lines = std::clamp(blockCount(), 1, kMostLines);
  return {200, int(lines * fontMetrics().lineSpacing() + 2 * document()->documentMargin()) + 6};
}

void ConsoleInput::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) restyle();
  QPlainTextEdit::changeEvent(event);
}

void ConsoleInput::setHistory(const QStringList& history) {
  history_ = history;
  at_ = history_.size();
}

void ConsoleInput::recall(int step) {
  if (history_.isEmpty()) return;
  if (at_ >= history_.size()) {
    typed_ = toPlainText();
    stem_ = typed_;
  }
  // Only texts with the typed beginning.
  qsizetype next = at_;
  do next += step;
  while (next >= 0 && next < history_.size() && !history_[next].startsWith(stem_));
  if (next < 0) return;
  at_ = std::min(next, history_.size());
  setPlainText(at_ < history_.size() ? history_[at_] : typed_);
  moveCursor(QTextCursor::End);
}

void ConsoleInput::goOn(const QString& text) {
  const QString last = text.section(u'\n', -1);
  QString indent;
  for (const QChar c : last) {
    if (!c.isSpace()) break;
    indent += c;
  }
  if (last.trimmed().endsWith(u':')) indent += QLatin1String(kIndent);
  setPlainText(text + u'\n' + indent);
  moveCursor(QTextCursor::End);
}

void ConsoleInput::offer(int from, const QStringList& words, const QStringList& kinds) {
  const int cursor = textCursor().position();
  if (words.isEmpty() || from > cursor) return closeOffer();
  words_ = words;
  kinds_ = kinds;
  from_ = from;
  // Inserts the common prefix.
  QString common = words.first();
  for (const QString& w : words) {
    qsizetype n = 0;
    while (n < std::min(common.size(), w.size()) && common[n] == w[n]) ++n;
    common.truncate(n);
  }
  const QString there = toPlainText().mid(from, cursor - from);
  if (common.size() > there.size() && common.startsWith(there)) textCursor().insertText(common.mid(there.size()));
  if (words.size() == 1) return closeOffer();
  filterOffer();
}

void ConsoleInput::filterOffer() {
  const int cursor = textCursor().position();
  const QString there = cursor >= from_ ? toPlainText().mid(from_, cursor - from_) : QString();
  offer_->clear();
  if (cursor < from_) return closeOffer();
  int widest = 0;
  for (qsizetype i = 0; i < words_.size(); ++i) {
    if (!words_[i].startsWith(there) || words_[i] == there) continue;
    auto* item = new QListWidgetItem(words_[i], offer_);
    const QString kind = kinds_.value(i);
    if (!kind.isEmpty()) item->setText(words_[i] + QStringLiteral("   ") + kind);
    item->setData(Qt::UserRole, words_[i]);
    widest = std::max(widest, offer_->fontMetrics().horizontalAdvance(item->text()));
  }
  if (offer_->count() == 0) return closeOffer();
  offer_->setCurrentRow(0);
  const int rows = std::min(offer_->count(), kMostRows);
  offer_->resize(std::clamp(widest + 48, 180, 560), rows * std::max(offer_->sizeHintForRow(0), 16) + 8);
  QTextCursor at(document());
  at.setPosition(std::min(from_, document()->characterCount() - 1));
  QPoint corner = viewport()->mapToGlobal(cursorRect(at).topLeft());
  corner.ry() -= offer_->height() + 2;  // above, because the input line is at the window's lower edge
  offer_->move(corner);
  offer_->show();
  offer_->raise();
}

void ConsoleInput::closeOffer() { offer_->hide(); }

void ConsoleInput::take() {
  const QListWidgetItem* item = offer_->currentItem();
  if (!item) return closeOffer();
  const QString word = item->data(Qt::UserRole).toString();
  QTextCursor cursor = textCursor();
  cursor.setPosition(from_, QTextCursor::KeepAnchor);
  closeOffer();
  cursor.insertText(word);
  setTextCursor(cursor);
}

bool ConsoleInput::keyOfOffer(QKeyEvent* event) {
  if (!offer_->isVisible()) return false;
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
      const int step = event->key() == Qt::Key_Up ? -1 : 1;
      offer_->setCurrentRow((offer_->currentRow() + step + offer_->count()) % offer_->count());
      return true;
    }
    case Qt::Key_Tab:
    case Qt::Key_Return:
    case Qt::Key_Enter: take(); return true;
    case Qt::Key_Escape: closeOffer(); return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End: closeOffer(); return false;
    default: return false;
  }
}

void ConsoleInput::keyPressEvent(QKeyEvent* event) {
  if (keyOfOffer(event)) return;
  const bool control = event->modifiers() & Qt::ControlModifier, shift = event->modifiers() & Qt::ShiftModifier;
  const QTextCursor cursor = textCursor();
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: {
      if (shift) break;
      QString text = toPlainText();
      // Within a multi-line text, Enter starts a new line; at its end it runs the text, which is complete if its last line is empty.
      if (!control && !cursor.atEnd()) {
        if (cursor.block().next().isValid()) break;
      }
      while (text.endsWith(u' ')) text.chop(1);
      if (text.trimmed().isEmpty()) {
        clear();
        return;
      }
      clear();
      emit given(text);
      return;
    }
    case Qt::Key_Tab:
      if (toPlainText().left(cursor.position()).section(u'\n', -1).trimmed().isEmpty() && blockCount() > 1) {
        insertPlainText(QLatin1String(kIndent));
      } else {
        emit completionWanted(toPlainText(), cursor.position());
      }
      return;
    case Qt::Key_Up:
      if (cursor.block() == document()->firstBlock()) return recall(-1);
      break;
    case Qt::Key_Down:
      if (cursor.block() == document()->lastBlock()) return recall(1);
      break;
    case Qt::Key_Escape: clear(); return;
    case Qt::Key_C:
      if (control && !shift && !cursor.hasSelection()) {
        emit interruptWanted();
        return;
      }
      break;
    case Qt::Key_L:
      if (control) {
        emit clearWanted();
        return;
      }
      break;
    case Qt::Key_F1: emit helpWanted(toPlainText(), cursor.position()); return;
    default: break;
  }
  at_ = history_.size();
  QPlainTextEdit::keyPressEvent(event);
  if (event->text() == QLatin1String("(")) emit helpWanted(toPlainText(), textCursor().position());
}

void ConsoleInput::focusOutEvent(QFocusEvent* event) {
  closeOffer();
  QPlainTextEdit::focusOutEvent(event);
}

}  // namespace weft::app
