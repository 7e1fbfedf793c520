#pragma once

#include <QWidget>

#include "shell/view.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QToolButton;

namespace weft::widgets {
class EmptyState;
class TensorView;
}  // namespace weft::widgets

namespace weft::app {

/// One tensor of the debugged run: the requested one, else the first output of the selected node, else of the current op.
class TensorDock : public QWidget {
  Q_OBJECT

 public:
  TensorDock(const ViewContext& context, QWidget* parent);

 public slots:
  /// `table`, `heat-map`, `image`, `histogram`, `curve`; `value 0…4`: present, before, change; `slice TEXT`; `mark TEXT`; `go-to TEXT`.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  QString wanted() const;
  QString tensorAt(const QString& node) const;
  void read();
  void setPinned(bool on);
  QString whyNotEditable() const;
  void askAbout(const QVector<qint64>& positions);
  void setCell(const QVector<qint64>& positions, const QString& text);
  void fillChoices();

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  widgets::TensorView* view_;
  QLabel* place_;
  QLineEdit* name_;
  QComboBox* which_;
  QToolButton* pin_;
  QString shown_;
  bool asked_ = false;   ///< Named by the user: the selection does not change it.
  int chosenLook_ = -1;  ///< A widgets::TensorView::Look; -1: depends on the tensor's size.
};

extern const ViewRecord tensorView;

}  // namespace weft::app
