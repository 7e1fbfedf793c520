#include "adapters/expression_facts.h"

#include "adapters/engine_graph.h"
#include "weft/expressions.h"

namespace weft::app {

using widgets::ExpressionResult;

QVector<NameFacts> nameFacts(const GraphContents& contents) {
  QVector<NameFacts> out;
  const MetaGraph& meta = contents.engine->loaded.meta;
  if (!hasExpressions(meta)) return out;
  const auto values = ExpressionScope(meta).names();
  size_t i = 0;
  for (const NamedValue& n : namedValuesOf(meta)) {
    const auto& value = values[i++].second;
    out << NameFacts{text(n.name), text(n.expression), value.ok() ? text(value->toString()) : QString(), text(n.doc),
                     value.ok() ? QString() : errorText(value.error())};
  }
  return out;
}

QVector<FollowedFacts> followedFacts(const GraphContents& contents) {
  QVector<FollowedFacts> out;
  for (const FollowedField& f : followedFieldsOf(contents.engine->loaded.meta)) {
    const QString field = text(f.field);
    out << FollowedFacts{field, field.left(std::max<qsizetype>(0, field.lastIndexOf(u'.'))), text(f.expression), text(f.result.value_or(std::string()))};
  }
  return out;
}

void markExpressions(QVector<widgets::Property>& properties, const GraphContents& contents, const QString& owner) {
  const auto followed = followedFieldsOf(contents.engine->loaded.meta);
  if (followed.empty()) return;
  for (widgets::Property& p : properties)
    for (const FollowedField& f : followed)
      if (text(f.field) == owner + u'.' + p.name) p.expression = text(f.expression);
}

struct ExpressionTrial::Scope {
  explicit Scope(const MetaGraph& meta) : scope(meta) {}
  ExpressionScope scope;
};

ExpressionTrial::ExpressionTrial(GraphContentsPtr contents) : contents_(std::move(contents)), scope_(std::make_unique<Scope>(contents_->engine->loaded.meta)) {}
ExpressionTrial::~ExpressionTrial() = default;

ExpressionResult ExpressionTrial::forField(const QString& field, const QString& expression) const {
  const auto value = scope_->scope.valueFor(field.toStdString(), expression.toStdString());
  return value.ok() ? ExpressionResult{text(*value), {}} : ExpressionResult{{}, errorText(value.error())};
}

ExpressionResult ExpressionTrial::forName(const QString& name, const QString& expression) const {
  const auto value = scope_->scope.valueOf(name.toStdString(), expression.toStdString());
  return value.ok() ? ExpressionResult{text(value->toString()), {}} : ExpressionResult{{}, errorText(value.error())};
}

QStringList ExpressionTrial::words() const {
  QStringList out;
  for (const std::string& word : scope_->scope.words()) out << text(word);
  return out;
}

QStringList ExpressionTrial::fields() const {
  QStringList out;
  for (const std::string& field : scope_->scope.fields()) out << text(field);
  return out;
}

}  // namespace weft::app
