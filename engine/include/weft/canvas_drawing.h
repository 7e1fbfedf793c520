#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// A whole drawing as last seen (collection `weft/canvas`): the places of all items, set by hand or by the layout, and the routes of the wires.
struct CanvasDrawing {
  struct Place {
    std::string name;
    bool isScope = false;
    double x = 0, y = 0;          ///< Upper left corner, relative to the enclosing scope.
    float width = 0, height = 0;  ///< Its size there; 0: unknown.
    bool automatic = false;       ///< Chosen by the layout, not by hand.
    bool expanded = false;        ///< For a scope: it was open.
  };
  /// A piece of wire. Scope and ends are hashes of names, computed by the drawing code. An unknown wire is routed again.
  struct Wire {
    std::uint64_t scope = 0, ends = 0;
    std::vector<float> points;     ///< x and y of each point.
    std::array<float, 8> boxes{};  ///< x, y, width, height of the boxes at its two ends.
    int joint = 0;
    bool quiet = false, back = false;
  };
  /// Where a wire crosses the edge of an open scope: its distance below what it is wired to.
  struct Port {
    std::uint64_t scope = 0, port = 0;
    float below = 0;
  };
  std::vector<Place> places;
  std::vector<Wire> wires;
  std::vector<Port> ports;
};

/// All places, including those set by hand whose size is unknown.
WEFT_API CanvasDrawing canvasDrawingOf(const MetaGraph& meta);
/// Replaces the collection's places and wires. Places set by hand that `drawing` does not mention stay while their node or scope exists.
WEFT_API void setCanvasDrawing(MetaGraph& meta, const CanvasDrawing& drawing);
/// Removes the places of these nodes and scopes and their contents, set by hand or not. Empty `names`: removes all places and wires.
WEFT_API void forgetCanvasPlaces(MetaGraph& meta, const std::set<std::string>& names);
/// Removes what the layout chose; what the user placed or wrote stays.
WEFT_API void forgetAutomaticPlaces(MetaGraph& meta);

}  // namespace weft
