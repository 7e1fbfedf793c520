#include "views/images/images_view.h"

#include <QEvent>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include "document/pins.h"
#include "document/workspace.h"
#include "image_grid/image_card.h"
#include "image_grid/image_grid.h"
#include "shell/action_registry.h"
#include "views/run_cards.h"
#include "views/train_button.h"

namespace weft::app {

ImagesView::ImagesView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new widgets::ImageGrid(this)) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(grid_);
  Summaries& summaries = context.workspace.summaries();
  connectRunCards(grid_, context, QStringLiteral("run.train"));
  connect(&summaries, &Summaries::grown, this, [this](int run, SummaryKind kind, const QString& tag) {
    if (kind == SummaryKind::Picture) showSeries(run, tag);
  });
  connect(grid_, &widgets::ImageGrid::stepChanged, this, [this, &summaries](std::optional<double> step) {
    const QScopedValueRollback<bool> own(sendingStep_, true);
    summaries.setCursor(step);
  });
  connect(&summaries, &Summaries::cursorMoved, this, [this](std::optional<double> step) {
    if (!sendingStep_) grid_->followCursor(step);
  });
  Pins& pins = Pins::of(context.workspace);
  connect(grid_, &widgets::ImageGrid::pinRequested, &pins, [&pins](const QString& tag, bool pinned) { pins.set({SummaryKind::Picture, tag}, pinned); });
  const auto showPins = [this, &pins] { grid_->setPins(pins.isChosen() ? pins.tagsOf(SummaryKind::Picture) : QSet<QString>()); };
  connect(&pins, &Pins::changed, this, showPins);
  showPins();
  followTrain(grid_, context_.actions.action(QStringLiteral("run.train")));
  for (const auto& run : summaries.runs())
    for (const auto& [tag, series] : run->pictures) showSeries(run->id, tag);
  retranslate();
}

void ImagesView::showSeries(int run, const QString& tag) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (!r) return;
  const auto it = r->pictures.find(tag);
  if (it == r->pictures.end()) return;
  grid_->setSeries(r->name, r->hue, tag, it->second);
  grid_->grown(r->name, tag);
}

QString ImagesView::runWith(const QString& tag) const {
  const auto& runs = context_.workspace.summaries().runs();
  QString hidden;
  for (auto it = runs.rbegin(); it != runs.rend(); ++it) {
    if ((*it)->foreign || !(*it)->pictures.count(tag)) continue;
    if ((*it)->visible) return (*it)->name;
    if (hidden.isEmpty()) hidden = (*it)->name;
  }
  return hidden;
}

void ImagesView::refreshNow() { grid_->refreshNow(); }

QString ImagesView::exportTag(const QString& tag, const QString& path) {
  const QString run = runWith(tag);
  if (run.isEmpty()) return tr("There is no image %1.").arg(tag);
  if (!path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) return tr("%1: expected a file name ending in .png.").arg(path);
  const widgets::ImageCard* card = grid_->card(run, tag);
  if (!card) return tr("All runs with the image %1 are hidden.").arg(tag);
  return card->image().save(path) ? QString() : tr("%1 could not be written.").arg(path);
}

bool ImagesView::setOption(const QString& option) {
  const QStringList words = option.split(u' ');
  bool isNumber = false;
  const double step = option.toDouble(&isNumber);
  if (isNumber) grid_->setStep(step);
  else if (option == QLatin1String("newest")) grid_->setStep(std::nullopt);
  else if (words[0] == QLatin1String("look") && words.size() == 2) return grid_->look(runWith(words[1]), words[1]);
  else if (words[0] == QLatin1String("compare") && words.size() == 3) return grid_->look(runWith(words[1]), words[1], runWith(words[2]), words[2]);
  else if (const qsizetype mode = QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("wipe"), QStringLiteral("difference")}.indexOf(words[0]);
           mode >= 0 && words.size() == 1)
    grid_->setViewMode(widgets::ImageViewer::Mode(mode));
  else if (words[0] == QLatin1String("wipe") && words.size() == 2) grid_->viewer()->setWipe(words[1].toDouble());
  else if (words[0] == QLatin1String("zoom") && words.size() == 2 && words[1].toDouble() > 0)
    grid_->viewer()->setZoom(words[1].toDouble(), QRectF(grid_->viewer()->rect()).center());
  else return false;
  return true;
}

void ImagesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void ImagesView::retranslate() {
  grid_->setEmptyText(tr("No images yet"), tr("Images appear here during training if the graph has image summaries. The templates show their inputs."),
                      tr("Train"));
}

const ViewRecord imagesView = {"images",
                               QT_TRANSLATE_NOOP("Views", "Images"),
                               QT_TRANSLATE_NOOP("Views", "Images logged in training, at every step"),
                               "image",
                               Qt::BottomDockWidgetArea,
                               "train",
                               [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ImagesView(context, parent); }};

}  // namespace weft::app
