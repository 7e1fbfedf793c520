#pragma once

#include <cstdint>
#include <type_traits>

#include "weft/export.h"

/// The process's compute threads. One pool serves the kernels (parallelFor) and oneDNN (openmp_calls.cpp). The forking thread takes free workers, works along
/// as number 0, and returns when all have ended. Idle workers spin briefly while looking for work, then sleep.
namespace weft::pool {

using Body = void (*)(void* arg, int index);

/// Calls body(arg, i) for each i in [0, threads) concurrently, each on a separate thread; the caller is number 0. Creates workers if too few are free. Within a
/// team, only body(arg, 0) is called, and size() is 1 there. Rethrows the first exception after all have ended.
WEFT_API void fork(int threads, Body body, void* arg);
/// Calls body(arg, i) for each i in [0, parts) on the caller and on free workers, at most one per part; a thread takes every size()-th part. Never creates more
/// workers than there are processors. Parts must not wait for one another. Rethrows as fork() does.
WEFT_API void share(int parts, Body body, void* arg);

/// Whether this thread belongs to a team of several threads.
WEFT_API bool inTeam();
/// This thread's number in its team; 0 outside.
WEFT_API int index();
/// Threads of this thread's team; 1 outside.
WEFT_API int size();
/// Waits until all threads of the team have arrived.
WEFT_API void barrier();
/// Number of workers created so far.
WEFT_API int workers();
/// How often this thread has asked for several threads or parts outside of a team. Whether a call changes it tells whether the call can use several threads.
WEFT_API uint64_t asked();

template <typename F>
void fork(int threads, F&& body) {
  using T = std::remove_reference_t<F>;
  fork(
      threads, [](void* p, int i) { (*static_cast<T*>(p))(i); }, const_cast<void*>(static_cast<const void*>(&body)));
}

template <typename F>
void share(int parts, F&& body) {
  using T = std::remove_reference_t<F>;
  share(
      parts, [](void* p, int i) { (*static_cast<T*>(p))(i); }, const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace weft::pool
