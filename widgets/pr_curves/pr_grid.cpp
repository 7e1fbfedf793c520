#include "pr_curves/pr_grid.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QMenu>
#include <cmath>
#include <optional>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/format.h"
#include "common/plot_card.h"
#include "common/step_slider.h"
#include "common/theme.h"
#include "pr_curves/pr_plot.h"

namespace weft::widgets {
namespace {

constexpr QSize kPrCard(340, 300);

const PrCurve* curveAt(const PrSeries& series, std::optional<double> step) {
  return series.empty() ? nullptr : &series[step ? series.at(*step) : series.size() - 1];
}

QJsonArray jsonOf(const std::vector<double>& values) {
  QJsonArray out;
  for (const double v : values) out << v;
  return out;
}

}  // namespace

class PrGrid::Private {
 public:
  struct Entry {
    QString run, tag;
    int hue = 0;
    std::shared_ptr<const PrSeries> series;
  };
  QMap<QString, Entry> entries;

  QByteArray csv(const QString& key, std::optional<double> step) const;
  QByteArray json(const QString& key) const;
};

QByteArray PrGrid::Private::csv(const QString& key, std::optional<double> step) const {
  QByteArray out = "run,step,threshold,precision,recall,true_positives,false_positives,true_negatives,false_negatives\n";
  const auto entry = entries.constFind(key);
  const PrCurve* curve = entry == entries.cend() ? nullptr : curveAt(*entry->series, step);
  for (std::size_t i = 0; curve && i < curve->size(); ++i) {
    out += '"' + QString(entry->run).replace(u'"', QStringLiteral("\"\"")).toUtf8() + '"';
    for (const double v : {curve->step, curve->threshold(i), curve->precision[i], curve->recall[i], curve->truePositives[i], curve->falsePositives[i],
                           curve->trueNegatives[i], curve->falseNegatives[i]})
      out += ',' + QByteArray::number(v, 'g', 9);
    out += '\n';
  }
  return out;
}

QByteArray PrGrid::Private::json(const QString& key) const {
  QJsonArray steps;
  const auto entry = entries.constFind(key);
  if (entry == entries.cend()) return {};
  for (const PrCurve& c : *entry->series)
    steps << QJsonObject{{QStringLiteral("step"), c.step},
                         {QStringLiteral("wall_time"), c.wall},
                         {QStringLiteral("precision"), jsonOf(c.precision)},
                         {QStringLiteral("recall"), jsonOf(c.recall)},
                         {QStringLiteral("true_positives"), jsonOf(c.truePositives)},
                         {QStringLiteral("false_positives"), jsonOf(c.falsePositives)},
                         {QStringLiteral("true_negatives"), jsonOf(c.trueNegatives)},
                         {QStringLiteral("false_negatives"), jsonOf(c.falseNegatives)}};
  return QJsonDocument(QJsonObject{{QStringLiteral("run"), entry->run}, {QStringLiteral("tag"), entry->tag}, {QStringLiteral("steps"), steps}}).toJson();
}

PrGrid::PrGrid(QWidget* parent) : RunCardPanel(QStringLiteral("chart"), kPrCard, parent), d_(std::make_unique<Private>()) {
  cards()->setLeastHeight(150);
  retranslate();
}
PrGrid::~PrGrid() = default;

void PrGrid::retranslate() {
  RunCardPanel::retranslate();
  cards()->setGeneralName(tr("PR curves"));
}

QWidget* PrGrid::makeCard(const QString& key, QWidget* parent) {
  const Private::Entry& entry = d_->entries[key];
  PlotCard* card = makePlotCard(key, entry.hue, new PrPlot, parent);
  addExportActions(
      card->menu(), card, [tag = entry.tag] { return tag; }, [this, key] { return d_->csv(key, steps()->step()); }, [this, key] { return d_->json(key); });
  return card;
}

std::vector<double> PrGrid::stepsOf(const QString& key) {
  std::vector<double> list;
  for (const PrCurve& c : *d_->entries[key].series) list.push_back(c.step);
  return list;
}

void PrGrid::refreshCard(const QString& key) {
  auto* card = static_cast<PlotCard*>(cards()->card(key));
  const auto it = d_->entries.constFind(key);
  if (!card || it == d_->entries.constEnd()) return;
  const auto step = steps()->step();
  const PrCurve* curve = curveAt(*it->series, step);
  if (!curve) return;
  std::vector<PrPlot::Line> behind;
  for (const Private::Entry& other : std::as_const(d_->entries)) {
    if (other.tag != it->tag || other.run == it->run || !isShown(other.run)) continue;
    if (const PrCurve* c = curveAt(*other.series, step)) behind.push_back({Theme::current().categorical(other.hue), c->precision, c->recall});
  }
  card->setFoot(
      QStringLiteral("%1 · %2").arg(tr("step %1").arg(formatCount(std::llround(curve->step))), tr("%n threshold(s)", nullptr, static_cast<int>(curve->size()))),
      tr("area %1").arg(formatValue(areaUnder(*curve), 4)));
  static_cast<PrPlot*>(card->body())->show(*curve, Theme::current().categorical(it->hue), std::move(behind));
}

void PrGrid::forget(const QString& key) { d_->entries.remove(key); }

/// Each card also draws the curves of other runs.
void PrGrid::refreshed() {
  for (const QString& key : d_->entries.keys()) refreshCard(key);
}

void PrGrid::setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const PrSeries> series) {
  Private::Entry& entry = d_->entries[keyOf(run, tag)];
  if (entry.series == series) return;
  entry = {run, tag, hue, std::move(series)};
  addSeries(run, tag);
}

QStringList PrGrid::tags() const {
  QStringList out;
  for (const Private::Entry& entry : std::as_const(d_->entries))
    if (!out.contains(entry.tag)) out << entry.tag;
  return out;
}

PrPlot* PrGrid::plot(const QString& run, const QString& tag) {
  if (!d_->entries.contains(keyOf(run, tag))) return nullptr;
  auto* card = static_cast<PlotCard*>(cards()->makeCard(keyOf(run, tag)));
  if (!card) return nullptr;
  refreshCard(keyOf(run, tag));
  return static_cast<PrPlot*>(card->body());
}

QString PrGrid::exportTag(const QString& tag, const QString& path) {
  for (const QString& key : d_->entries.keys()) {
    if (d_->entries[key].tag != tag || !isShown(d_->entries[key].run)) continue;
    QWidget* card = cards()->makeCard(key);
    refreshCard(key);
    return exportCard(
        card, path, [this, key] { return d_->csv(key, steps()->step()); }, [this, key] { return d_->json(key); });
  }
  if (tags().contains(tag)) return tr("All runs with the PR curve %1 are hidden.").arg(tag);
  return tr("There is no PR curve %1; there are %2.").arg(tag, tags().join(QStringLiteral(", ")));
}

}  // namespace weft::widgets
