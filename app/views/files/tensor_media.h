#pragma once

#include <QWidget>
#include <memory>

#include "adapters/array_media.h"

class QLabel;
class QStackedWidget;

namespace weft::app {

/// An array of a file as pictures or as a sound. GUI thread.
class TensorMedia : public QWidget {
  Q_OBJECT

 public:
  explicit TensorMedia(QWidget* parent = nullptr);
  /// Null: shows nothing and frees what it held.
  void show(const FileContentsPtr& file, MediaLook look, const TensorSourcePtr& source);
  widgets::FrameViewer* pictures() const { return pictures_; }
  widgets::Waveform* sound() const { return sound_; }
  using QWidget::show;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void showSound(const std::shared_ptr<const widgets::WavePeaks>& peaks);

  TensorSourcePtr source_;
  int asked_ = 0;  // answers to earlier questions are dropped
  QStackedWidget* stack_;
  widgets::FrameViewer* pictures_;
  QWidget* soundPage_;
  widgets::Waveform* sound_;
  QLabel *about_, *place_;
};

}  // namespace weft::app
