// The images dock: a card per run and tag, one step for all, and a closer look at one or two of them.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "image_grid/image_viewer.h"
#include "image_grid/picture_series.h"

namespace weft::widgets {

class ImageCard;

/// Every step of every picture stays available; cards out of sight do no work. GUI thread.
class ImageGrid : public QWidget {
  Q_OBJECT

public:
  explicit ImageGrid(QWidget* parent = nullptr);
  ~ImageGrid() override;

  /// Adds the pictures of a run and tag, or takes over another series for them; `hue` is the number of the run's colour.
  void setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const PictureSeries> series);
  /// The series of that run and tag has grown.
  void grown(const QString& run, const QString& tag);
  void removeRun(const QString& run);
  void setRunVisible(const QString& run, bool visible);

  /// The step of all cards; nullopt: the newest.
  void setStep(std::optional<double> step);
  void setSearch(const QString& regex);
  void setTone(ImageTone tone);
  /// Opens the pictures of one or two cards for a closer look; empty: closes it. False if there is no such card.
  bool look(const QString& runA, const QString& tagA, const QString& runB = {}, const QString& tagB = {});
  ImageViewer* viewer() const;
  /// Null if there is no such picture (made if need be).
  ImageCard* card(const QString& run, const QString& tag);
  int shownCount() const;
  void setEmptyText(const QString& title, const QString& text, const QString& button = {});
  /// Brings all visible cards up to date now (screenshots, tests).
  void refreshNow();

signals:
  void emptyButtonClicked();
  void stepChanged(std::optional<double> step);

protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
