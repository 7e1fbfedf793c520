#pragma once

#include <QHeaderView>

namespace weft::widgets {

/// The header of a sortable table: the sort arrow stands beside its text instead of above it.
class SortHeader : public QHeaderView {
  Q_OBJECT

 public:
  explicit SortHeader(QWidget* parent);

  void initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const override;

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
};

}  // namespace weft::widgets
