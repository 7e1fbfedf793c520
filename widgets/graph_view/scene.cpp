#include "graph_view/scene.h"

#include <QElapsedTimer>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "graph_view/text_widths.h"

namespace weft::widgets {
namespace {

constexpr double kTextLeft = 11, kTextRight = 10, kChevron = 24;
constexpr double kSmallFace = 8;  // extra width beyond the name, so that it also fits at half zoom, where letters are wider than half

}  // namespace

CanvasFonts CanvasFonts::of(const Theme& theme) {
  CanvasFonts fonts;
  fonts.title = theme.uiFont();
  fonts.title.setPixelSize(theme.metrics().fontCanvas);
  fonts.title.setWeight(QFont::DemiBold);
  fonts.title.setStyleStrategy(QFont::PreferNoShaping);
  fonts.detail = theme.monoSmallFont();
  fonts.small = theme.smallFont();
  return fonts;
}

Scene::Scene(const Theme& theme) : metrics_(theme.metrics()), fonts_(CanvasFonts::of(theme)), memory_(std::make_shared<layout::Memory>()) {}

void Scene::setTheme(const Theme& theme) {
  metrics_ = theme.metrics();
  fonts_ = CanvasFonts::of(theme);
}

void Scene::measure(const std::vector<layout::Shown>& shown) {
  const CanvasFonts& fonts = fonts_;
  TextWidths title(fonts.title), detail(fonts.detail), small(fonts.small);
  const Metrics& m = metrics_;
  const int nodes = graph_.nodeCount();
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] == layout::Shown::Hidden) continue;
    if (static_cast<int>(i) < nodes) {
      const int n = static_cast<int>(i);
      const NodeShape shape = model_->nodeShape(n);
      const double titleWidth = title(nodeTitle(n));
      const QString line = model_->nodeDetail(n);
      const double detailWidth = line.isEmpty() ? 0 : detail(line);
      layout::Size size;
      if (shape == NodeShape::Variable) {
        size = {std::clamp(std::ceil(titleWidth) + 32, 64.0, static_cast<double>(m.nodeMaxWidth)), 32};
      } else if (shape == NodeShape::Constant) {
        // A constant's value says more than its name.
        const double text = std::ceil(line.isEmpty() ? titleWidth : title(line));
        size = {std::clamp(text + kTextLeft + kTextRight, 40.0, static_cast<double>(m.nodeMaxWidth)), 28};
      } else {
        const double extra = shape == NodeShape::Placeholder ? 14 : 0;
        const double text = std::ceil(std::max(titleWidth + kSmallFace, detailWidth)) + kTextLeft + kTextRight + extra;
        size = {std::clamp(text, std::max(76.0, static_cast<double>(m.nodeMinWidth)), static_cast<double>(m.nodeMaxWidth)), line.isEmpty() ? 36.0 : 44.0};
      }
      graph_.nodeSize[i] = size;
      continue;
    }
    const auto s = i - static_cast<size_t>(nodes);
    const int scope = static_cast<int>(s);
    const double header = kChevron + title(scopeTitle(scope)) + 16;
    if (shown[i] == layout::Shown::Open) {
      const QString summary = scope < modelScopes_ ? model_->scopeSummary(scope) : formatOps(stats_[s].ops);
      const QString word = flowWord(flowOf(scope));
      graph_.scopeSize[s] = {std::clamp(header + small(summary) + 24 + (word.isEmpty() ? 0 : small(word) + 12), 120.0, 420.0), 0};
      continue;
    }
    if (scopeShape(scope) == NodeShape::Variable) {
      graph_.scopeSize[s] = {std::clamp(std::ceil(title(scopeTitle(scope))) + 32, 64.0, static_cast<double>(m.nodeMaxWidth)), 32};
      continue;
    }
    const QStringList lines = scopeDetail(scope);
    double width = header + small(formatCountShort(stats_[s].ops)) + 10 + (flowOf(scope) != layout::ScopeFlow::None ? 18 : 0);
    for (const QString& line : lines) width = std::max(width, detail(line) + kTextLeft + kTextRight);
    graph_.scopeSize[s] = {std::clamp(std::ceil(width), 88.0, 208.0), 56.0 + 16.0 * static_cast<double>(std::min<qsizetype>(lines.size(), 2))};
  }
}

void Scene::rebuild() {
  QElapsedTimer timer;
  timer.start();
  items_.clear();
  wires_.clear();
  sceneOf_.assign(static_cast<size_t>(graph_.itemCount()), -1);
  bounds_ = {};
  drawing_ = nullptr;
  if (model_ != nullptr) {
    const std::vector<layout::Shown> shown = layout::shownItems(graph_, open_, layoutRoot());
    measure(shown);
    labelEdges(shown);
    layout::Options options;
    options.note = model_->isEditable() && arrangement_.isComposed();
    options.keep = options.note && std::exchange(edited_, false);
    layout_ = layout::layoutGraph(graph_, open_, layoutRoot(), options, memory_.get());
    bounds_ = {layout_.bounds.x, layout_.bounds.y, layout_.bounds.w, layout_.bounds.h};
  }
  buildItems();
  buildFrames();
  buildWires();
  markLosses();
  buildAnnotations();
  layoutMs_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void Scene::buildItems() {
  if (model_ == nullptr) {
    itemIndex_.build({});
    return;
  }
  const CanvasFonts& fonts = fonts_;
  const QFontMetricsF titleMetrics(fonts.title), detailMetrics(fonts.detail), smallMetrics(fonts.small);
  TextWidths title(fonts.title), detail(fonts.detail), small(fonts.small);
  const auto fit = [](const QString& text, TextWidths& widths, const QFontMetricsF& metrics, double room) {
    return widths(text) <= room ? text : elideName(text, metrics, room);
  };
  std::vector<QRectF> rects;
  const int nodes = graph_.nodeCount();
  // Scopes first, parents before children, because they lie beneath.
  const auto add = [&](int id) {
    const auto i = static_cast<size_t>(id);
    if (layout_.shown[i] == layout::Shown::Hidden) return;
    const layout::Box& box = layout_.boxes[i];
    SceneItem it;
    it.rect = {box.x, box.y, box.w, box.h};
    if (id < nodes) {
      it.item = Item::node(id);
      it.shape = model_->nodeShape(id);
      it.category = model_->nodeCategory(id);
      const double pad = it.shape == NodeShape::Variable ? 24 : kTextLeft + 8 + (it.shape == NodeShape::Placeholder ? 14 : 0);
      it.title = fit(nodeTitle(id), title, titleMetrics, box.w - pad);
      it.detail = model_->nodeDetail(id);
      if (it.shape == NodeShape::Constant && !it.detail.isEmpty()) {
        it.title = fit(it.detail, title, titleMetrics, box.w - pad);
        it.detail.clear();
      }
      if (it.shape != NodeShape::Variable) it.detail = fit(it.detail, detail, detailMetrics, box.w - pad);
      it.status = model_->nodeStatus(id);
    } else {
      const int s = id - nodes;
      const ScopeStats& stats = stats_[static_cast<size_t>(s)];
      it.item = Item::scope(s);
      it.open = layout_.shown[i] == layout::Shown::Open;
      it.shape = it.open ? NodeShape::Op : scopeShape(s);
      it.group = s >= modelScopes_;
      it.layer = !it.group && model_->scopeIsLayer(s);
      it.weights = !it.open && graph_.scopeRole.size() > i - static_cast<size_t>(nodes) && graph_.scopeRole[static_cast<size_t>(s)] == layout::Role::Parameter;
      it.repeat = !it.group ? model_->scopeRepeat(s) : group(s).kind == layout::Group::Kind::Series ? group(s).members : 1;
      it.ops = stats.ops;
      it.category = static_cast<OpCategory>(std::max_element(stats.mix.begin(), stats.mix.end()) - stats.mix.begin());
      it.status.badges = badgesOf(s);
      it.flow = flowOf(s);
      if (it.open) {
        it.summary = it.group ? QString() : model_->scopeSummary(s);
        if (it.summary.isEmpty()) it.summary = formatOps(stats.ops);
        it.title = fit(scopeTitle(s), title, titleMetrics, box.w - kChevron - 12);
        const double word = it.flow == layout::ScopeFlow::None ? 0 : small(flowWord(it.flow)) + 12;
        it.summary = fit(it.summary, small, smallMetrics, box.w - kChevron - title(it.title) - word - 28);
      } else if (it.shape == NodeShape::Variable) {
        it.category = OpCategory::Variable;
        it.title = fit(scopeTitle(s), title, titleMetrics, box.w - 24);
        it.detail = scopeDetail(s).value(0);
      } else {
        it.summary = formatCountShort(stats.ops);
        it.title = fit(scopeTitle(s), title, titleMetrics, box.w - kChevron - small(it.summary) - 16 - (it.flow != layout::ScopeFlow::None ? 18 : 0));
        const QStringList lines = scopeDetail(s);
        it.detail = fit(lines.value(0), detail, detailMetrics, box.w - kTextLeft - 8);
        it.detail2 = fit(lines.value(1), detail, detailMetrics, box.w - kTextLeft - 8);
      }
    }
    it.name = id < nodes ? (it.shape == NodeShape::Constant && !model_->nodeDetail(id).isEmpty() ? it.title : nodeTitle(id)) : scopeTitle(id - nodes);
    sceneOf_[i] = static_cast<int>(items_.size());
    // Badges, shadows of folded blocks and the text beneath a variable extend slightly beyond the box.
    rects.push_back(it.rect.adjusted(-12, -12, 12, it.shape == NodeShape::Variable ? 20 : 18));
    items_.push_back(std::move(it));
  };
  for (int at = 0; at < graph_.scopeCount(); ++at) add(nodes + graph_.scopeAt(at));
  for (int id = 0; id < nodes; ++id) add(id);
  itemIndex_.build(rects);
}

void Scene::refreshStatus() {
  if (model_ == nullptr) return;
  for (SceneItem& it : items_) {
    if (it.item.isNode()) it.status = model_->nodeStatus(it.item.index);
    else it.status.badges = badgesOf(it.item.index) | (it.framed ? BadgeLoop : 0);
  }
}

}  // namespace weft::widgets
