#include "weft/arrays.h"
#include "weft/builder.h"
namespace weft {
#ifdef STUB_ARRAYS
Result<Tensor> loadNpy(const std::string&) { return unimplemented("npy"); }
Status saveNpy(const std::string&, const Tensor&) { return unimplemented("npy"); }
Result<std::vector<std::pair<std::string, Tensor>>> loadNpz(const std::string&) { return unimplemented("npz"); }
Status saveNpz(const std::string&, const std::vector<std::pair<std::string, Tensor>>&) { return unimplemented("npz"); }
#endif
#ifdef STUB_BUILDER
struct GraphBuilder::Impl {};
GraphBuilder::GraphBuilder(MetaGraph&) {}
GraphBuilder::~GraphBuilder() {}
Output GraphBuilder::constant(Tensor, std::string_view) { return {}; }
static Status gS;
const Status& GraphBuilder::status() const { return gS; }
Result<std::vector<Gradient>> addGradients(GraphBuilder&, const std::vector<Output>&, const std::vector<Output>&, const GradientsOptions&) { return unimplemented("grad"); }
#endif
}
