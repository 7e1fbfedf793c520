// The user's rules for which nodes are drawn as helpers.
#pragma once

#include <QString>
#include <QVector>

#include "adapters/graph_edit.h"

namespace weft::app {

struct HelperRule {
  QString pattern;     ///< Pattern for names: `*/metrics*`.
  bool helper = true;  ///< false: in the network
  friend bool operator==(const HelperRule&, const HelperRule&) = default;
};

/// A document's rules; the last rule that matches a name counts.
QVector<HelperRule> helperRulesOf(const GraphContents& contents);
/// Number of nodes that match a pattern.
int nodesThatFit(const GraphContents& contents, const QString& pattern);
/// Replaces the rules; only nodes that they move get a new place.
GraphEdit setHelperRules(const QVector<HelperRule>& rules);

}  // namespace weft::app
