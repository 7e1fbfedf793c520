#pragma once

#include <QWidget>

#include "document/summaries.h"
#include "shell/view.h"

namespace weft::widgets {
class ImageGrid;
}

namespace weft::app {

/// The pictures that runs logged, at all steps, live.
class ImagesView : public QWidget {
  Q_OBJECT

 public:
  ImagesView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();
  /// Writes the shown picture of the newest visible run with that tag as PNG. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);
  /// `newest`, a step, or `look TAG` and `compare TAG TAG` for a closer look; others return false.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showSeries(int run, const QString& tag);
  /// Name of the newest visible run that has the tag, else of the newest hidden one; empty: none.
  QString runWith(const QString& tag) const;
  void retranslate();

  ViewContext context_;
  widgets::ImageGrid* grid_;
  bool sendingStep_ = false;  // this panel is sending its step to the others
};

extern const ViewRecord imagesView;

}  // namespace weft::app
