#include "commands/key_owners.h"

#include <QAction>
#include <QKeySequence>

#include "shell/action_registry.h"

namespace weft::app {

KeyOwners& KeyOwners::of(ActionRegistry& registry) {
  auto* owners = registry.findChild<KeyOwners*>(QString(), Qt::FindDirectChildrenOnly);
  return owners ? *owners : *new KeyOwners(registry);
}

KeyOwners::KeyOwners(ActionRegistry& registry) : QObject(&registry), registry_(registry) {
  connect(&registry, &ActionRegistry::shortcutsChanged, this, [this] {
    for (auto it = yields_.cbegin(); it != yields_.cend(); ++it) update(it.key());
  });
}

void KeyOwners::yield(const QString& id, const QString& to) {
  yields_.insert(id, to);
  connect(registry_.action(to), &QAction::enabledChanged, this, [this, id] { update(id); });
  update(id);
}

void KeyOwners::update(const QString& id) {
  const QString to = yields_.value(id);
  QList<QKeySequence> left;
  for (const QKeySequence& key : registry_.shortcuts(id))
    if (!registry_.action(to)->isEnabled() || !registry_.shortcuts(to).contains(key)) left << key;
  registry_.action(id)->setShortcuts(left);
}

}  // namespace weft::app
