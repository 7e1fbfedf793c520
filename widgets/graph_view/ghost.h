#pragma once

#include <QString>
#include <QVector>

namespace weft::widgets {

/// A node or scope that only a compared graph has, drawn beside the node that it would be wired to.
struct Ghost {
  QString name;           ///< Of the node, or of the missing scope.
  QString detail;         ///< In small letters below: its op, or a count.
  QString before, after;  ///< Nodes of this graph that it would read from and feed; may be empty.
};

}  // namespace weft::widgets
