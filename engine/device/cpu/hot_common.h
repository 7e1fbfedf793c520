// Included first by the files that are compiled once per instruction set, with WEFT_ISA_NAME = v2, v3 or v4. Eigen's namespace is renamed for each, so that the
// linker keeps the copies apart.
#define WEFT_JOIN2(a, b) a##b
#define WEFT_JOIN(a, b) WEFT_JOIN2(a, b)
#define WEFT_QUOTE2(a) #a
#define WEFT_QUOTE(a) WEFT_QUOTE2(a)
#define Eigen WEFT_JOIN(Eigen_, WEFT_ISA_NAME)
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#include <Eigen/Core>

#include "device/cpu/hot.h"

#if defined(__clang__)
#define WEFT_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define WEFT_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace {
namespace ei = Eigen::internal;
typedef ei::packet_traits<float>::type Packet;
constexpr long kLanes = ei::unpacket_traits<Packet>::size;

inline Packet splat(float v) { return ei::pset1<Packet>(v); }
}  // namespace
