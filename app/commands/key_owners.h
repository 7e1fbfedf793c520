#pragma once

#include <QMap>
#include <QObject>
#include <QString>

namespace weft::app {

class ActionRegistry;

/// Gives a key shared by two commands to only one of them at a time: in Qt, a key of two enabled actions is ambiguous and does nothing. GUI thread.
class KeyOwners : public QObject {
  Q_OBJECT

 public:
  /// The owners of a registry; created on the first call.
  static KeyOwners& of(ActionRegistry& registry);

  /// `id` has the keys that it shares with `to` only while `to` is disabled.
  void yield(const QString& id, const QString& to);
  /// The command that `id` yields to; empty: it keeps its keys.
  QString yieldsTo(const QString& id) const { return yields_.value(id); }

 private:
  explicit KeyOwners(ActionRegistry& registry);
  void update(const QString& id);

  ActionRegistry& registry_;
  QMap<QString, QString> yields_;
};

}  // namespace weft::app
