#pragma once

#include <QWidget>

#include "adapters/file_sources.h"

class QButtonGroup;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace weft::widgets {
class EmptyState;
class TensorView;
}  // namespace weft::widgets

namespace weft::app {

class ActionRegistry;
class FileTab;
class TensorMedia;
class TensorTogether;
class Workspace;

/// The values of the chosen tensor: its own, or after a comparison the other file's, or their difference.
class TensorDetail : public QWidget {
  Q_OBJECT

 public:
  enum class Which { Here, There, Difference };
  TensorDetail(FileTab* file, ActionRegistry& actions, Workspace& workspace, QWidget* parent);
  void show(Which which);
  widgets::TensorView* view() const { return view_; }
  /// Shows everything on one page: convolution kernels as pictures of their filters, other tensors as maps; else shows the numbers.
  Q_INVOKABLE void showFilters(bool show);
  Q_INVOKABLE bool hasFilters() const;
  /// Shows pictures and sounds as such, if the values are.
  void showMedia(bool show);
  TensorMedia* media() const { return media_; }

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill();
  bool showAsMedia(const TensorSourcePtr& shown);
  void showDescription();
  void retranslate();

  FileTab* file_;
  Which which_ = Which::Here;
  int lookedAt_ = -1;  ///< The tensor that was shown last.
  QLabel *name_, *descriptionLabel_;
  QString description_;  // the unelided text of descriptionLabel_
  QButtonGroup* group_;
  QToolButton* buttons_[3];
  QToolButton *asMedia_, *filters_, *export_;
  QStackedWidget* stack_;
  QWidget* page_;  // contains view_
  TensorTogether* together_;
  TensorMedia* media_;
  widgets::EmptyState* empty_;
  widgets::TensorView* view_;
};

}  // namespace weft::app
