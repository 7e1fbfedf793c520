// The legend above the timeline, and the idle times in it.
#include <QLabel>
#include <QLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "common/icons.h"
#include "common/theme.h"
#include "document/profile_store.h"
#include "document/trace_questions.h"
#include "shell/action_registry.h"
#include "timeline/timeline_view.h"
#include "views/timeline/timeline_dock.h"

namespace weft::app {
namespace {

QString swatch(const QColor& color) { return QStringLiteral("<span style='color:%1'>■</span>").arg(color.name()); }
QString unbroken(const QString& text) { return text.toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;")); }

/// All shades in a row, with words at the ends and, where they fit, in the middle: red and blue, which colour-blind people tell apart, with ▼ and ▲ as well.
QString differenceLegend(const widgets::TimelineData& data, const widgets::Theme& theme, const QLabel& label) {
  QString shades, ends[2], middle, words;
  for (const widgets::TimelineCategory& c : data.categories()) {
    if (!c.signedValue) continue;
    const double t = *c.signedValue;
    const QString box = swatch(t == 0 ? theme.color(widgets::Role::Muted) : theme.diverging(t));
    if (t == 0) middle = box, words = c.title;
    shades += box;
    if (std::fabs(t) == 1) ends[t > 0] = c.title;
  }
  const auto fits = [&](const QString& text) { return label.fontMetrics().horizontalAdvance(text) < label.width(); };
  const QString plain = QStringLiteral("▼ %1 ■■■■■■■■■ ▲ %2 ").arg(ends[0], ends[1]);
  if (!fits(plain)) return QStringLiteral("▼&nbsp;%1&nbsp;▲").arg(shades);
  QString html = QStringLiteral("▼&nbsp;%1&nbsp;%2&nbsp;▲&nbsp;%3").arg(unbroken(ends[0]), shades, unbroken(ends[1]));
  if (fits(plain + QStringLiteral("■ %1   ").arg(words))) html += QStringLiteral(" &nbsp;%1&nbsp;%2").arg(middle, unbroken(words));
  return html;
}

/// The reasons that occur, the longest first, as many as fit.
QString reasonLegend(const IdleTimes& times, const widgets::Theme& theme, const QLabel& label) {
  QString html;
  int room = label.width();
  std::array<int, kIdleReasons> order{};
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return times.byReason[size_t(a)] > times.byReason[size_t(b)]; });
  for (const int reason : order) {
    const widgets::TimelineCategory& c = times.rows->categories[reason];
    room -= label.fontMetrics().horizontalAdvance(QStringLiteral("▨ %1   ").arg(c.title));
    if (room < 0 || times.byReason[size_t(reason)] <= 0) break;
    const QColor color = c.hue >= 0 ? theme.categorical(c.hue) : theme.color(widgets::Role::Text3);
    html += QStringLiteral("<span style='color:%1'>▨</span>&nbsp;%2 &nbsp;").arg(color.name(), unbroken(c.title));
  }
  return html;
}

}  // namespace

QWidget* TimelineDock::makeGaps(QWidget* page) {
  gaps_ = new QToolButton(page);
  gaps_->setObjectName(QStringLiteral("show_gaps"));
  gaps_->setCheckable(true);
  gaps_->setIcon(widgets::icon(QStringLiteral("clock")));
  gaps_->setFocusPolicy(Qt::TabFocus);
  connect(gaps_, &QToolButton::clicked, this,
          [this](bool on) { context_.actions.runChosen(QStringLiteral("profile.idle-times"), {on ? QStringLiteral("on") : QStringLiteral("off")}); });
  connect(&questions_, &TraceQuestions::showsGapsChanged, this, &TimelineDock::showGaps);
  connect(&questions_, &TraceQuestions::idleTimesChanged, this, &TimelineDock::showGaps);
  connect(&questions_, &TraceQuestions::gapSelected, this, &TimelineDock::selectGap);
  connect(view_, &widgets::TimelineView::gapSelected, &questions_, &TraceQuestions::selectGap);
  return gaps_;
}

void TimelineDock::showGaps() {
  gaps_->setChecked(questions_.showsGaps());
  const IdleTimesPtr& times = questions_.idleTimes();
  // The timeline may still show the trace before.
  const bool shown = questions_.showsGaps() && times && store_.current() && view_->data() == store_.timeline().get();
  if (view_->gaps() != (shown ? times->rows.get() : nullptr)) view_->setGaps(shown ? times->rows : nullptr);
  updateLegendSoon();
}

/// An arrow from what the gap waited for to what waited.
void TimelineDock::selectGap(int gap) {
  if (!view_->gaps()) return;
  view_->selectGap(gap);
  if (gap < 0) return;
  const IdlePart& part = questions_.idleTimes()->gaps[size_t(gap)];
  view_->setHighlighted(part.cause >= 0 ? QVector<int>{part.cause} : QVector<int>());
  view_->setFlows(part.cause >= 0 && part.after >= 0 ? QVector<std::pair<int, int>>{{part.cause, part.after}} : QVector<std::pair<int, int>>());
}

/// Queued until the label has its final width.
void TimelineDock::updateLegendSoon() {
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (stack_->currentWidget()->layout()) stack_->currentWidget()->layout()->activate();
        updateLegend();
      },
      Qt::QueuedConnection);
}

void TimelineDock::updateLegend() {
  const ProfilePtr& profile = store_.current();
  if (!profile) return;
  const widgets::TimelineData& data = *store_.timeline();
  std::vector<double> used(size_t(data.categories().size()), 0);
  for (int r = 0; r < data.rowCount(); ++r) {
    const auto& slices = data.row(r).slices();
    for (size_t i = 0; i < slices.size(); i += std::max<size_t>(1, slices.size() / 5000)) used[size_t(slices[i].category)] += double(slices[i].duration);
  }
  const widgets::Theme& theme = widgets::Theme::current();
  if (store_.colors() == SliceColors::Difference || (view_->gaps() && questions_.idleTimes())) {
    const bool differs = store_.colors() == SliceColors::Difference;
    QStringList words;
    for (const widgets::TimelineCategory& c : differs ? data.categories() : view_->gaps()->categories) {
      if (c.title.isEmpty() || c.signedValue.has_value() != differs) continue;
      const double t = c.signedValue.value_or(0);
      words << (t == 0 ? c.title : (t < 0 ? QStringLiteral("▼ ") : QStringLiteral("▲ ")) + c.title);
    }
    legend_->setToolTip(words.join(QStringLiteral(" · ")));
    legend_->setText(store_.colors() == SliceColors::Difference ? differenceLegend(data, theme, *legend_)
                                                                : reasonLegend(*questions_.idleTimes(), theme, *legend_));
    return;
  }
  legend_->setToolTip({});
  // Largest time first; entries that do not fit are left out, never cut.
  std::vector<int> order(used.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return used[size_t(a)] > used[size_t(b)]; });
  QString html;
  const QFontMetrics metrics(legend_->font());
  int room = legend_->width();
  for (const int i : order) {
    const widgets::TimelineCategory& c = data.categories()[i];
    if (used[size_t(i)] <= 0 || (c.opCategory.isEmpty() && c.hue < 0)) continue;
    room -= metrics.horizontalAdvance(QStringLiteral("■\u00a0%1\u00a0 ").arg(c.title)) + 2;
    if (room < 0) break;
    const QColor color = c.opCategory.isEmpty() ? theme.categorical(c.hue) : theme.opCategory(c.opCategory);
    html += QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2 &nbsp;").arg(color.name(), c.title.toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;")));
  }
  legend_->setText(html);
}

}  // namespace weft::app
