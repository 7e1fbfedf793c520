// The ways to divide a drawing into boxes.
#pragma once

#include <QtGlobal>

namespace weft::widgets {

/// How a graph is divided into boxes. Only the first kind can be edited; the others are for reading, and each keeps its own places.
struct Arrangement {
  enum class Kind : quint8 {
    Scopes,   ///< the graph's scopes, opened and closed at will
    Layers,   ///< one box per layer, independent of the scopes around it
    Ops,      ///< one box per op type
    Devices,  ///< one box per device that nodes name
    Depth,    ///< the graph's scopes, with a fixed number of levels open
  };
  static constexpr int kMostLevels = 9;

  Kind kind = Kind::Scopes;
  int depth = 0;  ///< for Depth: number of open levels, from 1

  /// Whether this is the document's drawing, in which nodes can be moved and wired by hand.
  bool isComposed() const { return kind == Kind::Scopes; }
  friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

}  // namespace weft::widgets
