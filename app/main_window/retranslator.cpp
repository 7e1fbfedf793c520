#include "main_window/retranslator.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QWidget>

namespace weft::app {
namespace {
constexpr double kRetranslateMs = 2;
}

Retranslator::Retranslator(QWidget* window) : QObject(window), window_(window) {
  timer_.setObjectName(QStringLiteral("language"));
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &Retranslator::deliverNext);
  window->installEventFilter(this);
}

bool Retranslator::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::LanguageChange || watched == receiver_) return false;
  if (watched == window_) waiting_.clear();  // the language changed again: start over
  auto* widget = qobject_cast<QWidget*>(watched);
  if (!widget) return false;
  waiting_ << widget;
  timer_.start(0);
  return true;
}

/// A widget passes the event on to its children at once; these are blocked meanwhile, because their turn comes later.
void Retranslator::deliver(QWidget* widget) {
  QVector<QPointer<QWidget>> children;
  for (QObject* child : widget->children()) {
    if (!child->isWidgetType()) continue;
    children << static_cast<QWidget*>(child);
    child->installEventFilter(this);
  }
  const QPointer<QWidget> guard(widget);
  receiver_ = widget;
  QEvent event(QEvent::LanguageChange);
  QCoreApplication::sendEvent(widget, &event);
  receiver_ = nullptr;
  for (const auto& child : std::as_const(children)) {
    if (child) child->removeEventFilter(this);
  }
}

void Retranslator::deliverNext() {
  QElapsedTimer clock;
  clock.start();
  qsizetype done = 0;
  while (done < waiting_.size() && (done == 0 || double(clock.nsecsElapsed()) * 1e-6 < kRetranslateMs)) {
    const QPointer<QWidget> next = waiting_[done++];
    if (next) deliver(next);
  }
  waiting_.remove(0, std::min(done, waiting_.size()));
  if (!waiting_.isEmpty()) timer_.start(0);
}

}  // namespace weft::app
