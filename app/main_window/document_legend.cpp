// The legend above the canvas: colours and line styles of the drawing, the progress of a debugged run, or a comparison.
#include <QComboBox>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "common/theme.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/drawn_model.h"
#include "graph_view/graph_view.h"
#include "main_window/compose_gestures.h"
#include "main_window/difference_marks.h"
#include "main_window/document_page.h"
#include "shell/page_bar.h"

namespace weft::app {

namespace {

constexpr int kLegendEntries = 8, kLegendLines = 40;
constexpr int kColoursBesideLines = 5;

/// Adds the meanings of line styles that occur in this graph.
void addWires(const Document& document, QVector<LegendStrip::Entry>& legend, QStringList& words) {
  const widgets::Theme& theme = widgets::Theme::current();
  const GraphArrays& arrays = document.contents()->arrays;
  const auto has = [&](widgets::EdgeKind kind) {
    return std::any_of(arrays.edges.begin(), arrays.edges.end(), [kind](const auto& e) { return e.ends.kind == kind; });
  };
  using Mark = LegendStrip::Mark;
  const auto add = [&](const QColor& color, const QString& text, Mark mark, const QString& sign, const QString& more) {
    legend << LegendStrip::Entry{color, text, mark};
    words << QStringLiteral("<span style='color:%1'>%2</span> ").arg(color.name(), sign) + more;
  };
  const bool control = has(widgets::EdgeKind::Control), reference = has(widgets::EdgeKind::Reference);
  if (control || reference)
    add(theme.dtype(QStringLiteral("float32")), DocumentPage::tr("data"), Mark::Wire, QStringLiteral("──"),
        DocumentPage::tr(
            "A solid line carries data. Its hue shows the type, its thickness the number of bytes, for batches of 32 if the batch size is unknown."));
  const auto* model = dynamic_cast<const widgets::FlowModel*>(document.model());
  if (const auto facts = model ? model->flow() : nullptr; facts && !facts->loops.empty())
    add(theme.color(widgets::Role::Accent), DocumentPage::tr("loop"), Mark::Frame, QStringLiteral("▭"),
        DocumentPage::tr("A dashed frame is a while loop. Its variables enter at the left, leave at the right, and return along the top or the bottom."));
  if (control)
    add(theme.color(widgets::Role::BorderStrong), DocumentPage::tr("control"), Mark::Dashes, QStringLiteral("╌╌"),
        DocumentPage::tr("A dashed line is a control edge: its source runs first, no data is passed."));
  if (reference)
    add(theme.dtype(QStringLiteral("float32_ref")), DocumentPage::tr("reference"), Mark::Double, QStringLiteral("══"),
        DocumentPage::tr("A double line passes a reference to the variable, so that it can be updated."));
  const auto& edges = document.model()->edges;
  if (std::any_of(edges.begin(), edges.end(), [](const auto& e) { return e.crossesTasks; }))
    add(theme.dtype(QStringLiteral("float32")), DocumentPage::tr("between tasks"), Mark::Band, QStringLiteral("━━"),
        DocumentPage::tr("A line on a band goes from one task of the cluster to another. After a traced step it says how many bytes it carries per step."));
}

}  // namespace

/// While a run is debugged, and until its marks are removed, the tints show its progress.
bool DocumentPage::showDebugLegend() {
  const DebugController& debug = workspace_.debugger();
  if (debug.document() != document_ || !debug.hasValues() || debug.state().tints.isEmpty() || (!debug.isActive() && debug.state().ops == 0)) return false;
  const auto& tints = debug.state().tints;
  if (std::all_of(tints.begin(), tints.end(), [](quint8 tint) { return tint == quint8(widgets::NodeTint::None); })) return false;
  using widgets::Role;
  const widgets::Theme& theme = widgets::Theme::current();
  const std::pair<Role, QString> entries[] = {{Role::ExecutingSoft, tr("next op")},
                                              {Role::Done, tr("computed")},
                                              {Role::Ready, tr("ready")},
                                              {Role::Pending, tr("waiting")},
                                              {Role::Dead, tr("not taken")}};
  QVector<LegendStrip::Entry> legend;
  for (const auto& [role, words] : entries) {
    if (role == Role::ExecutingSoft && !debug.isStopped()) continue;
    legend << LegendStrip::Entry{theme.color(role), words, LegendStrip::Mark::Ground};
  }
  legend_->setEntries(legend);
  legend_->setToolTip(tr("Progress of the debugged run; Stop debugging (Shift+F5) clears the marks"));
  return true;
}

/// The legend of a comparison with another graph.
bool DocumentPage::showDifferenceLegend() {
  const DifferenceMarks* marks = DifferenceMarks::of(document_);
  if (!marks || !marks->isShown()) return false;
  const widgets::Theme& theme = widgets::Theme::current();
  const GraphDifference& d = marks->difference();
  QVector<LegendStrip::Entry> legend;
  if (!d.removed.isEmpty())
    legend << LegendStrip::Entry{theme.color(widgets::Role::Done), tr("only here: %1").arg(d.removed.size()), LegendStrip::Mark::Ground};
  if (!d.changed.isEmpty()) legend << LegendStrip::Entry{theme.color(widgets::Role::Ready), tr("differ: %1").arg(d.changed.size()), LegendStrip::Mark::Ground};
  if (!d.renamed.isEmpty())
    legend << LegendStrip::Entry{theme.color(widgets::Role::Pending), tr("other name: %1").arg(d.renamed.size()), LegendStrip::Mark::Ground};
  if (!d.added.isEmpty())
    legend << LegendStrip::Entry{theme.color(widgets::Role::Surface2), tr("only in %1: %2").arg(marks->other()).arg(d.added.size()), LegendStrip::Mark::Ground};
  legend_->setEntries(legend);
  legend_->setToolTip(tr("Comparison with %1; the marks disappear when the graph changes, or with File > Clear comparison marks").arg(marks->other()) +
                      (d.added.isEmpty() ? QString()
                                         : QStringLiteral("\n") + tr("Only there: %1")
                                                                      .arg(QStringList(d.added.mid(0, 12)).join(QStringLiteral(", ")) +
                                                                           (d.added.size() > 12 ? QStringLiteral(" …") : QString()))));
  return true;
}

void DocumentPage::updateLegend() {
  colour_->setCurrentIndex(colour_->findData(canvas_->findChild<ComposeGestures*>()->colorMode()));
  if (showDebugLegend() || showDifferenceLegend()) return;
  const auto entries = canvas_->legend();
  QVector<LegendStrip::Entry> legend, lines;
  QStringList lineWords;
  addWires(*document_, lines, lineWords);
  for (qsizetype i = 0; i < std::min<qsizetype>(entries.size(), lines.isEmpty() ? kLegendEntries : kColoursBesideLines); ++i)
    legend << LegendStrip::Entry{entries[i].color, canvas_->findChild<ComposeGestures*>()->legendText(entries[i].label), LegendStrip::Mark::Square};
  // All entries, because the strip leaves out those that do not fit.
  QStringList words;
  for (qsizetype i = 0; i < std::min<qsizetype>(entries.size(), kLegendLines); ++i) {
    words << QStringLiteral("<span style='color:%1'>■</span> %2")
                 .arg(entries[i].color.name(), canvas_->findChild<ComposeGestures*>()->legendText(entries[i].label).toHtmlEscaped());
  }
  legend << lines;
  words << lineWords;
  const auto& nodes = document_->contents()->arrays.nodes;
  if (std::any_of(nodes.begin(), nodes.end(), [](const auto& node) { return (node.status.badges & widgets::BadgeState) != 0; })) {
    legend << LegendStrip::Entry{widgets::Theme::current().opCategory(QStringLiteral("variable")), tr("changes state"), LegendStrip::Mark::Loop};
    words
        << QStringLiteral("↻ ") +
               tr("A circular arrow marks ops that change state beyond the step: variables, queues, iterators, tables, random generators, files. The tooltip says which.");
  }
  words << tr(
      "<b>×4</b> stands for four alike, <b>2×</b> on a wire for two tensors, <b>⋯3</b> at a node for three wires drawn when you point at the node or click the number. <b>∂</b> marks gradients and updates. A rounded box below a layer holds its weights.");
  legend_->setToolTip(words.join(QStringLiteral("<br>")));
  legend_->setEntries(legend);
}

}  // namespace weft::app
