// The share of dead or saturated units of each activation.
#pragma once

#include <QPointF>
#include <QTreeWidget>
#include <QVector>

namespace weft::widgets {

/// One activation.
struct SaturationEntry {
  QString name;      ///< Of its node.
  QString kind;      ///< What is counted, in a word: `dead`, `saturated`.
  double share = 0;  ///< Current share, 0…1.
  QString toolTip;
  QVector<QPointF> history;  ///< Share over step, oldest first.
};

/// One row per activation: its name, its share over the steps as a small curve, and the current share as a bar, highlighted from one half on. GUI thread.
class SaturationList : public QTreeWidget {
  Q_OBJECT

 public:
  explicit SaturationList(QWidget* parent = nullptr);
  /// Replaces all rows. Rows with unchanged names keep their place and selection.
  void setEntries(const QVector<SaturationEntry>& entries);

 signals:
  void chosen(const QString& name);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
};

}  // namespace weft::widgets
