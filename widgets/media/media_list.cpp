#include "media/media_list.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QStackedLayout>
#include <QTextBrowser>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/empty_state.h"
#include "common/flow_layout.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/plot_card.h"
#include "common/step_slider.h"
#include "common/theme.h"
#include "media/waveform.h"

namespace weft::widgets {
namespace {

constexpr QSize kCard(420, 200);
constexpr int kGrownMs = 100;
constexpr QChar kBetween(u'\n');

/// Rows with tabs in them become a table, the rest stays as it was written.
QString htmlOf(const QString& text) {
  const QStringList rows = text.split(u'\n');
  const bool table = rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [](const QString& r) { return r.contains(u'\t'); });
  if (!table) return QStringLiteral("<pre style='white-space:pre-wrap'>%1</pre>").arg(text.toHtmlEscaped());
  QString html = QStringLiteral("<table cellpadding='4' border='1' style='border-collapse:collapse'>");
  for (const QString& row : rows) {
    html += QStringLiteral("<tr>");
    for (const QString& cell : row.split(u'\t')) html += QStringLiteral("<td>%1</td>").arg(cell.toHtmlEscaped());
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

}  // namespace

class MediaList::Private {
public:
  struct Entry {
    QString run, tag;
    int hue = 0;
    std::shared_ptr<const TextSeries> texts;
    std::shared_ptr<const SoundSeries> sounds;
    bool dirty = true;
  };

  explicit Private(MediaList* list) : q(list) {}
  void build();
  void retranslate();
  void set(Entry entry);
  QWidget* make(const QString& key, QWidget* parent);
  void fill(const QString& key);
  void refreshGrown();

  MediaList* q;
  QMap<QString, Entry> entries;
  QSet<QString> hidden;
  QLineEdit* search = nullptr;
  StepSlider* steps = nullptr;
  CardGrid* grid = nullptr;
  EmptyState* empty = nullptr;
  QStackedLayout* stack = nullptr;
  QTimer timer;
};

void MediaList::Private::build() {
  auto* outer = new QVBoxLayout(q);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  auto* toolbar = new QWidget(q);
  auto* bar = new FlowLayout(toolbar, 6, 6);
  search = new QLineEdit(toolbar);
  search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search->setClearButtonEnabled(true);
  search->setFixedWidth(220);
  bar->addWidget(search);
  steps = new StepSlider(toolbar);
  bar->addWidget(steps);
  outer->addWidget(toolbar);
  auto* line = new QFrame(q);
  line->setFrameShape(QFrame::HLine);
  outer->addWidget(line);
  grid = new CardGrid([this](const QString& key, QWidget* parent) { return make(key, parent); }, kCard, q);
  empty = new EmptyState(QStringLiteral("file"), {}, {}, q);
  auto* holder = new QWidget(q);
  stack = new QStackedLayout(holder);
  stack->addWidget(empty);
  stack->addWidget(grid);
  outer->addWidget(holder, 1);
  timer.setSingleShot(true);
  timer.setInterval(kGrownMs);
  QObject::connect(&timer, &QTimer::timeout, q, [this] {
    if (q->isVisible()) refreshGrown();  // else when it is shown
  });
  QObject::connect(empty, &EmptyState::buttonClicked, q, &MediaList::emptyButtonClicked);
  QObject::connect(search, &QLineEdit::textChanged, q, &MediaList::setSearch);
  QObject::connect(steps, &StepSlider::stepChanged, q, [this] {
    for (auto it = entries.begin(); it != entries.end(); ++it) fill(it.key());
  });
  retranslate();
}

void MediaList::Private::retranslate() {
  search->setPlaceholderText(MediaList::tr("Tags (regular expression)"));
  search->setToolTip(searchToolTip());
  search->setAccessibleName(MediaList::tr("Tag filter"));
  grid->setGeneralName(MediaList::tr("texts and sounds"));
}

void MediaList::Private::set(Entry entry) {
  const QString key = entry.tag + kBetween + entry.run, tag = entry.tag, run = entry.run;
  const auto known = entries.constFind(key);
  if (known != entries.constEnd() && known->texts == entry.texts && known->sounds == entry.sounds) return;
  entries[key] = std::move(entry);
  grid->dropCard(key);
  const qsizetype slash = tag.indexOf(u'/');
  if (!hidden.contains(run)) grid->add(key, slash > 0 ? tag.left(slash) : QString());
  stack->setCurrentIndex(1);
  if (!timer.isActive()) timer.start();
}

QWidget* MediaList::Private::make(const QString& key, QWidget* parent) {
  const Entry& entry = entries[key];
  QWidget* body = nullptr;
  if (entry.sounds) {
    body = new Waveform;
  } else {
    auto* browser = new QTextBrowser;
    browser->setFrameShape(QFrame::NoFrame);
    browser->setOpenLinks(false);
    body = browser;
  }
  auto* card = new PlotCard(entry.tag, body, parent);
  body->setAccessibleName(MediaList::tr("%1 of %2").arg(entry.tag, entry.run));
  card->setLegend(QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2").arg(Theme::current().categorical(entry.hue).name(), entry.run.toHtmlEscaped()));
  QObject::connect(card, &PlotCard::maximizeRequested, q, [this, key] { grid->toggleLarge(key); });
  card->menu()->addAction(icon(QStringLiteral("export")), entry.sounds ? MediaList::tr("Save as WAV…") : MediaList::tr("Save as text…"), q, [this, key] {
    const Entry& e = entries[key];
    const auto step = steps->step();
    const QString ending = e.sounds ? QStringLiteral("wav") : QStringLiteral("txt");
    const QString path = QFileDialog::getSaveFileName(q, MediaList::tr("Save"), QString(e.tag).replace(u'/', u'_') + u'.' + ending);
    if (path.isEmpty()) return;
    if (e.sounds) writeText((*e.sounds)[step ? e.sounds->at(*step) : e.sounds->size() - 1].encoded, path);
    else writeText((*e.texts)[step ? e.texts->at(*step) : e.texts->size() - 1].text.toUtf8(), path);
  });
  QMetaObject::invokeMethod(card, [this, key] { fill(key); }, Qt::QueuedConnection);
  return card;
}

void MediaList::Private::fill(const QString& key) {
  auto* card = static_cast<PlotCard*>(grid->card(key));
  const auto it = entries.constFind(key);
  if (!card || it == entries.constEnd()) return;
  const auto step = steps->step();
  const auto foot = [&](double shown, std::size_t count, const QString& right) {
    card->setFoot(QStringLiteral("%1 · %2").arg(MediaList::tr("step %1").arg(formatCount(std::llround(shown))), MediaList::tr("%n step(s), none dropped", nullptr, int(count))), right);
  };
  if (it->sounds && !it->sounds->empty()) {
    const SoundClip& clip = (*it->sounds)[step ? it->sounds->at(*step) : it->sounds->size() - 1];
    WaveData wave = readWave(clip.encoded);
    const double rate = wave.sampleRate > 0 ? wave.sampleRate : clip.sampleRate;
    const qint64 frames = wave.frames() > 0 ? wave.frames() : clip.frames;
    const QString about = MediaList::tr("%1 Hz, %n channel(s), %2, not played", nullptr, wave.channels > 0 ? wave.channels : int(clip.channels))
                              .arg(formatCount(qint64(rate)), formatSeconds(rate > 0 ? double(frames) / rate : 0));
    static_cast<Waveform*>(card->body())->setWave(std::move(wave), Theme::current().categorical(it->hue));
    foot(clip.step, it->sounds->size(), about);
  } else if (it->texts && !it->texts->empty()) {
    const TextEntry& entry = (*it->texts)[step ? it->texts->at(*step) : it->texts->size() - 1];
    static_cast<QTextBrowser*>(card->body())->setHtml(htmlOf(entry.text));
    foot(entry.step, it->texts->size(), {});
  }
}

void MediaList::Private::refreshGrown() {
  for (auto it = entries.begin(); it != entries.end(); ++it) {
    if (!it->dirty) continue;
    it->dirty = false;
    std::vector<double> list;
    if (it->texts)
      for (const TextEntry& e : *it->texts) list.push_back(e.step);
    if (it->sounds)
      for (const SoundClip& c : *it->sounds) list.push_back(c.step);
    steps->addSteps(list);
    fill(it.key());
  }
}

MediaList::MediaList(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
  d_->build();
}
MediaList::~MediaList() = default;

void MediaList::setTexts(const QString& run, int hue, const QString& tag, std::shared_ptr<const TextSeries> series) {
  d_->set({run, tag, hue, std::move(series), nullptr, true});
}

void MediaList::setSounds(const QString& run, int hue, const QString& tag, std::shared_ptr<const SoundSeries> series) {
  d_->set({run, tag, hue, nullptr, std::move(series), true});
}

void MediaList::grown(const QString& run, const QString& tag) {
  const auto it = d_->entries.find(tag + kBetween + run);
  if (it == d_->entries.end()) return;
  it->dirty = true;
  if (!d_->timer.isActive()) d_->timer.start();
}

void MediaList::removeRun(const QString& run) {
  for (const QString& key : d_->entries.keys()) {
    if (d_->entries[key].run != run) continue;
    d_->grid->remove(key);
    d_->entries.remove(key);
  }
  if (!d_->entries.isEmpty()) return;
  d_->steps->clear();
  d_->stack->setCurrentIndex(0);
}

void MediaList::setRunVisible(const QString& run, bool visible) {
  if (visible == !d_->hidden.contains(run)) return;
  visible ? void(d_->hidden.remove(run)) : void(d_->hidden.insert(run));
  for (auto it = d_->entries.begin(); it != d_->entries.end(); ++it) {
    if (it->run != run) continue;
    const qsizetype slash = it->tag.indexOf(u'/');
    visible ? d_->grid->add(it.key(), slash > 0 ? it->tag.left(slash) : QString()) : d_->grid->remove(it.key());
  }
}

void MediaList::setStep(std::optional<double> step) {
  d_->refreshGrown();
  d_->steps->setStep(step);
}

void MediaList::setSearch(const QString& regex) {
  if (d_->search->text() != regex) {
    d_->search->setText(regex);  // comes back here
    return;
  }
  const QRegularExpression expression(regex, QRegularExpression::CaseInsensitiveOption);
  d_->search->setToolTip(expression.isValid() ? searchToolTip() : expression.errorString());
  if (expression.isValid()) d_->grid->setFilter(expression);
}

int MediaList::shownCount() const {
  return d_->grid->shownCount();
}

void MediaList::setEmptyText(const QString& title, const QString& text, const QString& button) {
  d_->empty->setTitle(title);
  d_->empty->setText(text);
  d_->empty->setButton(button);
}

QString MediaList::shownText(const QString& run, const QString& tag) {
  const QString key = tag + kBetween + run;
  auto* card = static_cast<PlotCard*>(d_->grid->makeCard(key));
  if (!card) return {};
  d_->fill(key);
  const auto* browser = qobject_cast<QTextBrowser*>(card->body());
  return browser ? browser->toPlainText() : QString();
}

void MediaList::refreshNow() {
  d_->refreshGrown();
  d_->grid->settle();
  for (auto it = d_->entries.begin(); it != d_->entries.end(); ++it) d_->fill(it.key());
}

void MediaList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  d_->timer.start();
}

void MediaList::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    d_->retranslate();
    for (auto it = d_->entries.begin(); it != d_->entries.end(); ++it) d_->fill(it.key());
  }
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
