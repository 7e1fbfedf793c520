#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// A whole drawing as it was seen (collection `weft/canvas`): the place of everything, put by hand or by the layout, and the ways of the wires.
struct CanvasDrawing {
  struct Place {
    std::string name;
    bool isScope = false;
    double x = 0, y = 0;          ///< Upper left corner, relative to the scope that holds it.
    float width = 0, height = 0;  ///< That it had there; 0: not known.
    bool automatic = false;       ///< Chosen by the layout, not by hand.
    bool expanded = false;        ///< Of a scope: it was open.
  };
  /// A piece of wire. Scope and ends are hashes of names, made by whoever draws; a wire that is not known is routed anew.
  struct Wire {
    std::uint64_t scope = 0, ends = 0;
    std::vector<float> points;     ///< x, y of each.
    std::array<float, 8> boxes{};  ///< x, y, width, height of what it begins and ends at.
    int joint = 0;
    bool quiet = false, back = false;
  };
  /// Where a wire passes the edge of an open scope: how far below what it is wired to.
  struct Port {
    std::uint64_t scope = 0, port = 0;
    float below = 0;
  };
  std::vector<Place> places;
  std::vector<Wire> wires;
  std::vector<Port> ports;
};

/// All places, also those by hand whose size is not known.
WEFT_API CanvasDrawing canvasDrawingOf(const MetaGraph& meta);
/// Replaces what the collection says of places and wires. Places by hand that `drawing` does not mention stay while their node or scope exists.
WEFT_API void setCanvasDrawing(MetaGraph& meta, const CanvasDrawing& drawing);
/// Forgets the places of these nodes and scopes and of all within them, by hand or not; `names` empty: all of them, and all wires.
WEFT_API void forgetCanvasPlaces(MetaGraph& meta, const std::set<std::string>& names);
/// Forgets what the layout chose: only what somebody put or wrote by hand is left.
WEFT_API void forgetAutomaticPlaces(MetaGraph& meta);

}  // namespace weft
