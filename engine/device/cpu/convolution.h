#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "weft/error.h"
#include "weft/export.h"
#include "weft/mutex.h"

namespace weft::cpu {

/// A two-dimensional convolution: images are NHWC, filters [height, width, in, out].
struct ConvGeometry {
  int64_t batch = 0, inHeight = 0, inWidth = 0, inChannels = 0, outHeight = 0, outWidth = 0, outChannels = 0;
  int64_t kernelHeight = 0, kernelWidth = 0, strideHeight = 1, strideWidth = 1, dilationHeight = 1, dilationWidth = 1;
  int64_t padTop = 0, padBottom = 0, padLeft = 0, padRight = 0;
  int64_t groups = 1;  ///< Output channels of group i use only the input channels of group i; filters are then [height, width, in, out / groups].
  bool operator==(const ConvGeometry&) const = default;

  int64_t inputElements() const { return batch * inHeight * inWidth * inChannels; }
  int64_t filterElements() const { return kernelHeight * kernelWidth * inChannels * outChannels / groups; }
  int64_t outputElements() const { return batch * outHeight * outWidth * outChannels; }
};

/// Which of the three tensors is computed from the other two.
enum class ConvDirection { Output, Input, Filter };

/// A oneDNN primitive for one geometry, with the reorders between formats. Immutable; several threads may call run() at once.
class WEFT_API DnnlConvolution {
 public:
  /// Tries the fast formats and takes the first for which oneDNN has optimised code; UNIMPLEMENTED if there is none. The primitive is made for this thread's
  /// current parallelism(). A gradient of the filter is split over the images, one primitive of one thread for each part, because oneDNN's threads would wait for
  /// one another in a loop: while another program runs on the processor of one, all would be lost.
  static Result<std::shared_ptr<const DnnlConvolution>> make(ConvDirection direction, const ConvGeometry& g);
  ~DnnlConvolution();

  /// Bytes of scratch memory that run() needs, 64-byte aligned.
  size_t scratchBytes() const;
  /// Writes the tensor chosen by the direction and reads the other two.
  Status run(float* input, float* filter, float* output, void* scratch) const;
  /// oneDNN's name of the implementation ("brgconv:avx512_core").
  const std::string& implementation() const;

 private:
  struct Impl;
  struct Parts;
  explicit DnnlConvolution(std::unique_ptr<Impl> impl, std::unique_ptr<Parts> parts = nullptr);
  static Result<std::shared_ptr<const DnnlConvolution>> makeInParts(const ConvGeometry& g, int threads);
  Status runParts(float* input, float* filter, float* output, char* scratch) const;
  std::unique_ptr<Impl> impl_;  ///< With parts, that of the first.
  std::unique_ptr<Parts> parts_;
};

/// The primitives of one kernel, keyed by geometry and number of threads; beyond 16, the oldest is dropped. Thread-safe.
template <typename Convolution>
class ConvolutionsOf {
 public:
  Result<std::shared_ptr<const Convolution>> get(ConvDirection direction, const ConvGeometry& g) {
    const int threads = parallelism();
    const MutexLock lock(mutex_);
    for (const Entry& e : entries_) {
      if (e.threads == threads && e.direction == direction && e.geometry == g) return e.primitive;
    }
    WEFT_LET(auto made, Convolution::make(direction, g));
    if (entries_.size() >= 16) entries_.erase(entries_.begin());
    entries_.push_back({direction, g, threads, made});
    return made;
  }

 private:
  struct Entry {
    ConvDirection direction;
    ConvGeometry geometry;
    int threads;
    std::shared_ptr<const Convolution> primitive;
  };
  Mutex mutex_;
  std::vector<Entry> entries_ WEFT_GUARDED_BY(mutex_);
};
using ConvolutionCache = ConvolutionsOf<DnnlConvolution>;

/// The same by im2col and a matrix product: for float64, and where oneDNN has nothing fast. Images are NHWC, filters HWIO; the tensor chosen by the direction
/// is written. REQUIRES: one group.
template <typename T>
WEFT_API void unfoldedConvolution(ConvDirection direction, const ConvGeometry& g, T* input, T* filter, T* output);

}  // namespace weft::cpu
