#include "main_window/notifier.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QWidget>

#include "document/workspace.h"

namespace weft::app {
namespace {
constexpr int kShownMs = 10000;
}

Notifier::Notifier(Workspace& workspace, QWidget* window) : QObject(window), workspace_(workspace), window_(window) {
  // A failed task reports its error before it ends.
  connect(&workspace, &Workspace::failed, this, [this](const QString& error) {
    failure_ = error;
    QMetaObject::invokeMethod(
        this, [this] { failure_.clear(); }, Qt::QueuedConnection);
  });
  connect(&workspace.tasks(), &Tasks::ended, this,
          [this](const QString& title, double seconds) { jobEnded(title, failure_.isEmpty() ? tr("Ended") : failure_, seconds); });
  RunController& runs = workspace.runs();
  connect(&runs, &RunController::stateChanged, this, [this, &runs] {
    const QString name = runs.currentRun() ? runs.currentRun()->name : QString();
    using State = RunController::State;
    if (runs.state() == State::Finished || runs.state() == State::Stopped) jobEnded(name, endSentence(*runs.currentRun()), runs.progress().elapsed);
    if (runs.state() == State::Failed) jobEnded(name, runs.lastError(), runs.progress().elapsed);
  });
}

void Notifier::jobEnded(const QString& title, const QString& text, double seconds) {
  const int after = workspace_.settings().get(QStringLiteral("notify/after")).toInt();
  if (after <= 0 || seconds < after || window_->isActiveWindow()) return;
  last_ = title + QStringLiteral(": ") + text;
  QApplication::alert(window_);
  if (workspace_.settings().isInMemory()) return;  // scripts send no notifications
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  QDBusMessage message = QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
                                                        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
  message << QStringLiteral("Weft") << uint(0) << QStringLiteral("weft-studio") << title << text << QStringList() << QVariantMap() << kShownMs;
  bus.send(message);  // not waiting for an answer: without the service nothing happens
}

}  // namespace weft::app
