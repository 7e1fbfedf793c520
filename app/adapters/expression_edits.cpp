// Edits of named values, and of fields that follow expressions.
#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/expressions.h"

namespace weft::app {
namespace {

QString namesIn(const EditWords& w) {
  QStringList names;
  for (const auto& [name, value] : w.settings()) names << name;
  return names.join(QStringLiteral(", "));
}

}  // namespace

GraphEdit setNameEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Set %1").arg(namesIn(w)), [w](LayerEditor& layers, EditOutcome&) -> Status {
    MetaGraph& meta = layers.editor().meta();
    for (const auto& [name, expression] : w.settings()) {
      WEFT_TRY(setNamedValue(meta, name.trimmed().toStdString(), expression.trimmed().toStdString()));
      if (w.has(QStringLiteral("doc"))) WEFT_TRY(setNamedValueDoc(meta, name.trimmed().toStdString(), w.option(QStringLiteral("doc")).toStdString()));
    }
    return {};
  });
}

GraphEdit describeNameEdit(const EditWords& w) {
  const QString name = w.positional.value(0), doc = w.positional.value(1);
  return makeEdit(GraphEdits::tr("Describe %1").arg(name),
                  [name, doc](LayerEditor& layers, EditOutcome&) { return setNamedValueDoc(layers.editor().meta(), name.toStdString(), doc.toStdString()); });
}

GraphEdit renameNameEdit(const EditWords& w) {
  const QString from = w.positional.value(0), to = w.positional.value(1);
  return makeEdit(GraphEdits::tr("Rename %1").arg(from),
                  [from, to](LayerEditor& layers, EditOutcome&) { return renameNamedValue(layers.editor().meta(), from.toStdString(), to.toStdString()); });
}

GraphEdit removeNameEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Remove %1").arg(w.positional.join(QStringLiteral(", "))),
                  [names = w.positional](LayerEditor& layers, EditOutcome&) -> Status {
                    for (const QString& name : names) WEFT_TRY(removeNamedValue(layers.editor().meta(), name.toStdString()));
                    return {};
                  });
}

GraphEdit followEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Set %1").arg(namesIn(w)), [w](LayerEditor& layers, EditOutcome&) -> Status {
    for (const auto& [field, expression] : w.settings()) {
      const qsizetype dot = field.lastIndexOf(u'.');
      if (dot > 0 && layers.editor().graph().find(field.left(dot).toStdString())) byHand(layers, field.left(dot).toStdString());
      WEFT_TRY(setFieldExpression(layers.editor().meta(), field.toStdString(), expression.trimmed().toStdString()));
    }
    return {};
  });
}

GraphEdit releaseEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Release %1").arg(w.positional.join(QStringLiteral(", "))),
                  [fields = w.positional](LayerEditor& layers, EditOutcome&) -> Status {
                    for (const QString& field : fields)
                      if (!releaseField(layers.editor().meta(), field.toStdString())) return notFound(field.toStdString(), " follows no expression");
                    return {};
                  });
}

}  // namespace weft::app
