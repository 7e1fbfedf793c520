#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <optional>

#include "shell/action_registry.h"

namespace weft::app {

class MainWindow;

/// Runs the commands of a script in the window, each when the previous one has completed. The first failure ends the program with exit status 1 and
/// `weft-studio: FILE:LINE: why` on stderr.
///
/// Besides action ids: `wait idle|SECONDS`, `screenshot PATH [WIDGET]` (pops a menu up), `print QUERY…`, `include FILE` (replaces this line by the file's
/// lines), `quit`.
class ScriptDriver : public QObject {
  Q_OBJECT

 public:
  ScriptDriver(MainWindow& window, QString name, const QString& text, QObject* parent = nullptr);
  void start();

 protected:
  void timerEvent(QTimerEvent* event) override;  // not a QTimer, so that the event timing can exclude the script's own events

 private:
  using Poll = std::function<std::optional<CommandResult>()>;
  void next();
  CommandResult execute(const QStringList& words);
  CommandResult wait(const QStringList& arguments);
  CommandResult screenshot(const QStringList& arguments);
  CommandResult print(const QStringList& arguments);
  CommandResult include(const QStringList& arguments);
  void fail(const QString& why);
  void end(int status);
  bool isIdle() const;

  MainWindow& window_;
  QString name_;
  QStringList lines_;
  qsizetype line_ = 0;
  int timer_ = 0, included_ = 0;
  Poll poll_;
};

}  // namespace weft::app
