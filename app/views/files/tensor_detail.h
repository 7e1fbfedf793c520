#pragma once

#include <QWidget>

class QButtonGroup;
class QLabel;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace weft::widgets {
class EmptyState;
class FilterMosaic;
class TensorView;
class ValueHistogram;
}

namespace weft::app {

class ActionRegistry;
class FileTab;

/// The values of the chosen tensor: its own, after a comparison the other file's, or their difference.
class TensorDetail : public QWidget {
  Q_OBJECT

 public:
  enum class Which { Here, There, Difference };
  TensorDetail(FileTab* file, ActionRegistry& actions, QWidget* parent);
  void show(Which which);
  widgets::TensorView* view() const { return view_; }
  /// Whether kernels of convolutions are shown as pictures of their filters.
  Q_INVOKABLE void showFilters(bool show);
  Q_INVOKABLE bool hasFilters() const;

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refill();
  void showWhat();
  /// Beside the kernels, as far as the width allows: how another file differs, and how the values are spread.
  void showBeside();
  void retranslate();

  FileTab* file_;
  Which which_ = Which::Here;
  QLabel *name_, *what_;
  QString whatText_;  // of what_, in full
  QButtonGroup* group_;
  QToolButton* buttons_[3];
  QToolButton *filters_, *export_;
  QStackedWidget* stack_;
  QWidget* page_;  // with the view_
  QScrollArea* mosaicPage_;
  widgets::FilterMosaic* mosaic_;
  QWidget *differencePart_, *histogramPart_;
  widgets::FilterMosaic* differenceMosaic_;
  widgets::ValueHistogram* histogram_;
  QLabel *differenceTitle_, *histogramTitle_;
  widgets::EmptyState* empty_;
  widgets::TensorView* view_;
};

}  // namespace weft::app
