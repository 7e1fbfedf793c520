#pragma once

#include <QHeaderView>

namespace weft::widgets {

/// The header of a table that can be sorted: the arrow stands beside the word that it belongs to, and lies over none.
class SortHeader : public QHeaderView {
  Q_OBJECT

 public:
  explicit SortHeader(QWidget* parent);

  void initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const override;

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
};

}  // namespace weft::widgets
