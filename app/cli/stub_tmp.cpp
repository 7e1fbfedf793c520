#include "weft/builder.h"
namespace weft {
Result<std::vector<Gradient>> addGradients(GraphBuilder&, const std::vector<Output>&, const std::vector<Output>&, const GradientsOptions&) { return unimplemented("grad"); }
}
