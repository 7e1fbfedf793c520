// The pictures of the dock: small multiples, parallel coordinates, scatter matrix, importance.
#include <QTabWidget>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "document/experiments.h"
#include "experiments/importance_bars.h"
#include "experiments/scatter_matrix.h"
#include "experiments/small_multiples.h"
#include "plot/parallel_axes.h"
#include "views/experiments/experiments_view.h"
#include "views/experiments/run_table.h"

namespace weft::app {
namespace {

constexpr size_t kMostDrawn = 1000;  // runs in a picture
constexpr size_t kMostAxes = 10, kMostPlots = 6;

using Column = ExperimentPage::Column;

/// Columns for the pictures: the parameters, then the metric of the sweep, then other metrics.
std::vector<const Column*> pictured(const ExperimentPage& page, size_t most) {
  std::vector<const Column*> out;
  const auto* sweep = page.sweep();
  const Column* metric = sweep ? page.column(sweep->metric) : nullptr;
  for (const auto& c : page.columns) {
    if (c->isMetric || out.size() + (metric ? 1 : 0) >= most) continue;
    // A parameter that is the same in all runs says nothing.
    if (c->texts.size() > 1 || (sweep && sweep->parameters.contains(c->name))) out.push_back(c.get());
  }
  if (metric) out.push_back(metric);
  for (const auto& c : page.columns)
    if (c->isMetric && c.get() != metric && out.size() < most) out.push_back(c.get());
  return out;
}

/// Words in the order of their numbers, where all are numbers.
QStringList wordsOf(const Column& c) {
  QStringList words = c.texts;
  std::sort(words.begin(), words.end(), [](const QString& a, const QString& b) {
    bool first = false, second = false;
    const double x = a.toDouble(&first), y = b.toDouble(&second);
    return first && second ? x < y : a < b;
  });
  return words;
}

/// The colour of a run: by its place between the worst and the best value.
QColor colorOf(const ExperimentPage& page, const Column* metric, double low, double high, int run) {
  const widgets::Theme& theme = widgets::Theme::current();
  const double v = metric ? metric->numbers[size_t(run)] : std::nan("");
  if (std::isnan(v)) return theme.color(widgets::Role::Text3);
  const double share = high > low ? (v - low) / (high - low) : 0.5;
  return theme.sequential(0.15 + 0.7 * (page.sweep()->maximize ? share : 1 - share));
}

}  // namespace

void ExperimentsView::showPictures() {
  const ExperimentPage& page = *experiments_.page();
  shown_.assign(page.rows.begin(), page.rows.begin() + std::ptrdiff_t(std::min(page.rows.size(), kMostDrawn)));
  const auto* sweep = page.sweep();
  const Column* metric = sweep ? page.column(sweep->metric) : nullptr;
  // Quantiles: a diverged run must not take the whole scale of colours.
  std::vector<double> sorted;
  for (const int run : shown_)
    if (metric && std::isfinite(metric->numbers[size_t(run)])) sorted.push_back(metric->numbers[size_t(run)]);
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted.empty() ? 0 : sorted[sorted.size() / 20], high = sorted.empty() ? 1 : sorted[sorted.size() - 1 - sorted.size() / 20];
  std::vector<QColor> colors;
  for (const int run : shown_) colors.push_back(colorOf(page, metric, low, high, run));

  switch (Page(tabs_->currentIndex())) {
    case Form: break;
    case Curves: {
      std::vector<widgets::SmallMultiples::Curve> curves;
      for (size_t i = 0; i < std::min(shown_.size(), page.curves.size()); ++i) {
        const size_t run = size_t(shown_[i]);
        const QString value = metric && !std::isnan(metric->numbers[run]) ? widgets::formatValue(metric->numbers[run]) : QString();
        curves.push_back({page.runs[run].name, value, colors[i], page.curves[i]});
      }
      curves_->setContents(std::move(curves));
      break;
    }
    case Parallel: {
      std::vector<widgets::ParallelAxes::Axis> axes;
      std::vector<widgets::ParallelAxes::Line> lines;
      for (size_t i = 0; i < shown_.size(); ++i) lines.push_back({page.runs[size_t(shown_[i])].name, colors[i], {}});
      for (const Column* c : pictured(page, kMostAxes)) {
        widgets::ParallelAxes::Axis axis;
        axis.title = c->name;
        const bool words = !c->isNumber;
        axis.logarithmic = c->isLog && !words;
        if (words) axis.words = wordsOf(*c);
        bool any = false;
        for (size_t i = 0; i < shown_.size(); ++i) {
          const auto run = size_t(shown_[i]);
          std::optional<double> value;
          if (words) {
            if (c->words[run] >= 0) value = double(axis.words.indexOf(c->texts[c->words[run]]));
          } else if (std::isfinite(c->numbers[run])) {
            value = c->numbers[run];
            axis.low = any ? std::min(axis.low, *value) : *value;
            axis.high = any ? std::max(axis.high, *value) : *value;
            any = true;
          }
          lines[i].values.push_back(value);
        }
        axes.push_back(std::move(axis));
      }
      parallel_->setContents(std::move(axes), std::move(lines));
      break;
    }
    case Scatter: {
      std::vector<widgets::ScatterMatrix::Quantity> quantities;
      for (const Column* c : pictured(page, kMostPlots)) {
        widgets::ScatterMatrix::Quantity q;
        q.title = c->name;
        q.logarithmic = c->isLog && c->isNumber;
        if (!c->isNumber) q.words = wordsOf(*c);
        for (const int run : shown_) {
          const int word = c->isNumber ? -1 : c->words[size_t(run)];
          q.values.push_back(c->isNumber ? c->numbers[size_t(run)] : word >= 0 ? double(q.words.indexOf(c->texts[word])) : std::nan(""));
        }
        quantities.push_back(std::move(q));
      }
      scatter_->setContents(std::move(quantities), std::move(colors));
      break;
    }
    case ImportancePage: {
      std::vector<widgets::ImportanceBars::Bar> bars;
      for (const auto& i : page.importance) bars.push_back({i.parameter, i.share, i.correlation});
      importance_->setContents(std::move(bars));
      importance_->setMessage(page.hasImportance ? QString()
                                                 : tr("The importance of the parameters appears when at least four runs have finished with different values."));
      break;
    }
  }
  showSelection();
}

void ExperimentsView::selectShown(const std::vector<int>& items) {
  QVector<qint64> ids;
  for (const int item : items)
    if (const int run = shownRun(item); run >= 0) ids << experiments_.page()->runs[size_t(run)].id;
  experiments_.select(ids);
}

}  // namespace weft::app
