#include "views/custom_scalars/custom_scalars_view.h"

#include <QEvent>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QVBoxLayout>

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
constexpr int kMostLines = 60;  // per chart

/// As Python's re.match(): from the start of the tag.
QRegularExpression fromStart(const QString& pattern) { return QRegularExpression(QStringLiteral("\\A(?:%1)").arg(pattern)); }

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
  connect(&summaries, &Summaries::grown, this, [this, &summaries](int run, SummaryKind kind, const QString& tag) {
    if (kind == SummaryKind::Layout) return soon(true);
    if (kind != SummaryKind::Scalar || charts_.isEmpty()) return;
    // A first value may belong to a chart that lacks the line.
    const SummaryRun* r = summaries.run(run);
    soon(r && r->scalars.at(tag)->size() <= 1);
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
  grid_->clear();
  int category = 0;
  for (const auto& run : context_.workspace.summaries().runs()) {
    if (run->foreign) continue;
    for (const auto& [tag, series] : run->layouts) {
      if (series->empty()) continue;
      for (const LayoutEntry::Category& c : series->back().categories) {
        // Numbers keep the order of the layout: the grid sorts by key.
        const QString group = QStringLiteral("%1. %2").arg(++category).arg(c.title);
        int number = 0;
        for (const LayoutEntry::Chart& chart : c.charts) {
          const QString key = QStringLiteral("%1\n%2\n%3").arg(category, 4, 10, QLatin1Char('0')).arg(++number, 4, 10, QLatin1Char('0')).arg(chart.title);
          charts_.insert(key, chart);
          grid_->add(key, group);
        }
        if (c.closed) grid_->setGroupOpen(group, false);
      }
    }
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
  int runs = 0, next = 0;
  for (const auto& run : context_.workspace.summaries().runs()) runs += !run->foreign && run->visible && !run->scalars.empty();
  const bool several = chart.margins.size() > 1 || chart.tags.size() > 1 || (chart.tags.size() == 1 && runs <= 1);
  QString problem;
  const auto add = [&](const SummaryRun& run, const QString& tag) {
    const QString name = !several ? run.name : runs > 1 ? QStringLiteral("%1 · %2").arg(tag, run.name) : tag;
    return plot.addSeries(name, several ? next++ : run.hue, run.scalars.at(tag));
  };
  for (const auto& run : context_.workspace.summaries().runs()) {
    if (run->foreign || !run->visible) continue;
    for (const auto& [tag, series] : run->scalars) {
      for (const QString& pattern : chart.tags) {
        const QRegularExpression wanted = fromStart(pattern);
        if (!wanted.isValid()) problem = tr("%1 is not a regular expression: %2").arg(pattern, wanted.errorString());
        if (!wanted.isValid() || !wanted.match(tag).hasMatch()) continue;
        if (plot.seriesCount() < kMostLines) add(*run, tag);
        else problem = tr("Only the first %1 curves are shown.").arg(kMostLines);
        break;
      }
    }
    for (const LayoutEntry::Margin& m : chart.margins) {
      if (!run->scalars.contains(m.value)) continue;
      const int id = add(*run, m.value);
      const auto low = run->scalars.find(m.lower), high = run->scalars.find(m.upper);
      if (low != run->scalars.end() && high != run->scalars.end()) plot.setBand(id, low->second, high->second);
      else problem = tr("%1 logged %2, but not both %3 and %4: its band is not shown.").arg(run->name, m.value, m.lower, m.upper);
    }
  }
  if (plot.seriesCount() == 0 && problem.isEmpty()) {
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
