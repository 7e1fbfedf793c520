// Layout of a hierarchical dataflow graph: data flows from left to right, parameters sit beneath what reads them, open scopes are
// boxes around their contents, closed ones cost nothing. Pure functions over flat arrays; no Qt, no engine, any thread.
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

/// Flow: in the layers. Parameter: beneath its reader if it has one, else in the layers. Aside: in a column at the right, its wires quiet (savers,
/// summaries, initializers). Beneath: mirrored in a band of its own beneath the flow, with one wire from the flow's end (gradients, updates).
enum class Role : std::uint8_t { Flow, Parameter, Aside, Beneath };

struct Edge {
  std::int32_t from = -1, to = -1;  ///< nodes
  EdgeKind kind = EdgeKind::Data;
  std::uint8_t main = 0;  ///< 1: this is the wire to keep straight where several meet (usually input 0)
  bool weak = false;      ///< carries a constant: shared ones would turn the order of the scopes that hold them
  float labelWidth = 0;   ///< room for a label on the wire
  bool aside = false;     ///< one of its ends is a helper: drawn on demand, also where the helper hides in a closed scope; set by groupGraph
  bool weight = false;    ///< carries a weight; set by groupGraph
};

/// A place given by hand: of the top left corner, in the coordinates of the container (Result::origins).
struct Pin {
  float x = 0, y = 0;
  bool set = false;
};

/// Item numbers: node i is item i, scope s is item nodeCount + s.
struct Graph {
  std::vector<std::int32_t> nodeScope;    ///< scope of each node, -1: top
  std::vector<std::int32_t> scopeParent;  ///< REQUIRES: scopeParent[s] < s, unless scopeOrder is given
  std::vector<std::int32_t> scopeOrder;   ///< all scopes, parents before what they hold; may be empty: by index
  std::vector<Size> nodeSize,
      scopeSize;                                 ///< scopes: size while closed; open ones are at least that wide. Hidden items' sizes are not read
  std::vector<Role> nodeRole, scopeRole;         ///< may be empty: all Flow
  std::vector<float> nodeMass, scopeMass;        ///< how much an item counts when the spine is chosen; may be empty: 1
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
  /// The graph was edited: everything that `memory` has seen stays exactly where it was, wires included; only what is new is placed. Containers
  /// whose contents an edit changed are kept from then on, others are laid out as ever when a scope is opened. What has a Pin always stays.
  /// The places of open containers are noted in the memory while `note` is set.
  bool keep = false, note = false;
};

/// How the points of a segment are joined.
enum class Joint : std::uint8_t {
  Curve,     ///< points of different y by curves with horizontal tangents
  Vertical,  ///< from the top of a parameter up to its reader
  Corners,   ///< straight pieces with rounded corners (loops, long hauls)
};

/// A piece of wire inside one container: from a child of it or its left edge to a child of it or its right edge. All pieces that
/// carry the same source share it. Endpoints are items, or -1 for the container's own edge.
struct Segment {
  std::int32_t container = -1;  ///< scope, -1: top
  std::int32_t from = -1, to = -1;
  std::int32_t source = -1;  ///< visible item where this wire begins
  EdgeKind kind = EdgeKind::Data;
  Joint joint = Joint::Curve;
  bool quiet = false;  ///< shown only on demand: wires of helpers, of hubs, and most of those to the band beneath
  bool back = false;   ///< closes a loop
  bool weak = true;    ///< carries constants or control alone
  bool aside = true;   ///< leads to or from helpers alone
  bool weight = true;  ///< carries weights alone
  bool spine = false;  ///< on the heaviest path through its container
  float labelWidth = 0;
  std::int32_t firstPoint = 0, pointCount = 0;
};

/// All edges between the same two visible items, of one kind.
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
  /// Per scope, the root last: where (0, 0) of the pins in it lies. A pin's item lies at origin + pin + the room that opened scopes took.
  std::vector<Point> origins;
  std::vector<Point> placed;  ///< per item: the pin that would leave it where it is
  Box bounds;
};

/// Where an item was put, in its container's coordinates, before opened scopes took room, and the size that it had then.
struct KeptBox {
  Box box;
  bool byHand = false;  ///< placed by the user, and before that at `before`
  Point before;
};
/// The way of a wire, and where its ends' boxes lay.
struct KeptLink {
  std::vector<Point> points;
  Box from, to;
  Joint joint = Joint::Curve;
  bool quiet = false, back = false;
};

/// Heights at which the contents of one container lay, by key, for the last few structures that it had.
struct ContainerMemory {
  using Places = std::unordered_map<std::uint64_t, float>;
  struct Entry {
    std::uint64_t structure = 0;
    Places places;
  };
  std::vector<Entry> entries;                         ///< newest first
  std::unordered_map<std::uint64_t, KeptBox> kept;    ///< by item; written while Options::note is set
  std::unordered_map<std::uint64_t, KeptLink> links;  ///< by ends, port and kind
  std::unordered_map<std::uint64_t, float> ports;     ///< of an open scope, by key: how far a port lies below what it is wired to
  bool edited = false;                                ///< its contents were changed after they were first seen

  /// Those of exactly this structure, else the newest; null if there are none.
  const Places* recall(std::uint64_t structure) const;
  void remember(std::uint64_t structure, Places places);
};

inline constexpr std::uint64_t kRootKey = ~0ull;  ///< of the top level, in Memory::containers

/// Where things were: makes the next layout keep the order of everything that it knows.
struct Memory {
  std::unordered_map<std::uint64_t, ContainerMemory> containers;
};

/// Which items can be seen when `open[s]` says which scopes are open and only the inside of `root` (-1: all) is shown. O(nodes +
/// scopes).
std::vector<Shown> shownItems(const Graph& graph, const std::vector<char>& open, int root = -1);

/// Lays out what can be seen. The same input gives the same output. `memory`, if given, is read and updated. Cycles, self edges and
/// parallel edges are fine; indexes must be valid. Linear in nodes + edges but for sorting.
Result layoutGraph(const Graph& graph, const std::vector<char>& open, int root = -1, const Options& options = {}, Memory* memory = nullptr);

}  // namespace weft::layout
