#include "commands/action_registry.h"

#include <QCoreApplication>
#include <QKeySequence>
#include <QTimer>

#include "common/icons.h"

namespace weft::app {

ActionRegistry::ActionRegistry(QObject* parent) : QObject(parent) {}

void ActionRegistry::add(ActionRecord record) {
  const QString id = record.id;
  auto* action = new QAction(this);
  action->setObjectName(id);
  if (!record.icon.isEmpty()) action->setIcon(widgets::icon(record.icon));
  if (!record.shortcut.isEmpty()) {
    QList<QKeySequence> keys;
    for (const QString& key : record.shortcut.split(QStringLiteral("; "))) keys << QKeySequence(key, QKeySequence::PortableText);
    // A letter as a window-wide shortcut would be taken from every text field; the canvas handles those keys itself.
    if (!record.canvasKey) action->setShortcuts(keys);
  }
  if (record.checked) action->setCheckable(true);
  action->setIconVisibleInMenu(true);
  connect(action, &QAction::triggered, this, [this, id] { trigger(id); });
  order_ << id;
  entries_.emplace(id, Entry{std::move(record), action});
}

QAction* ActionRegistry::action(const QString& id) const {
  const auto it = entries_.find(id);
  return it == entries_.end() ? nullptr : it->second.action;
}

QString ActionRegistry::plainText(const ActionRecord& record) {
  QString text = QCoreApplication::translate(record.context, record.text);
  // Chinese mnemonics stand in brackets at the end: 打开(&O)…
  const qsizetype bracket = text.indexOf(QStringLiteral("(&"));
  if (bracket >= 0) text.remove(bracket, 4);
  return text.remove(u'&').remove(u'…');
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
  emit ran(id, arguments, result.ok);
  refreshSoon();
  return result;
}

void ActionRegistry::trigger(const QString& id) {
  const CommandResult result = run(id);
  if (!result.ok && !result.message.isEmpty()) emit failed(result.message);
  refresh();
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
    QString text = QCoreApplication::translate(entry.record.context, entry.record.text);
    if (entry.record.canvasKey) text += u'\t' + QKeySequence(entry.record.shortcut).toString(QKeySequence::NativeText);
    entry.action->setText(text);
    entry.action->setIconText(plainText(entry.record));
  }
  refresh();
}

}  // namespace weft::app
