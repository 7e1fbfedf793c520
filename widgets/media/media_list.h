// The text and audio dock: a card per run and tag, one step for all.
#pragma once

#include <memory>

#include "common/run_card_panel.h"
#include "media/media_series.h"

namespace weft::widgets {

/// Texts are shown as Markdown, as TensorBoard does (tab-separated rows become tables), or as plain text; external resources are never loaded. Sounds are shown
/// as waveforms with their properties and play in the desktop's player. GUI thread.
class MediaList : public RunCardPanel {
  Q_OBJECT

 public:
  explicit MediaList(QWidget* parent = nullptr);
  ~MediaList() override;

  void setTexts(const QString& run, int hue, const QString& tag, std::shared_ptr<const TextSeries> series);
  void setSounds(const QString& run, int hue, const QString& tag, std::shared_ptr<const SoundSeries> series);
  /// Shows texts as Markdown (the default) or literally.
  void setMarkdown(bool on);
  /// The displayed text of a card as plain text; null if there is no such card.
  QString shownText(const QString& run, const QString& tag);

 signals:
  /// A user action failed; the error in one sentence.
  void failed(const QString& error);

 protected:
  QWidget* makeCard(const QString& key, QWidget* parent) override;
  std::vector<double> stepsOf(const QString& key) override;
  void refreshCard(const QString& key) override;
  void forget(const QString& key) override;
  void retranslate() override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
