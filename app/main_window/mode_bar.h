#pragma once

#include <QToolBar>

class QToolButton;

namespace weft::app {

class ActionRegistry;

/// The column on the left that chooses a layout of the docks.
class ModeBar : public QToolBar {
  Q_OBJECT

 public:
  /// `ids`: the layout actions (`layout.compose` …), from the top.
  ModeBar(ActionRegistry& actions, const QStringList& ids, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retheme();
};

}  // namespace weft::app
