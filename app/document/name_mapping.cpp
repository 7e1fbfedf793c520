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
  mapSimilarNames(match, variable, key);
  emit changed();
  return {};
}

/// If one variable of a scope was renamed, the others, and their optimizer slots, usually were too: maps those whose names differ in the same way.
void NameMapping::mapSimilarNames(const FileMatch& match, const QString& variable, const QString& key) {
  QStringList from = variable.split(u'/'), to = key.split(u'/');
  while (from.size() > 1 && to.size() > 1 && from.last() == to.last()) {
    from.removeLast();
    to.removeLast();
  }
  const QString before = from.join(u'/') + u'/', after = to.join(u'/') + u'/';
  for (const VariableFit& v : match.variables) {
    if (v.kind == VariableFit::Kind::Unused || keys_.contains(v.variable) || !v.variable.startsWith(before)) continue;
    const QString other = after + v.variable.mid(before.size());
    if (whyNotMapped(match, v.variable, other).isEmpty() && keys_.key(other).isEmpty()) keys_[v.variable] = other;
  }
}

}  // namespace weft::app
