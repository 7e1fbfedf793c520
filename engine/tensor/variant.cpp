#include "tensor/variant.h"

#include <map>

#include "weft/mutex.h"

namespace weft {
namespace {

struct Decoders {
  Mutex mutex;
  std::map<std::string, DecodeVariant> byName WEFT_GUARDED_BY(mutex);
};
Decoders& decoders() {
  static Decoders all;
  return all;
}

}  // namespace

void setVariantDecoder(const std::string& typeName, DecodeVariant decode) {
  Decoders& all = decoders();
  const MutexLock lock(all.mutex);
  all.byName[typeName] = decode;
}

VariantObject::Made decodedVariant(EncodedVariant encoded) {
  DecodeVariant decode = nullptr;
  {
    Decoders& all = decoders();
    const MutexLock lock(all.mutex);
    if (const auto at = all.byName.find(encoded.typeName); at != all.byName.end()) decode = at->second;
  }
  if (!decode) return unimplemented("A variant of type \"", encoded.typeName, "\" cannot be read");
  return decode(std::move(encoded));
}

}  // namespace weft
