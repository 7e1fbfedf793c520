#include "commands/script_driver.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QPixmap>
#include <QTimerEvent>
#include <cstdio>
#include <memory>

#include "commands/script_queries.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/experiments.h"
#include "document/program.h"
#include "document/program_debug.h"
#include "graph_view/graph_view.h"
#include "main_window/main_window.h"
#include "shell/command_words.h"

namespace weft::app {
namespace {
constexpr int kTickMs = 5;
constexpr int kMostIncludes = 100;
constexpr int kSettleTicks = 4;  // ticks without activity before the window counts as idle
}  // namespace

ScriptDriver::ScriptDriver(MainWindow& window, QString name, const QString& text, QObject* parent)
    : QObject(parent), window_(window), name_(std::move(name)), lines_(text.split(u'\n')) {}

void ScriptDriver::start() { timer_ = startTimer(kTickMs); }

void ScriptDriver::timerEvent(QTimerEvent* event) {
  if (event->timerId() == timer_) next();
}

void ScriptDriver::next() {
  if (poll_) {
    const std::optional<CommandResult> result = poll_();
    if (!result) return;
    poll_ = nullptr;
    if (!result->ok) return fail(result->message);
    return;
  }
  while (line_ < lines_.size()) {
    QString error;
    const QStringList words = commandWords(lines_[line_++], &error);
    if (!error.isEmpty()) return fail(error);
    if (words.isEmpty()) continue;
    CommandResult result = execute(words);
    if (!result.ok) return fail(result.message);
    poll_ = std::move(result.later);
    return;
  }
  end(0);
}

CommandResult ScriptDriver::execute(const QStringList& words) {
  const QString& command = words.front();
  const QStringList arguments = words.mid(1);
  if (command == QLatin1String("wait")) return wait(arguments);
  if (command == QLatin1String("screenshot")) return screenshot(arguments);
  if (command == QLatin1String("print")) return print(arguments);
  if (command == QLatin1String("include")) return include(arguments);
  if (command == QLatin1String("quit")) {
    end(0);
    return CommandResult::done();
  }
  return window_.actionRegistry().run(command, arguments);
}

bool ScriptDriver::isIdle() const {
  Workspace& workspace = window_.workspace();
  // A paused program does nothing until it is resumed.
  if (workspace.program().state() == Program::State::Running && !workspace.programDebug().isAtLine() && !workspace.programDebug().isWaiting()) return false;
  return (!workspace.runs().isComputing() || workspace.debugger().holdsTraining()) && !workspace.debugger().isBusy() && !workspace.isBusy() &&
         !Experiments::of(workspace).isBusy() && workspace.tasks().isEmpty() && window_.isSettled();
}

CommandResult ScriptDriver::wait(const QStringList& arguments) {
  if (arguments.value(0) == QLatin1String("idle")) {
    return CommandResult::when([this, quiet = std::make_shared<int>(0)]() -> std::optional<CommandResult> {
      *quiet = isIdle() ? *quiet + 1 : 0;
      if (*quiet < kSettleTicks) return std::nullopt;
      window_.workspace().runs().drain();
      return CommandResult::done();
    });
  }
  bool ok = false;
  const double seconds = arguments.value(0).toDouble(&ok);
  if (!ok || seconds < 0) return CommandResult::failed(tr("wait takes `idle` or a number of seconds."));
  auto timer = std::make_shared<QElapsedTimer>();
  timer->start();
  return CommandResult::when(
      [timer, seconds]() -> std::optional<CommandResult> { return timer->elapsed() >= seconds * 1e3 ? std::optional(CommandResult::done()) : std::nullopt; });
}

CommandResult ScriptDriver::screenshot(const QStringList& arguments) {
  if (arguments.isEmpty()) return CommandResult::failed(tr("screenshot takes the path of a .png file."));
  QWidget* widget = &window_;
  if (arguments.size() > 1) {
    widget = arguments[1] == QLatin1String("canvas") ? static_cast<QWidget*>(window_.canvas()) : window_.findChild<QWidget*>(arguments[1]);
    if (!widget) return CommandResult::failed(tr("There is no widget %1.").arg(arguments[1]));
  }
  for (const QString& id : window_.viewIds()) {
    QWidget* view = window_.viewWidget(id);
    if (view && view->isVisible() && view->metaObject()->indexOfMethod("refreshNow()") >= 0) QMetaObject::invokeMethod(view, "refreshNow");
  }
  if (window_.canvas()) window_.canvas()->waitForLayout();
  const QString path = arguments[0];
  QDir().mkpath(QFileInfo(path).absolutePath());
  auto* menu = qobject_cast<QMenu*>(widget);
  if (menu) menu->popup(window_.mapToGlobal(QPoint(0, 0)));  // it is filled when it is shown
  // A partly transparent widget shows its background, so the picture includes it.
  QPixmap picture(widget->size() * widget->devicePixelRatioF());
  picture.setDevicePixelRatio(widget->devicePixelRatioF());
  picture.fill(widgets::Theme::current().color(widgets::Role::Surface1));
  widget->ensurePolished();
  widget->render(&picture, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
  if (menu) menu->hide();
  if (!picture.save(path)) return CommandResult::failed(tr("%1 could not be written.").arg(path));
  return CommandResult::done();
}

CommandResult ScriptDriver::print(const QStringList& arguments) {
  const QueryResult result = answerQuery(window_, arguments);
  if (!result.error.isEmpty()) return CommandResult::failed(result.error);
  std::fputs(result.json.constData(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
  return CommandResult::done();
}

CommandResult ScriptDriver::include(const QStringList& arguments) {
  if (arguments.size() != 1) return CommandResult::failed(tr("include takes the path of a script."));
  if (++included_ > kMostIncludes) return CommandResult::failed(tr("%1: scripts include each other.").arg(arguments[0]));
  QFile file(arguments[0]);
  if (!file.open(QIODevice::ReadOnly)) return CommandResult::failed(tr("%1 could not be read: %2").arg(arguments[0], file.errorString()));
  QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n');
  for (qsizetype i = 0; i < lines.size(); ++i) lines_.insert(line_ + i, lines[i]);
  return CommandResult::done();
}

void ScriptDriver::fail(const QString& why) {
  std::fprintf(stderr, "weft-studio: %s:%d: %s\n", qPrintable(name_), int(line_), qPrintable(why));
  end(1);
}

void ScriptDriver::end(int status) {
  if (timer_) killTimer(timer_);
  timer_ = 0;
  line_ = lines_.size();
  QApplication::exit(status);
}

}  // namespace weft::app
