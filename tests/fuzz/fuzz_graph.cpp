#include <cstdint>
#include <cstring>

#include "support/hostile_graphs.h"
#include "support/opened_graph.h"

/// All that is asked of a graph when its file is opened.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)weft::openGraph(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t limit);

/// Byte mutations never create a node with constants of the right type and the wrong shape: so every other mutation is a new graph drawn from the ops' records.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t limit, unsigned seed) {
  weft::hostile::Random r(seed);
  if (weft::hostile::draw(r, 1) == 0) return LLVMFuzzerMutate(data, size, limit);
  static const auto records = weft::OpRegistry::instance().all();
  std::vector<const weft::OpRecord*> chain;
  for (int64_t n = 1 + weft::hostile::draw(r, 6); n > 0; --n) chain.push_back(weft::hostile::pick(r, records));
  const std::string file = weft::hostile::file(r, chain);
  if (file.empty() || file.size() > limit) return LLVMFuzzerMutate(data, size, limit);
  std::memcpy(data, file.data(), file.size());
  return file.size();
}
