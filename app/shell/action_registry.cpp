#include "shell/action_registry.h"

#include <QCoreApplication>
#include <QPointer>
#include <QTimer>

#include "common/icons.h"

namespace weft::app {
namespace {

constexpr size_t kMaxHistory = 500;

QList<QKeySequence> keysOf(const ActionRecord& record) {
  QList<QKeySequence> keys;
  if (record.shortcut.isEmpty()) return keys;
  for (const QString& key : record.shortcut.split(QStringLiteral("; "))) keys << QKeySequence(key, QKeySequence::PortableText);
  return keys;
}

}  // namespace

ActionRegistry::ActionRegistry(QObject* parent) : QObject(parent) {}

void ActionRegistry::add(ActionRecord record) {
  const QString id = record.id;
  auto* action = new QAction(this);
  action->setObjectName(id);
  if (!record.icon.isEmpty()) action->setIcon(widgets::icon(record.icon));
  // A window-wide shortcut of a single letter would take it from every text field, so it acts only while the canvas has the keyboard.
  if (record.canvasKey) action->setShortcutContext(Qt::WidgetShortcut);
  const QList<QKeySequence> keys = keysOf(record);
  action->setShortcuts(keys);
  if (record.checked) action->setCheckable(true);
  action->setIconVisibleInMenu(true);
  connect(action, &QAction::triggered, this, [this, id] { trigger(id); });
  order_ << id;
  entries_.emplace(id, Entry{std::move(record), action, keys});
}

QAction* ActionRegistry::action(const QString& id) const {
  const auto it = entries_.find(id);
  return it == entries_.end() ? nullptr : it->second.action;
}

QString ActionRegistry::plainText(const ActionRecord& record) {
  QString text = QCoreApplication::translate(record.context, record.text);
  // Chinese mnemonics are in parentheses at the end: 打开(&O)…
  const qsizetype bracket = text.indexOf(QStringLiteral("(&"));
  if (bracket >= 0) text.remove(bracket, 4);
  return text.remove(u'&').remove(u'…');
}

QList<QKeySequence> ActionRegistry::shortcuts(const QString& id) const { return entries_.at(id).keys; }
QList<QKeySequence> ActionRegistry::defaultShortcuts(const QString& id) const { return keysOf(entries_.at(id).record); }

void ActionRegistry::setShortcuts(const QString& id, const QList<QKeySequence>& keys) {
  Entry& entry = entries_.at(id);
  entry.keys = keys;
  entry.action->setShortcuts(keys);
  refreshSoon();
  emit shortcutsChanged();
}

QStringList ActionRegistry::conflicts(const QString& id, const QList<QKeySequence>& keys) const {
  QStringList found;
  for (const QString& other : order_) {
    if (other == id) continue;
    for (const QKeySequence& key : entries_.at(other).keys) {
      if (keys.contains(key) && !found.contains(other)) found << other;
    }
  }
  return found;
}

bool ActionRegistry::needsArguments(const ActionRecord& record) { return *record.usage != 0 && *record.usage != '['; }

QString ActionRegistry::whyNoShortcut(const QString& id) const {
  const Entry& entry = entries_.at(id);
  if (!entry.keys.isEmpty()) return {};
  const ActionRecord& record = entry.record;
  if (*record.noKey) return QCoreApplication::translate(record.context, record.noKey);
  if (!keysOf(record).isEmpty()) return tr("Its shortcut was removed in the settings.");
  if (needsArguments(record)) return tr("It takes arguments; run it from the command palette or a script.");
  if (record.checked) return tr("A choice in a menu; you can assign a shortcut in the settings.");
  return tr("Rarely used; you can assign a shortcut in the settings.");
}

QString ActionRegistry::disabledReason(const QString& id) const {
  const ActionRecord& record = entries_.at(id).record;
  return record.disabledReason ? record.disabledReason() : QString();
}

CommandResult ActionRegistry::run(const QString& id, const QStringList& arguments) {
  const auto it = entries_.find(id);
  if (it == entries_.end()) return CommandResult::failed(tr("There is no command %1.").arg(id));
  const ActionRecord& record = it->second.record;
  if (record.disabledReason) {
    const QString reason = record.disabledReason();
    if (!reason.isEmpty()) return CommandResult::failed(reason);
  }
  CommandResult result = record.run(arguments);
  history_.push_back({id, arguments, result.ok});
  if (history_.size() > kMaxHistory) history_.pop_front();
  emit ran(id, arguments, result.ok);
  refreshSoon();
  return result;
}

void ActionRegistry::runChosen(const QString& id, const QStringList& arguments) {
  const CommandResult result = run(id, arguments);
  if (!result.ok && !result.message.isEmpty()) emit failed(result.message);
}

void ActionRegistry::trigger(const QString& id) {
  const auto now = [guard = QPointer<ActionRegistry>(this), id] {
    if (!guard) return;
    guard->runChosen(id);
    guard->refresh();
  };
  beforeTrigger_ ? beforeTrigger_(id, now) : now();
}

void ActionRegistry::refreshSoon() {
  if (refreshQueued_) return;
  refreshQueued_ = true;
  QTimer::singleShot(0, this, [this] {
    refreshQueued_ = false;
    refresh();
  });
}

void ActionRegistry::refresh() {
  for (auto& [id, entry] : entries_) {
    const QString reason = entry.record.disabledReason ? entry.record.disabledReason() : QString();
    entry.action->setEnabled(reason.isEmpty());
    if (entry.record.checked) entry.action->setChecked(entry.record.checked());
    QString tip = QCoreApplication::translate(entry.record.context, entry.record.toolTip);
    if (!entry.action->shortcut().isEmpty()) {
      tip = QStringLiteral("%1  %2").arg(tip, entry.action->shortcut().toString(QKeySequence::NativeText));
    }
    if (!reason.isEmpty()) tip += u'\n' + reason;
    entry.action->setToolTip(tip);
    entry.action->setStatusTip(reason.isEmpty() ? QString() : reason);
  }
}

void ActionRegistry::retranslate() {
  for (auto& [id, entry] : entries_) {
    entry.action->setText(QCoreApplication::translate(entry.record.context, entry.record.text));
    entry.action->setIconText(plainText(entry.record));
  }
  refresh();
}

}  // namespace weft::app
