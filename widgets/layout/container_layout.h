// Second pass: one container as a layered drawing (Sugiyama, Tagawa, Toda 1981) in linear passes: cycle breaking by depth-first
// search, longest-path layers pulled together, barycentre ordering, and coordinates by weighted medians with
// pool-adjacent-violators.
#pragma once

#include <array>

#include "layout/graph_layout.h"

namespace weft::layout {

/// How the contents of a container are arranged.
enum class Frame : std::uint8_t { None, Loop, Conditional };

/// What a child of such a container is in it.
enum class Station : std::uint8_t {
  Outside,     ///< it does not belong to the loop or conditional
  Inside,      ///< of a loop: what it repeats
  Entry,       ///< Enter: at the left border
  Turn,        ///< Merge of a loop: where a variable comes in, and comes back
  Next,        ///< NextIteration: where it turns back
  Exit,        ///< at the right border
  Split,       ///< Switch
  SplitFalse,  ///< Switch of which only the false output is read
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
  double width = 0, above = 0, below = 0;  ///< extents from the line on which its main wire meets it
  float mass = 1;                          ///< for the choice of the spine
  bool aligned = false;                    ///< in the band beneath a flow: it is as wide as what it lies beneath
  bool differentiated = false;             ///< the wire to the band beneath begins here: the loss, towards which the spine leads
  bool shelved = false;                    ///< stands in the column beside the flow; set by the layout
  std::int32_t flow = 0;                   ///< of several flows without wires between them: which, 0 is the main one; set by the layout
  std::uint64_t key = 0;                   ///< identity in the memory
  // Set by the layout, relative to the container.
  double x = 0, y = 0;  ///< left edge and line
};

struct Link {
  std::int32_t from = -1, to = -1;  ///< elements
  std::int32_t port = 0;            ///< links of one element with the same port begin at the same point and share their way
  std::uint64_t portKey = 0;        ///< identity of the port in the memory
  EdgeKind kind = EdgeKind::Data;
  std::uint8_t main = 0;
  bool weak = false;                        ///< says nothing of the order: constants and control edges
  bool aside = false;                       ///< to or from a helper: it gives its ends no place in the flow
  bool hidden = false;                      ///< known to be quiet: it counts for the layers, but takes no room
  bool fixedFrom = false, fixedTo = false;  ///< the offsets below are given (open scopes); else the layout chooses them
  double fromDy = 0, toDy = 0;              ///< from the element's line
  float labelWidth = 0;
  // Set by the layout.
  Joint joint = Joint::Curve;
  bool quiet = false, back = false;
  bool spine = false;  ///< on the heaviest path: straight, whatever else that costs
  std::vector<Point> points;
};

struct ContainerProblem {
  std::vector<Element> elements;
  std::vector<Link> links;
  Frame frame = Frame::None;
  bool mirrored = false;                                        ///< data flows from right to left: what comes in enters at the right edge
  double minWidth = 0, padding = 16, header = 24, footer = 16;  ///< all 0 for the root
};

/// Places all elements, routes all links and returns the size. What `memory`, if given, knows keeps its order; it learns the new
/// places. What belongs beneath gets a band of its own (band.cpp).
Size layoutContainer(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// The same for what lies above the band: as a loop, as a conditional, or as flows.
Size layoutParts(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// A loop: its variables enter at the left, leave at the right, and return along the top and the bottom. (loop.cpp)
Size layoutLoop(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// A conditional: two lanes, above what is computed if its predicate is true. False if its wires do not run from left to right through
/// one lane each; nothing is changed then. (lanes.cpp)
bool layoutLanes(ContainerProblem& problem, const Options& options, ContainerMemory* memory, Size& size);
/// Of a loop: puts what enters into one layer, what leaves or turns back into another, and everything else of it between them.
/// `order` are the elements in the flow, `next` the links that leave each. (loop.cpp)
void alignBorders(const ContainerProblem& problem, const std::vector<std::int32_t>& order, const std::vector<std::vector<std::int32_t>>& next,
                  std::vector<std::int32_t>& layer);
/// Puts what leads out of a container to its right edge.
void putOutPorts(ContainerProblem& problem, double width);
/// The pieces of the flow one beneath the other. (flows.cpp)
Size layoutFlows(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// The same for one flow.
Size layoutFlow(ContainerProblem& problem, const Options& options, ContainerMemory* memory);
/// How far right the flows reach, without the column of helpers, and how far down the main one reaches, wires included.
double flowRight(const ContainerProblem& problem);
double flowBottom(const ContainerProblem& problem);
/// Moves the column of helpers to the right until it begins at `needed` or beyond, and what leaves the container to its new right edge. `width` is what the
/// container had, `least` what it needs without a column. Returns its width.
double moveColumn(ContainerProblem& problem, double needed, double width, double least);
/// Turns left and right of everything in a container of that width.
void mirror(ContainerProblem& problem, double width);

/// Moves the columns of a mirrored container apart, so that the middles of its elements come near the distances from its right edge that are wished
/// (per element; negative: none). Widens it. (forward.cpp)
void lieBeneath(ContainerProblem& problem, Size& size, const std::vector<double>& wishes);

/// What stays where it is, after the container was laid out anew: moves the elements to their pins and to the places that `memory` kept,
/// makes room for scopes that were opened, puts what is new near its neighbours where nothing lies, and takes the wires along.
/// Returns the size; `origin` gets where the pins' (0, 0) lies and `placed`, per element, the pin that would leave it there. (placed.cpp)
Size keepPlaces(ContainerProblem& problem, const Options& options, const std::vector<Pin>& pins, ContainerMemory* memory, Size size, Point& origin,
                std::vector<Point>& placed);

/// Leads wires around the boxes (of the elements, in their order) over which they would run. (detours.cpp)
void takeDetours(ContainerProblem& problem, const std::vector<Box>& boxes);

// --- the passes, in order; Layers is what they hand to each other
// -----------------------------------------------------------------------

/// Vertices are the elements in the flow and the dummies that carry long links through the layers between.
struct Vertex {
  std::int32_t element = -1;  ///< -1: dummy
  std::int32_t layer = 0;
  std::uint64_t key = 0;
  double above = 0, below = 0, y = 0, width = 0;
};

/// A wire between neighbouring layers.
struct Hop {
  std::int32_t a = -1, b = -1;  ///< vertices
  float weight = 1;
  std::int32_t linkA = -1, linkB = -1;  ///< link whose offset counts at that end, -1 for dummies
  std::int32_t wires = 1;               ///< links that share it: each of them is crossed
};

struct Layers {
  std::vector<std::int32_t> vertexOf;  ///< element -> vertex, -1: not in the flow
  std::vector<Vertex> vertices;
  std::vector<Hop> hops;
  std::vector<std::vector<std::int32_t>> layers;  ///< vertices from top to bottom
  std::vector<std::vector<std::int32_t>> ways;    ///< per link: its dummies from left to right
  std::vector<char> lane;                         ///< per link: 1 = goes over the top (loops, very long hauls)
  std::vector<std::int32_t> hostOf;               ///< element -> the reader beneath which it sits, -1
  std::vector<std::vector<std::int32_t>> guests;  ///< element -> parameters beneath it
  std::vector<std::int32_t> shelf;                ///< elements below the flow
  std::vector<std::int32_t> depth;                ///< longest path from a source, per element
  std::vector<double> columnLeft, columnRight;
  std::vector<std::int32_t> row;  ///< per layer: the row in which it lies
  std::vector<double> rowTop;     ///< per row
  struct Channel {
    double y = 0;
    std::int32_t wires = 0;
    double right = 0;  ///< of the row above it
  };
  std::vector<Channel> channel;    ///< below each row but the last: where wires run back
  std::vector<std::int32_t> slot;  ///< per vertex: place of its wire in the channel
  double rowLeft = 0, rowRight = 0;
  double climb = -1;                 ///< where wires to the ports on the right edge go up; negative: they do not
  std::vector<std::int32_t> laneOf;  ///< per link: lane above the row, -1
  std::int32_t lanes = 0;
  double top = 0, bottom = 0, right = 0;
};

/// A flow whose layers are known, and a hash of them.
struct PreparedFlow {
  Layers layers;
  std::uint64_t structure = 0;
};
PreparedFlow prepareFlow(ContainerProblem& problem, const Options& options);
/// Orders, places and routes it. `seed` gives the order of what was there before, `learned` receives the places. Returns the size.
Size finishFlow(ContainerProblem& problem, const Options& options, PreparedFlow& flow, const ContainerMemory::Places* seed, ContainerMemory::Places& learned);

void assignLayers(ContainerProblem& problem, const Options& options, Layers& layers);
void orderLayers(const ContainerProblem& problem, const Options& options, const ContainerMemory::Places* seed, Layers& layers);
void assignCoordinates(ContainerProblem& problem, const Options& options, Layers& layers);
/// Breaks a flow that is much longer than high into rows.
void wrapRows(const ContainerProblem& problem, const Options& options, double laneRoom, Layers& layers);
/// The four corners by which the wire of `vertex` passes the break behind its layer.
std::array<Point, 4> wrapTurn(const Layers& layers, std::int32_t vertex, double fromY, double toY);
/// Gives every link over the top a lane.
void assignLanes(const ContainerProblem& problem, Layers& layers);
void routeLinks(ContainerProblem& problem, const Options& options, Layers& layers);

/// The end of a hop in the next layer, and how many wires it stands for.
struct HopEnd {
  std::int32_t place = 0, wires = 1;
};

/// Number of crossings between two neighbouring layers, given the hops' ends in the order of their sources. O(n log n).
std::int64_t countCrossings(const std::vector<HopEnd>& ends, std::int32_t places);

}  // namespace weft::layout
