// The modules of tf.*, each of which states its functions.
#include "api/records.h"

namespace weft::api {

void registerApi(ApiRegistry& r) {
  registerOpFunctions(r);
  registerArrays(r);
}

}  // namespace weft::api
