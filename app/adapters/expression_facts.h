#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

#include "adapters/graph_contents.h"
#include "property_sheet/property.h"

namespace weft::app {

/// A named value of a document, for display.
struct NameFacts {
  QString name, expression, value, doc;
  QString error;  ///< Why there is no value.
};
QVector<NameFacts> nameFacts(const GraphContents& contents);

/// A field that follows an expression.
struct FollowedFacts {
  QString field;  ///< "dense_1.units", "batch_size"
  QString owner;  ///< Node or scope; empty: the training.
  QString expression, value;
};
QVector<FollowedFacts> followedFacts(const GraphContents& contents);

/// Notes the expressions that properties of one node, layer or instance follow.
void markExpressions(QVector<widgets::Property>& properties, const GraphContents& contents, const QString& owner);

/// What expressions of a document would give, without an edit. GUI thread; the contents stay alive with it.
class ExpressionTrial {
 public:
  explicit ExpressionTrial(GraphContentsPtr contents);
  ~ExpressionTrial();
  const GraphContentsPtr& contents() const { return contents_; }

  widgets::ExpressionResult forField(const QString& field, const QString& expression) const;
  widgets::ExpressionResult forName(const QString& name, const QString& expression) const;
  /// Names, fields and functions, as expressions write them.
  QStringList words() const;
  /// Fields that may follow an expression.
  QStringList fields() const;

 private:
  struct Scope;
  GraphContentsPtr contents_;
  std::unique_ptr<Scope> scope_;
};

}  // namespace weft::app
