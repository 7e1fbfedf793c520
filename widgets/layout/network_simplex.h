// Ranks of an acyclic graph with the least total weighted length (Gansner, Koutsofios, North, Vo 1993: "A technique for drawing directed graphs").
#pragma once

#include <cstdint>
#include <vector>

namespace weft::layout {

struct RankArc {
  std::int32_t from = -1, to = -1;
  std::int32_t length = 1;  ///< least difference of the ranks; >= 0
  std::int32_t weight = 1;  ///< cost of each unit of length; >= 0
};

/// Lowers the sum of weight * (rank[to] - rank[from]) to its minimum, with rank[to] - rank[from] >= length for every arc. `ranks` holds a start that
/// fulfils this and receives the result; each connected part keeps its least rank. Stops after `pivots` exchanges with what it has then, which
/// fulfils the lengths too. Returns the number of exchanges. REQUIRES: no cycles, no arc from a vertex to itself.
std::int32_t minimizeRanks(const std::vector<RankArc>& arcs, std::vector<std::int32_t>& ranks, std::int32_t pivots);

}  // namespace weft::layout
