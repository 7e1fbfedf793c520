// The modules of tf.*, each of which defines its functions.
#include "api/records.h"

namespace weft::api {

void registerApi(ApiRegistry& r) {
  registerOpFunctions(r);
  registerArrays(r);
  registerMath(r);
  registerChecks(r);
  registerRandom(r);
  registerNn(r);
  registerConvolutions(r);
  registerLosses(r);
  registerMetricFunctions(r);
  registerLayerFunctions(r);
  registerImages(r);
  registerSparse(r);
  registerStrings(r);
  registerLinearAlgebra(r);
}

}  // namespace weft::api
