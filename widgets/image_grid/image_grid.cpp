#include "image_grid/image_grid.h"

#include <QButtonGroup>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMap>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QSlider>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "common/card_grid.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/step_slider.h"
#include "image_grid/image_card.h"

namespace weft::widgets {
namespace {

constexpr QSize kCard(232, 232);

}  // namespace

class ImageGrid::Private {
 public:
  struct Entry {
    QString run, tag;
    int hue = 0;
    std::shared_ptr<const PictureSeries> series;
    std::uint64_t taken = 0;  // version of the series whose steps the slider already has
  };

  explicit Private(ImageGrid* grid) : q(grid) {}
  void buildBar();
  void buildViewer();
  void open(const QString& a, const QString& b);
  void show();
  void save(const QString& key);

  ImageGrid* q;
  QMap<QString, Entry> entries;
  QSlider *brightness = nullptr, *contrast = nullptr, *size = nullptr;
  QLabel *brightnessLabel = nullptr, *contrastLabel = nullptr, *sizeLabel = nullptr;
  QToolButton* neutral = nullptr;
  QWidget* closer = nullptr;
  ImageViewer* viewer = nullptr;
  QButtonGroup* modes = nullptr;
  QToolButton *fit = nullptr, *actual = nullptr, *close = nullptr;
  QLabel *names = nullptr, *pixel = nullptr;
  QString keyA, keyB;
  QImage imageA, imageB;
  int request = 0;
  ImageTone tone;
};

void ImageGrid::Private::buildBar() {
  size = q->addSlider(q->addGroup(6), &sizeLabel, 140, 480, kCard.width());
  QObject::connect(size, &QSlider::valueChanged, q, [this](int v) { q->cards()->setCardSize({v, v}); });
  QHBoxLayout* row = q->addGroup(6);
  brightness = q->addSlider(row, &brightnessLabel, -100, 100, 0);
  contrast = q->addSlider(row, &contrastLabel, -100, 100, 0);
  neutral = new QToolButton(q);
  neutral->setIcon(icon(QStringLiteral("refresh")));
  neutral->setProperty("kind", "flat");
  row->addWidget(neutral);
  const auto changed = [this] {
    // The slider's -100 … 100 maps to a tenth to ten times: a hundredth to a hundredfold would be useless.
    q->setTone({brightness->value() / 100.0, std::pow(10.0, contrast->value() / 100.0)});
  };
  QObject::connect(brightness, &QSlider::valueChanged, q, changed);
  QObject::connect(contrast, &QSlider::valueChanged, q, changed);
  QObject::connect(neutral, &QToolButton::clicked, q, [this] {
    brightness->setValue(0);
    contrast->setValue(0);
  });
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
  QObject::connect(close, &QToolButton::clicked, q, [this] { open({}, {}); });
  const auto zoomText = [this] { return ImageGrid::tr("zoom %1 %").arg(formatValue(viewer->zoom() * 100, 3)); };
  QObject::connect(viewer, &ImageViewer::pixelHovered, q, [this, zoomText](const QString& text) { pixel->setText(text.isEmpty() ? zoomText() : text); });
  QObject::connect(viewer, &ImageViewer::zoomChanged, q, [this, zoomText] { pixel->setText(zoomText()); });
  closer->hide();
}

void ImageGrid::Private::save(const QString& key) {
  const QPointer<ImageCard> card(static_cast<ImageCard*>(q->cards()->makeCard(key)));  // it may be destroyed while the dialog is open
  const QString path = QFileDialog::getSaveFileName(q->window(), ImageGrid::tr("Save as PNG"),
                                                    QString(entries[key].tag).replace(u'/', u'_') + QStringLiteral(".png"), QStringLiteral("PNG (*.png)"));
  if (path.isEmpty() || !card) return;
  if (!card->image().save(path)) QMessageBox::warning(q->window(), QStringLiteral("Weft"), ImageGrid::tr("%1 could not be written.").arg(path));
}

void ImageGrid::Private::open(const QString& a, const QString& b) {
  keyA = a;
  keyB = b;
  if (!b.isEmpty()) {
    modes->button(2)->setChecked(true);
    viewer->setMode(ImageViewer::Mode::Wipe);
  }
  show();
}

/// Refreshes the close-up view.
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
    const auto step = q->steps()->step();
    return series[step ? series.at(*step) : series.size() - 1];
  };
  const auto nameOf = [&](const QString& key) {
    return QStringLiteral("%1 · %2 · %3").arg(entries[key].tag, entries[key].run, ImageGrid::tr("step %1").arg(formatCount(qint64(pictureOf(key).step))));
  };
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

ImageGrid::ImageGrid(QWidget* parent) : RunCardPanel(QStringLiteral("image"), kCard, parent), d_(std::make_unique<Private>(this)) {
  d_->buildBar();
  d_->buildViewer();
  auto* splitter = new QSplitter(this);
  splitter->addWidget(cards());
  cards()->show();  // its former stack had hidden it
  splitter->addWidget(d_->closer);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setChildrenCollapsible(false);
  setContent(splitter);
  retranslate();
}
ImageGrid::~ImageGrid() = default;

void ImageGrid::retranslate() {
  RunCardPanel::retranslate();
  cards()->setGeneralName(tr("images"));
  name(d_->sizeLabel, d_->size, tr("size"), tr("Size of the cards"));
  name(d_->brightnessLabel, d_->brightness, tr("brightness"), tr("Brightness of all images"));
  name(d_->contrastLabel, d_->contrast, tr("contrast"), tr("Contrast of all images"));
  name(d_->neutral, {}, tr("Brightness and contrast as logged"));
  name(d_->modes->button(0), QStringLiteral("A"), tr("First image"));
  name(d_->modes->button(1), QStringLiteral("B"), tr("Second image"));
  name(d_->modes->button(2), tr("wipe"), tr("Both images with a movable divider"));
  name(d_->modes->button(3), tr("difference"), tr("Pixel-by-pixel difference"));
  name(d_->fit, {}, tr("Fit (F)"));
  name(d_->actual, {}, tr("Actual pixels (1); zoom in to see their values"));
  name(d_->close, {}, tr("Close"));
  d_->viewer->setAccessibleName(tr("Enlarged image"));
}

QWidget* ImageGrid::makeCard(const QString& key, QWidget* parent) {
  const Private::Entry& entry = d_->entries[key];
  auto* card = new ImageCard(entry.tag, entry.run, entry.hue, entry.series, parent);
  card->setTone(d_->tone);
  card->setStep(steps()->step());
  connect(card, &ImageCard::opened, this, [this, key] { d_->open(key, {}); });
  QMenu* menu = card->menu();
  menu->addAction(icon(QStringLiteral("zoom-in")), tr("Enlarge"), this, [this, key] { d_->open(key, {}); });
  QAction* compare = menu->addAction(tr("Compare with enlarged image"), this, [this, key] { d_->open(d_->keyA, key); });
  connect(menu, &QMenu::aboutToShow, compare, [this, compare, key] { compare->setEnabled(!d_->keyA.isEmpty() && d_->keyA != key); });
  menu->addSeparator();
  menu->addAction(icon(QStringLiteral("export")), tr("Save as PNG…"), this, [this, key] { d_->save(key); });
  return card;
}

std::vector<double> ImageGrid::stepsOf(const QString& key) {
  Private::Entry& entry = d_->entries[key];
  std::vector<double> list;
  if (entry.taken == entry.series->version()) return list;
  // Each append increments the version by one, so only the last `added` pictures are new.
  const std::size_t size = entry.series->size();
  const std::uint64_t added = entry.series->version() - entry.taken;
  entry.taken = entry.series->version();
  for (std::size_t i = added <= size ? size - static_cast<std::size_t>(added) : 0; i < size; ++i) list.push_back((*entry.series)[i].step);
  return list;
}

void ImageGrid::refreshCard(const QString& key) {
  auto* card = static_cast<ImageCard*>(cards()->card(key));
  card->setStep(steps()->step());
}

void ImageGrid::forget(const QString& key) { d_->entries.remove(key); }

void ImageGrid::refreshed() { d_->show(); }

void ImageGrid::setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const PictureSeries> series) {
  Private::Entry& entry = d_->entries[keyOf(run, tag)];
  if (entry.series == series) return;
  entry = {run, tag, hue, std::move(series), 0};
  addSeries(run, tag);
}

void ImageGrid::setTone(ImageTone tone) {
  d_->tone = tone;
  for (QWidget* card : cards()->cards()) static_cast<ImageCard*>(card)->setTone(tone);
  d_->viewer->setTone(tone);
}

bool ImageGrid::look(const QString& runA, const QString& tagA, const QString& runB, const QString& tagB) {
  const QString a = keyOf(runA, tagA), b = keyOf(runB, tagB);
  const bool closes = tagA.isEmpty();
  if (!closes && (!d_->entries.contains(a) || (!tagB.isEmpty() && !d_->entries.contains(b)))) return false;
  d_->open(closes ? QString() : a, tagB.isEmpty() ? QString() : b);
  return true;
}

void ImageGrid::setViewMode(ImageViewer::Mode mode) {
  d_->modes->button(static_cast<int>(mode))->setChecked(true);
  d_->viewer->setMode(mode);
}

ImageViewer* ImageGrid::viewer() const { return d_->viewer; }

ImageCard* ImageGrid::card(const QString& run, const QString& tag) { return static_cast<ImageCard*>(cards()->makeCard(keyOf(run, tag))); }

}  // namespace weft::widgets
