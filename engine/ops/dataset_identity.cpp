#include <algorithm>
#include <map>

#include "base/murmur_hash.h"
#include "graph/function_library.h"
#include "ops/datasets.h"

// Fingerprints of data sets: ops, attributes and input values, whatever the names of nodes and functions.
namespace weft {
namespace {

uint64_t hashOf(const Tensor& t) {
  uint64_t h = murmurHash(concat(dtypeName(t.dtype()), t.shape().toString()));
  if (t.dtype() == DType::String) {
    for (const std::string& s : t.flat<std::string>()) h = combineHashes(h, murmurHash(s));
  } else if (t.dtype() == DType::Resource) {
    for (const ResourceHandle& r : t.flat<ResourceHandle>()) h = combineHashes(h, murmurHash(r.container + "/" + r.name));
  } else if (t.bytes() > 0) {
    h = combineHashes(h, murmurHash({static_cast<const char*>(t.raw()), t.bytes()}));
  }
  return h;
}

Result<uint64_t> hashOf(const FuncAttr& f, const std::shared_ptr<const FunctionLibrary>& functions);

Result<uint64_t> hashOf(const AttrMap& attrs, const std::shared_ptr<const FunctionLibrary>& functions) {
  uint64_t h = 0;
  for (const auto& [name, attr] : attrs) {
    if (name.starts_with('_')) continue;
    uint64_t value = 0;
    if (const auto* f = attr.get<FuncAttr>()) {
      WEFT_LET(value, hashOf(*f, functions));
    } else if (const auto* list = attr.get<std::vector<FuncAttr>>()) {
      for (const FuncAttr& f : *list) {
        WEFT_LET(const uint64_t one, hashOf(f, functions));
        value = combineHashes(value, one);
      }
    } else if (const auto* t = attr.get<Tensor>()) {
      value = hashOf(*t);
    } else {
      value = murmurHash(attr.toString());
    }
    h += combineHashes(murmurHash(name), value);  // in any order
  }
  return h;
}

/// Hashes the nodes of a function's body by what they compute.
class BodyHash {
 public:
  explicit BodyHash(const FunctionBody& body) : body_(body) {}
  Result<uint64_t> hash() {
    uint64_t h = 0;
    for (size_t i = 0; i < body_.args.size(); ++i) known_[body_.args[i].node] = combineHashes(murmurHash("argument"), i);
    for (const Output& result : body_.results) {
      WEFT_LET(const uint64_t one, ofOutput(result));
      h = combineHashes(h, one);
    }
    uint64_t targets = 0;
    for (const std::string& name : body_.targets) {
      WEFT_LET(const uint64_t one, ofNode(body_.graph.find(name)->id));
      targets += one;
    }
    return combineHashes(h, targets);
  }

 private:
  Result<uint64_t> ofOutput(const Output& o) {
    WEFT_LET(const uint64_t node, ofNode(o.node));
    return combineHashes(node, uint64_t(o.index));
  }
  Result<uint64_t> ofNode(int id) {
    const auto [at, isNew] = known_.try_emplace(id, murmurHash("loop"));
    if (!isNew) return at->second;
    const Node& node = *body_.graph.node(id);
    uint64_t h = murmurHash(body_.graph.functions && body_.graph.functions->contains(node.op) ? "call" : node.op);
    if (body_.graph.functions && body_.graph.functions->contains(node.op)) {
      WEFT_LET(const uint64_t called, hashOf(FuncAttr{node.op, std::make_shared<const AttrMap>(node.attrs)}, body_.graph.functions));
      h = combineHashes(h, called);
    } else {
      WEFT_LET(const uint64_t attrs, hashOf(node.attrs, body_.graph.functions));
      h = combineHashes(h, attrs);
    }
    for (const Output& in : node.inputs) {
      WEFT_LET(const uint64_t one, ofOutput(in));
      h = combineHashes(h, one);
    }
    uint64_t controls = 0;
    for (const int control : node.controls) {
      WEFT_LET(const uint64_t one, ofNode(control));
      controls += one;
    }
    return known_[id] = combineHashes(h, controls);
  }

  const FunctionBody& body_;
  std::map<int, uint64_t> known_;
};

Result<uint64_t> hashOf(const FuncAttr& f, const std::shared_ptr<const FunctionLibrary>& functions) {
  static const AttrMap kNone;
  if (!functions) return internalError("Function ", f.name, " is not known");
  WEFT_LET(const auto body, functions->instantiate(f.name, f.attrs ? *f.attrs : kNone));
  return BodyHash(*body).hash();
}

}  // namespace

Result<uint64_t> fingerprintOf(const DatasetBase& dataset) {
  const DatasetOrigin* origin = dataset.origin();
  if (!origin) return unimplemented("A data set that rewrites made has no fingerprint");
  WEFT_LET(const uint64_t attrs, hashOf(origin->op->attrs, origin->op->functions));
  uint64_t h = combineHashes(murmurHash(origin->op->name), attrs);
  for (const Tensor& t : origin->inputs) {
    auto input = t.dtype() == DType::Variant ? datasetIn(t) : Result<DatasetPtr>(DatasetPtr());
    if (!input.ok()) return input.error();
    uint64_t one = *input ? 0 : hashOf(t);
    if (*input) {
      WEFT_LET(one, fingerprintOf(**input));
    }
    h = combineHashes(h, one);
  }
  return h;
}

}  // namespace weft
