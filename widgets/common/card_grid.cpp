#include "common/card_grid.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "common/discard.h"
#include "common/icons.h"

namespace weft::widgets {
namespace {

constexpr int kCardGap = 8, kHeader = 24, kNear = 240;
constexpr int kKept = 60;  // off-screen cards kept alive
constexpr double kRenderSliceMs = 4;

}  // namespace

std::vector<QRect> placeCards(int width, int count, const std::function<bool(int)>& isLarge, QSize card, int gap) {
  std::vector<QRect> rects;
  rects.reserve(static_cast<size_t>(count));
  const int columns = std::max(1, (width + gap) / (card.width() + gap));
  const int each = std::max(1, (width - (columns - 1) * gap) / columns);
  int y = 0, column = 0;
  for (int i = 0; i < count; ++i) {
    const bool large = isLarge && isLarge(i);
    if (large && column > 0) {
      y += card.height() + gap;
      column = 0;
    }
    rects.emplace_back(column * (each + gap), y, large ? width : each, large ? 2 * card.height() : card.height());
    column = large ? columns : column + 1;
    if (column >= columns) {
      y += rects.back().height() + gap;
      column = 0;
    }
  }
  return rects;
}

QString searchToolTip() { return CardGrid::tr("A regular expression; (groups) in it name the groups of cards."); }

CardGrid::CardGrid(Maker maker, QSize card, QWidget* parent) : QWidget(parent), maker_(std::move(maker)), size_(card) {
  area_ = new QScrollArea(this);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setFocusPolicy(Qt::NoFocus);
  content_ = new QWidget;
  area_->setWidget(content_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(area_);
  timer_.setSingleShot(true);
  timer_.setInterval(0);
  connect(&timer_, &QTimer::timeout, this, [this] { place(false); });
  connect(area_->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { place(false); });
}

void CardGrid::add(const QString& key, const QString& group) {
  if (items_.contains(key)) return;
  Item item;
  item.own = item.group = group;
  items_.insert(key, item);
  if (filter_.captureCount() > 0) regroup();
  else groups_[group];
  arranged_ = false;
  soon();
}

void CardGrid::remove(const QString& key) {
  const auto it = items_.find(key);
  if (it == items_.end()) return;
  const QString group = it->group;
  discard(it->card);
  items_.erase(it);
  if (std::none_of(items_.cbegin(), items_.cend(), [&](const Item& i) { return i.group == group; })) {
    discard(groups_[group].header);
    groups_.remove(group);
  }
  arranged_ = false;
  soon();
}

void CardGrid::clear() {
  for (const Item& item : std::as_const(items_)) discard(item.card);
  for (const Group& group : std::as_const(groups_)) discard(group.header);
  items_.clear();
  groups_.clear();
  arranged_ = false;
  soon();
}

QWidget* CardGrid::makeCard(const QString& key) {
  const auto it = items_.find(key);
  if (it == items_.end()) return nullptr;
  if (!it->card) it->card = maker_(key, content_);
  if (!arranged_) arrange();
  it->card->setGeometry(it->rect.isEmpty() ? QRect(QPoint(0, 0), size_) : it->rect);
  it->card->setVisible(!it->rect.isEmpty());
  return it->card;
}

void CardGrid::dropCard(const QString& key) {
  const auto it = items_.find(key);
  if (it == items_.end() || !it->card) return;
  it->card->hide();
  it->card->deleteLater();
  it->card = nullptr;
  emit dropped(key);
  soon();
}

QList<QWidget*> CardGrid::cards() const {
  QList<QWidget*> list;
  for (const Item& item : items_)
    if (item.card) list << item.card;
  return list;
}

void CardGrid::setGeneralName(const QString& name) {
  generalName_ = name;
  if (groups_.contains(QString()) && groups_[QString()].header) setHeaderText({}, groups_[QString()]);
}

void CardGrid::setFilter(const QRegularExpression& filter) {
  const bool groups = filter_.captureCount() > 0 || filter.captureCount() > 0;
  filter_ = filter;
  if (groups) regroup();
  arranged_ = false;
  soon();
}

void CardGrid::regroup() {
  const bool named = filter_.captureCount() > 0;
  QSet<QString> used;
  for (auto it = items_.begin(); it != items_.end(); ++it) {
    it->group = named ? filter_.match(it.key()).captured(1) : it->own;
    used.insert(it->group);
    groups_[it->group];
  }
  for (const QString& name : groups_.keys()) {
    if (used.contains(name)) continue;
    discard(groups_[name].header);
    groups_.remove(name);
  }
}

void CardGrid::setGroupOpen(const QString& group, bool open) {
  const auto it = groups_.find(group);
  if (it == groups_.end()) return;
  it->open = open;
  if (it->header) it->header->setChecked(open);
  arranged_ = false;
  soon();
}

int CardGrid::shownCount() const {
  int count = 0;
  for (const Group& group : groups_) count += group.shown;
  return count;
}

void CardGrid::setCardSize(QSize card) {
  size_ = card;
  arranged_ = false;
  soon();
}

void CardGrid::setLeastHeight(int least) {
  leastHeight_ = least;
  arranged_ = false;
  soon();
}

void CardGrid::setHeadless(bool on) {
  headless_ = on;
  arranged_ = false;
  soon();
}

void CardGrid::toggleLarge(const QString& key) {
  const auto it = items_.find(key);
  if (it == items_.end()) return;
  it->large = !it->large;
  arranged_ = false;
  soon();
}

void CardGrid::scrollTo(const QString& key) {
  if (!arranged_) arrange();
  const auto it = items_.constFind(key);
  if (it != items_.constEnd()) area_->verticalScrollBar()->setValue(it->rect.top() - kHeader - kCardGap);
}

void CardGrid::settle() {
  if (!arranged_) arrange();
  place(true);
}

void CardGrid::soon() {
  if (!timer_.isActive() && isVisible()) timer_.start();
}

void CardGrid::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arranged_ = false;
  place(false);
}

void CardGrid::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  soon();
}

void CardGrid::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // Header widths follow their text, which changes with language and theme.
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) soon();
  if (event->type() == QEvent::LanguageChange)
    for (auto g = groups_.cbegin(); g != groups_.cend(); ++g)
      if (g->header) setHeaderText(g.key(), *g);
}

void CardGrid::setHeaderText(const QString& name, const Group& group) {
  group.header->setText(QStringLiteral("%1  %2").arg(name.isEmpty() ? generalName_ : name).arg(group.shown));
}

QToolButton* CardGrid::headerOf(const QString& name, Group& group) {
  if (group.header) return group.header;
  group.header = new QToolButton(content_);
  group.header->setProperty("kind", "section");
  group.header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  group.header->setFocusPolicy(Qt::TabFocus);
  group.header->setCheckable(true);
  group.header->setChecked(group.open);
  group.header->setIcon(icon(group.open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
  connect(group.header, &QToolButton::toggled, this, [this, name](bool open) {
    Group& g = groups_[name];
    g.open = open;
    g.header->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    arranged_ = false;
    place(false);
  });
  return group.header;
}

void CardGrid::arrange() {
  arranged_ = true;
  // Space for the scroll bar is reserved, so that the cards don't move when it appears or disappears.
  const int width = std::max(80, area_->width() - 2 * kCardGap - area_->verticalScrollBar()->sizeHint().width());
  std::map<QString, std::vector<Item*>> members;
  for (auto it = items_.begin(); it != items_.end(); ++it) {
    it->rect = {};
    if (filter_.pattern().isEmpty() || filter_.match(it.key()).hasMatch()) members[it->group].push_back(&*it);
  }
  // In a low panel, headers of open groups are hidden as well.
  const bool headers = !headless_ && (leastHeight_ == 0 || area_->height() - kHeader - 3 * kCardGap >= size_.height() * 2 / 3);
  const int room = area_->height() - (headers ? kHeader + kCardGap : 0) - 2 * kCardGap;
  const QSize card(size_.width(), leastHeight_ > 0 ? std::clamp(room, std::min(leastHeight_, size_.height()), size_.height()) : size_.height());
  int y = kCardGap;
  for (auto g = groups_.begin(); g != groups_.end(); ++g) {
    const auto& list = members[g.key()];
    g->shown = static_cast<int>(list.size());
    g->rect = {};
    if (list.empty()) continue;
    if (headers || !g->open) {
      g->rect = QRect(kCardGap, y, width, kHeader);
      y += kHeader + kCardGap;
    }
    if (!g->open) continue;
    const auto rects = placeCards(
        width, g->shown, [&](int i) { return list[static_cast<size_t>(i)]->large; }, card, kCardGap);
    for (size_t i = 0; i < rects.size(); ++i) list[i]->rect = rects[i].translated(kCardGap, y);
    y += rects.back().bottom() + 1 + kCardGap;
  }
  content_->resize(area_->viewport()->width(), std::max(y, 1));
}

void CardGrid::place(bool all) {
  if (!all && !isVisible()) return;
  if (!arranged_) arrange();
  const int top = area_->verticalScrollBar()->value();
  const QRect sight(0, top, content_->width(), area_->viewport()->height());
  const QRect near = sight.adjusted(0, -kNear, 0, kNear);
  QElapsedTimer clock;
  clock.start();
  for (auto g = groups_.begin(); g != groups_.end(); ++g) {
    const bool seen = !g->rect.isEmpty() && g->rect.intersects(near);
    if (!seen) {
      if (g->header) g->header->hide();
      continue;
    }
    QToolButton* header = headerOf(g.key(), *g);
    setHeaderText(g.key(), *g);
    header->ensurePolished();
    header->setGeometry(QRect(g->rect.topLeft(), QSize(std::min(g->rect.width(), header->sizeHint().width()), kHeader)));
    header->show();
  }
  int far = 0;
  bool late = false;
  for (auto it = items_.begin(); it != items_.end(); ++it) {
    const bool seen = !it->rect.isEmpty() && it->rect.intersects(all ? sight : near);
    if (!seen) {
      if (!it->card) continue;
      if (it->rect.isEmpty() || !it->rect.intersects(near)) it->card->hide();
      if (++far > kKept) {
        it->card->deleteLater();
        it->card = nullptr;
        emit dropped(it.key());
      }
      continue;
    }
    if (!it->card) {
      if (!all && double(clock.nsecsElapsed()) * 1e-6 > kRenderSliceMs) {
        late = true;
        continue;
      }
      it->card = maker_(it.key(), content_);
    }
    if (it->card->geometry() != it->rect) it->card->setGeometry(it->rect);
    it->card->show();
  }
  if (late) timer_.start();
}

}  // namespace weft::widgets
