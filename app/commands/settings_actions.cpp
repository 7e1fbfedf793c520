#include <QCoreApplication>

#include "commands/actions.h"
#include "document/workspace.h"
#include "main_window/keys_overview.h"
#include "main_window/settings_dialog.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct SettingsActions {
  Q_DECLARE_TR_FUNCTIONS(SettingsActions)
};

/// Checks the text against the setting's range and choices, which hold for scripts too.
CommandResult set(Settings& settings, const QStringList& a) {
  for (const SettingRecord& record : settingRecords()) {
    if (a.value(0) != QLatin1String(record.key)) continue;
    const QString text = a.value(1);
    bool ok = false;
    switch (record.kind) {
      case SettingRecord::Kind::Switch:
        ok = text == QLatin1String("on") || text == QLatin1String("off");
        if (ok) settings.setValue(a[0], text == QLatin1String("on"));
        return ok ? CommandResult::done() : CommandResult::failed(SettingsActions::tr("%1 takes on or off, not %2.").arg(a[0], text));
      case SettingRecord::Kind::Number: {
        const int value = text.toInt(&ok);
        if (!ok || value < record.minimum || value > record.maximum)
          return CommandResult::failed(
              SettingsActions::tr("%1 takes a whole number from %2 to %3, not %4.").arg(a[0]).arg(record.minimum).arg(record.maximum).arg(text));
        settings.setValue(a[0], value);
        return CommandResult::done();
      }
      case SettingRecord::Kind::Choice: {
        QStringList values;
        for (const SettingRecord::Option& option : record.options) values << QLatin1String(option.value);
        if (!values.contains(text))
          return CommandResult::failed(SettingsActions::tr("%1 takes one of %2, not %3.").arg(a[0], values.join(QStringLiteral(", ")), text));
        settings.setValue(a[0], text);
        return CommandResult::done();
      }
    }
  }
  return CommandResult::failed(SettingsActions::tr("There is no setting %1.").arg(a.value(0)));
}

/// `settings.key ID KEY…`; `default` in place of keys resets it, no key switches it off.
CommandResult setKey(ActionRegistry& registry, Settings& settings, const QStringList& a) {
  if (!registry.contains(a.value(0))) return CommandResult::failed(SettingsActions::tr("There is no command %1.").arg(a.value(0)));
  if (a.value(1) == QLatin1String("default")) {
    settings.remove(QStringLiteral("keys/") + a[0]);
    return CommandResult::done();
  }
  QList<QKeySequence> keys;
  for (const QString& text : a.mid(1)) {
    const QKeySequence key(text, QKeySequence::PortableText);
    if (key.isEmpty() || key[0].key() == Qt::Key_unknown) return CommandResult::failed(SettingsActions::tr("%1 is not a key.").arg(text));
    keys << key;
  }
  const QStringList others = registry.conflicts(a[0], keys);
  if (!others.isEmpty())
    return CommandResult::failed(SettingsActions::tr("%1 is already used by “%2”; remove it there first.")
                                     .arg(a.mid(1).join(u' '), ActionRegistry::plainText(registry.record(others.first()))));
  settings.setValue(QStringLiteral("keys/") + a[0], QKeySequence::listToString(keys, QKeySequence::PortableText));
  return CommandResult::done();
}

}  // namespace

void registerSettingsActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registry.add({QStringLiteral("settings.open"), QT_TRANSLATE_NOOP("Actions", "Se&ttings…"),
                QT_TRANSLATE_NOOP("Actions", "Language, colours, shortcuts, limits and more"), QStringLiteral("Ctrl+,"), QStringLiteral("settings"), "[TEXT]",
                [&](const QStringList& a) {
                  SettingsDialog::open(workspace, registry, shell.window(), a.join(u' '));
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("settings.set"),
                QT_TRANSLATE_NOOP("Actions", "Set"),
                QT_TRANSLATE_NOOP("Actions", "Changes a setting by name"),
                {},
                {},
                "NAME VALUE",
                [&](const QStringList& a) { return set(workspace.settings(), a); }});
  registry.add({QStringLiteral("settings.key"),
                QT_TRANSLATE_NOOP("Actions", "Set a shortcut"),
                QT_TRANSLATE_NOOP("Actions", "Changes the shortcut of a command; default resets it"),
                {},
                {},
                "COMMAND KEY…",
                [&](const QStringList& a) { return setKey(registry, workspace.settings(), a); }});
  registry.add(
      {QStringLiteral("settings.reset-keys"),
       QT_TRANSLATE_NOOP("Actions", "Reset all shortcuts"),
       QT_TRANSLATE_NOOP("Actions", "Restores the default shortcut of every command"),
       {},
       QStringLiteral("refresh"),
       "",
       [&](const QStringList&) {
         for (const QString& id : workspace.settings().keys(QStringLiteral("keys"))) workspace.settings().remove(QStringLiteral("keys/") + id);
         return CommandResult::done();
       },
       [&] { return workspace.settings().keys(QStringLiteral("keys")).isEmpty() ? SettingsActions::tr("No shortcut has been changed.") : QString(); }});
  registry.add({QStringLiteral("help.keys"),
                QT_TRANSLATE_NOOP("Actions", "&Keys"),
                QT_TRANSLATE_NOOP("Actions", "Shows all shortcuts at a glance"),
                QStringLiteral("?"),
                {},
                "[TEXT]",
                [&](const QStringList& a) {
                  KeysOverview::open(registry, shell.window(), a.join(u' '));
                  return CommandResult::done();
                }});
}

}  // namespace weft::app
