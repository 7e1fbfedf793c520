#include "base/openmp_calls.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <dnnl.hpp>

#include "base/parallel.h"
#include "base/pool.h"

// Debian's oneDNN calls six functions of libgomp (`nm -D --undefined-only libdnnl.so`). They are defined below under the same names. libweft-engine precedes
// libgomp in every lookup order that contains both: the program's and that of a module loaded by Python.
namespace weft::openmp {
namespace {

std::atomic<int64_t> forkCount{0};
thread_local constinit int questions = 0;  ///< Calls from oneDNN on this thread.

using Function = void (*)(void*);

/// libgomp's own functions, for callers other than oneDNN.
struct Libgomp {
  void (*parallel)(Function, void*, unsigned, unsigned) = nullptr;
  void (*barrier)() = nullptr;
  int (*maxThreads)() = nullptr;
  int (*threads)() = nullptr;
  int (*thread)() = nullptr;
  int (*inParallel)() = nullptr;
  void (*setThreads)(int) = nullptr;

  Libgomp() {
    void* const library = ::dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);  // loaded already, because oneDNN needs it
    if (!library) return;
    find(library, "GOMP_parallel", parallel);
    find(library, "GOMP_barrier", barrier);
    find(library, "omp_get_max_threads", maxThreads);
    find(library, "omp_get_num_threads", threads);
    find(library, "omp_get_thread_num", thread);
    find(library, "omp_in_parallel", inParallel);
    find(library, "omp_set_num_threads", setThreads);
  }

  template <typename F>
  static void find(void* library, const char* name, F& function) {
    function = reinterpret_cast<F>(::dlsym(library, name));
  }

  static const Libgomp& instance() {
    static const Libgomp libgomp;
    return libgomp;
  }
};

/// The address range of a loaded library.
struct Range {
  uintptr_t begin = 0, end = 0;
  bool holds(const void* address) const { return uintptr_t(address) - begin < end - begin; }

  static Range around(uintptr_t address) {
    struct Search {
      uintptr_t address;
      Range found;
    } search{address, {}};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* data) {
          auto& s = *static_cast<Search*>(data);
          Range all{UINTPTR_MAX, 0};
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            if (part.p_type != PT_LOAD) continue;
            all.begin = std::min<uintptr_t>(all.begin, info->dlpi_addr + part.p_vaddr);
            all.end = std::max<uintptr_t>(all.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
          }
          if (s.address < all.begin || s.address >= all.end) return 0;
          s.found = all;
          return 1;
        },
        &search);
    return search.found;
  }
};

/// Whether the code at `address` is oneDNN's or ours. oneDNN may have tail-called into ours.
bool ours(const void* address) {
  static const Range oneDnn = Range::around(reinterpret_cast<uintptr_t>(&dnnl_sgemm)), engine = Range::around(reinterpret_cast<uintptr_t>(&forkCount));
  return oneDnn.holds(address) || engine.holds(address);
}

}  // namespace

bool answered() {
  static const bool here = [] {
    const int before = questions;
    try {
      const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
      const dnnl::memory::desc one({1, 1}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
      const dnnl::reorder::primitive_desc asksForThreads(engine, one, engine, one);
    } catch (const dnnl::error&) {
      return false;
    }
    return questions != before;
  }();
  return here;
}

int64_t forks() { return forkCount.load(std::memory_order_relaxed); }

void setThreads(int threads) {
  if (!answered() && Libgomp::instance().setThreads) Libgomp::instance().setThreads(threads);
}

OneThread::OneThread() {
  if (answered() || !Libgomp::instance().setThreads) return;
  before_ = Libgomp::instance().maxThreads();
  Libgomp::instance().setThreads(1);
}

OneThread::~OneThread() {
  if (before_ > 0) Libgomp::instance().setThreads(before_);
}

}  // namespace weft::openmp

// These names belong to C and OpenMP; callers declare them through their own headers.
extern "C" {

WEFT_API void GOMP_parallel(weft::openmp::Function function, void* data, unsigned threads, unsigned flags) {
  using namespace weft;
  if (!openmp::ours(__builtin_return_address(0))) return openmp::Libgomp::instance().parallel(function, data, threads, flags);
  struct Call {
    openmp::Function function;
    void* data;
  } call{function, data};
  const int wanted = threads > 0 ? int(threads) : parallelism();
  if (wanted > 1) openmp::forkCount.fetch_add(1, std::memory_order_relaxed);
  pool::fork(
      wanted, [](void* arg, int) { static_cast<Call*>(arg)->function(static_cast<Call*>(arg)->data); }, &call);
}

WEFT_API void GOMP_barrier() {
  if (!weft::openmp::ours(__builtin_return_address(0))) return weft::openmp::Libgomp::instance().barrier();
  weft::pool::barrier();
}

WEFT_API int omp_get_max_threads() {
  if (!weft::openmp::ours(__builtin_return_address(0))) return weft::openmp::Libgomp::instance().maxThreads();
  ++weft::openmp::questions;
  return weft::parallelism();
}

WEFT_API int omp_get_num_threads() {
  if (!weft::openmp::ours(__builtin_return_address(0))) return weft::openmp::Libgomp::instance().threads();
  return weft::pool::size();
}

WEFT_API int omp_get_thread_num() {
  if (!weft::openmp::ours(__builtin_return_address(0))) return weft::openmp::Libgomp::instance().thread();
  return weft::pool::index();
}

WEFT_API int omp_in_parallel() {
  if (!weft::openmp::ours(__builtin_return_address(0))) return weft::openmp::Libgomp::instance().inParallel();
  return weft::pool::inTeam();
}

}  // extern "C"
