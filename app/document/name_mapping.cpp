#include "document/name_mapping.h"

#include "adapters/file_match.h"
#include "document/file_tab.h"

namespace weft::app {

NameMapping& NameMapping::of(FileTab& file) {
  auto* mapping = file.findChild<NameMapping*>({}, Qt::FindDirectChildrenOnly);
  return mapping ? *mapping : *new NameMapping(file);
}

NameMapping::NameMapping(FileTab& file) : QObject(&file) {}

QString NameMapping::set(const FileMatch& match, const QString& variable, const QString& key) {
  if (key.isEmpty()) {
    if (keys_.remove(variable) > 0) emit changed();
    return {};
  }
  const QString error = whyNotMapped(match, variable, key);
  if (!error.isEmpty()) return error;
  const QString other = keys_.key(key);
  if (!other.isEmpty() && other != variable) return tr("%1 is already the value of %2.").arg(key, other);
  keys_[variable] = key;
  emit changed();
  return {};
}

}  // namespace weft::app
