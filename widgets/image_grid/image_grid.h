// The images dock: a card per run and tag, one step for all, and a close-up view of one or two of them.
#pragma once

#include <memory>

#include "common/run_card_panel.h"
#include "image_grid/image_viewer.h"
#include "image_grid/picture_series.h"

namespace weft::widgets {

class ImageCard;

/// Every step of every picture stays available; cards out of view do no work. GUI thread.
class ImageGrid : public RunCardPanel {
  Q_OBJECT

 public:
  explicit ImageGrid(QWidget* parent = nullptr);
  ~ImageGrid() override;

  /// Adds the pictures of a run and tag, or replaces their series; `hue` is the index of the run's colour.
  void setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const PictureSeries> series);

  void setTone(ImageTone tone);
  /// Opens the close-up view of one or two cards; empty: closes it. False if there is no such card.
  bool look(const QString& runA, const QString& tagA, const QString& runB = {}, const QString& tagB = {});
  /// How the close-up view shows its one or two pictures.
  void setViewMode(ImageViewer::Mode mode);
  ImageViewer* viewer() const;
  /// The card of a picture, created if necessary. Null if there is no such picture.
  ImageCard* card(const QString& run, const QString& tag);

 protected:
  QWidget* makeCard(const QString& key, QWidget* parent) override;
  std::vector<double> stepsOf(const QString& key) override;
  void refreshCard(const QString& key) override;
  void forget(const QString& key) override;
  void refreshed() override;
  void retranslate() override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
