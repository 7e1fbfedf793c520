#pragma once

#include <QImage>
#include <memory>
#include <optional>

#include "common/plot_card.h"
#include "image_grid/image_viewer.h"
#include "image_grid/picture_series.h"

namespace weft::widgets {

/// Decodes a picture. Large ones are decoded on another thread, and `take` is called on the GUI thread later (unless `receiver` has been destroyed).
/// Undecodable data gives a null image.
void decodePicture(const QByteArray& encoded, QObject* receiver, std::function<void(const QImage&)> take);

/// The picture of a run and tag at a step. GUI thread.
class ImageCard : public PlotCard {
  Q_OBJECT

 public:
  ImageCard(const QString& tag, const QString& run, int hue, std::shared_ptr<const PictureSeries> series, QWidget* parent = nullptr);

  /// The last picture at or before that step; nullopt: the newest.
  void setStep(std::optional<double> step);
  void setTone(ImageTone tone);
  /// Call when the series has grown.
  void changed();
  /// The displayed image; null while it is decoded, or if it cannot be.
  const QImage& image() const { return image_; }
  const PictureSeries& series() const { return *series_; }
  std::size_t index() const { return index_; }

 signals:
  void opened();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showIndex(std::size_t index);
  void paint();

  QString run_;
  int hue_ = 0;
  std::shared_ptr<const PictureSeries> series_;
  std::optional<double> step_;
  ImageTone tone_;
  std::size_t index_ = 0;
  std::uint64_t version_ = 0;
  int request_ = 0;
  bool failed_ = false;
  QImage image_, drawn_;
};

}  // namespace weft::widgets
