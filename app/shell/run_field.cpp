#include "shell/run_field.h"

#include <QKeyEvent>
#include <QStyle>

#include "common/theme.h"

namespace weft::app {
namespace {
constexpr int kFrame = 18;  // padding and border of the style sheet
}

RunField::RunField(int digits, Take take, QWidget* parent) : QLineEdit(parent), take_(std::move(take)) {
  const widgets::Theme& theme = widgets::Theme::current();
  setFont(theme.monoFont());
  setFixedSize(QFontMetrics(theme.monoFont()).horizontalAdvance(QString(digits, u'0')) + kFrame, theme.metrics().controlHeight + 2);
  setProperty("typedCounts", true);
  connect(this, &QLineEdit::editingFinished, this, &RunField::commit);
}

void RunField::showValue(const QString& text) {
  value_ = text;
  if (refused_ || (hasFocus() && isModified())) return;
  if (this->text() != text) setText(text);
}

void RunField::reset() {
  mark({});
  setModified(false);
}

void RunField::setTip(const QString& tip) {
  tip_ = tip;
  if (!refused_) setToolTip(tip);
}

void RunField::mark(const QString& why) {
  refused_ = !why.isEmpty();
  setToolTip(refused_ ? why : tip_);
  if (property("invalid").toBool() == refused_) return;
  setProperty("invalid", refused_);
  style()->unpolish(this);
  style()->polish(this);
}

void RunField::commit() {
  if (!isModified()) return;
  setModified(false);
  const QString typed = text().trimmed(), why = typed == value_ ? QString() : take_(typed);
  mark(why);
  if (!why.isEmpty()) emit refused(why);
}

void RunField::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && (isModified() || refused_)) {
    mark({});
    setText(value_);
    setModified(false);
    selectAll();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace weft::app
