// A library to preload (LD_PRELOAD) that makes one call of a program fail: the disk is full, a file cannot be read, memory is exhausted.
//   WEFT_FAULT=KIND:N:ERRNO  the N-th call (from 0) of KIND fails: open, read, write, sync, rename, close, folder, memory
//   WEFT_FAULT_FOLDER=PATH   only files below it count; memory requests count once one of them has been opened
//   WEFT_FAULT_COUNT=FILE    receives the number of calls of KIND at exit
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <new>

enum { kFiles = 4096 };
static char kind[16];
static long nth = -1;
static int number = EIO;
static const char* folder;
static std::atomic<long> calls;
static std::atomic<int> begun;
static unsigned char watched[kFiles];

__attribute__((constructor)) static void begin(void) {
  const char* fault = getenv("WEFT_FAULT");
  folder = getenv("WEFT_FAULT_FOLDER");
  if (fault) sscanf(fault, "%15[^:]:%ld:%d", kind, &nth, &number);
}

__attribute__((destructor)) static void end(void) {
  const char* path = getenv("WEFT_FAULT_COUNT");
  if (!path) return;
  const int file = (int)open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) return;
  char text[32];
  const int n = snprintf(text, sizeof text, "%ld\n", calls.load());
  if (write(file, text, (size_t)n) < 0) return;
  close(file);
}

/// The original function. NAME must not be overloaded.
#define NEXT(name) (reinterpret_cast<decltype(&::name)>(dlsym(RTLD_NEXT, #name)))
template <typename F>
static F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

static int is(const char* what) { return kind[0] == what[0] && strcmp(kind, what) == 0; }
static int below(const char* path) { return folder && path && strncmp(path, folder, strlen(folder)) == 0; }
static int fails(const char* what) {
  if (!is(what) || calls.fetch_add(1) != nth) return 0;
  errno = number;
  return 1;
}
static int isWatched(int file) { return file >= 0 && file < kFiles && watched[file]; }

static int opened(int (*next)(const char*, int, ...), const char* path, int flags, mode_t mode) {
  const int mine = below(path);
  if (mine) {
    begun.store(1);
    if (fails("open")) return -1;
  }
  const int file = next(path, flags, mode);
  if (file >= 0 && file < kFiles) watched[file] = (unsigned char)mine;
  return file;
}

extern "C" {
int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? (mode_t)va_arg(more, int) : 0;
  va_end(more);
  static const auto function = next<int (*)(const char*, int, ...)>("open");
  return opened(function, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? (mode_t)va_arg(more, int) : 0;
  va_end(more);
  static const auto function = next<int (*)(const char*, int, ...)>("open64");
  return opened(function, path, flags, mode);
}
ssize_t read(int file, void* into, size_t bytes) { return isWatched(file) && fails("read") ? -1 : NEXT(read)(file, into, bytes); }
ssize_t pread(int file, void* into, size_t bytes, off_t at) { return isWatched(file) && fails("read") ? -1 : NEXT(pread)(file, into, bytes, at); }
ssize_t pread64(int file, void* into, size_t bytes, off64_t at) { return isWatched(file) && fails("read") ? -1 : NEXT(pread64)(file, into, bytes, at); }
// A disk that fills up accepts a part first.
ssize_t write(int file, const void* from, size_t bytes) {
  if (isWatched(file) && is("write")) {
    const long call = calls.fetch_add(1);
    if (call == nth && bytes > 1) return NEXT(write)(file, from, bytes / 2);
    if (call == nth || call == nth + 1) {
      if (nth >= 0) {
        errno = number;
        return -1;
      }
    }
  }
  return NEXT(write)(file, from, bytes);
}
int fsync(int file) { return isWatched(file) && fails("sync") ? -1 : NEXT(fsync)(file); }
int close(int file) {
  const int mine = isWatched(file);
  if (file >= 0 && file < kFiles) watched[file] = 0;
  const int status = NEXT(close)(file);
  return mine && fails("close") ? -1 : status;
}
int rename(const char* from, const char* to) noexcept { return below(to) && fails("rename") ? -1 : NEXT(rename)(from, to); }
int mkdir(const char* path, mode_t mode) noexcept { return below(path) && fails("folder") ? -1 : NEXT(mkdir)(path, mode); }
}

// Memory: C functions, and C++ operators too, because an allocator loaded before the C library implements both.
static thread_local int generating = 0;
static bool memoryFails() { return begun.load(std::memory_order_relaxed) && !generating && fails("memory"); }

extern "C" {
void* malloc(size_t n) noexcept {
  static const auto function = next<void* (*)(size_t)>("malloc");
  return memoryFails() ? nullptr : function(n);
}
void* realloc(void* p, size_t n) noexcept {
  static const auto function = next<void* (*)(void*, size_t)>("realloc");
  return memoryFails() ? nullptr : function(p, n);
}
void* aligned_alloc(size_t a, size_t n) noexcept {
  static const auto function = next<void* (*)(size_t, size_t)>("aligned_alloc");
  return memoryFails() ? nullptr : function(a, n);
}
int posix_memalign(void** into, size_t alignment, size_t bytes) noexcept {
  static const auto function = next<int (*)(void**, size_t, size_t)>("posix_memalign");
  return memoryFails() ? ENOMEM : function(into, alignment, bytes);
}
}

void* operator new(std::size_t n) {
  static const auto function = next<void* (*)(std::size_t)>("_Znwm");
  if (memoryFails()) throw std::bad_alloc();
  return function(n);
}
void* operator new[](std::size_t n) {
  static const auto function = next<void* (*)(std::size_t)>("_Znam");
  if (memoryFails()) throw std::bad_alloc();
  return function(n);
}
void* operator new(std::size_t n, const std::nothrow_t& t) noexcept {
  static const auto function = next<void* (*)(std::size_t, const std::nothrow_t&)>("_ZnwmRKSt9nothrow_t");
  return memoryFails() ? nullptr : function(n, t);
}
void* operator new(std::size_t n, std::align_val_t a) {
  static const auto function = next<void* (*)(std::size_t, std::align_val_t)>("_ZnwmSt11align_val_t");
  if (memoryFails()) throw std::bad_alloc();
  return function(n, a);
}

// oneDNN 2.7 generates the code of a matrix product in its first call, and crashes if it gets no memory for it, so requests of the first call do not count.
// Later calls report the error.
extern "C" int dnnl_sgemm(char transA, char transB, int64_t m, int64_t n, int64_t k, float alpha, const float* a, int64_t lda, const float* b, int64_t ldb,
                          float beta, float* c, int64_t ldc) {
  static const auto function = next<decltype(&dnnl_sgemm)>("dnnl_sgemm");
  static std::atomic<bool> generated[2][2][2];
  const auto isTransposed = [](char trans) { return trans == 'T' || trans == 't'; };
  const bool first = !generated[isTransposed(transA)][isTransposed(transB)][beta != 0].exchange(true);
  generating += first;
  const int status = function(transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  generating -= first;
  return status;
}
