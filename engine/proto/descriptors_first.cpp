#include "proto/meta_graph.pb.h"

// For ThreadSanitizer only. Protobuf creates its descriptor pool when a message descriptor is first requested, on any thread, guarded by a static variable's
// guard in the distribution's library, which is not instrumented. Creating it here, before there are other threads, avoids a false report of a race.
#ifdef _GLIBCXX_TSAN
namespace {
[[maybe_unused]] const auto* const kMadeFirst = tensorflow::GraphDef::descriptor();
}
#endif
