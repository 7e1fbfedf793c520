#include "media/media_list.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMap>
#include <QMenu>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUrl>
#include <cmath>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/plot_card.h"
#include "common/step_slider.h"
#include "common/theme.h"
#include "media/text_page.h"
#include "media/waveform.h"

namespace weft::widgets {
namespace {

constexpr QSize kCard(420, 200);

}  // namespace

class MediaList::Private {
 public:
  struct Entry {
    QString run, tag;
    int hue = 0;
    std::shared_ptr<const TextSeries> texts;
    std::shared_ptr<const SoundSeries> sounds;
  };
  QMap<QString, Entry> entries;
  QToolButton* markdown = nullptr;
  QTemporaryDir played;  // kept as long as the list: a player may still read the file

  QString play(const QString& key, std::optional<double> step);
};

/// Opens the clip in the desktop's player for WAV files. Returns an error, or an empty string.
QString MediaList::Private::play(const QString& key, std::optional<double> step) {
  const Entry& e = entries[key];
  if (!e.sounds || e.sounds->empty()) return {};
  const SoundClip& clip = (*e.sounds)[step ? e.sounds->at(*step) : e.sounds->size() - 1];
  const QString path = played.filePath(QStringLiteral("%1-%2.wav")
                                           .arg(QString(e.tag).replace(QRegularExpression(QStringLiteral("[^\\w.-]")), QStringLiteral("_")))
                                           .arg(std::llround(clip.step)));
  if (!played.isValid() || !writeText(clip.encoded, path)) return MediaList::tr("%1 cannot be written.").arg(path);
  return QDesktopServices::openUrl(QUrl::fromLocalFile(path))
             ? QString()
             : MediaList::tr("No program on this desktop plays WAV files. Save the file and open it with a program of your choice.");
}

MediaList::MediaList(QWidget* parent) : RunCardPanel(QStringLiteral("file"), kCard, parent), d_(std::make_unique<Private>()) {
  d_->markdown = addSwitch(addGroup());
  d_->markdown->setChecked(true);
  connect(d_->markdown, &QToolButton::toggled, this, [this] { refreshNow(); });
  retranslate();
}
MediaList::~MediaList() = default;

void MediaList::retranslate() {
  RunCardPanel::retranslate();
  cards()->setGeneralName(tr("texts and audio"));
  name(d_->markdown, tr("Markdown"), tr("Renders texts as Markdown; otherwise shows plain text"));
}

QWidget* MediaList::makeCard(const QString& key, QWidget* parent) {
  const Private::Entry& entry = d_->entries[key];
  QWidget* body = entry.sounds ? static_cast<QWidget*>(new Waveform) : new TextPage;
  PlotCard* card = makePlotCard(key, entry.hue, body, parent);
  if (entry.sounds) {
    card->menu()->addAction(icon(QStringLiteral("play")), tr("Play"), this, [this, key] {
      const QString error = d_->play(key, steps()->step());
      if (!error.isEmpty()) emit failed(error);
    });
  }
  card->menu()->addAction(icon(QStringLiteral("export")), entry.sounds ? tr("Save as WAV…") : tr("Save as text…"), this, [this, key] {
    const Private::Entry e = d_->entries[key];  // a copy: the run may be removed while the dialog is open
    const auto step = steps()->step();
    const QString ending = e.sounds ? QStringLiteral("wav") : QStringLiteral("txt");
    const QString path = QFileDialog::getSaveFileName(window(), tr("Save"), QString(e.tag).replace(u'/', u'_') + u'.' + ending);
    if (path.isEmpty()) return;
    const bool written = e.sounds ? writeText((*e.sounds)[step ? e.sounds->at(*step) : e.sounds->size() - 1].encoded, path)
                                  : writeText((*e.texts)[step ? e.texts->at(*step) : e.texts->size() - 1].text.toUtf8(), path);
    if (!written) emit failed(tr("%1 could not be written.").arg(path));
  });
  return card;
}

std::vector<double> MediaList::stepsOf(const QString& key) {
  const Private::Entry& entry = d_->entries[key];
  std::vector<double> list;
  if (entry.texts)
    for (const TextEntry& e : *entry.texts) list.push_back(e.step);
  if (entry.sounds)
    for (const SoundClip& c : *entry.sounds) list.push_back(c.step);
  return list;
}

void MediaList::refreshCard(const QString& key) {
  auto* card = static_cast<PlotCard*>(cards()->card(key));
  const auto it = d_->entries.constFind(key);
  if (!card || it == d_->entries.constEnd()) return;
  const auto step = steps()->step();
  const auto foot = [&](double shown, std::size_t count, const QString& right) {
    card->setFoot(QStringLiteral("%1 · %2").arg(tr("step %1").arg(formatCount(std::llround(shown))), tr("%n step(s), none dropped", nullptr, int(count))),
                  right);
  };
  if (it->sounds && !it->sounds->empty()) {
    const SoundClip& clip = (*it->sounds)[step ? it->sounds->at(*step) : it->sounds->size() - 1];
    WaveData wave = readWave(clip.encoded);
    const double rate = wave.sampleRate > 0 ? wave.sampleRate : clip.sampleRate;
    const qint64 frames = wave.frames() > 0 ? wave.frames() : clip.frames;
    const QString about = tr("%1 Hz, %n channel(s), %2", nullptr, wave.channels > 0 ? wave.channels : int(clip.channels))
                              .arg(formatCount(qint64(rate)), formatSeconds(rate > 0 ? double(frames) / rate : 0));
    static_cast<Waveform*>(card->body())->setWave(std::move(wave), Theme::current().categorical(it->hue));
    foot(clip.step, it->sounds->size(), about);
  } else if (it->texts && !it->texts->empty()) {
    const TextEntry& entry = (*it->texts)[step ? it->texts->at(*step) : it->texts->size() - 1];
    static_cast<TextPage*>(card->body())->show(entry.text, d_->markdown->isChecked());
    foot(entry.step, it->texts->size(), {});
  }
}

void MediaList::forget(const QString& key) { d_->entries.remove(key); }

void MediaList::setTexts(const QString& run, int hue, const QString& tag, std::shared_ptr<const TextSeries> series) {
  Private::Entry& entry = d_->entries[keyOf(run, tag)];
  if (entry.texts == series) return;
  entry = {run, tag, hue, std::move(series), nullptr};
  addSeries(run, tag);
}

void MediaList::setSounds(const QString& run, int hue, const QString& tag, std::shared_ptr<const SoundSeries> series) {
  Private::Entry& entry = d_->entries[keyOf(run, tag)];
  if (entry.sounds == series) return;
  entry = {run, tag, hue, nullptr, std::move(series)};
  addSeries(run, tag);
}

void MediaList::setMarkdown(bool on) { d_->markdown->setChecked(on); }

QString MediaList::shownText(const QString& run, const QString& tag) {
  auto* card = static_cast<PlotCard*>(cards()->makeCard(keyOf(run, tag)));
  if (!card) return {};
  refreshCard(keyOf(run, tag));
  const auto* page = qobject_cast<TextPage*>(card->body());
  return page ? page->toPlainText() : QString();
}

}  // namespace weft::widgets
