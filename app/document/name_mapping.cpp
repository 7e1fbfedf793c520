#include "document/name_mapping.h"

#include <QHash>

#include "adapters/file_match.h"
#include "document/file_tab.h"

namespace weft::app {
namespace {

constexpr int kMostSteps = 100;

}  // namespace

NameMapping& NameMapping::of(FileTab& file) {
  auto* mapping = file.findChild<NameMapping*>({}, Qt::FindDirectChildrenOnly);
  return mapping ? *mapping : *new NameMapping(file);
}

NameMapping::NameMapping(FileTab& file) : QObject(&file) {}

void NameMapping::change(const QMap<QString, QString>& keys) {
  if (keys == keys_) return;
  before_ << keys_;
  if (before_.size() > kMostSteps) before_.removeFirst();
  keys_ = keys;
  emit changed();
}

void NameMapping::undo() {
  if (before_.isEmpty()) return;
  keys_ = before_.takeLast();
  emit changed();
}

QString NameMapping::set(const FileMatch& match, const QString& variable, const QString& key) {
  QMap<QString, QString> keys = keys_;
  if (key.isEmpty()) {
    keys.remove(variable);
    change(keys);
    return {};
  }
  const QString error = whyNotMapped(match, variable, key);
  if (!error.isEmpty()) return error;
  const QString other = keys.key(key);
  if (!other.isEmpty() && other != variable) return tr("%1 is already the value of %2.").arg(key, other);
  keys[variable] = key;
  mapSimilarNames(match, variable, key, &keys);
  change(keys);
  return {};
}

QString NameMapping::add(const FileMatch& match, const QMap<QString, QString>& added) {
  QMap<QString, QString> keys = keys_;
  QHash<QString, QString> variables;  // by key
  for (auto it = keys.begin(); it != keys.end(); ++it) variables.insert(it.value(), it.key());
  for (auto it = added.begin(); it != added.end(); ++it) {
    const QString error = whyNotMapped(match, it.key(), it.value());
    if (!error.isEmpty()) return error;
    const QString other = variables.value(it.value(), it.key());
    if (other != it.key()) return tr("%1 is already the value of %2.").arg(it.value(), other);
    keys[it.key()] = it.value();
    variables.insert(it.value(), it.key());
  }
  change(keys);
  return {};
}

/// If one variable of a scope was renamed, the others, and their optimizer slots, usually were too: maps those whose names differ in the same way.
void NameMapping::mapSimilarNames(const FileMatch& match, const QString& variable, const QString& key, QMap<QString, QString>* keys) {
  QStringList from = variable.split(u'/'), to = key.split(u'/');
  while (from.size() > 1 && to.size() > 1 && from.last() == to.last()) {
    from.removeLast();
    to.removeLast();
  }
  const QString before = from.join(u'/') + u'/', after = to.join(u'/') + u'/';
  for (const VariableFit& v : match.variables) {
    if (v.kind == VariableFit::Kind::Unused || keys->contains(v.variable) || !v.variable.startsWith(before)) continue;
    const QString other = after + v.variable.mid(before.size());
    if (whyNotMapped(match, v.variable, other).isEmpty() && keys->key(other).isEmpty()) (*keys)[v.variable] = other;
  }
}

}  // namespace weft::app
