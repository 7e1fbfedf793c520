// How much of each activation does nothing any more.
#pragma once

#include <QPointF>
#include <QTreeWidget>
#include <QVector>

namespace weft::widgets {

/// One activation.
struct SaturationEntry {
  QString name;      ///< Of its node.
  QString kind;      ///< What is counted, in a word: `dead`, `saturated`.
  double share = 0;  ///< 0…1, now.
  QString toolTip;
  QVector<QPointF> history;  ///< Share over step, oldest first.
};

/// A row for each activation: its name, its share over the steps as a small curve, and the share now as a bar, marked from a half on. GUI thread.
class SaturationList : public QTreeWidget {
  Q_OBJECT

 public:
  explicit SaturationList(QWidget* parent = nullptr);
  /// Replaces all rows. Rows of the same names keep their place and selection.
  void setEntries(const QVector<SaturationEntry>& entries);

 signals:
  void chosen(const QString& name);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
};

}  // namespace weft::widgets
