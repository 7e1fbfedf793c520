#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// How one graph differs from another, node by node. Nodes are matched by name.
struct NodeDifference {
  enum class Kind { Added, Removed, Changed, Renamed } kind = Kind::Changed;
  std::string name;
  std::string oldName;  ///< Renamed: the former name (same op, attributes and wires). Changed: the former name if it differs.
  std::string op;
  std::vector<std::string> details;  ///< Changed: "padding: \"SAME\" -> \"VALID\"", "input 1: w/read:0 -> v/read:0", "device: …"
};
struct GraphDifference {
  std::vector<NodeDifference> nodes;     ///< In order of name.
  std::vector<std::string> collections;  ///< "losses: 1 entry -> 2 entries"
  std::vector<std::string> others;       ///< versions, functions, saver, signatures
  bool empty() const { return nodes.empty() && collections.empty() && others.empty(); }
};
WEFT_API GraphDifference diffGraphs(const MetaGraph& a, const MetaGraph& b);
/// As diffGraphs(), but nodes are matched by what they compute and how they are wired, whatever their names.
WEFT_API GraphDifference diffGraphsByStructure(const MetaGraph& a, const MetaGraph& b);
/// For each id of `a` the id of the node of `b` that stands in its place; -1: none. Takes time proportional to nodes and wires. Where graphs are symmetric, nodes
/// are paired in the order in which they are computed.
WEFT_API std::vector<int> matchByStructure(const Graph& a, const Graph& b);

/// The change from `before` to `after`, as bytes; small if little changed. Both should share their unchanged nodes.
WEFT_API Result<std::string> deltaBetween(const MetaGraph& before, const MetaGraph& after);
/// Applies such a delta, infers changed shapes and updates `problems`. DATA_LOSS if the delta does not belong to this graph.
WEFT_API Status applyDelta(MetaGraph& meta, std::vector<Error>& problems, std::string_view delta);

/// An entry of an edit journal. Records follow one another, each with length and checksum, so that a torn end can be recognised.
struct JournalEntry {
  enum class Kind { Edit, Undo, Redo, Saved } kind = Kind::Edit;
  std::string text, path;
  std::string delta;  ///< of an Edit
};
WEFT_API std::string journalRecord(const JournalEntry& entry);
/// All whole records, up to the first torn one.
WEFT_API std::vector<JournalEntry> readJournal(std::string_view bytes);

}  // namespace weft
