#include "proto/meta_graph.pb.h"

// Under ThreadSanitizer only: protobuf makes its pool of descriptors when a message is first asked for its own, on whatever thread that is,
// and guards it with a static variable's guard in the distribution's library, which is not instrumented. Made here, before there are threads,
// it is no race for anybody.
#ifdef _GLIBCXX_TSAN
namespace {
[[maybe_unused]] const auto* const kMadeFirst = tensorflow::GraphDef::descriptor();
}
#endif
