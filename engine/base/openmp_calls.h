#pragma once

#include <cstdint>

#include "weft/export.h"

/// oneDNN's threads. Our pool answers oneDNN's OpenMP calls, because the dynamic linker finds the functions here before libgomp's. Other libraries in the
/// process that call the same functions get libgomp's.
namespace weft::openmp {

/// Whether oneDNN's calls arrive here. Otherwise (something put libgomp first) libgomp answers them. Tested once, by a call to oneDNN.
WEFT_API bool answered();
/// Number of multi-threaded forks by oneDNN so far.
WEFT_API int64_t forks();
/// Limits the threads of oneDNN's calls on this thread where libgomp answers them; our own answers use parallelism().
void setThreads(int threads);

/// While it lives, oneDNN's calls on this thread run single-threaded. Within a team of our pool they do so anyway, unless libgomp answers, which does not know
/// about our teams.
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
