#pragma once

#include <cstdint>

#include "weft/export.h"

/// oneDNN's threads. Its calls of OpenMP's runtime are answered by our pool, for the dynamic linker finds the names here before it comes to
/// libgomp. Other libraries of the process that call the same names get libgomp's answers.
namespace weft::openmp {

/// Whether oneDNN's calls come here; else (something put libgomp in front) they go to libgomp. Asks oneDNN once.
WEFT_API bool answered();
/// Forks that oneDNN has asked for so far, of several threads each.
WEFT_API int64_t forks();
/// Tells libgomp how many threads oneDNN's calls of this thread may have, where it is libgomp that answers; ours ask parallelism().
void setThreads(int threads);

/// While it lives, oneDNN's calls of this thread run on it alone. They do so anyway in a team of our pool, unless libgomp answers, which
/// knows nothing of that.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = 0;
};

}  // namespace weft::openmp
