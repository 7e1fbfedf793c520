#include "image_grid/image_grid.h"

#include <QButtonGroup>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSet>
#include <QSlider>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "common/card_grid.h"
#include "common/empty_state.h"
#include "common/flow_layout.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/step_slider.h"
#include "image_grid/image_card.h"

namespace weft::widgets {
namespace {

constexpr QSize kCard(232, 232);
constexpr int kGrownMs = 100;
constexpr QChar kBetween(u'\n');  // tag and run in a key

QString groupOf(const QString& tag) {
  const qsizetype slash = tag.indexOf(u'/');
  return slash > 0 ? tag.left(slash) : QString();
}

}  // namespace

class ImageGrid::Private {
public:
  struct Entry {
    QString run, tag;
    int hue = 0;
    std::shared_ptr<const PictureSeries> series;
    std::uint64_t taken = 0;  // version of the series whose steps the slider has
    bool dirty = false;
  };

  explicit Private(ImageGrid* grid) : q(grid) {}
  void build();
  void buildBar(QVBoxLayout* outer);
  void buildViewer();
  void retranslate();
  QWidget* make(const QString& key, QWidget* parent);
  void takeSteps(Entry& entry);
  void refreshGrown();
  void show();
  void save(const QString& key);

  ImageGrid* q;
  QMap<QString, Entry> entries;
  QSet<QString> hidden;  // runs
  QLineEdit* search = nullptr;
  StepSlider* steps = nullptr;
  QSlider *brightness = nullptr, *contrast = nullptr, *size = nullptr;
  QLabel *brightnessLabel = nullptr, *contrastLabel = nullptr, *sizeLabel = nullptr;
  QToolButton* neutral = nullptr;
  CardGrid* grid = nullptr;
  EmptyState* empty = nullptr;
  QStackedLayout* stack = nullptr;
  QWidget* closer = nullptr;
  ImageViewer* viewer = nullptr;
  QButtonGroup* modes = nullptr;
  QToolButton *fit = nullptr, *actual = nullptr, *close = nullptr;
  QLabel *names = nullptr, *pixel = nullptr;
  QString keyA, keyB;
  QImage imageA, imageB;
  int request = 0;
  QTimer timer;
  ImageTone tone;
};

void ImageGrid::Private::buildBar(QVBoxLayout* outer) {
  auto* toolbar = new QWidget(q);
  auto* bar = new FlowLayout(toolbar, 6, 6);
  const auto group = [&] {
    auto* box = new QWidget(toolbar);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(6);
    bar->addWidget(box);
    return row;
  };
  search = new QLineEdit(q);
  search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search->setClearButtonEnabled(true);
  search->setFixedWidth(200);
  QObject::connect(search, &QLineEdit::textChanged, q, &ImageGrid::setSearch);
  group()->addWidget(search);
  steps = new StepSlider(q);
  group()->addWidget(steps);
  QObject::connect(steps, &StepSlider::stepChanged, q, [this](std::optional<double> step) {
    for (QWidget* card : grid->cards()) static_cast<ImageCard*>(card)->setStep(step);
    show();
    emit q->stepChanged(step);
  });
  const auto slider = [&](QHBoxLayout* row, QLabel** label, int low, int high, int value) {
    *label = new QLabel(q);
    (*label)->setProperty("kind", "muted");
    row->addWidget(*label);
    auto* s = new QSlider(Qt::Horizontal, q);
    s->setRange(low, high);
    s->setValue(value);
    s->setFixedWidth(80);
    row->addWidget(s);
    return s;
  };
  size = slider(group(), &sizeLabel, 140, 480, kCard.width());
  QObject::connect(size, &QSlider::valueChanged, q, [this](int v) { grid->setCardSize({v, v}); });
  QHBoxLayout* row = group();
  brightness = slider(row, &brightnessLabel, -100, 100, 0);
  contrast = slider(row, &contrastLabel, -100, 100, 0);
  neutral = new QToolButton(q);
  neutral->setIcon(icon(QStringLiteral("refresh")));
  neutral->setProperty("kind", "flat");
  row->addWidget(neutral);
  const auto changed = [this] {
    // -100 … 100 of the slider: a hundredth to a hundredfold would be of no use; a tenth to ten times is.
    q->setTone({brightness->value() / 100.0, std::pow(10.0, contrast->value() / 100.0)});
  };
  QObject::connect(brightness, &QSlider::valueChanged, q, changed);
  QObject::connect(contrast, &QSlider::valueChanged, q, changed);
  QObject::connect(neutral, &QToolButton::clicked, q, [this] {
    brightness->setValue(0);
    contrast->setValue(0);
  });
  outer->addWidget(toolbar);
  auto* line = new QFrame(q);
  line->setFrameShape(QFrame::HLine);
  outer->addWidget(line);
}

void ImageGrid::Private::buildViewer() {
  closer = new QWidget;
  closer->setMinimumWidth(260);
  auto* column = new QVBoxLayout(closer);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* bar = new QWidget(closer);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 4, 4, 4);
  row->setSpacing(4);
  modes = new QButtonGroup(q);
  for (int mode = 0; mode < 4; ++mode) {
    auto* b = new QToolButton(bar);
    b->setCheckable(true);
    modes->addButton(b, mode);
    row->addWidget(b);
  }
  modes->button(0)->setChecked(true);
  QObject::connect(modes, &QButtonGroup::idClicked, q, [this](int id) { viewer->setMode(static_cast<ImageViewer::Mode>(id)); });
  row->addStretch();
  const auto button = [&](const char* name) {
    auto* b = new QToolButton(bar);
    b->setIcon(icon(QLatin1String(name)));
    b->setProperty("kind", "flat");
    row->addWidget(b);
    return b;
  };
  fit = button("fit");
  actual = new QToolButton(bar);
  actual->setText(QStringLiteral("1:1"));
  row->addWidget(actual);
  close = button("close");
  column->addWidget(bar);
  names = new QLabel(closer);
  names->setContentsMargins(12, 0, 12, 2);
  column->addWidget(names);
  viewer = new ImageViewer(closer);
  column->addWidget(viewer, 1);
  pixel = new QLabel(closer);
  pixel->setProperty("kind", "muted");
  pixel->setContentsMargins(12, 3, 12, 5);
  column->addWidget(pixel);
  QObject::connect(fit, &QToolButton::clicked, viewer, &ImageViewer::fit);
  QObject::connect(actual, &QToolButton::clicked, viewer, &ImageViewer::actualSize);
  QObject::connect(close, &QToolButton::clicked, q, [this] { q->look({}, {}); });
  const auto zoomText = [this] { return ImageGrid::tr("zoom %1 %").arg(formatValue(viewer->zoom() * 100, 3)); };
  QObject::connect(viewer, &ImageViewer::pixelHovered, q, [this, zoomText](const QString& text) { pixel->setText(text.isEmpty() ? zoomText() : text); });
  QObject::connect(viewer, &ImageViewer::zoomChanged, q, [this, zoomText] { pixel->setText(zoomText()); });
  closer->hide();
}

void ImageGrid::Private::build() {
  auto* outer = new QVBoxLayout(q);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  buildBar(outer);
  grid = new CardGrid([this](const QString& key, QWidget* parent) { return make(key, parent); }, kCard, q);
  buildViewer();
  auto* splitter = new QSplitter(q);
  splitter->addWidget(grid);
  splitter->addWidget(closer);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setChildrenCollapsible(false);
  empty = new EmptyState(QStringLiteral("image"), {}, {}, q);
  QObject::connect(empty, &EmptyState::buttonClicked, q, &ImageGrid::emptyButtonClicked);
  auto* holder = new QWidget(q);
  stack = new QStackedLayout(holder);
  stack->addWidget(empty);
  stack->addWidget(splitter);
  outer->addWidget(holder, 1);
  timer.setSingleShot(true);
  timer.setInterval(kGrownMs);
  QObject::connect(&timer, &QTimer::timeout, q, [this] {
    if (q->isVisible()) refreshGrown();  // else when it is shown
  });
  retranslate();
}

void ImageGrid::Private::retranslate() {
  search->setPlaceholderText(ImageGrid::tr("Tags (regular expression)"));
  search->setToolTip(searchToolTip());
  search->setAccessibleName(ImageGrid::tr("Tag filter"));
  const auto slider = [](QLabel* label, QSlider* s, const QString& text, const QString& tip) {
    label->setText(text);
    s->setAccessibleName(tip);
    s->setToolTip(tip);
  };
  slider(sizeLabel, size, ImageGrid::tr("size"), ImageGrid::tr("Size of the cards"));
  slider(brightnessLabel, brightness, ImageGrid::tr("brightness"), ImageGrid::tr("Brightness of all pictures"));
  slider(contrastLabel, contrast, ImageGrid::tr("contrast"), ImageGrid::tr("Contrast of all pictures"));
  const auto name = [](QAbstractButton* b, const QString& text, const QString& tip) {
    if (!text.isEmpty()) b->setText(text);
    b->setToolTip(tip);
    b->setAccessibleName(tip);
  };
  name(neutral, {}, ImageGrid::tr("Brightness and contrast as logged"));
  name(modes->button(0), QStringLiteral("A"), ImageGrid::tr("The first picture"));
  name(modes->button(1), QStringLiteral("B"), ImageGrid::tr("The second picture"));
  name(modes->button(2), ImageGrid::tr("wipe"), ImageGrid::tr("Both, with a line to move between them"));
  name(modes->button(3), ImageGrid::tr("difference"), ImageGrid::tr("How far both are apart, pixel by pixel"));
  name(fit, {}, ImageGrid::tr("Fit (F)"));
  name(actual, {}, ImageGrid::tr("Pixel by pixel (1); zoom on to see their values"));
  name(close, {}, ImageGrid::tr("Close"));
  viewer->setAccessibleName(ImageGrid::tr("Picture, enlarged"));
  grid->setGeneralName(ImageGrid::tr("images"));
}

QWidget* ImageGrid::Private::make(const QString& key, QWidget* parent) {
  const Entry& entry = entries[key];
  auto* card = new ImageCard(entry.tag, entry.run, entry.hue, entry.series, parent);
  card->setTone(tone);
  card->setStep(steps->step());
  QObject::connect(card, &ImageCard::opened, q, [this, key] {
    keyA = key;
    keyB.clear();
    show();
  });
  QMenu* menu = card->menu();
  menu->addAction(icon(QStringLiteral("zoom-in")), ImageGrid::tr("Look closely"), q, [this, key] {
    keyA = key;
    keyB.clear();
    show();
  });
  QAction* compare = menu->addAction(ImageGrid::tr("Compare with the enlarged one"), q, [this, key] {
    keyB = key;
    modes->button(2)->setChecked(true);
    viewer->setMode(ImageViewer::Mode::Wipe);
    show();
  });
  QObject::connect(menu, &QMenu::aboutToShow, compare, [this, compare, key] { compare->setEnabled(!keyA.isEmpty() && keyA != key); });
  menu->addSeparator();
  menu->addAction(icon(QStringLiteral("export")), ImageGrid::tr("Save as PNG…"), q, [this, key] { save(key); });
  return card;
}

void ImageGrid::Private::save(const QString& key) {
  auto* card = static_cast<ImageCard*>(grid->makeCard(key));
  const QString path = QFileDialog::getSaveFileName(q, ImageGrid::tr("Save as PNG"), QString(entries[key].tag).replace(u'/', u'_') + QStringLiteral(".png"), QStringLiteral("PNG (*.png)"));
  if (!path.isEmpty()) card->image().save(path);
}

void ImageGrid::Private::takeSteps(Entry& entry) {
  if (entry.taken == entry.series->version()) return;
  entry.taken = entry.series->version();
  std::vector<double> list;
  for (const Picture& p : *entry.series) list.push_back(p.step);
  steps->addSteps(list);
}

void ImageGrid::Private::refreshGrown() {
  for (auto it = entries.begin(); it != entries.end(); ++it) {
    if (!it->dirty) continue;
    it->dirty = false;
    takeSteps(*it);
    if (auto* card = static_cast<ImageCard*>(grid->card(it.key()))) card->changed();
  }
  show();
}

/// Brings the closer look up to date.
void ImageGrid::Private::show() {
  if (!entries.contains(keyA)) keyA.clear();
  if (!entries.contains(keyB)) keyB.clear();
  closer->setVisible(!keyA.isEmpty());
  if (keyA.isEmpty()) return;
  for (int mode = 1; mode < 4; ++mode) modes->button(mode)->setEnabled(!keyB.isEmpty());
  if (keyB.isEmpty()) {
    modes->button(0)->setChecked(true);
    viewer->setMode(ImageViewer::Mode::A);
  }
  const auto pictureOf = [this](const QString& key) -> const Picture& {
    const PictureSeries& series = *entries[key].series;
    const auto step = steps->step();
    return series[step ? series.at(*step) : series.size() - 1];
  };
  const auto nameOf = [&](const QString& key) { return QStringLiteral("%1 · %2 · %3").arg(entries[key].tag, entries[key].run, ImageGrid::tr("step %1").arg(formatCount(qint64(pictureOf(key).step)))); };
  names->setText(keyB.isEmpty() ? nameOf(keyA) : QStringLiteral("A  %1\nB  %2").arg(nameOf(keyA), nameOf(keyB)));
  const int mine = ++request;
  imageB = QImage();
  const auto ready = [this, mine] {
    if (mine == request) viewer->setImages(imageA, imageB);
  };
  decodePicture(pictureOf(keyA).encoded, viewer, [this, ready](const QImage& image) {
    imageA = image;
    ready();
  });
  if (!keyB.isEmpty()) {
    decodePicture(pictureOf(keyB).encoded, viewer, [this, ready](const QImage& image) {
      imageB = image;
      ready();
    });
  }
}

ImageGrid::ImageGrid(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
  d_->build();
}
ImageGrid::~ImageGrid() = default;

void ImageGrid::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  d_->timer.start();
}

void ImageGrid::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) d_->retranslate();
  QWidget::changeEvent(event);
}

void ImageGrid::setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const PictureSeries> series) {
  const QString key = tag + kBetween + run;
  Private::Entry& entry = d_->entries[key];
  if (entry.series == series) return;
  const bool replaced = bool(entry.series);
  entry = {run, tag, hue, std::move(series), 0, true};
  if (replaced) d_->grid->dropCard(key);
  if (!d_->hidden.contains(run)) d_->grid->add(key, groupOf(tag));
  d_->stack->setCurrentIndex(1);
  if (!d_->timer.isActive()) d_->timer.start();
}

void ImageGrid::grown(const QString& run, const QString& tag) {
  const auto it = d_->entries.find(tag + kBetween + run);
  if (it == d_->entries.end()) return;
  it->dirty = true;
  if (!d_->timer.isActive()) d_->timer.start();
}

void ImageGrid::removeRun(const QString& run) {
  for (const QString& key : d_->entries.keys()) {
    if (d_->entries[key].run != run) continue;
    d_->grid->remove(key);
    d_->entries.remove(key);
  }
  d_->show();
  if (d_->entries.isEmpty()) {
    d_->steps->clear();
    d_->stack->setCurrentIndex(0);
  }
}

void ImageGrid::setRunVisible(const QString& run, bool visible) {
  if (visible == !d_->hidden.contains(run)) return;
  visible ? void(d_->hidden.remove(run)) : void(d_->hidden.insert(run));
  for (auto it = d_->entries.begin(); it != d_->entries.end(); ++it) {
    if (it->run != run) continue;
    visible ? d_->grid->add(it.key(), groupOf(it->tag)) : d_->grid->remove(it.key());
  }
}

void ImageGrid::setStep(std::optional<double> step) {
  d_->refreshGrown();
  d_->steps->setStep(step);
}

void ImageGrid::setSearch(const QString& regex) {
  if (d_->search->text() != regex) {
    d_->search->setText(regex);  // comes back here
    return;
  }
  const QRegularExpression expression(regex, QRegularExpression::CaseInsensitiveOption);
  d_->search->setToolTip(expression.isValid() ? searchToolTip() : expression.errorString());
  if (expression.isValid()) d_->grid->setFilter(expression);
}

void ImageGrid::setTone(ImageTone tone) {
  d_->tone = tone;
  for (QWidget* card : d_->grid->cards()) static_cast<ImageCard*>(card)->setTone(tone);
  d_->viewer->setTone(tone);
}

bool ImageGrid::look(const QString& runA, const QString& tagA, const QString& runB, const QString& tagB) {
  const QString a = tagA + kBetween + runA, b = tagB + kBetween + runB;
  const bool closes = tagA.isEmpty();
  if (!closes && (!d_->entries.contains(a) || (!tagB.isEmpty() && !d_->entries.contains(b)))) return false;
  d_->keyA = closes ? QString() : a;
  d_->keyB = tagB.isEmpty() ? QString() : b;
  if (!d_->keyB.isEmpty()) {
    d_->modes->button(2)->setChecked(true);
    d_->viewer->setMode(ImageViewer::Mode::Wipe);
  }
  d_->show();
  return true;
}

ImageViewer* ImageGrid::viewer() const {
  return d_->viewer;
}

ImageCard* ImageGrid::card(const QString& run, const QString& tag) {
  return static_cast<ImageCard*>(d_->grid->makeCard(tag + kBetween + run));
}

int ImageGrid::shownCount() const {
  return d_->grid->shownCount();
}

void ImageGrid::setEmptyText(const QString& title, const QString& text, const QString& button) {
  d_->empty->setTitle(title);
  d_->empty->setText(text);
  d_->empty->setButton(button);
}

void ImageGrid::refreshNow() {
  d_->refreshGrown();
  d_->grid->settle();
}

}  // namespace weft::widgets
