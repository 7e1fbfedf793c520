// All commands of the IDE. Menus, toolbars, shortcuts, tooltips, help and scripts are made from these records.
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

/// The result of a command. A command that continues in the background (opening a file) sets `later`, which is polled for the result.
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
  QString id;                ///< Stable: `file.open`. The part before the dot is its category.
  const char* text = "";     ///< As in a menu, with a mnemonic.
  const char* toolTip = "";  ///< One sentence.
  QString shortcut;          ///< Portable text, several separated by "; "; empty: none.
  QString icon;              ///< Name in resources/icons; empty: none.
  const char* usage = "";    ///< Arguments in a script: `[PATH]`.
  /// Arguments come from a script; from a menu there are none, and the handler may ask the user.
  std::function<CommandResult(const QStringList& arguments)> run;
  std::function<QString()> disabledReason = {};  ///< A translated sentence, or empty if the action can be used now.
  std::function<bool()> checked = {};            ///< Present for actions that are on or off.
  bool canvasKey = false;                        ///< The shortcut belongs to the canvas (a single letter) and acts only while that has the keyboard.
  const char* context = "Actions";               ///< Translation context of text and toolTip.
  const char* noKey = "";  ///< Why it has no shortcut, marked like text; empty: it has one, or the reason follows from the record (whyNoShortcut).
};

/// A command that was run.
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

  /// The present keys of a command, and its default keys.
  QList<QKeySequence> shortcuts(const QString& id) const;
  QList<QKeySequence> defaultShortcuts(const QString& id) const;
  bool hasOwnShortcut(const QString& id) const { return shortcuts(id) != defaultShortcuts(id); }
  /// Replaces a command's keys; an empty list removes them.
  void setShortcuts(const QString& id, const QList<QKeySequence>& keys);
  /// Commands with one of these keys that could be confused with `id`; a canvas key and a window key clash only if they are equal.
  QStringList conflicts(const QString& id, const QList<QKeySequence>& keys) const;
  /// Why a command has no key, in the present language; empty if it has one.
  QString whyNoShortcut(const QString& id) const;
  /// Whether it can be given without words.
  static bool needsArguments(const ActionRecord& record);
  /// The reason why it cannot be used now, or empty.
  QString disabledReason(const QString& id) const;
  /// The latest commands, oldest first, at most 500: `id word…` in script syntax.
  const std::deque<GivenCommand>& history() const { return history_; }

  /// `before` is called when the user, not a script, triggers a command by a menu, a button or a key. It calls `then`, which runs the command, now or later.
  void setBeforeTrigger(std::function<void(const QString& id, std::function<void()> then)> before) { beforeTrigger_ = std::move(before); }

  /// Runs a command. An unknown id, or one that is disabled now, fails with the reason.
  CommandResult run(const QString& id, const QStringList& arguments = {});
  /// Runs a command with words chosen in a dialog or a menu; emits failed() on an error.
  void runChosen(const QString& id, const QStringList& arguments = {});

 public slots:
  /// Asks every record whether it is enabled and checked, soon after the state changed; several calls are merged.
  void refreshSoon();
  void refresh();
  /// Updates the texts to the present language.
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
