// The dock of texts and sounds: a card per run and tag, one step for all.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "media/media_series.h"

namespace weft::widgets {

/// Texts are shown as they were logged (rows of tables become tables), sounds as waveforms with their properties; sounds are not played.
/// GUI thread.
class MediaList : public QWidget {
  Q_OBJECT

public:
  explicit MediaList(QWidget* parent = nullptr);
  ~MediaList() override;

  void setTexts(const QString& run, int hue, const QString& tag, std::shared_ptr<const TextSeries> series);
  void setSounds(const QString& run, int hue, const QString& tag, std::shared_ptr<const SoundSeries> series);
  void grown(const QString& run, const QString& tag);
  void removeRun(const QString& run);
  void setRunVisible(const QString& run, bool visible);
  /// The step of all cards; nullopt: the newest.
  void setStep(std::optional<double> step);
  void setSearch(const QString& regex);
  int shownCount() const;
  void setEmptyText(const QString& title, const QString& text, const QString& button = {});
  /// What a card shows, as plain text; null if there is no such card.
  QString shownText(const QString& run, const QString& tag);
  /// Brings all visible cards up to date now (screenshots, tests).
  void refreshNow();

signals:
  void emptyButtonClicked();

protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
