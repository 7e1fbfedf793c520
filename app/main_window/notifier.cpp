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
  connect(&workspace.tasks(), &Tasks::ended, this, [this](const QString& title, double seconds) { jobEnded(title, tr("Done"), seconds); });
  RunController& runs = workspace.runs();
  connect(&runs, &RunController::stateChanged, this, [this, &runs] {
    const QString name = runs.currentRun() ? runs.currentRun()->name : QString();
    if (runs.state() == RunController::State::Finished) jobEnded(name, tr("The training is done after %1 steps.").arg(runs.progress().step), runs.progress().elapsed);
    if (runs.state() == RunController::State::Failed) jobEnded(name, runs.lastError(), runs.progress().elapsed);
  });
}

void Notifier::jobEnded(const QString& title, const QString& text, double seconds) {
  const int after = workspace_.settings().get(QStringLiteral("notify/after")).toInt();
  if (after <= 0 || seconds < after || window_->isActiveWindow()) return;
  last_ = title + QStringLiteral(": ") + text;
  QApplication::alert(window_);
  if (workspace_.settings().isInMemory()) return;  // a script; nobody is to be told
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  QDBusMessage message = QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
                                                        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
  message << QStringLiteral("Weft") << uint(0) << QStringLiteral("weft-studio") << title << text << QStringList() << QVariantMap() << kShownMs;
  bus.send(message);  // no answer is waited for: without the service nothing happens
}

}  // namespace weft::app
