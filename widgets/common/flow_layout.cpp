#include "common/flow_layout.h"

#include <QWidget>
#include <algorithm>

namespace weft::widgets {

FlowLayout::FlowLayout(QWidget* parent, int margin, int spacing) : QLayout(parent), spacing_(spacing) { setContentsMargins(margin, margin, margin, margin); }

FlowLayout::~FlowLayout() { qDeleteAll(items_); }

QLayoutItem* FlowLayout::itemAt(int index) const { return index >= 0 && index < count() ? items_[static_cast<size_t>(index)] : nullptr; }

QLayoutItem* FlowLayout::takeAt(int index) {
  QLayoutItem* item = itemAt(index);
  if (item != nullptr) items_.erase(items_.begin() + index);
  return item;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  const QMargins m = contentsMargins();
  return size + QSize(m.left() + m.right(), m.top() + m.bottom());
}

// Items of one line are centred on it. Returns the height.
int FlowLayout::arrange(const QRect& rect, bool apply) const {
  const QMargins m = contentsMargins();
  const QRect inside = rect.marginsRemoved(m);
  int x = inside.x(), y = inside.y(), lineHeight = 0;
  std::vector<std::pair<QLayoutItem*, QRect>> line;
  const auto flush = [&] {
    for (auto& [item, r] : line)
      if (apply) item->setGeometry(r.translated(0, (lineHeight - r.height()) / 2));
    line.clear();
  };
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const QSize size = item->sizeHint().expandedTo(item->minimumSize());
    if (x > inside.x() && x + size.width() > inside.x() + inside.width()) {
      flush();
      y += lineHeight + spacing_;
      x = inside.x();
      lineHeight = 0;
    }
    line.emplace_back(item, QRect(QPoint(x, y), QSize(std::min(size.width(), std::max(inside.width(), item->minimumSize().width())), size.height())));
    x += size.width() + spacing_;
    lineHeight = std::max(lineHeight, size.height());
  }
  flush();
  return y + lineHeight - rect.y() + m.bottom();
}

}  // namespace weft::widgets
