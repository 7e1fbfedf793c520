// Contents of the Profile dock's pages for the current trace.
#include <QAbstractButton>
#include <QButtonGroup>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QStackedWidget>
#include <QTreeView>
#include <QTreeWidget>

#include "adapters/profile_plan.h"
#include "common/category_titles.h"
#include "common/elided_label.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/workspace.h"
#include "plot/roofline_plot.h"
#include "timeline/timeline_view.h"
#include "views/profile/devices_page.h"
#include "views/profile/plan_page.h"
#include "views/profile/profile_table.h"
#include "views/profile/profile_view.h"
#include "views/profile/questions/question_pages.h"

namespace weft::app {

using widgets::formatBytes;
using widgets::formatSeconds;

/// By node, the ops that its kernel computes as well; empty if the plan is unknown.
QHash<QString, QString> ProfileView::fusedWith(const ProfileContents& profile) const {
  QHash<QString, QString> out;
  QString why;
  const ProfilePlanPtr plan = planOf(profile, &why);
  if (!plan) return out;
  const Document* document = context_.workspace.current();
  for (const PlanGroup& group : plan->groups) {
    QStringList ops;
    for (const QString& node : group.merged) {
      const int i = document ? document->nodeIndex(node) : -1;
      const QString op = i >= 0 ? document->contents()->arrays.nodes[size_t(i)].op : widgets::lastPart(node);
      if (!ops.contains(op)) ops << op;
    }
    out.insert(group.node, ops.join(QStringLiteral(", ")));
  }
  return out;
}

/// Measures the machine when the roofline is first viewed.
void ProfileView::fillRoofline() {
  const ProfilePtr& profile = store_.current();
  if (!profile || pages_->currentIndex() != Roofline) return;
  ProfileRoof roof = store_.roof();
  QVector<widgets::RooflinePoint> points;
  int unknown = 0;
  for (const ProfileLine& line : profile->tables[ByNode].lines) {
    if (line.flops <= 0 || line.movedBytes <= 0 || line.selfNs <= 0) {
      ++unknown;
      continue;
    }
    points << widgets::RooflinePoint{line.name, line.op, line.flops / line.movedBytes, line.flops / line.selfNs, line.share, opCategoryOf(line.op)};
  }
  // A rate that was observed is possible, even if the machine was busy during the measurement.
  if (roof.gflops > 0)
    for (const widgets::RooflinePoint& p : points) roof.gflops = std::max(roof.gflops, p.gflops);
  roofline_->setRoof(roof.gflops, roof.gigabytes);
  roofline_->setPoints(points);
  QString text = tr("GFLOP/s over FLOP per byte. ");
  text +=
      roof.gflops > 0
          ? tr("This machine reaches %1 GFLOP/s and %2 GB/s, as measured. ").arg(widgets::formatValue(roof.gflops, 3), widgets::formatValue(roof.gigabytes, 3))
          : tr("This machine is being measured. ");
  text += points.isEmpty() ? tr("The trace does not record what its ops compute; open the graph it was made from.")
                           : tr("Left of the ridge, memory is the limit; right of it, compute. The further below the line, the more there is to gain.");
  if (!text.endsWith(u'。')) text += u' ';
  if (unknown > 0 && !points.isEmpty()) text += tr("%n node(s) have no known FLOPs.", nullptr, unknown);
  // The legend, with the canvas's colours.
  QStringList categories;
  for (const widgets::RooflinePoint& p : points)
    if (!p.opCategory.isEmpty() && !categories.contains(p.opCategory)) categories << p.opCategory;
  QString legend;
  for (const QString& c : categories)
    legend += QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2 &nbsp; ")
                  .arg(widgets::Theme::current().opCategory(c).name(), widgets::opCategoryTitle(c).toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;")));
  roofText_->setText(text);
  roofLegend_->setText(legend);
  roofLegend_->setToolTip(text);
}

void ProfileView::fillOperations() {
  const ProfilePtr& profile = store_.current();
  if (!profile) {
    table_->setLines({});
    return;
  }
  const bool ranged = from_ < to_;
  const QVector<ProfileLine> lines = ranged ? linesInRange(*profile, from_, to_) : profile->tables[size_t(kind_)].lines;
  const QString note = ranged ? QString() : profile->tables[size_t(kind_)].note;
  selecting_ = true;
  table_->setLines(lines, fusedWith(*profile));
  selecting_ = false;
  tree_->setRootIsDecorated(!ranged && kind_ != ByOp && kind_ != ByNode);
  tree_->setColumnHidden(ProfileTable::Type, !ranged && (kind_ == ByOp || kind_ == ByCode));
  tree_->setColumnHidden(ProfileTable::Critical, ranged);
  for (QAbstractButton* b : kinds_->buttons()) b->setEnabled(!ranged);
  fitNameColumn();
  if (kind_ == ByScope || kind_ == ByCode) tree_->expandToDepth(0);
  lines_->setCurrentIndex(lines.isEmpty() && !note.isEmpty() ? 1 : 0);
  noLines_->setTitle(tr("Nothing to list"));
  noLines_->setText(note);
  if (lines_->currentIndex() == 1) {
    summary_->setFull({});
  } else if (!note.isEmpty()) {
    summary_->setFull(note);
  } else if (ranged) {
    double all = 0;
    for (const ProfileLine& l : lines) all += l.selfNs;
    summary_->setFull(
        tr("%1 measured: %2 of self time in %n node(s)", nullptr, int(lines.size())).arg(formatSeconds(double(to_ - from_) / 1e9), formatSeconds(all / 1e9)));
  } else {
    summary_->setFull(tr("%n node(s) · %1 per step · %2", nullptr, profile->nodes)
                          .arg(widgets::formatSi(profile->flops, QStringLiteral("FLOP")), formatSeconds(profile->stepNs / 1e9)));
  }
}

void ProfileView::fillMemory() {
  memory_->clear();
  const ProfilePtr& profile = store_.current();
  if (!profile) return;
  for (const ProfilePeak& peak : profile->peaks) {
    auto* top = new QTreeWidgetItem(memory_);
    const qsizetype device = peak.device.indexOf(QLatin1String("/device:"));
    top->setText(
        0, tr("%1: %2 at %3").arg(device < 0 ? peak.device : peak.device.mid(device + 8), formatBytes(peak.bytes), formatSeconds(double(peak.atNs) / 1e9)));
    top->setToolTip(0, peak.device);
    // The step with the peak.
    double begin = 0, length = double(profile->timeline->duration());
    for (const widgets::TimelineSpan& span : profile->timeline->spans()) {
      if (peak.atNs < span.start || peak.atNs >= span.end) continue;
      begin = double(span.start);
      length = double(span.end - span.start);
    }
    top->setFirstColumnSpanned(true);
    for (const ProfilePeak::Owner& o : peak.owners) {
      auto* item = new QTreeWidgetItem(top);
      item->setText(0, QStringLiteral("%1:%2").arg(o.node).arg(o.slot));
      item->setToolTip(0, o.node);
      item->setText(1, o.op);
      item->setText(2, formatBytes(o.bytes));
      item->setText(3, QStringLiteral("%1 %").arg(peak.bytes > 0 ? double(o.bytes) / double(peak.bytes) * 100 : 0, 0, 'f', 1));
      item->setText(4, formatSeconds(double(o.toNs - o.fromNs) / 1e9));
      const auto place = [&](qint64 ns) { return (double(ns) - begin) / std::max(1.0, length); };
      item->setData(kLifetimeColumn, LifetimeDelegate::Lifetime, QVariantList{place(o.fromNs), place(o.toNs), place(peak.atNs)});
      item->setToolTip(kLifetimeColumn,
                       tr("from %1 to %2; the line is the peak").arg(formatSeconds(double(o.fromNs) / 1e9), formatSeconds(double(o.toNs) / 1e9)));
      for (int c = 2; c < 5; ++c) item->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
      item->setData(0, Qt::UserRole, o.node);
      if (top->childCount() >= 500) break;
    }
    top->setExpanded(true);
  }
  if (profile->peaks.isEmpty()) new QTreeWidgetItem(memory_, {tr("This trace does not record tensor sizes.")});
}

QString ProfileView::report() const {
  const ProfilePtr& profile = store_.current();
  if (!profile) return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("devices"), devices_->report()}}).toJson(QJsonDocument::Compact));
  QJsonArray nodes, peaks, steps;
  for (const ProfileLine& l : profile->tables[ByNode].lines)
    nodes << QJsonObject{
        {QStringLiteral("name"), l.name}, {QStringLiteral("op"), l.op}, {QStringLiteral("self_ns"), l.selfNs}, {QStringLiteral("share"), l.share}};
  for (const ProfilePeak& p : profile->peaks) {
    QJsonArray owners;
    for (const ProfilePeak::Owner& o : p.owners) owners << QJsonObject{{QStringLiteral("node"), o.node}, {QStringLiteral("bytes"), o.bytes}};
    peaks << QJsonObject{{QStringLiteral("device"), p.device}, {QStringLiteral("bytes"), p.bytes}, {QStringLiteral("owners"), owners}};
  }
  for (const widgets::TimelineSpan& span : profile->timeline->spans()) steps << span.title;
  const ProfileRoof& roof = store_.roof();
  return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("title"), profile->title},
                                                     {QStringLiteral("steps"), steps},
                                                     {QStringLiteral("step_ns"), profile->stepNs},
                                                     {QStringLiteral("problems"), QJsonArray::fromStringList(profile->problems)},
                                                     {QStringLiteral("nodes"), nodes},
                                                     {QStringLiteral("peaks"), peaks},
                                                     {QStringLiteral("roof"), QJsonObject{{QStringLiteral("gflops"), roof.gflops},
                                                                                          {QStringLiteral("gigabytes"), roof.gigabytes},
                                                                                          {QStringLiteral("points"), roofline_->points().size()}}},
                                                     {QStringLiteral("plan"), plan_->report()},
                                                     {QStringLiteral("comparison"), compare_->report()},
                                                     {QStringLiteral("idle"), idle_->report()},
                                                     {QStringLiteral("what_if"), whatIf_->report()},
                                                     {QStringLiteral("devices"), devices_->report()}})
                               .toJson(QJsonDocument::Compact));
}

}  // namespace weft::app
