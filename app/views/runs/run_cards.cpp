#include "views/runs/run_cards.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kKey = Qt::UserRole;
constexpr int kEye = 16, kSwatch = 10, kGap = 8, kAbove = 6, kBetween = 1;
constexpr int kHighest = 3000;  // pixels; more than a dock can have
constexpr int kName = kCellSide + kEye + kGap + kSwatch + kGap;

QFont nameFont(bool bold) {
  QFont font = Theme::current().uiFont();
  if (bold) font.setWeight(QFont::DemiBold);
  return font;
}

class CardDelegate : public QStyledItemDelegate {
 public:
  explicit CardDelegate(RunCards* cards) : QStyledItemDelegate(cards), cards_(cards) {}

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const RunCard* card = at(index);
    const Theme& theme = Theme::current();
    int high = 2 * kAbove + QFontMetrics(nameFont(true)).size(0, card ? card->name : QString()).height();
    if (card && card->seen) {
      if (!card->what.isEmpty()) high += kBetween + QFontMetrics(theme.smallFont()).size(0, card->what).height();  // Chinese text is higher
      if (!card->numbers.isEmpty()) high += kBetween + QFontMetrics(theme.monoSmallFont()).size(0, card->numbers).height();
      if (!card->note.isEmpty()) high += kBetween + QFontMetrics(theme.smallFont()).size(0, card->note).height();
    }
    return {kName + 80, high};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const RunCard* card = at(index);
    if (!card) return;
    const Theme& theme = Theme::current();
    QStyleOptionViewItem o = option;
    initStyleOption(&o, index);
    o.text.clear();
    (o.widget ? o.widget->style() : QApplication::style())->drawControl(QStyle::CE_ItemViewItem, &o, painter, o.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool chosen = (o.state & QStyle::State_Selected) != 0;
    const auto color = [&](Role role) { return theme.color(chosen ? Role::SelectionText : role); };
    const QRect& r = option.rect;
    const QFontMetrics names(nameFont(true));
    const int line = names.height();
    int y = r.top() + kAbove;
    drawEye(*painter, QRect(r.left() + kCellSide, y + (line - kEye) / 2, kEye, kEye), *card, color(card->seen ? Role::Text2 : Role::Text3));
    drawSwatch(*painter, QRectF(r.left() + kCellSide + kEye + kGap, y + (line - kSwatch) / 2.0, kSwatch, kSwatch), *card, color(Role::Text3));
    const int left = r.left() + kName, right = r.right() - kCellSide;
    const auto write = [&](const QString& text, const QFont& font, Role role, int from, int to, Qt::Alignment align, Qt::TextElideMode elide) {
      const QFontMetrics metrics(font);
      painter->setFont(font);
      painter->setPen(color(role));
      const QRect place(from, y, std::max(0, to - from), std::max(line, metrics.height()));
      painter->drawText(place, int(align | Qt::AlignVCenter), metrics.elidedText(text, elide, place.width()));
    };
    // The state is never elided: it is short, and meaningless when cut.
    const QString beside = card->seen || card->failed ? card->state : !card->what.isEmpty() ? card->what : card->state;
    const QFontMetrics small(theme.smallFont());
    const int nameWide = std::min(names.horizontalAdvance(card->name) + 2, (right - left) * 3 / 4);
    const int stateWide = card->seen ? small.horizontalAdvance(beside) + 2 : right - left - nameWide - kGap;
    const bool room = nameWide + kGap + stateWide <= right - left;
    // Folder names differ at their end.
    write(card->name, nameFont(card->seen), card->seen ? Role::Text1 : Role::Text2, left, room ? right - stateWide - kGap : right, Qt::AlignLeft,
          card->name.contains(u'/') ? Qt::ElideLeft : Qt::ElideRight);
    if (room)
      write(beside, theme.smallFont(), card->failed ? Role::Error : Role::Text3, right - stateWide, right, card->seen ? Qt::AlignRight : Qt::AlignLeft,
            Qt::ElideRight);
    y += line + kBetween;
    if (card->seen) {
      const auto beneath = [&](const QString& text, const QFont& font, Role role) {
        if (text.isEmpty()) return;
        const int high = QFontMetrics(font).size(0, text).height();
        painter->setFont(font);
        painter->setPen(color(role));
        painter->drawText(QRect(left, y, right - left, high), int(Qt::AlignLeft | Qt::AlignVCenter),
                          QFontMetrics(font).elidedText(text, Qt::ElideRight, right - left));
        y += high + kBetween;
      };
      beneath(card->what, theme.smallFont(), Role::Text2);
      beneath(card->numbers, theme.monoSmallFont(), Role::Text1);
      beneath(card->note, theme.smallFont(), Role::Text3);
    }
    painter->setPen(QPen(theme.color(Role::Border), 1));
    painter->drawLine(r.bottomLeft(), r.bottomRight());
    painter->restore();
  }

 private:
  const RunCard* at(const QModelIndex& index) const { return index.row() < cards_->cards().size() ? &cards_->cards()[index.row()] : nullptr; }

  static void drawEye(QPainter& painter, const QRect& place, const RunCard& card, const QColor& color) {
    if (!card.hasCurves) return;
    painter.drawPixmap(place, widgets::iconPixmap(QStringLiteral("eye"), kEye, color, painter.device()->devicePixelRatioF()));
    if (card.seen) return;
    painter.setPen(QPen(color, 1.5));
    painter.drawLine(place.bottomLeft() + QPoint(2, -1), place.topRight() + QPoint(-2, 2));
  }
  /// Filled while its curves are shown, else an outline, in the run's colour.
  static void drawSwatch(QPainter& painter, const QRectF& place, const RunCard& card, const QColor& none) {
    const QColor hue = card.hue >= 0 ? Theme::current().categorical(card.hue) : none;
    painter.setPen(QPen(hue, 1.5));
    painter.setBrush(card.seen ? QBrush(hue) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(place.adjusted(0.75, 0.75, -0.75, -0.75), 2, 2);
  }

  RunCards* cards_;
};

}  // namespace

RunCards::RunCards(QWidget* parent) : QTreeWidget(parent) {
  setColumnCount(1);
  setHeaderHidden(true);
  setRootIsDecorated(false);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(QFrame::NoFrame);
  setItemDelegate(new CardDelegate(this));
  header()->setSectionResizeMode(QHeaderView::Stretch);
  retranslate();
}

void RunCards::retranslate() { setAccessibleName(tr("Runs")); }

void RunCards::setCards(const QVector<RunCard>& cards) {
  const QStringList chosen = selectedKeys();
  const QSignalBlocker quiet(this);
  // If only numbers changed, rows are kept and only the changed ones are repainted.
  bool same = cards.size() == cards_.size(), higher = !same;
  for (qsizetype i = 0; same && i < cards.size(); ++i) same = cards[i].key == cards_[i].key;
  const QVector<RunCard> before = std::exchange(cards_, cards);
  while (topLevelItemCount() > int(cards.size())) delete takeTopLevelItem(topLevelItemCount() - 1);
  while (topLevelItemCount() < int(cards.size())) addTopLevelItem(new QTreeWidgetItem);
  for (int i = 0; i < int(cards.size()); ++i) {
    const RunCard& c = cards[i];
    if (same && before[i] == c) continue;
    QTreeWidgetItem* item = topLevelItem(i);
    higher = higher || !same || before[i].seen != c.seen || before[i].what.isEmpty() != c.what.isEmpty() ||
             before[i].numbers.isEmpty() != c.numbers.isEmpty() || before[i].note.isEmpty() != c.note.isEmpty();
    item->setData(0, kKey, c.key);
    item->setText(0, c.name);
    QStringList words{c.name, c.state, c.what, c.numbers, c.note, c.hasCurves ? (c.seen ? tr("curves shown") : tr("curves hidden")) : QString()};
    words.removeAll(QString());
    item->setData(0, Qt::AccessibleTextRole, words.join(QStringLiteral(", ")));
    item->setToolTip(0, c.toolTip);
  }
  if (higher) scheduleDelayedItemsLayout();
  if (!same) select(chosen);
  viewport()->update();
}

QString RunCards::keyAt(const QTreeWidgetItem* item) const { return item ? item->data(0, kKey).toString() : QString(); }

QStringList RunCards::selectedKeys() const {
  QStringList keys;
  for (int i = 0; i < topLevelItemCount(); ++i)
    if (topLevelItem(i)->isSelected()) keys << keyAt(topLevelItem(i));
  return keys;
}

void RunCards::select(const QStringList& keys) {
  for (int i = 0; i < topLevelItemCount(); ++i) topLevelItem(i)->setSelected(keys.contains(keyAt(topLevelItem(i))));
}

QRect RunCards::eyeRect(int row) const {
  const QRect r = visualItemRect(topLevelItem(row));
  const int line = QFontMetrics(nameFont(true)).height();
  return {r.left() + kCellSide, r.top() + kAbove + (line - kEye) / 2, kEye, kEye};
}

int RunCards::contentHeight() const {
  int high = 2 * frameWidth() + 2;
  for (int i = 0; i < topLevelItemCount() && high < kHighest; ++i) high += itemDelegate()->sizeHint({}, model()->index(i, 0)).height();
  return high;
}

void RunCards::toggle(QTreeWidgetItem* item, bool allSelected) {
  const int row = indexOfTopLevelItem(item);
  if (row < 0 || !cards_[row].hasCurves) return;
  const bool show = !cards_[row].seen;
  emit eyeClicked(allSelected && item->isSelected() ? selectedKeys() : QStringList{cards_[row].key}, show);
}

bool RunCards::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    QTreeWidgetItem* item = itemAt(mouse->position().toPoint());
    const int row = item ? indexOfTopLevelItem(item) : -1;
    if (row >= 0 && mouse->button() == Qt::LeftButton && cards_[row].hasCurves &&
        eyeRect(row).adjusted(-kCellSide, -4, 4, 4).contains(mouse->position().toPoint())) {
      toggle(item, false);
      return true;
    }
  }
  return QTreeWidget::viewportEvent(event);
}

void RunCards::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && currentItem()) {
    toggle(currentItem(), true);
    return;
  }
  QTreeWidget::keyPressEvent(event);
}

}  // namespace weft::app
