// Second pass: one container as a layered drawing (Sugiyama, Tagawa, Toda 1981) in linear passes: cycle breaking by depth-first search, longest-path layers
// pulled together, barycentre ordering, and coordinates by weighted medians with pool-adjacent-violators.
#pragma once

#include <array>

#include "layout/graph_layout.h"

namespace weft::layout {

/// How the contents of a container are arranged.
enum class Frame : std::uint8_t { None, Loop, Conditional };

/// The role of a child in such a container.
enum class Station : std::uint8_t {
  Outside,     ///< it does not belong to the loop or conditional
  Inside,      ///< of a loop: its body
  Entry,       ///< Enter: at the left border
  Turn,        ///< Merge of a loop: where a variable enters and returns
  Next,        ///< NextIteration: where it turns back
  Exit,        ///< at the right border
  Split,       ///< Switch
  SplitFalse,  ///< Switch whose true output is not read
  WhenTrue,    ///< in the upper lane
  WhenFalse,   ///< in the lower lane
  Join,        ///< Merge of a conditional
};

/// A child of the container, or a port on its left or right edge.
struct Element {
  enum class Kind : std::uint8_t { Child, InPort, OutPort };
  Kind kind = Kind::Child;
  Role role = Role::Flow;
  Station station = Station::Outside;
  double width = 0, above = 0, below = 0;  ///< extents from the line at which its main wire arrives
  float mass = 1;                          ///< weight for the choice of the spine
  bool aligned = false;                    ///< in the band beneath a flow: as wide as the forward ops above it
  bool differentiated = false;             ///< the loss: start of the wire to the band beneath, target of the spine
  bool shelved = false;                    ///< stands in the column beside the flow; set by the layout
  std::int32_t flow = 0;                   ///< index among flows without wires between them, 0 is the main one; set by the layout
  std::uint64_t key = 0;                   ///< identity in the memory
  // Set by the layout, relative to the container.
  double x = 0, y = 0;  ///< left edge and line
};

struct Link {
  std::int32_t from = -1, to = -1;  ///< elements
  std::int32_t port = 0;            ///< links of one element with the same port start at the same point and share their route
  std::uint64_t portKey = 0;        ///< identity of the port in the memory
  EdgeKind kind = EdgeKind::Data;
  std::uint8_t main = 0;
  bool weak = false;                        ///< does not affect the order: constants and control edges
  bool aside = false;                       ///< to or from a helper: does not affect the place of its ends in the flow
  bool hidden = false;                      ///< known to be quiet: affects the layers, but takes no room
  bool fixedFrom = false, fixedTo = false;  ///< the offsets below are given (open scopes); otherwise the layout chooses them
  double fromDy = 0, toDy = 0;              ///< from the element's line
  float labelWidth = 0;
  // Set by the layout.
  Joint joint = Joint::Curve;
  bool quiet = false, back = false;
  bool spine = false;  ///< on the heaviest path: kept straight at any cost
  std::vector<Point> points;
};

struct ContainerProblem {
  std::vector<Element> elements;
  std::vector<Link> links;
  Frame frame = Frame::None;
  bool mirrored = false;                                        ///< data flows from right to left: inputs enter at the right edge
  double minWidth = 0, padding = 16, header = 24, footer = 16;  ///< all 0 for the root
};

/// Places all elements, routes all links and returns the size. Elements known to `memory` (may be null) keep their order; new places are stored in it. Elements
/// with Role::Beneath get a band (band.cpp).
Size layoutContainer(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// Lays out the part above the band: as a loop, a conditional, or flows.
Size layoutParts(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// A loop: its variables enter at the left, leave at the right, and return along the top and the bottom. (loop.cpp)
Size layoutLoop(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// A conditional: two lanes, the upper one for the true branch. Returns false and changes nothing if its wires do not run from left to right through one lane
/// each. (lanes.cpp)
bool layoutLanes(ContainerProblem& problem, const Options& options, ContainerMemory* memory, Size& size);
/// For a loop: puts entering elements into one layer, those that leave or turn back into another, and the rest of the loop between them. `order` are the
/// elements in the flow, `next` the links that leave each. (loop.cpp)
void alignBorders(const ContainerProblem& problem, const std::vector<std::int32_t>& order, const std::vector<std::vector<std::int32_t>>& next,
                  std::vector<std::int32_t>& layer);
/// Puts output ports at the container's right edge.
void putOutPorts(ContainerProblem& problem, double width);
/// Stacks the pieces of the flow. (flows.cpp)
Size layoutFlows(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// Lays out a single flow.
Size layoutFlow(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// The right end of the flows, without the column of helpers. flowBottom(): the lower end of the main flow, wires included.
double flowRight(const ContainerProblem& problem);
double flowBottom(const ContainerProblem& problem);
/// Moves the column of helpers right to at least `needed`, and output ports to the new right edge. `width` is the container's previous width, `least` its width
/// without a column. Returns the new width.
double moveColumn(ContainerProblem& problem, double needed, double width, double least);
/// Mirrors everything in a container of that width horizontally.
void mirror(ContainerProblem& problem, double width);

/// Spreads the columns of a mirrored container so that the middles of its elements come close to the target distances from its right edge (per element;
/// negative: none). Widens the container. (forward.cpp)
void spreadColumns(ContainerProblem& problem, Size& size, const std::vector<double>& targets);

/// Restores places after a new layout of the container: moves elements to their pins and to the places kept in `memory`, makes room for opened scopes, puts new
/// elements into free places near their neighbours, and moves the wires along. Returns the size; `origin` receives the origin of the pins and `placed`, per
/// element, the pin that would keep it in place. (placed.cpp)
Size keepPlaces(ContainerProblem& problem, const Options& options, const std::vector<Pin>& pins, ContainerMemory* memory, Size size, Point& origin,
                std::vector<Point>& placed);

/// Leads wires around boxes (given per element, in order) that they would cross. (detours.cpp)
void takeDetours(ContainerProblem& problem, const std::vector<Box>& boxes);

// --- the passes, in order; they share a Layers
// -----------------------------------------------------------------------

/// A vertex is an element of the flow, or a dummy that carries a long link through an intermediate layer.
struct Vertex {
  std::int32_t element = -1;  ///< -1: dummy
  std::int32_t layer = 0;
  std::uint64_t key = 0;
  double above = 0, below = 0, y = 0, width = 0;
};

/// A piece of a wire between neighbouring layers.
struct Hop {
  std::int32_t a = -1, b = -1;  ///< vertices
  float weight = 1;
  std::int32_t linkA = -1, linkB = -1;  ///< link whose offset applies at that end, -1 for dummies
  std::int32_t wires = 1;               ///< number of links that share it; each counts as a crossing
};

struct Layers {
  std::vector<std::int32_t> vertexOf;  ///< element -> vertex, -1: not in the flow
  std::vector<Vertex> vertices;
  std::vector<Hop> hops;
  std::vector<std::vector<std::int32_t>> layers;              ///< vertices from top to bottom
  std::vector<std::vector<std::int32_t>> ways;                ///< per link: its dummies from left to right
  std::vector<char> lane;                                     ///< per link: 1 = runs over the top (loops, very long links)
  std::vector<std::int32_t> attachedTo;                       ///< element -> the reader beneath which it lies, -1
  std::vector<std::vector<std::int32_t>> attachedParameters;  ///< element -> parameters beneath it
  std::vector<std::int32_t> shelf;                            ///< elements below the flow
  std::vector<std::int32_t> depth;                            ///< longest path from a source, per element
  std::vector<double> columnLeft, columnRight;
  std::vector<std::int32_t> row;  ///< per layer: the row in which it lies
  std::vector<double> rowTop;     ///< per row
  struct Channel {
    double y = 0;
    std::int32_t wires = 0;
    double right = 0;  ///< right end of the row above it
  };
  std::vector<Channel> channel;    ///< below each row but the last: space for wires to the next row
  std::vector<std::int32_t> slot;  ///< per vertex: index of its wire in the channel
  double rowLeft = 0, rowRight = 0;
  double climb = -1;                 ///< where wires to the ports on the right edge go up; negative: nowhere
  std::vector<std::int32_t> laneOf;  ///< per link: lane above the row, -1
  std::int32_t lanes = 0;
  double top = 0, bottom = 0, right = 0;
};

/// A flow with its layers, and a hash of them.
struct PreparedFlow {
  Layers layers;
  std::uint64_t structure = 0;
};
PreparedFlow prepareFlow(ContainerProblem& problem, const Options& options);
/// Orders, places and routes the flow. `seed` gives the previous order, `learned` receives the places. Returns the size.
Size finishFlow(ContainerProblem& problem, const Options& options, PreparedFlow& flow, const ContainerMemory::Places* seed, ContainerMemory::Places& learned);

void assignLayers(ContainerProblem& problem, const Options& options, Layers& layers);
void orderLayers(const ContainerProblem& problem, const Options& options, const ContainerMemory::Places* seed, Layers& layers);
void assignCoordinates(ContainerProblem& problem, const Options& options, Layers& layers);
/// Breaks a flow that is much wider than high into rows.
void wrapRows(const ContainerProblem& problem, const Options& options, double laneRoom, Layers& layers);
/// The four corners at which the wire of `vertex` passes the row break behind its layer.
std::array<Point, 4> wrapTurn(const Layers& layers, std::int32_t vertex, double fromY, double toY);
/// Assigns a lane to every link over the top.
void assignLanes(const ContainerProblem& problem, Layers& layers);
void routeLinks(ContainerProblem& problem, const Options& options, Layers& layers);

/// The end of a hop in the next layer, and the number of wires that it represents.
struct HopEnd {
  std::int32_t place = 0, wires = 1;
};

/// Number of crossings between two neighbouring layers, with the hops' ends given in the order of their sources. O(n log n).
std::int64_t countCrossings(const std::vector<HopEnd>& ends, std::int32_t places);

}  // namespace weft::layout
