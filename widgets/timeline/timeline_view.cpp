#include "timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "timeline/timeline_view_p.h"

namespace weft::widgets {

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent), d_(std::make_unique<Private>(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Timeline"));
}

TimelineView::~TimelineView() = default;

void TimelineView::setData(std::shared_ptr<const TimelineData> data) {
  d_->data = std::move(data);
  d_->gaps = nullptr;
  d_->selected = d_->hovered = d_->hoveredArrow = d_->gap = -1;
  d_->highlighted.clear();
  d_->flows.clear();
  d_->arrows.clear();
  d_->marks.clear();
  d_->rangeFrom = d_->rangeTo = 0;
  d_->search.clear();
  d_->matches.clear();
  d_->labels.clear();
  d_->layout();
  verticalScrollBar()->setValue(0);
  fitAll();
  emit rangeMeasured(0, 0);
}

void TimelineView::recolor(std::shared_ptr<const TimelineData> data) {
  d_->data = std::move(data);
  viewport()->update();
}

const TimelineData* TimelineView::data() const { return d_->data.get(); }

int TimelineView::selected() const { return d_->selected; }

void TimelineView::select(int id, bool reveal) {
  if (d_->data == nullptr || d_->data->place(id).row < 0) id = -1;
  if (id != d_->selected) {
    d_->selected = id;
    d_->flows.clear();
  }
  if (id >= 0) d_->gap = -1;
  setAccessibleDescription(id < 0 ? QString() : d_->describe(id));
  if (id >= 0 && reveal) {
    const TimelineSlice& s = d_->data->slice(id);
    const double width = d_->plotWidth() * d_->scale;
    const double from = static_cast<double>(s.start), to = static_cast<double>(s.end());
    if (to - from > width * 0.9) {
      setRange(from - (to - from) * 0.1, to + (to - from) * 0.1);
    } else if (from < d_->start || to > d_->start + width) {
      d_->moveTo((from + to) / 2 - width / 2);
    }
    const int y = d_->rowTop[static_cast<std::size_t>(d_->data->place(id).row)];
    const int height = viewport()->height() - Private::kRuler;
    QScrollBar* bar = verticalScrollBar();
    if (y < bar->value() || y + Private::kRow > bar->value() + height) bar->setValue(y - height / 3);
  }
  viewport()->update();
}

void TimelineView::setHighlighted(const QVector<int>& ids) {
  d_->highlighted = ids;
  std::sort(d_->highlighted.begin(), d_->highlighted.end());
  viewport()->update();
}

void TimelineView::setFlows(const QVector<std::pair<int, int>>& flows) {
  d_->flows = flows;
  viewport()->update();
}

int TimelineView::setSearch(const QString& text) {
  d_->search = text.trimmed();
  d_->matches.clear();
  int count = 0;
  if (d_->data != nullptr && !d_->search.isEmpty()) {
    d_->matches.assign(static_cast<std::size_t>(d_->data->nameCount()), 0);
    for (int i = 0; i < d_->data->nameCount(); ++i)
      d_->matches[static_cast<std::size_t>(i)] = d_->data->name(i).contains(d_->search, Qt::CaseInsensitive) ? 1 : 0;
    for (int r = 0; r < d_->data->rowCount(); ++r) {
      for (const TimelineSlice& s : d_->data->row(r).slices()) count += s.id >= 0 && d_->matches[static_cast<std::size_t>(s.name)] != 0 ? 1 : 0;
    }
  }
  viewport()->update();
  return count;
}

bool TimelineView::findNext(bool backward) {
  if (d_->data == nullptr || d_->search.isEmpty()) return false;
  const bool has = d_->selected >= 0;
  const auto keyOf = [](const TimelineSlice& s) { return std::pair(s.start, s.id); };
  const auto here = has ? keyOf(d_->data->slice(d_->selected)) : std::pair<std::int64_t, std::int32_t>(0, 0);
  int best = -1, wrapped = -1;  // the nearest match in that direction; the first one from the other end
  for (int r = 0; r < d_->data->rowCount(); ++r) {
    for (const TimelineSlice& s : d_->data->row(r).slices()) {
      if (s.id < 0 || d_->matches[static_cast<std::size_t>(s.name)] == 0) continue;
      const auto key = keyOf(s);
      const auto nearer = [&](int other) {
        if (other < 0) return true;
        const auto k = keyOf(d_->data->slice(other));
        return backward ? key > k : key < k;
      };
      const bool ahead = !has || (backward ? key < here : key > here);
      if (ahead && nearer(best)) best = s.id;
      if (nearer(wrapped)) wrapped = s.id;
    }
  }
  const int found = best >= 0 ? best : wrapped;
  if (found < 0) return false;
  d_->choose(found);
  return true;
}

void TimelineView::selectNext(bool backward) {
  if (d_->data == nullptr || d_->data->sliceCount() == 0) return;
  if (d_->selected < 0) {
    // The first visible slice.
    for (int r = 0; r < d_->data->rowCount(); ++r) {
      const TimelineRow& row = d_->data->row(r);
      const std::size_t i = row.firstAfter(static_cast<std::int64_t>(d_->start));
      if (i < row.slices().size() && row.slices()[i].id >= 0) return d_->choose(row.slices()[i].id);
    }
    return;
  }
  const TimelineData::Place p = d_->data->place(d_->selected);
  const auto& slices = d_->data->row(p.row).slices();
  const int next = p.index + (backward ? -1 : 1);
  if (next >= 0 && next < static_cast<int>(slices.size()) && slices[static_cast<std::size_t>(next)].id >= 0)
    d_->choose(slices[static_cast<std::size_t>(next)].id);
}

double TimelineView::startNs() const { return d_->start; }
double TimelineView::nsPerPixel() const { return d_->scale; }

void TimelineView::setRange(double fromNs, double toNs) {
  d_->scale = std::max(0.01, (toNs - fromNs) / std::max(1, d_->plotWidth()));
  d_->start = fromNs;
  d_->clampView();
  viewport()->update();
  emit viewChanged();
}

void TimelineView::fitAll() {
  const double whole = d_->data != nullptr ? static_cast<double>(std::max<std::int64_t>(d_->data->duration(), 1)) : 1000;
  setRange(-whole * 0.01, whole * 1.01);
}

void TimelineView::focusSelection() {
  if (d_->rangeFrom < d_->rangeTo && d_->selected < 0) {
    setRange(static_cast<double>(d_->rangeFrom), static_cast<double>(d_->rangeTo));
  } else if (d_->selected >= 0) {
    const TimelineSlice& s = d_->data->slice(d_->selected);
    const double room = std::max(static_cast<double>(s.duration), 100.0);
    setRange(static_cast<double>(s.start) - room * 0.5, static_cast<double>(s.end()) + room * 0.5);
    select(d_->selected);
  }
}

void TimelineView::zoom(double factor, double aroundNs) {
  const double at = (aroundNs - d_->start) / d_->scale;
  d_->scale *= factor;
  d_->clampView();
  d_->moveTo(aroundNs - at * d_->scale);
}

std::pair<qint64, qint64> TimelineView::measured() const { return {d_->rangeFrom, d_->rangeTo}; }

void TimelineView::setMeasured(qint64 from, qint64 to) {
  d_->rangeFrom = std::min(from, to);
  d_->rangeTo = std::max(from, to);
  viewport()->update();
  emit rangeMeasured(d_->rangeFrom, d_->rangeTo);
}

QVector<qint64> TimelineView::marks() const { return d_->marks; }

void TimelineView::toggleMark(qint64 time) {
  const auto slack = static_cast<qint64>(5 * d_->scale);
  for (int i = 0; i < d_->marks.size(); ++i) {
    if (std::abs(d_->marks[i] - time) > slack) continue;
    d_->marks.removeAt(i);
    viewport()->update();
    return;
  }
  d_->marks << time;
  viewport()->update();
}

QRectF TimelineView::sliceRect(int id) const {
  if (d_->data == nullptr || d_->data->place(id).row < 0) return {};
  const TimelineSlice& s = d_->data->slice(id);
  const double x0 = d_->xOf(static_cast<double>(s.start)), x1 = d_->xOf(static_cast<double>(s.end()));
  const double y = d_->rowTop[static_cast<std::size_t>(d_->data->place(id).row)] + d_->top();
  const QRectF box(x0, y, std::max(1.0, x1 - x0), Private::kRow - 2);
  const QRectF seen(d_->header(), Private::kRuler, d_->plotWidth(), viewport()->height() - Private::kRuler);
  return box.intersects(seen) ? box : QRectF();
}

FrameStats TimelineView::frameTimes() const { return d_->frames.stats(); }
void TimelineView::resetFrameTimes() { d_->frames.clear(); }

void TimelineView::paintEvent(QPaintEvent* event) {
  QElapsedTimer timer;
  timer.start();
  QPainter painter(viewport());
  d_->paint(painter);
  d_->frames.add(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  // The visible range is kept: the scale follows the width.
  const int before = event->oldSize().width() - d_->header();
  if (before > 50 && d_->plotWidth() > 50) d_->scale *= static_cast<double>(before) / d_->plotWidth();
  else if (d_->data != nullptr) fitAll();
  d_->clampView();
  d_->updateScrollBar();
}

void TimelineView::scrollContentsBy(int, int) { viewport()->update(); }

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) d_->labels.clear();
  if (event->type() == QEvent::LanguageChange) setAccessibleName(tr("Timeline"));
  QAbstractScrollArea::changeEvent(event);
  viewport()->update();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  const double width = d_->plotWidth() * d_->scale;
  const double around = d_->mouse && d_->mouse->x() > d_->header() ? d_->timeAt(d_->mouse->x()) : d_->start + width / 2;
  const double pan = event->modifiers() & Qt::ShiftModifier ? 0.4 : 0.1;
  switch (event->key()) {
    case Qt::Key_W: zoom(1 / 1.4, around); break;
    case Qt::Key_S: zoom(1.4, around); break;
    case Qt::Key_A: d_->moveTo(d_->start - width * pan); break;
    case Qt::Key_D: d_->moveTo(d_->start + width * pan); break;
    case Qt::Key_F: focusSelection(); break;
    case Qt::Key_M: toggleMark(d_->selected >= 0 && !d_->mouse ? d_->data->slice(d_->selected).start : static_cast<qint64>(around)); break;
    case Qt::Key_G: selectNextGap(event->modifiers() & Qt::ShiftModifier); break;
    case Qt::Key_Slash: emit searchRequested(); break;
    case Qt::Key_Comma:
    case Qt::Key_Left: selectNext(true); break;
    case Qt::Key_Period:
    case Qt::Key_Right: selectNext(false); break;
    case Qt::Key_Up:
    case Qt::Key_Down: {
      // The row above or below, at the middle of the selected slice.
      if (d_->selected < 0) return selectNext();
      const TimelineSlice& s = d_->data->slice(d_->selected);
      const int step = event->key() == Qt::Key_Up ? -1 : 1;
      for (int r = d_->data->place(d_->selected).row + step; r >= 0 && r < d_->data->rowCount(); r += step) {
        const int i = d_->data->row(r).at(s.start + s.duration / 2, static_cast<std::int64_t>(width));
        if (i < 0 || d_->data->row(r).slices()[static_cast<std::size_t>(i)].id < 0) continue;
        d_->choose(d_->data->row(r).slices()[static_cast<std::size_t>(i)].id);
        break;
      }
      break;
    }
    case Qt::Key_Home: fitAll(); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (d_->selected >= 0) emit sliceActivated(d_->selected);
      break;
    case Qt::Key_Escape:
      if (d_->rangeFrom < d_->rangeTo) {
        setMeasured(0, 0);
      } else if (d_->selected >= 0) {
        d_->choose(-1);
      } else if (d_->gap >= 0) {
        d_->chooseGap(-1);
      } else {
        QAbstractScrollArea::keyPressEvent(event);
      }
      break;
    default: QAbstractScrollArea::keyPressEvent(event); return;
  }
  event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  d_->pressed = event->pos();
  d_->pressedStart = d_->start;
  d_->pressedScroll = verticalScrollBar()->value();
  if (event->button() == Qt::LeftButton && event->pos().x() >= d_->header()) d_->drag = Private::Drag::Pending;
  if (event->button() == Qt::MiddleButton) d_->drag = Private::Drag::Pan;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  d_->mouse = event->pos();
  const QPoint moved = event->pos() - d_->pressed;
  if (d_->drag == Private::Drag::Pending && std::abs(moved.x()) > 4) d_->drag = Private::Drag::Measure;
  if (d_->drag == Private::Drag::Measure) {
    const double from = d_->timeAt(d_->pressed.x()), to = d_->timeAt(std::max(event->pos().x(), d_->header()));
    d_->rangeFrom = static_cast<qint64>(std::max(0.0, std::min(from, to)));
    d_->rangeTo = static_cast<qint64>(std::max(0.0, std::max(from, to)));
    viewport()->update();
  } else if (d_->drag == Private::Drag::Pan) {
    verticalScrollBar()->setValue(d_->pressedScroll - moved.y());
    d_->moveTo(d_->pressedStart - moved.x() * d_->scale);
  } else {
    emit timeHovered(event->pos().x() < d_->header() ? -1 : static_cast<qint64>(d_->timeAt(event->pos().x())));
    const int hovered = d_->hit(event->pos()), arrow = hovered < 0 ? d_->arrowNear(event->pos()) : -1;
    if (hovered != d_->hovered || arrow != d_->hoveredArrow) {
      d_->hovered = hovered;
      d_->hoveredArrow = arrow;
      viewport()->update();
    }
  }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  const Private::Drag drag = std::exchange(d_->drag, Private::Drag::None);
  if (drag == Private::Drag::Measure) {
    emit rangeMeasured(d_->rangeFrom, d_->rangeTo);
  } else if (drag == Private::Drag::Pending && event->button() == Qt::LeftButton) {
    if (d_->rangeFrom < d_->rangeTo) setMeasured(0, 0);
    const int id = d_->hit(event->pos()), arrow = id < 0 ? d_->arrowNear(event->pos()) : -1;
    if (arrow >= 0) emit arrowSelected(arrow);
    else if (const int gap = id < 0 ? d_->gapAt(event->pos()) : -1; gap >= 0) d_->chooseGap(gap);
    else d_->choose(id);
  }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  const int id = d_->hit(event->pos());
  if (id < 0) return;
  d_->choose(id);
  focusSelection();
  emit sliceActivated(id);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier) {
    zoom(std::pow(1.2, -(delta.y() != 0 ? delta.y() : delta.x()) / 120.0), d_->timeAt(event->position().x()));
  } else if (event->modifiers() & Qt::ShiftModifier || delta.x() != 0) {
    const int by = delta.x() != 0 ? delta.x() : delta.y();
    d_->moveTo(d_->start - by * 0.8 * d_->scale);
  } else {
    verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y() / 2);
  }
  event->accept();
}

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) {
    d_->mouse.reset();
    emit timeHovered(-1);
    d_->hovered = d_->hoveredArrow = -1;
    viewport()->update();
  }
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int id = d_->hit(help->pos()), arrow = id < 0 ? d_->arrowNear(help->pos()) : -1;
    const TimelineGroup* group = d_->groupAt(help->pos());
    if (id >= 0) QToolTip::showText(help->globalPos(), d_->describe(id), viewport());
    else if (arrow >= 0) QToolTip::showText(help->globalPos(), d_->data->arrows()[static_cast<std::size_t>(arrow)].tip, viewport());
    else if (const int gap = d_->gapAt(help->pos()); gap >= 0) QToolTip::showText(help->globalPos(), d_->gaps->tip(gap), viewport());
    else if (group != nullptr) QToolTip::showText(help->globalPos(), group->tip, viewport());
    else QToolTip::hideText();
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::Private::layout() {
  bands.clear();
  rowTop.clear();
  contentHeight = 0;
  if (data == nullptr) return updateScrollBar();
  rowTop.resize(static_cast<std::size_t>(data->rowCount()), 0);
  int y = 0, group = 0;
  for (int t = 0; t < data->tracks().size(); ++t) {
    for (; group < data->groups().size() && data->groups()[group].firstTrack == t; ++group) {
      bands.push_back({y, kGroup, -1, -1, group});
      y += kGroup;
    }
    const TimelineTrack& track = data->tracks()[t];
    const int height = std::max(kTrackMin, track.rowCount * kRow + kTrackGap);
    for (int r = 0; r < track.rowCount; ++r) rowTop[static_cast<std::size_t>(track.firstRow + r)] = y + kTrackGap / 2 + r * kRow;
    bands.push_back({y, height, t, -1, -1});
    y += height;
  }
  for (int c = 0; c < data->counters().size(); ++c) {
    bands.push_back({y, kCounter, -1, c, -1});
    y += kCounter;
  }
  contentHeight = y;
  updateScrollBar();
}

void TimelineView::Private::updateScrollBar() {
  const int page = std::max(1, q->viewport()->height() - kRuler);
  q->verticalScrollBar()->setPageStep(page);
  q->verticalScrollBar()->setSingleStep(kRow);
  q->verticalScrollBar()->setRange(0, std::max(0, contentHeight - page));
}

int TimelineView::Private::header() const { return std::clamp(q->viewport()->width() / 5, 96, 200); }
int TimelineView::Private::plotWidth() const { return std::max(10, q->viewport()->width() - header()); }
int TimelineView::Private::top() const { return kRuler - q->verticalScrollBar()->value(); }

void TimelineView::Private::clampView() {
  const double whole = data != nullptr ? static_cast<double>(std::max<std::int64_t>(data->duration(), 1)) : 1000;
  scale = std::clamp(scale, 0.01, whole * 1.5 / plotWidth() + 0.01);
  const double seen = plotWidth() * scale;
  start = std::clamp(start, -seen * 0.5, std::max(-seen * 0.5, whole - seen * 0.5));
}

void TimelineView::Private::moveTo(double newStart) {
  start = newStart;
  clampView();
  q->viewport()->update();
  emit q->viewChanged();
}

int TimelineView::Private::hit(QPoint at) const {
  if (data == nullptr || at.x() < header() || at.y() < kRuler) return -1;
  for (int r = 0; r < data->rowCount(); ++r) {
    const int y = rowTop[static_cast<std::size_t>(r)] + top();
    if (at.y() < y || at.y() >= y + kRow) continue;
    const int i = data->row(r).at(static_cast<std::int64_t>(timeAt(at.x() + 0.5)), static_cast<std::int64_t>(scale * 3));
    return i < 0 ? -1 : data->row(r).slices()[static_cast<std::size_t>(i)].id;
  }
  return -1;
}

void TimelineView::Private::choose(int id) {
  const bool changed = id != selected;
  q->select(id);
  if (changed) emit q->sliceSelected(id);
}

QString TimelineView::Private::describe(int id) const {
  const TimelineSlice& s = data->slice(id);
  return TimelineView::tr("%1\n%2 long, from %3 on")
      .arg(data->name(s.name), formatSeconds(static_cast<double>(s.duration) / 1e9), formatSeconds(static_cast<double>(s.start) / 1e9, 6));
}

}  // namespace weft::widgets
