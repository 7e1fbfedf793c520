#pragma once

#include <QString>
#include <QVector>

namespace weft::widgets {

/// Something that is not in the graph but in another one that it is compared with: drawn beside what it would be wired to.
struct Ghost {
  QString name;           ///< Of the node, or of the scope that is not here.
  QString detail;         ///< In small letters below: its op, how many.
  QString before, after;  ///< Nodes of this graph that it takes from and gives to; may be empty.
};

}  // namespace weft::widgets
