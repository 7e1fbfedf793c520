#include "views/query/query_view.h"

#include <QAbstractItemView>
#include <QAbstractTextDocumentLayout>
#include <QBrush>
#include <QCompleter>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextBlock>
#include <algorithm>
#include <numeric>

#include "common/icons.h"
#include "common/theme.h"

namespace weft::app {
namespace {

constexpr int kMostLines = 6, kLeastWord = 2, kMostRowsSorted = 1 << 20;

bool isWordPart(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

/// A value's place in an order: NULL first, then numbers, then texts.
struct SortKey {
  int rank = 0;
  double number = 0;
  QString text;
  explicit SortKey(const QVariant& v) {
    if (v.isNull()) return;
    rank = v.typeId() == QMetaType::QString ? 2 : 1;
    if (rank == 1) number = v.toDouble();
    else text = v.toString();
  }
  bool operator<(const SortKey& o) const { return rank != o.rank ? rank < o.rank : rank == 1 ? number < o.number : rank == 2 && text < o.text; }
};

}  // namespace

QueryField::QueryField(QWidget* parent) : QPlainTextEdit(parent), completer_(new QCompleter(this)), words_(new QStandardItemModel(this)) {
  setTabChangesFocus(true);
  setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  completer_->setModel(words_);
  completer_->setWidget(this);
  completer_->setCaseSensitivity(Qt::CaseInsensitive);
  completer_->setCompletionMode(QCompleter::PopupCompletion);
  completer_->setMaxVisibleItems(12);
  connect(completer_, QOverload<const QString&>::of(&QCompleter::activated), this, &QueryField::take);
  connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this, &QWidget::updateGeometry);
  restyle();
}

void QueryField::restyle() {
  const widgets::Theme& theme = widgets::Theme::current();
  setFont(theme.monoFont());
  // Fields inside scroll areas have no frame otherwise.
  const QString sheet =
      QStringLiteral("QPlainTextEdit { background: %1; border: 1px solid %2; } QPlainTextEdit:focus { border: 1px solid %3; }")
          .arg(theme.color(widgets::Role::Surface2).name(), theme.color(widgets::Role::Border).name(), theme.color(widgets::Role::Focus).name());
  if (sheet != styleSheet()) setStyleSheet(sheet);
}

void QueryField::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) restyle();
  QPlainTextEdit::changeEvent(event);
}

QSize QueryField::sizeHint() const {
  const int lines = std::clamp(int(document()->size().height()), 1, kMostLines);  // a QPlainTextEdit counts in lines
  return {400, int(lines * QFontMetricsF(font()).lineSpacing() + 2 * document()->documentMargin()) + 2 * frameWidth() + 2};
}

void QueryField::setHistory(const QStringList& history) {
  history_ = history;
  at_ = history_.size();
}

void QueryField::setWords(const QVector<QueryWord>& words) {
  words_->clear();
  for (const QueryWord& w : words) {
    auto* item = new QStandardItem(w.text);
    item->setToolTip(w.doc);
    const bool ours = w.kind == QueryWord::Kind::Table || w.kind == QueryWord::Kind::Column;
    item->setIcon(widgets::icon(ours ? QStringLiteral("layers") : w.kind == QueryWord::Kind::Op ? QStringLiteral("node") : QStringLiteral("mark")));
    words_->appendRow(item);
  }
}

QString QueryField::wordBefore() const {
  const QString before = textCursor().block().text().left(textCursor().positionInBlock());
  qsizetype from = before.size();
  while (from > 0 && isWordPart(before[from - 1])) --from;
  return before.mid(from);
}

/// Shows the words that begin like the one before the cursor.
void QueryField::offer(bool asked) {
  const QString word = wordBefore();
  if (!asked && word.size() < kLeastWord) return completer_->popup()->hide();
  completer_->setCompletionPrefix(word);
  if (completer_->completionCount() == 0 || (completer_->completionCount() == 1 && completer_->currentCompletion() == word)) return completer_->popup()->hide();
  completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
  QRect place = cursorRect();
  place.setWidth(completer_->popup()->sizeHintForColumn(0) + completer_->popup()->verticalScrollBar()->sizeHint().width() + 24);
  completer_->complete(place);
}

void QueryField::take(const QString& word) {
  QTextCursor cursor = textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, int(wordBefore().size()));
  cursor.insertText(word);
  setTextCursor(cursor);
}

void QueryField::recall(int step) {
  if (history_.isEmpty()) return;
  if (at_ == history_.size()) typed_ = toPlainText();
  at_ = std::clamp<qsizetype>(at_ + step, 0, history_.size());
  setPlainText(at_ == history_.size() ? typed_ : history_[at_]);
  moveCursor(QTextCursor::End);
}

void QueryField::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (completer_->popup()->isVisible() &&
      (key == Qt::Key_Enter || key == Qt::Key_Return || key == Qt::Key_Escape || key == Qt::Key_Tab || key == Qt::Key_Backtab)) {
    if (key == Qt::Key_Escape) completer_->popup()->hide();
    else event->ignore();  // the completer takes it
    return;
  }
  if ((key == Qt::Key_Enter || key == Qt::Key_Return) && !(event->modifiers() & Qt::ShiftModifier)) {
    const QString sql = toPlainText().trimmed();
    if (!sql.isEmpty()) emit given(sql);
    return;
  }
  if (key == Qt::Key_Space && (event->modifiers() & Qt::ControlModifier)) return offer(true);
  if (key == Qt::Key_Up && textCursor().blockNumber() == 0 && event->modifiers() == Qt::NoModifier) return recall(-1);
  if (key == Qt::Key_Down && textCursor().blockNumber() == document()->blockCount() - 1 && event->modifiers() == Qt::NoModifier) return recall(1);
  QPlainTextEdit::keyPressEvent(event);
  if (!event->text().isEmpty() && !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) offer(false);
}

void QueryTableModel::setPage(QueryPagePtr page) {
  beginResetModel();
  page_ = std::move(page);
  order_.resize(page_->rows.size());
  std::iota(order_.begin(), order_.end(), 0);
  places_ = order_;
  endResetModel();
}

QVariant QueryTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const QVariant& value = page_->rows[size_t(order_[size_t(index.row())])][index.column()];
  const widgets::Theme& theme = widgets::Theme::current();
  switch (role) {
    case Qt::DisplayRole: return QueryPage::text(value);
    case Qt::ToolTipRole: return value.isNull() ? tr("NULL: no value") : value.toString();
    case Qt::TextAlignmentRole: return int((page_->columns[index.column()].isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole: return theme.monoFont();
    case Qt::ForegroundRole: return value.isNull() ? QVariant(QBrush(theme.color(widgets::Role::Text3))) : QVariant();
    default: return {};
  }
}

QVariant QueryTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= page_->columns.size()) return {};
  const QueryPage::Column& c = page_->columns[section];
  if (role == Qt::DisplayRole) return c.name;
  if (role == Qt::ToolTipRole) return c.table.isEmpty() ? c.name : QStringLiteral("%1.%2").arg(c.table, c.origin);
  if (role == Qt::TextAlignmentRole) return int((c.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

void QueryTableModel::sort(int column, Qt::SortOrder order) {
  if (order_.size() > kMostRowsSorted) return;
  emit layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  std::vector<int> rows;
  for (const QModelIndex& i : before) rows.push_back(order_[size_t(i.row())]);
  std::iota(order_.begin(), order_.end(), 0);
  if (column >= 0 && column < page_->columns.size()) {
    std::vector<SortKey> keys;
    for (const QVariantList& row : page_->rows) keys.emplace_back(row[column]);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return order == Qt::AscendingOrder ? keys[size_t(a)] < keys[size_t(b)] : keys[size_t(b)] < keys[size_t(a)]; });
  }
  for (size_t i = 0; i < order_.size(); ++i) places_[size_t(order_[i])] = int(i);
  QModelIndexList after;
  for (size_t i = 0; i < rows.size(); ++i) after << index(places_[size_t(rows[i])], before[qsizetype(i)].column());
  changePersistentIndexList(before, after);
  emit layoutChanged();
}

}  // namespace weft::app
