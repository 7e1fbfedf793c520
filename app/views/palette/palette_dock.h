#pragma once

#include <QWidget>

#include "shell/view.h"

namespace weft::widgets {
class PaletteView;
}

namespace weft::app {

/// Layers and ops by category. Enter or a double-click adds next to the selection; dragging adds at a position or on a wire.
class PaletteDock : public QWidget {
  Q_OBJECT

 public:
  PaletteDock(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void fill();
  void add(const QString& type, const QString& parameters);

  ViewContext context_;
  widgets::PaletteView* view_;
  QStringList groups_;  // those that are shown
  bool filled_ = false, pointerInside_ = false, recentWaits_ = false;
};

extern const ViewRecord paletteView;

}  // namespace weft::app
