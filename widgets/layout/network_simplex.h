// Ranks of an acyclic graph with the least total weighted length (Gansner, Koutsofios, North, Vo 1993: "A technique for drawing directed graphs").
#pragma once

#include <cstdint>
#include <vector>

namespace weft::layout {

struct RankArc {
  std::int32_t from = -1, to = -1;
  std::int32_t length = 1;  ///< minimum difference of the ranks; >= 0
  std::int32_t weight = 1;  ///< cost of each unit of length; >= 0
};

/// Minimizes the sum of weight * (rank[to] - rank[from]) subject to rank[to] - rank[from] >= length for every arc. `ranks` holds a feasible start and receives
/// the result; each connected part keeps its least rank. Stops after `pivots` pivots with the feasible ranks reached by then. Returns the number of pivots.
/// REQUIRES: no cycles, no self loops.
std::int32_t minimizeRanks(const std::vector<RankArc>& arcs, std::vector<std::int32_t>& ranks, std::int32_t pivots);

}  // namespace weft::layout
