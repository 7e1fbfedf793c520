#pragma once

#include <QPointF>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVector>

#include "adapters/why_answers.h"

namespace weft::app {

class WhyStore;

/// Data role of a bar behind a number: −1 … 1.
inline constexpr int kBarRole = Qt::UserRole + 1;

/// Paints a number over a bar from the middle: to the right for what adds, to the left for what subtracts.
class BarDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The links of a path, one below the other.
class PathTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit PathTable(QWidget* parent);
  void setLinks(const QVector<WhyLink>& links);
  void retranslate();
};

/// What one link was computed from.
class PartTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit PartTable(QWidget* parent);
  void setLink(const WhyLink& link);
  void retranslate();
};

/// What each row of the batch contributes.
class RowTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit RowTable(QWidget* parent);
  void setRows(const WhyRows& rows);
  void retranslate();
};

/// Tensors that differ between two steps.
class DifferenceTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit DifferenceTable(QWidget* parent);
  void setDifference(const WhyDifference& difference);
  void retranslate();
};

/// A variable's element over the recorded steps.
class EarlierValues : public QWidget {
  Q_OBJECT

 public:
  explicit EarlierValues(QWidget* parent) : QWidget(parent) {}
  void setValues(const QVector<QPointF>& values);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QVector<QPointF> values_;
};

/// WhyView's property `report`.
QString reportOf(const WhyStore& store);
/// How a link follows from its parts, in one sentence.
QString sentenceOf(const WhyLink& link);
/// "after step 7", "step 8", "before the first step".
QString momentOf(const WhyPart& part);

}  // namespace weft::app
