#include "views/custom_scalars/custom_scalars_view.h"

#include <QEvent>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/empty_state.h"
#include "document/workspace.h"
#include "plot/scalar_plot.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

constexpr QSize kChartCard(380, 240);
constexpr int kChartsMs = 300;
constexpr size_t kMostLines = 60;  // per chart

/// As Python's re.match(): from the start of the tag.
QRegularExpression fromStart(const QString& pattern) { return QRegularExpression(QStringLiteral("\\A(?:%1)").arg(pattern)); }

/// The categories of all runs in the order of the runs' names, so that the result does not depend on which file was read first.
QVector<LayoutEntry::Category> mergedLayouts(const std::vector<std::unique_ptr<SummaryRun>>& runs) {
  std::vector<const SummaryRun*> sorted;
  for (const auto& run : runs)
    if (!run->foreign) sorted.push_back(run.get());
  std::sort(sorted.begin(), sorted.end(), [](const SummaryRun* a, const SummaryRun* b) { return a->name < b->name; });
  QVector<LayoutEntry::Category> out;
  for (const SummaryRun* run : sorted) {
    for (const auto& [tag, series] : run->layouts) {
      if (series->empty()) continue;
      for (const LayoutEntry::Category& c : series->back().categories) {
        auto into = std::find_if(out.begin(), out.end(), [&c](const auto& known) { return known.title == c.title; });
        if (into == out.end()) into = out.insert(out.end(), {c.title, {}, c.closed});
        for (const LayoutEntry::Chart& chart : c.charts)
          if (!into->charts.contains(chart)) into->charts << chart;
      }
    }
  }
  return out;
}

}  // namespace

CustomScalarsView::CustomScalarsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("panels"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("chart"), {}, {}, stack_);
  grid_ = new widgets::CardGrid([this](const QString& key, QWidget* owner) { return makeChart(key, owner); }, kChartCard, stack_);
  grid_->setLeastHeight(150);
  stack_->addWidget(empty_);
  stack_->addWidget(grid_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, [this] {
    if (isVisible()) refreshNow();
  });
  Summaries& summaries = context.workspace.summaries();
  for (const auto signal : {&Summaries::runAdded, &Summaries::runRenamed, &Summaries::runChanged, &Summaries::runRestarted, &Summaries::runRemoved})
    connect(&summaries, signal, this, [this] { soon(true); });
  connect(&summaries, &Summaries::grown, this, [this](int run, SummaryKind kind, const QString& tag) {
    if (kind == SummaryKind::Layout) return soon(true);
    if (kind != SummaryKind::Scalar || charts_.isEmpty()) return;
    if (!known_.contains({run, tag})) soon(true);  // a chart may lack its line
    for (QWidget* card : grid_->cards()) static_cast<widgets::ScalarPlot*>(card)->changed();
  });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("panels.open-logdir"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  retranslate();
}

void CustomScalarsView::soon(bool anew) {
  anew_ = anew_ || anew;
  if (anew && !soon_.isActive()) soon_.start(kChartsMs);
}

void CustomScalarsView::rebuild() {
  anew_ = false;
  charts_.clear();
  known_.clear();
  grid_->clear();
  const auto& runs = context_.workspace.summaries().runs();
  for (const auto& run : runs)
    for (const auto& [tag, series] : run->scalars) known_.insert({run->id, tag});
  const QVector<LayoutEntry::Category> categories = mergedLayouts(runs);
  const int digits = int(QString::number(categories.size()).size());
  for (int i = 0; i < int(categories.size()); ++i) {
    // Numbers keep the order of the layout: the grid sorts by name and by key.
    const QString group = QStringLiteral("%1. %2").arg(i + 1, digits).arg(categories[i].title);
    for (int k = 0; k < int(categories[i].charts.size()); ++k) {
      const LayoutEntry::Chart& chart = categories[i].charts[k];
      const QString key = QStringLiteral("%1\n%2\n%3").arg(i, 6, 10, QLatin1Char('0')).arg(k, 6, 10, QLatin1Char('0')).arg(chart.title);
      charts_.insert(key, chart);
      grid_->add(key, group);
    }
    if (categories[i].closed) grid_->setGroupOpen(group, false);
  }
  stack_->setCurrentIndex(charts_.isEmpty() ? 0 : 1);
}

QWidget* CustomScalarsView::makeChart(const QString& key, QWidget* parent) {
  auto* plot = new widgets::ScalarPlot(parent);
  plot->setTitle(charts_[key].title);
  connect(plot, &widgets::PlotCard::maximizeRequested, this, [this, key] { grid_->toggleLarge(key); });
  fill(*plot, charts_[key]);
  return plot;
}

void CustomScalarsView::fill(widgets::ScalarPlot& plot, const LayoutEntry::Chart& chart) {
  QString problem;
  std::vector<QRegularExpression> patterns;
  for (const QString& pattern : chart.tags) {
    patterns.push_back(fromStart(pattern));
    if (!patterns.back().isValid()) problem = tr("%1 is not a regular expression: %2").arg(pattern, patterns.back().errorString());
  }
  struct Line {
    const SummaryRun* run;
    QString tag;
    const LayoutEntry::Margin* margin;
  };
  std::vector<Line> lines;
  int runs = 0;
  bool several = false;  // some run has more than one curve in the chart
  for (const auto& run : context_.workspace.summaries().runs()) {
    if (run->foreign || !run->visible) continue;
    const size_t before = lines.size();
    for (const auto& [tag, series] : run->scalars) {
      const auto matches = [&tag](const QRegularExpression& r) { return r.isValid() && r.match(tag).hasMatch(); };
      if (std::any_of(patterns.begin(), patterns.end(), matches)) lines.push_back({run.get(), tag, nullptr});
    }
    for (const LayoutEntry::Margin& m : chart.margins)
      if (run->scalars.contains(m.value)) lines.push_back({run.get(), m.value, &m});
    runs += lines.size() > before;
    several = several || lines.size() > before + 1;
  }
  if (lines.size() > kMostLines) {
    lines.resize(kMostLines);
    problem = tr("Only the first %1 curves are shown.").arg(kMostLines);
  }
  // Of one curve per run, the run's name and colour tell it; otherwise the tag, and a colour of its own.
  const bool byRun = runs > 1 && !several;
  int next = 0;
  for (const Line& line : lines) {
    const SummaryRun& run = *line.run;
    const QString name = byRun ? run.name : runs > 1 ? QStringLiteral("%1 · %2").arg(line.tag, run.name) : line.tag;
    const int id = plot.addSeries(name, byRun ? run.hue : next++, run.scalars.at(line.tag));
    if (!line.margin) continue;
    const auto low = run.scalars.find(line.margin->lower), high = run.scalars.find(line.margin->upper);
    if (low != run.scalars.end() && high != run.scalars.end()) plot.setBand(id, low->second, high->second);
    else problem = tr("%1 logged %2, but not both %3 and %4: its band is not shown.").arg(run.name, line.margin->value, line.margin->lower, line.margin->upper);
  }
  if (lines.empty() && problem.isEmpty()) {
    QStringList wanted = chart.tags;
    for (const LayoutEntry::Margin& m : chart.margins) wanted << m.value;
    problem = tr("No run logged %1.").arg(wanted.join(QStringLiteral(", ")));
  }
  plot.setToolTip(problem);
  if (!problem.isEmpty()) plot.setTitle(tr("%1 (incomplete)").arg(chart.title));
}

void CustomScalarsView::refreshNow() {
  if (anew_) rebuild();
  grid_->settle();
  for (QWidget* card : grid_->cards()) static_cast<widgets::ScalarPlot*>(card)->refreshNow();
}

QString CustomScalarsView::exportTag(const QString& tag, const QString& path) {
  if (anew_) rebuild();
  QStringList titles;
  for (const QString& key : charts_.keys()) {
    titles << charts_[key].title;
    if (charts_[key].title != tag) continue;
    auto* plot = static_cast<widgets::ScalarPlot*>(grid_->makeCard(key));
    plot->refreshNow();
    return widgets::exportCard(
        plot, path, [plot] { return plot->toCsv().toUtf8(); }, [plot] { return plot->toJson(); });
  }
  return tr("There is no chart %1; there are %2.").arg(tag, titles.join(QStringLiteral(", ")));
}

void CustomScalarsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (anew_) rebuild();
}

void CustomScalarsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void CustomScalarsView::retranslate() {
  empty_->setTitle(tr("No custom charts yet"));
  empty_->setText(tr("Charts that a program arranged with the custom_scalars summary appear here."));
  empty_->setButton(tr("Open event files…"), QStringLiteral("folder"));
  soon(true);
}

const ViewRecord custom_scalarsView = {"custom_scalars",
                                       QT_TRANSLATE_NOOP("Views", "Custom charts"),
                                       QT_TRANSLATE_NOOP("Views", "Curves in the charts that the program arranged"),
                                       "chart",
                                       Qt::BottomDockWidgetArea,
                                       "",
                                       [](const ViewContext& context, QWidget* parent) -> QWidget* { return new CustomScalarsView(context, parent); }};

}  // namespace weft::app
