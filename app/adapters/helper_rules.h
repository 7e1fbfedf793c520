// The user's own rules of what stands among the helpers of a drawing.
#pragma once

#include <QString>
#include <QVector>

#include "adapters/graph_edit.h"

namespace weft::app {

struct HelperRule {
  QString pattern;     ///< Of names: `*/metrics*`.
  bool helper = true;  ///< false: in the network
  friend bool operator==(const HelperRule&, const HelperRule&) = default;
};

/// Those of a document, the last of which that fits a name counts.
QVector<HelperRule> helperRulesOf(const GraphContents& contents);
/// Nodes that a pattern speaks of.
int nodesThatFit(const GraphContents& contents, const QString& pattern);
/// Other rules in place of those that are there; only what stands elsewhere because of them gets a new place.
GraphEdit setHelperRules(const QVector<HelperRule>& rules);

}  // namespace weft::app
