// The dock of texts and sounds: a card per run and tag, one step for all.
#pragma once

#include <memory>

#include "common/run_card_panel.h"
#include "media/media_series.h"

namespace weft::widgets {

/// Texts are Markdown, as TensorBoard takes them (rows of tables become tables), or shown as they were logged; nothing that they refer to is loaded.
/// Sounds are waveforms with their properties; the desktop's own player plays them. GUI thread.
class MediaList : public RunCardPanel {
  Q_OBJECT

 public:
  explicit MediaList(QWidget* parent = nullptr);
  ~MediaList() override;

  void setTexts(const QString& run, int hue, const QString& tag, std::shared_ptr<const TextSeries> series);
  void setSounds(const QString& run, int hue, const QString& tag, std::shared_ptr<const SoundSeries> series);
  /// Texts as Markdown (so at first), or letter by letter.
  void setMarkdown(bool on);
  /// What a card shows, as plain text; null if there is no such card.
  QString shownText(const QString& run, const QString& tag);

 signals:
  /// Something that was asked for did not work, in one sentence.
  void failed(const QString& error);

 protected:
  QWidget* makeCard(const QString& key, QWidget* parent) override;
  std::vector<double> stepsOf(const QString& key) override;
  void refreshCard(const QString& key) override;
  void forget(const QString& key) override;
  void retranslate() override;
  void changeEvent(QEvent* event) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
