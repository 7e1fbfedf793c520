#pragma once

#include <QMap>
#include <QObject>
#include <QString>

namespace weft::app {

class ActionRegistry;

/// Sees to it that of two commands with one key only one has it at a time: to Qt the key of two enabled actions is ambiguous, and does nothing. GUI thread.
class KeyOwners : public QObject {
  Q_OBJECT

 public:
  /// Of a registry, made when first asked for.
  static KeyOwners& of(ActionRegistry& registry);

  /// `id` has the keys that it shares with `to` only while `to` cannot be used.
  void yield(const QString& id, const QString& to);
  /// Empty: it keeps its keys.
  QString yieldsTo(const QString& id) const { return yields_.value(id); }

 private:
  explicit KeyOwners(ActionRegistry& registry);
  void update(const QString& id);

  ActionRegistry& registry_;
  QMap<QString, QString> yields_;
};

}  // namespace weft::app
