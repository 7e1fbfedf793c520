// Layout of a hierarchical dataflow graph: data flows from left to right, parameters lie beneath their readers, open scopes are boxes around their contents,
// the contents of closed ones cost nothing. Pure functions over flat arrays; no Qt, no engine, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "layout/flow_facts.h"

namespace weft::layout {

struct Point {
  double x = 0, y = 0;
};

struct Size {
  double w = 0, h = 0;
};

struct Box {
  double x = 0, y = 0, w = 0, h = 0;
  double right() const { return x + w; }
  double bottom() const { return y + h; }
};

enum class EdgeKind : std::uint8_t { Data, Control, Reference };

/// Flow: in the layers. Parameter: beneath its reader if it has one, otherwise in the layers. Aside: in a column at the right with quiet wires (savers,
/// summaries, initializers). Beneath: mirrored in a band beneath the flow, with one wire from the flow's end (gradients, updates).
enum class Role : std::uint8_t { Flow, Parameter, Aside, Beneath };

struct Edge {
  std::int32_t from = -1, to = -1;  ///< nodes
  EdgeKind kind = EdgeKind::Data;
  std::uint8_t main = 0;  ///< 1: the wire to keep straight where several arrive (usually input 0)
  bool weak = false;      ///< carries a constant: shared constants must not affect the order of the scopes that contain them
  float labelWidth = 0;   ///< room for a label on the wire
  bool aside = false;     ///< one end is a helper: drawn on demand, even if the helper is hidden in a closed scope; set by groupGraph
  bool weight = false;    ///< carries a weight; set by groupGraph
};

/// A position set by hand: of the top left corner, in the coordinates of the container (Result::origins).
struct Pin {
  float x = 0, y = 0;
  bool set = false;
};

/// Item numbers: node i is item i, scope s is item nodeCount + s.
struct Graph {
  std::vector<std::int32_t> nodeScope;    ///< scope of each node, -1: top
  std::vector<std::int32_t> scopeParent;  ///< REQUIRES: scopeParent[s] < s, unless scopeOrder is given
  std::vector<std::int32_t> scopeOrder;   ///< all scopes, parents before children; empty: by index
  std::vector<Size> nodeSize,
      scopeSize;                                 ///< scopes: size while closed; open ones are at least that wide. Sizes of hidden items are not read
  std::vector<Role> nodeRole, scopeRole;         ///< may be empty: all Flow
  std::vector<float> nodeMass, scopeMass;        ///< weight of an item for the choice of the spine; may be empty: 1
  std::vector<std::uint64_t> nodeKey, scopeKey;  ///< identity across calls (hash of the name); may be empty: the index
  std::vector<Pin> nodePin, scopePin;            ///< may be empty: nothing is placed by hand
  std::vector<Edge> edges;
  FlowFacts flow;  ///< loops, branches, gradients; may be empty

  int nodeCount() const { return static_cast<int>(nodeScope.size()); }
  int scopeCount() const { return static_cast<int>(scopeParent.size()); }
  int itemCount() const { return nodeCount() + scopeCount(); }
  int scopeAt(int i) const { return scopeOrder.empty() ? i : scopeOrder[static_cast<std::size_t>(i)]; }
};

struct Options {
  double gapX = 40, chainGapX = 28, gapY = 24, parameterGap = 28, wireGap = 8;
  double padding = 16, header = 24, portSpacing = 16, laneGap = 12;
  int sweeps = 8;
  /// `keep`: the graph was edited: everything that `memory` has seen stays exactly in place, wires included; only new items are placed. Containers whose
  /// contents an edit changed are kept from then on, others are laid out as usual when a scope is opened. Items with a Pin always stay. `note`: stores the
  /// places of open containers in the memory.
  bool keep = false, note = false;
};

/// How the points of a segment are joined.
enum class Joint : std::uint8_t {
  Curve,     ///< points of different y joined by curves with horizontal tangents
  Vertical,  ///< from the top of a parameter up to its reader
  Corners,   ///< straight pieces with rounded corners (loops, very long wires)
};

/// A piece of wire inside one container: from a child or the left edge to a child or the right edge. All pieces with the same source are shared. End points are
/// items, or -1 for the container's edge.
struct Segment {
  std::int32_t container = -1;  ///< scope, -1: top
  std::int32_t from = -1, to = -1;
  std::int32_t source = -1;  ///< visible item where this wire begins
  EdgeKind kind = EdgeKind::Data;
  Joint joint = Joint::Curve;
  bool quiet = false;  ///< drawn on demand: wires of helpers and hubs, and most of those to the band beneath
  bool back = false;   ///< closes a loop
  bool weak = true;    ///< carries only constants or control
  bool aside = true;   ///< has only helpers at its ends
  bool weight = true;  ///< carries only weights
  bool spine = false;  ///< on the heaviest path through its container
  float labelWidth = 0;
  std::int32_t firstPoint = 0, pointCount = 0;
};

/// All edges of one kind between the same two visible items.
struct Route {
  std::int32_t from = -1, to = -1;
  EdgeKind kind = EdgeKind::Data;
  std::int32_t firstSegment = 0, segmentCount = 0;  ///< into routeSegments
  std::int32_t firstEdge = 0, edgeCount = 0;        ///< into routeEdges
};

enum class Shown : std::uint8_t { Hidden, Leaf, Open };

struct Result {
  std::vector<Shown> shown;  ///< per item
  std::vector<Box> boxes;    ///< per item, absolute; empty for hidden ones
  std::vector<Segment> segments;
  std::vector<Point> points;
  std::vector<Route> routes;
  std::vector<std::int32_t> routeSegments, routeEdges;
  /// Per scope, the root last: origin of its pins. A pinned item lies at origin + pin + the shift caused by opened scopes.
  std::vector<Point> origins;
  std::vector<Point> placed;  ///< per item: the pin that would keep it in place
  Box bounds;
};

/// Place and size of an item in its container's coordinates, before opened scopes shifted it.
struct KeptBox {
  Box box;
  bool byHand = false;  ///< placed by the user; `before` is its place before that
  Point before;
};
/// The route of a wire, and the boxes of its ends at that time.
struct KeptLink {
  std::vector<Point> points;
  Box from, to;
  Joint joint = Joint::Curve;
  bool quiet = false, back = false;
};

/// The y of a container's contents by key, for its last few structures.
struct ContainerMemory {
  using Places = std::unordered_map<std::uint64_t, float>;
  struct Entry {
    std::uint64_t structure = 0;
    Places places;
  };
  std::vector<Entry> entries;                         ///< newest first
  std::unordered_map<std::uint64_t, KeptBox> kept;    ///< per item; written while Options::note is set
  std::unordered_map<std::uint64_t, KeptLink> links;  ///< by ends, port and kind
  std::unordered_map<std::uint64_t, float> ports;     ///< of an open scope, by key: offset of a port below the item that it is wired to
  bool edited = false;                                ///< its contents were changed after they were first seen

  /// The places of exactly this structure, otherwise the newest; null if there are none.
  const Places* recall(std::uint64_t structure) const;
  void remember(std::uint64_t structure, Places places);
};

inline constexpr std::uint64_t kRootKey = ~0ull;  ///< of the top level, in Memory::containers

/// Previous places: lets the next layout keep the order of all known items.
struct Memory {
  std::unordered_map<std::uint64_t, ContainerMemory> containers;
};

/// Which items are visible if `open[s]` tells the open scopes and only the inside of `root` (-1: everything) is shown. O(nodes + scopes).
std::vector<Shown> shownItems(const Graph& graph, const std::vector<char>& open, int root = -1);

/// Lays out all visible items. Deterministic. `memory` (may be null) is read and updated. Cycles, self edges and parallel edges are allowed; indexes must be
/// valid. Linear in nodes + edges except for sorting.
Result layoutGraph(const Graph& graph, const std::vector<char>& open, int root = -1, const Options& options = {}, Memory* memory = nullptr);

}  // namespace weft::layout
