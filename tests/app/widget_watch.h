#pragma once
#include <QApplication>
#include <QSet>
#include <QStringList>
#include <QThread>
#include <QWidget>
#include <cstdio>

QT_BEGIN_NAMESPACE
extern Q_CORE_EXPORT quintptr qtHookData[];  // Qt's hooks for tools that track object creation and destruction
QT_END_NAMESPACE

/// While it exists, no widget that existed at its creation, nor a child of one, may be destroyed, because Qt restyles widgets through lists of bare pointers.
/// Reports a destroyed widget at once, since a crash may follow. (Widgets created meanwhile are ignored: Qt's own combo boxes create and destroy one in a
/// single call.)
class WidgetWatch {
 public:
  WidgetWatch() : before_(qtHookData[kRemove]) {
    gone_.clear();
    for (const QWidget* widget : QApplication::allWidgets()) {
      there_.insert(widget);
      for (const QObject* child : widget->children()) there_.insert(child);
    }
    watched_ = this;
    qtHookData[kRemove] = quintptr(&WidgetWatch::removed);
  }
  ~WidgetWatch() {
    qtHookData[kRemove] = before_;
    watched_ = nullptr;
  }
  static const QStringList& gone() { return gone_; }

 private:
  static constexpr int kRemove = 4;  // see qhooks_p.h: version, size, Qt's version, added, removed
  static void removed(QObject* object) {
    if (QThread::currentThread() != qApp->thread() || !watched_->there_.contains(object)) return;
    QStringList path{object->objectName().isEmpty() ? QStringLiteral("unnamed") : object->objectName()};
    for (const QObject* parent = object->parent(); parent; parent = parent->parent())
      path << QLatin1String(parent->metaObject()->className()) + u' ' + parent->objectName();
    gone_ << (object->isWidgetType() ? QStringLiteral("widget ") : QStringLiteral("object ")) + path.join(QStringLiteral(" of "));
    std::fprintf(stderr, "destroyed within the change: %s\n", qPrintable(gone_.last()));
  }

  quintptr before_;
  QSet<const QObject*> there_;
  static inline WidgetWatch* watched_ = nullptr;
  static inline QStringList gone_;
};
