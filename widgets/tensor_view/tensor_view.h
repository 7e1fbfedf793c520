#pragma once

#include <QVector>
#include <QWidget>
#include <memory>

#include "tensor_view/tensor_slice.h"
#include "tensor_view/tensor_source.h"
#include "tensor_view/value_plots.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace weft::widgets {

class HeatMap;
class TensorTableModel;

/// A tensor as table, heat map, picture, histogram or curve over iterations, with statistics, a slice bar for higher ranks, "go to", and a range of values to
/// mark. GUI thread.
class TensorView : public QWidget {
  Q_OBJECT

 public:
  enum class Look { Table, Map, Picture, Histogram, Curve };
  explicit TensorView(QWidget* parent = nullptr);

  /// Null: shows nothing. The slice is kept if the shape is unchanged.
  void setSource(std::shared_ptr<const TensorSource> source);
  void setMoments(const QVector<ValueMoment>& moments);
  Look look() const { return look_; }
  void setLook(Look look);
  const TensorSlice& slice() const { return slice_; }
  /// Why a cell's menu cannot ask where its value comes from; empty: it can.
  void setWhyNotAsked(const QString& reason) { whyNotAsked_ = reason; }
  /// As if typed by the user; errors are shown beneath and returned as false.
  bool setSliceText(const QString& text);
  bool goTo(const QString& text);
  bool setHighlight(const QString& text);
  /// Number of cells in the slice that the highlight marks.
  qint64 highlighted() const { return highlighted_; }
  /// Makes table cells editable; `whyNot` is shown to a user who tries to edit read-only cells.
  void setEditable(bool on, const QString& whyNot = {});
  /// Shows why a cell was not changed, until the next source. Empty: hides it.
  void showEditError(const QString& error);

 signals:
  /// The user chose a look by its button.
  void lookChosen(Look look);
  /// The user typed a new value into a table cell. `positions`: one per axis.
  void cellEdited(const QVector<qint64>& positions, const QString& text);
  /// The user asked where a cell's value comes from. `positions`: one per axis.
  void cellAsked(const QVector<qint64>& positions);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void retranslate();
  void showSlice();
  void showFacts();
  void fitFacts();
  void buildSliceBar();
  void fitLooks();
  void refuseEdit();
  void showCellMenu(const QPoint& at);
  void showError(const QString& error);
  void markCell(qint64 row, qint64 column);
  void tell(QLineEdit* field, const QString& error);

  std::shared_ptr<const TensorSource> source_;
  TensorSlice slice_;
  std::function<bool(double)> highlight_;
  qint64 highlighted_ = 0;
  Look look_ = Look::Map;
  bool editable_ = false, editFailed_ = false;
  QString whyNotEditable_, whyNotAsked_;
  QButtonGroup* looks_;
  QLineEdit *goTo_, *sliceText_, *highlightText_;
  QWidget *sliceBar_, *bottom_;
  QLabel *sliceLabel_, *highlightLabel_, *error_, *facts_;
  QStackedWidget* pages_;
  QTableView* table_;
  TensorTableModel* model_;
  HeatMap* map_;
  ValueHistogram* histogram_;
  ValueHistogram* small_;
  ValueCurve* curve_;
};

}  // namespace weft::widgets
