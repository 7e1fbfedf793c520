#include "property_sheet/expression_completer.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QScrollBar>
#include <QStringListModel>

namespace weft::widgets {
namespace {

constexpr int kRows = 8;

bool isWordPart(QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'.'; }

}  // namespace

ExpressionCompleter::ExpressionCompleter(QLineEdit* field, std::function<QStringList()> words, bool always)
    : QObject(field), field_(field), words_(std::move(words)), always_(always) {
  connect(field, &QLineEdit::textEdited, this, &ExpressionCompleter::offer);
}

QString ExpressionCompleter::wordAt(const QString& text, qsizetype cursor, qsizetype* begin) {
  // Within braces, a name has any characters.
  const qsizetype open = text.lastIndexOf(u'{', cursor - 1), close = text.lastIndexOf(u'}', cursor - 1);
  qsizetype from = cursor;
  if (cursor > 0 && open > close) {
    from = open;
  } else {
    while (from > 0 && isWordPart(text[from - 1])) --from;
  }
  *begin = from;
  return text.mid(from, cursor - from);
}

void ExpressionCompleter::offer() {
  const QString text = field_->text();
  qsizetype begin = 0;
  const QString word = wordAt(text, field_->cursorPosition(), &begin);
  const bool any = (always_ || text.trimmed().startsWith(u'=')) && !word.isEmpty() && !word[0].isDigit();
  if (!any) {
    if (completer_ != nullptr) completer_->popup()->hide();
    return;
  }
  if (completer_ == nullptr) {
    model_ = new QStringListModel(this);
    completer_ = new QCompleter(model_, this);
    completer_->setWidget(field_);
    completer_->setCaseSensitivity(Qt::CaseInsensitive);
    completer_->setFilterMode(Qt::MatchContains);
    completer_->setMaxVisibleItems(kRows);
    completer_->popup()->setObjectName(QStringLiteral("expression_words"));
    completer_->popup()->setAccessibleName(tr("Names and functions"));
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &ExpressionCompleter::take);
  }
  if (!completer_->popup()->isVisible()) model_->setStringList(words_());
  completer_->setCompletionPrefix(word);
  // A word that is complete needs no list.
  if (completer_->completionCount() == 0 || (completer_->completionCount() == 1 && completer_->currentCompletion() == word)) {
    completer_->popup()->hide();
    return;
  }
  completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
  QRect place = field_->rect();
  place.setWidth(std::max(place.width(), completer_->popup()->sizeHintForColumn(0) + completer_->popup()->verticalScrollBar()->sizeHint().width() + 12));
  completer_->complete(place);
}

void ExpressionCompleter::take(const QString& word) {
  qsizetype begin = 0;
  const QString typed = wordAt(field_->text(), field_->cursorPosition(), &begin);
  QString text = field_->text();
  text.replace(begin, typed.size(), word);
  field_->setText(text);
  field_->setModified(true);
  field_->setCursorPosition(int(begin + word.size()));
  emit completed();
}

}  // namespace weft::widgets
