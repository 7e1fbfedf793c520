#pragma once

#include <cstdint>
#include <type_traits>

#include "weft/export.h"

/// The process's compute threads. One pool serves the kernels (parallelFor) and oneDNN (openmp_calls.cpp): whoever forks takes workers that
/// are free, works along as number 0, and returns when all have ended. Workers that have nothing to do look for work for a moment, then sleep.
namespace weft::pool {

using Body = void (*)(void* arg, int index);

/// Calls body(arg, i) for each i in [0, threads), all at the same time, each on a thread of its own; the caller is number 0. Makes workers where
/// too few are free. From within a team: body(arg, 0) only, and size() is 1 there. What a body throws first is thrown here, after all have ended.
WEFT_API void fork(int threads, Body body, void* arg);
/// Calls body(arg, i) for each i in [0, parts) on the caller and those workers that are free, at most one for each part; a thread takes
/// every size()-th part. Never makes more workers than processors need. Parts must not wait for one another. Throws like fork.
WEFT_API void share(int parts, Body body, void* arg);

/// Whether this thread is one of several of a team.
WEFT_API bool inTeam();
/// This thread's number in its team; 0 outside.
WEFT_API int index();
/// Threads of this thread's team; 1 outside.
WEFT_API int size();
/// Waits until all threads of the team are here.
WEFT_API void barrier();
/// Workers made so far.
WEFT_API int workers();

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
