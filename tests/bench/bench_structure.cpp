// Processor time of comparing two graph files by structure, without reading them: weft-bench-structure A B
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "weft/diff.h"

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: weft-bench-structure A B\n"), 2;
  auto a = weft::loadGraphFile(argv[1], {.inferShapes = false}), b = weft::loadGraphFile(argv[2], {.inferShapes = false});
  if (!a.ok() || !b.ok()) return std::fprintf(stderr, "%s\n", (a.ok() ? b : a).error().message.c_str()), 1;
  double best = 1e9;
  size_t found = 0;
  for (int i = 0; i < 5; ++i) {
    const std::clock_t start = std::clock();
    found = weft::diffGraphsByStructure(a->meta, b->meta).nodes.size();
    best = std::min(best, double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("%d and %d nodes, %zu differences with renames, best of 5: %.3f s of processor time\n", a->meta.graph.nodeCount(), b->meta.graph.nodeCount(),
              found, best);
}
