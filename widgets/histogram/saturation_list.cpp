#include "histogram/saturation_list.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyle>
#include <QStyledItemDelegate>
#include <algorithm>

#include "common/format.h"
#include "common/name_delegate.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

enum Column { kName, kCurve, kShare, kColumns };
enum Data { kValue = Qt::UserRole + 1, kHistory };
constexpr double kMuch = 0.5;

class ShareDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    const QString text = std::exchange(plain.text, QString());
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
    const Theme& theme = Theme::current();
    const double share = index.data(kValue).toDouble();
    const QColor hue = theme.color(share >= kMuch ? Role::Warning : Role::Accent);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF room = QRectF(option.rect).adjusted(6, 4, -6, -4);
    if (index.column() == kCurve) {
      paintCurve(painter, room, index.data(kHistory).value<QVector<QPointF>>(), hue);
    } else {
      const double words = QFontMetricsF(option.font).horizontalAdvance(QStringLiteral("100.0 %"));
      const QRectF bar(room.left(), room.center().y() - 3, std::max(0.0, room.width() - words - 8), 6);
      painter->setPen(Qt::NoPen);
      painter->setBrush(theme.color(Role::Surface3));
      painter->drawRoundedRect(bar, 3, 3);
      if (share > 0) {
        painter->setBrush(hue);
        painter->drawRoundedRect(QRectF(bar.left(), bar.top(), std::max(6.0, bar.width() * std::min(1.0, share)), bar.height()), 3, 3);
      }
      painter->setFont(option.font);
      painter->setPen(theme.color(share >= kMuch ? Role::Warning : Role::Text1));
      painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, text);
    }
    painter->restore();
  }

 private:
  static void paintCurve(QPainter* painter, const QRectF& room, const QVector<QPointF>& points, const QColor& hue) {
    painter->setPen(QPen(Theme::current().color(Role::Border), 1));
    painter->drawLine(room.bottomLeft(), room.bottomRight());
    if (points.isEmpty()) return;
    const double first = points.first().x(), span = std::max(1e-9, points.last().x() - first);
    QPolygonF line;
    for (const QPointF& p : points)
      line << QPointF(room.left() + (p.x() - first) / span * room.width(), room.bottom() - std::clamp(p.y(), 0.0, 1.0) * room.height());
    if (line.size() == 1) line << QPointF(room.right(), line.first().y());
    painter->setPen(QPen(hue, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(line);
  }
};

}  // namespace

SaturationList::SaturationList(QWidget* parent) : QTreeWidget(parent) {
  setColumnCount(kColumns);
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setAllColumnsShowFocus(true);
  elideNames(this);
  setItemDelegateForColumn(kCurve, new ShareDelegate(this));
  setItemDelegateForColumn(kShare, new ShareDelegate(this));
  header()->setStretchLastSection(true);
  header()->resizeSection(kName, 136);
  header()->resizeSection(kCurve, 112);
  connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { emit chosen(item->data(kName, Qt::UserRole).toString()); });
  connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { emit chosen(item->data(kName, Qt::UserRole).toString()); });
  retranslate();
}

void SaturationList::setEntries(const QVector<SaturationEntry>& entries) {
  while (topLevelItemCount() > entries.size()) delete takeTopLevelItem(topLevelItemCount() - 1);
  while (topLevelItemCount() < entries.size()) new QTreeWidgetItem(this);
  for (int i = 0; i < int(entries.size()); ++i) {
    const SaturationEntry& e = entries[i];
    QTreeWidgetItem* item = topLevelItem(i);
    item->setText(kName, e.name);
    item->setData(kName, Qt::UserRole, e.name);
    item->setText(kShare, QStringLiteral("%1 %").arg(e.share * 100, 0, 'f', 1));
    for (const int c : {kCurve, kShare}) item->setData(c, kValue, e.share);
    item->setData(kCurve, kHistory, QVariant::fromValue(e.history));
    item->setData(kShare, Qt::AccessibleTextRole, tr("%1 % %2").arg(e.share * 100, 0, 'f', 1).arg(e.kind));
    for (int c = 0; c < kColumns; ++c) item->setToolTip(c, e.toolTip);
  }
}

void SaturationList::retranslate() {
  setHeaderLabels({tr("Activation"), tr("Over steps"), tr("Inactive")});
  headerItem()->setToolTip(kShare, tr("Relu: units that are zero for every sample; tanh and sigmoid: outputs close to an end of their range"));
  setAccessibleName(tr("Saturated units"));
}

void SaturationList::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QTreeWidget::changeEvent(event);
}

}  // namespace weft::widgets
