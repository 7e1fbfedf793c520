// Everything that the IDE can be told to do, stated once: menus, toolbars, shortcuts, tooltips, help and scripts are made from it.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <QStringList>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace weft::app {

/// What became of a command. A command that goes on in the background (opening a file) gives `later`, which is asked until it has a result.
struct CommandResult {
  bool ok = true;
  QString message;  ///< Why it failed, one line.
  std::function<std::optional<CommandResult>()> later;

  static CommandResult done() { return {}; }
  static CommandResult failed(QString why) { return {false, std::move(why), {}}; }
  static CommandResult when(std::function<std::optional<CommandResult>()> poll) { return {true, {}, std::move(poll)}; }
};

/// One command. Texts are marked with QT_TRANSLATE_NOOP("Actions", …).
struct ActionRecord {
  QString id;                ///< Stable: `file.open`. What stands before the dot is its category.
  const char* text = "";     ///< As in a menu, with a mnemonic.
  const char* toolTip = "";  ///< One sentence.
  QString shortcut;          ///< Portable text, several separated by "; "; empty: none.
  QString icon;              ///< Name in resources/icons; empty: none.
  const char* usage = "";    ///< Arguments in a script: `[PATH]`.
  /// Arguments are words of a script; from a menu there are none (then the handler asks, if it must).
  std::function<CommandResult(const QStringList& arguments)> run;
  std::function<QString()> disabledReason = {};  ///< A translated sentence, or empty if the action can be used now.
  std::function<bool()> checked = {};            ///< Present for actions that are on or off.
  bool canvasKey = false;                        ///< The shortcut belongs to the canvas (a single letter) and acts only while that has the keyboard.
  const char* context = "Actions";               ///< Translation context of text and toolTip.
  const char* noKey = "";  ///< Why it has no shortcut, marked like text; empty: it has one, or the reason follows from the record (whyNoShortcut).
};

/// A command that was given.
struct GivenCommand {
  QString id;
  QStringList arguments;
  bool ok = true;
};

/// Owns the records and a QAction for each. GUI thread.
class ActionRegistry : public QObject {
  Q_OBJECT

 public:
  explicit ActionRegistry(QObject* parent = nullptr);

  /// REQUIRES: the id is new.
  void add(ActionRecord record);
  bool contains(const QString& id) const { return entries_.count(id) > 0; }
  /// Ids in the order in which they were added.
  QStringList ids() const { return order_; }
  const ActionRecord& record(const QString& id) const { return entries_.at(id).record; }
  /// The action for menus and buttons; null if there is none of that id.
  QAction* action(const QString& id) const;
  /// Text without mnemonic and dots, in the present language.
  static QString plainText(const ActionRecord& record);

  /// Keys of a command now, and those that it was made with.
  QList<QKeySequence> shortcuts(const QString& id) const;
  QList<QKeySequence> defaultShortcuts(const QString& id) const;
  bool hasOwnShortcut(const QString& id) const { return shortcuts(id) != defaultShortcuts(id); }
  /// Gives a command other keys; none switches its key off.
  void setShortcuts(const QString& id, const QList<QKeySequence>& keys);
  /// Commands that have one of these keys and could be meant instead of `id`: a canvas key and a window key do not clash unless they are equal.
  QStringList conflicts(const QString& id, const QList<QKeySequence>& keys) const;
  /// Why a command has no key, in the present language; empty if it has one.
  QString whyNoShortcut(const QString& id) const;
  /// Whether it can be given without words.
  static bool needsArguments(const ActionRecord& record);
  /// The reason why it cannot be used now, or empty.
  QString disabledReason(const QString& id) const;
  /// The newest commands, oldest first, at most 500: `id word…` as a script says it.
  const std::deque<GivenCommand>& history() const { return history_; }

  /// `before` is asked when somebody, not a script, gives a command by a menu, a button or a key; it calls `then`, which runs it, now or later.
  void setBeforeTrigger(std::function<void(const QString& id, std::function<void()> then)> before) { beforeTrigger_ = std::move(before); }

  /// Runs a command. An unknown id, or one that is disabled now, fails with the reason.
  CommandResult run(const QString& id, const QStringList& arguments = {});
  /// Runs it with what was chosen in a dialog or a menu; failed() says why it could not.
  void runChosen(const QString& id, const QStringList& arguments = {});

 public slots:
  /// Asks every record whether it can be used and is on. Called when the state behind them changed; several calls are made one.
  void refreshSoon();
  void refresh();
  /// Texts in the present language.
  void retranslate();

 signals:
  /// A command from a menu or a key failed.
  void failed(const QString& message);
  /// A command was given, with its arguments (log, macros).
  void ran(const QString& id, const QStringList& arguments, bool ok);
  void shortcutsChanged();

 private:
  struct Entry {
    ActionRecord record;
    QAction* action = nullptr;
    QList<QKeySequence> keys;
  };
  void trigger(const QString& id);

  std::map<QString, Entry> entries_;
  QStringList order_;
  std::deque<GivenCommand> history_;
  std::function<void(const QString&, std::function<void()>)> beforeTrigger_;
  bool refreshQueued_ = false;
};

}  // namespace weft::app
