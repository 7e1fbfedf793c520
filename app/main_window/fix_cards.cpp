#include "main_window/fix_cards.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "adapters/fix_offers.h"
#include "adapters/port_rules.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/wire_refusals.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

using widgets::Item;
using widgets::Port;

constexpr int kShowMs = 200, kHideMs = 350;
constexpr qsizetype kMostNotes = 3, kMostFixes = 4, kMostCarriers = 400;
constexpr double kBadge = 13;  // around a node's upper-left corner, at 100 %

}  // namespace

FixCards::FixCards(Document* document, widgets::GraphView* canvas, ActionRegistry& actions, Workspace& workspace)
    : QObject(canvas), document_(document), canvas_(canvas), actions_(actions), workspace_(workspace), card_(new FixCard(canvas)) {
  showTimer_.setSingleShot(true);
  hideTimer_.setSingleShot(true);
  connect(&showTimer_, &QTimer::timeout, this, [this] {
    if (!badge_.isEmpty()) show(badge_, Lifetime::WhileHovered);
  });
  connect(&hideTimer_, &QTimer::timeout, this, [this] {
    if (lifetime_ == Lifetime::WhileHovered) hide();
  });
  connect(card_, &FixCard::closeRequested, this, &FixCards::hide);
  connect(card_, &FixCard::chosen, this, &FixCards::run);
  connect(&widgets::WireRefusals::of(*canvas), &widgets::WireRefusals::refused, this, &FixCards::refuse);
  connect(canvas, &widgets::GraphView::connectRequested, this, [this](Port, Port to) { watched_ = inputName(*document_->contents(), to).section(u':', 0, 0); });
  connect(canvas, &widgets::GraphView::layoutFinished, this, &FixCards::follow);
  connect(document, &Document::contentsChanged, this, &FixCards::contentsChanged);
  connect(document, &Document::textsChanged, this, [this] {
    if (watched_.isEmpty()) contentsChanged();  // else the edit is still pending
  });
  canvas->installEventFilter(this);
  card_->installEventFilter(this);
  findCarriers();
}

void FixCards::findCarriers() {
  carriers_.clear();
  QSet<Item> seen;
  const auto add = [&](Item item) {
    if (item && carriers_.size() < kMostCarriers && !seen.contains(item)) {
      seen.insert(item);
      carriers_.append(item);
    }
  };
  for (const Problem& p : document_->problems()) {
    if (p.node.isEmpty()) continue;
    add(itemOf(p.node));
    for (qsizetype slash = p.node.lastIndexOf(u'/'); slash > 0; slash = p.node.lastIndexOf(u'/', slash - 1)) add(itemOf(p.node.left(slash)));
  }
}

Item FixCards::itemOf(const QString& name) const {
  if (const int node = document_->nodeIndex(name); node >= 0) return Item::node(node);
  const int scope = document_->scopeIndex(name);
  return scope >= 0 ? Item::scope(scope) : Item{};
}

QString FixCards::nameOf(Item item) const {
  return item.isNode() ? document_->model()->nodeName(item.index) : item.isScope() ? document_->model()->scopeName(item.index) : QString();
}

QRectF FixCards::rectOf(const QString& name) const {
  for (QString at = name; !at.isEmpty(); at = at.contains(u'/') ? at.left(at.lastIndexOf(u'/')) : QString()) {
    const Item item = itemOf(at);
    const QRectF rect = item ? canvas_->itemRect(item) : QRectF();
    if (!rect.isEmpty()) return rect;
  }
  return {};
}

QString FixCards::badgeAt(QPointF at) const {
  const double reach = kBadge * std::clamp(canvas_->zoom(), 0.5, 2.0);
  for (const Item item : carriers_) {
    if (item.isScope() && canvas_->isExpanded(item.index)) continue;
    const QRectF rect = canvas_->itemRect(item);
    if (!rect.isEmpty() && QRectF(rect.topLeft() - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)).contains(at)) return nameOf(item);
  }
  return {};
}

QString FixCards::carrierAt(QPointF at) const {
  if (const QString badge = badgeAt(at); !badge.isEmpty()) return badge;
  const Item item = canvas_->itemAt(at);
  if (!item || (item.isScope() && canvas_->isExpanded(item.index)) || !carriers_.contains(item)) return {};
  return nameOf(item);
}

QVector<FixNote> FixCards::notesFor(const QString& name) const {
  QVector<FixNote> notes;
  const QString inside = name + u'/';
  for (const Problem& p : document_->problems()) {
    if (p.node != name && !p.node.startsWith(inside)) continue;
    FixNote note{p.severity,
                 p.node == name               ? p.message
                 : p.message.contains(p.node) ? p.message
                                              : tr("%1: %2").arg(p.node, p.message),
                 engineWords(*document_->contents(), p.node),
                 {}};
    for (qsizetype i = 0; i < std::min(p.fixCommands.size(), kMostFixes); ++i) note.fixes.append({p.fixes.value(i), {}, p.fixCommands[i]});
    notes.append(note);
  }
  std::stable_sort(notes.begin(), notes.end(), [](const FixNote& a, const FixNote& b) { return a.severity < b.severity; });
  return notes.mid(0, kMostNotes);
}

QString FixCards::key(const char* action) const {
  const QList<QKeySequence> keys = actions_.shortcuts(QLatin1String(action));
  return keys.isEmpty() ? QString() : keys.first().toString(QKeySequence::NativeText);
}

bool FixCards::showProblems(const QString& name) { return show(name, Lifetime::UntilClosed); }

bool FixCards::show(const QString& name, Lifetime lifetime) {
  const QVector<FixNote> notes = notesFor(name);
  if (notes.isEmpty()) return false;
  // A card that was requested stays, also when the pointer passes its node.
  if (card_->isVisible() && !refusal_ && at_ == name && lifetime == Lifetime::WhileHovered) return true;
  at_ = name;
  lifetime_ = lifetime;
  refusal_ = false;
  card_->setNotes(notes, key("problems.fix"), key("problems.next"));
  if (!card_->isVisible()) card_->move(-2 * card_->width(), 0);  // off screen until its node has a place
  card_->show();
  card_->raise();
  QToolTip::hideText();
  hideTimer_.stop();
  follow();
  return true;
}

void FixCards::hide() {
  showTimer_.stop();
  hideTimer_.stop();
  badge_.clear();
  at_.clear();
  refusal_ = false;
  if (card_->isVisible()) actions_.refreshSoon();
  card_->hide();
}

// Moves the card with its node. Not from within the painting that moved the node.
void FixCards::follow() {
  if (!card_->isVisible() || canvas_->isLayoutPending()) return;
  const QRectF rect = rectOf(at_);
  if (rect.isEmpty() || !rect.intersects(QRectF(canvas_->rect()).adjusted(-40, -40, 40, 40))) {
    if (lifetime_ == Lifetime::WhileHovered) hide();
    return;
  }
  card_->placeAt(rect);
}

void FixCards::contentsChanged() {
  findCarriers();
  const QString watched = std::exchange(watched_, QString());
  const auto isError = [&](const Problem& p) { return p.severity == Problem::Severity::Error && p.node == watched; };
  if (!watched.isEmpty() && std::any_of(document_->problems().begin(), document_->problems().end(), isError)) {
    show(watched, Lifetime::UntilClosed);
    return;
  }
  if (!card_->isVisible()) return;
  const QVector<FixNote> notes = refusal_ ? QVector<FixNote>() : notesFor(at_);
  if (notes.isEmpty()) return hide();
  card_->setNotes(notes, key("problems.fix"), key("problems.next"));
  follow();
}

// Shows the sentence at once, and the fixes of the wire once they were tried.
void FixCards::refuse(Port from, Port to, const QString& why) {
  if (from.node == to.node) return;
  const GraphContentsPtr contents = document_->contents();
  const QString tensor = tensorName(*contents, from), input = inputName(*contents, to), target = document_->model()->nodeName(to.node);
  hide();
  at_ = target;
  refusal_ = true;
  lifetime_ = Lifetime::UntilClosed;
  FixNote note{Problem::Severity::Error, why, {}, {}};
  card_->setNotes({note}, key("problems.fix"), {}, true);
  card_->show();
  card_->raise();
  follow();
  const int number = ++refusals_;
  auto offers = std::make_shared<QVector<FixOffer>>();
  // Between two nodes placed by hand, the new one is placed midway; otherwise the layout places it.
  QStringList place;
  if (document_->model()->position(Item::node(to.node))) {
    const QPointF middle = (rectOf(document_->model()->nodeName(from.node)).center() + rectOf(target).center()) / 2 - QPointF(50, 20) * canvas_->zoom();
    const widgets::CanvasPlace at = canvas_->placeAt(middle);
    place << QStringLiteral("--at") << QStringLiteral("%1,%2").arg(qRound(at.position.x())).arg(qRound(at.position.y()));
    if (at.scope >= 0) place << QStringLiteral("--into") << document_->model()->scopeName(at.scope);
  }
  searchTask_ = workspace_.tasks().start(
      tr("Looking for a fix"), [contents, tensor, input, offers](TaskState&) { *offers = wireOffers(*contents, tensor, input); },
      [this, guard = QPointer<FixCards>(this), number, note, offers, tensor, input, place]() mutable {
        if (!guard || number != refusals_ || !refusal_ || !card_->isVisible()) return;
        for (const FixOffer& offer : std::as_const(*offers)) {
          QStringList command{QStringLiteral("graph.add"), offer.type, QStringLiteral("--from"), tensor, QStringLiteral("--to"), input};
          for (const QString& setting : offer.settings) command << QStringLiteral("--set") << setting;
          note.fixes.append({offer.text, offer.result, command + place});
        }
        card_->setNotes({note}, key("problems.fix"), {});
        actions_.refreshSoon();  // enables the key of the first fix, though the graph has no problem
        follow();
      });
}

bool FixCards::applyFirst() {
  if (!card_->isVisible()) return false;
  for (const FixNote& note : card_->notes())
    if (!note.fixes.isEmpty()) {
      run(QStringList(note.fixes.first().command));
      return true;
    }
  return false;
}

void FixCards::run(const QStringList& command) {
  if (command.isEmpty()) return;
  const CommandResult result = actions_.run(command.front(), command.mid(1));
  if (!result.ok && !result.message.isEmpty()) emit actions_.failed(result.message);
  if (result.ok) hide();
  canvas_->setFocus();
}

void FixCards::pointerAt(QPointF at) {
  const QString badge = badgeAt(at);
  if (badge != badge_) {
    badge_ = badge;
    badge.isEmpty() ? showTimer_.stop() : showTimer_.start(kShowMs);
  }
  if (!card_->isVisible() || lifetime_ != Lifetime::WhileHovered) return;
  // The gap between the node and its card counts as part of both.
  const bool near = rectOf(at_).adjusted(-kBadge, -kBadge, kBadge, kBadge).contains(at) || card_->geometry().adjusted(-12, -14, 12, 14).contains(at.toPoint());
  if (near) hideTimer_.stop();
  else if (!hideTimer_.isActive()) hideTimer_.start(kHideMs);
}

bool FixCards::canvasEvent(QEvent* event) {
  switch (event->type()) {
    case QEvent::ToolTip: {
      const QString carrier = carrierAt(static_cast<QHelpEvent*>(event)->pos());
      return !carrier.isEmpty() && show(carrier, Lifetime::WhileHovered);
    }
    case QEvent::MouseMove:
      if (static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton) pointerAt(static_cast<QMouseEvent*>(event)->position());
      return false;
    case QEvent::MouseButtonPress: {
      const QString badge = badgeAt(static_cast<QMouseEvent*>(event)->position());
      hide();
      if (!badge.isEmpty()) show(badge, Lifetime::UntilClosed);
      return false;
    }
    case QEvent::Leave:
      showTimer_.stop();
      badge_.clear();
      if (card_->isVisible() && lifetime_ == Lifetime::WhileHovered && !card_->underMouse()) hideTimer_.start(kHideMs);
      return false;
    case QEvent::KeyPress:
      if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape || !card_->isVisible()) return false;
      hide();
      return true;
    case QEvent::Paint:
    case QEvent::Resize:
      if (card_->isVisible() && !std::exchange(placing_, true)) {
        QTimer::singleShot(0, this, [this] {
          placing_ = false;
          follow();
        });
      }
      return false;
    default: return false;
  }
}

bool FixCards::eventFilter(QObject* watched, QEvent* event) {
  if (watched == canvas_) return canvasEvent(event);
  if (watched == card_ && event->type() == QEvent::Enter) hideTimer_.stop();
  if (watched == card_ && event->type() == QEvent::Leave && lifetime_ == Lifetime::WhileHovered) hideTimer_.start(kHideMs);
  // Mouse events on the card must not reach the canvas.
  if (watched == card_ && (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick || event->type() == QEvent::Wheel)) {
    event->accept();
    return true;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace weft::app
