// What the boxes of a drawing are.
#pragma once

#include <QtGlobal>

namespace weft::widgets {

/// How a graph is drawn. Only the first one is composed in: the others are for reading, and each keeps its own places.
struct Arrangement {
  enum class Kind : quint8 {
    Scopes,   ///< by name, as the graph has them; opened and closed at will
    Layers,   ///< each layer is one box, whatever scopes are around it
    Ops,      ///< one box for each op type
    Devices,  ///< one box for each device that nodes name
    Depth,    ///< by name, so many levels open
  };
  static constexpr int kMostLevels = 9;

  Kind kind = Kind::Scopes;
  int depth = 0;  ///< of Depth: how many levels are open, from 1 on

  /// Whether places are the document's: nodes are moved and wires are drawn by hand.
  bool isComposed() const { return kind == Kind::Scopes; }
  friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

}  // namespace weft::widgets
