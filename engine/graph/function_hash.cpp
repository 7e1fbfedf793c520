#include "graph/function_hash.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstring>
#include <map>
#include <set>

#include "base/murmur_hash.h"
#include "proto/convert.h"
#include "proto/graph.pb.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

std::string hashedBytes(const google::protobuf::MessageLite& message) {
  std::string out;
  google::protobuf::io::StringOutputStream to(&out);
  google::protobuf::io::CodedOutputStream coded(&to);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return out;
}

void appendVarint(std::string& out, uint64_t v) {
  for (; v >= 128; v >>= 7) out += char(v | 128);
  out += char(v);
}

Result<uint64_t> attrHash(const tf::AttrValue& attr) {
  if (attr.has_tensor()) {
    // By the tensor's bytes, independent of how the values are encoded.
    WEFT_LET(const Tensor t, tensorFromProto(attr.tensor()));
    tf::TensorProto plain;
    plain.set_dtype(attr.tensor().dtype());
    plain.mutable_tensor_shape();
    for (const int64_t d : t.shape().dims()) plain.mutable_tensor_shape()->add_dim()->set_size(d);
    if (t.dtype() == DType::String) {
      std::string sizes, texts;
      for (int64_t i = 0; i < t.elements(); ++i) {
        appendVarint(sizes, t.data<std::string>()[i].size());
        texts += t.data<std::string>()[i];
      }
      plain.set_tensor_content(sizes + texts);
    } else if (t.bytes()) {
      plain.set_tensor_content(static_cast<const char*>(t.raw()), t.bytes());
    }
    return murmurHash(hashedBytes(plain));
  }
  if (!attr.has_func()) return murmurHash(hashedBytes(attr));
  uint64_t h = murmurHash(attr.func().name());
  const std::map<std::string, tf::AttrValue> sorted(attr.func().attr().begin(), attr.func().attr().end());
  for (const auto& [key, value] : sorted) {
    WEFT_LET(const uint64_t inner, attrHash(value));
    h = combineHashes(inner, murmurHash(key, h));
  }
  return h;
}

template <typename Attrs>
Result<uint64_t> attrsHash(const Attrs& attrs, uint64_t h) {
  const std::map<std::string, tf::AttrValue> sorted(attrs.begin(), attrs.end());
  for (const auto& [key, value] : sorted) {
    WEFT_LET(const uint64_t inner, attrHash(value));
    h = combineHashes(inner, murmurHash(key, h));
  }
  return h;
}

Result<uint64_t> nodeHash(const tf::NodeDef& node) {
  uint64_t h = murmurHash(node.device(), murmurHash(node.op(), murmurHash(node.name())));
  std::set<std::string> controls;
  for (const std::string& input : node.input()) {
    if (input.starts_with('^')) controls.insert(input);
    else h = murmurHash(input, h);
  }
  for (const std::string& control : controls) h = murmurHash(control, h);
  return attrsHash(node.attr(), h);
}

}  // namespace

Result<uint64_t> functionHash(const tf::FunctionDef& def) {
  uint64_t h = kHashSeed;  // of no attribute definitions
  const std::set<std::string> controls(def.signature().control_output().begin(), def.signature().control_output().end());
  for (const std::string& control : controls) h = combineHashes(h, murmurHash(control));
  tf::OpDef signature = def.signature();
  signature.clear_attr();
  signature.clear_control_output();
  h = murmurHash(hashedBytes(signature), h);
  WEFT_LET(h, attrsHash(def.attr(), h));
  std::map<std::string, const tf::NodeDef*> nodes;
  for (const tf::NodeDef& node : def.node_def()) nodes[node.name()] = &node;
  uint64_t body = kHashSeed;
  for (const auto& [name, node] : nodes) {
    WEFT_LET(const uint64_t one, nodeHash(*node));
    body = combineHashes(one, murmurHash(name, body));
  }
  h = combineHashes(body, h);
  const std::map<std::string, std::string> returns(def.ret().begin(), def.ret().end());
  for (const auto& [name, from] : returns) h = murmurHash(from, murmurHash(name, h));
  const std::map<std::string, std::string> controlReturns(def.control_ret().begin(), def.control_ret().end());
  for (const auto& [name, from] : controlReturns) h = murmurHash(from, murmurHash(name, h));
  return h;
}

std::string hashText(uint64_t hash) {
  // Base 64 of the eight bytes, with the characters that function names may not contain replaced by letters.
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789aA";
  unsigned char bytes[9] = {};
  std::memcpy(bytes, &hash, 8);
  std::string out;
  for (int i = 0; i < 9; i += 3) {
    const unsigned group = unsigned(bytes[i]) << 16 | unsigned(bytes[i + 1]) << 8 | bytes[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6) out += kDigits[group >> shift & 63];
  }
  out.resize(11);
  return out;
}

}  // namespace weft
