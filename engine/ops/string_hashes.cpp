#include <farmhash.h>

#include <bit>
#include <cstring>

#include "base/murmur_hash.h"
#include "ops/registry.h"
#include "ops/text_map.h"

// Hash buckets and fingerprints of strings and bytes. The values are TensorFlow's, so that models trained there remain valid.
namespace weft {
namespace {

uint64_t load64(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return v;
}

/// The hash of StringToHashBucket.
uint64_t murmur64(const std::string& s) { return murmurHash(s); }

/// SipHash-2-4 of Aumasson and Bernstein under a key of 128 bits.
uint64_t sipHash(const uint64_t key[2], const std::string& s) {
  uint64_t v0 = 0x736f6d6570736575u ^ key[0], v1 = 0x646f72616e646f6du ^ key[1], v2 = 0x6c7967656e657261u ^ key[0], v3 = 0x7465646279746573u ^ key[1];
  const auto round = [&] {
    v0 += v1, v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0, v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32);
    v2 += v1, v0 += v3;
    v1 = std::rotl(v1, 17) ^ v2, v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  };
  const auto absorb = [&](uint64_t word) {
    v3 ^= word;
    round(), round();
    v0 ^= word;
  };
  size_t at = 0;
  for (; at + 8 <= s.size(); at += 8) absorb(load64(s.data() + at));
  uint64_t last = uint64_t(s.size()) << 56;
  for (size_t i = 0; at + i < s.size(); ++i) last |= uint64_t(uint8_t(s[at + i])) << (8 * i);
  absorb(last);
  v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) round();
  return v0 ^ v1 ^ v2 ^ v3;
}

template <typename F>
Status bucketsOf(KernelContext& c, F&& hash) {
  const Tensor& in = c.input(0);
  const uint64_t buckets = uint64_t(c.node().attrs.integer("num_buckets"));
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  const std::string* x = in.data<std::string>();
  int64_t* y = out->mutableData<int64_t>();
  parallelFor(in.elements(), 2 * kTextGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = int64_t(hash(x[i]) % buckets);
  });
  return {};
}

Status runFast(KernelContext& c) {
  return bucketsOf(c, [](const std::string& s) { return util::Fingerprint64(s.data(), s.size()); });
}
Status runMurmur(KernelContext& c) { return bucketsOf(c, murmur64); }
Result<std::unique_ptr<Kernel>> makeStrong(KernelInit& init) {
  const auto key = init.attrs().integers("key");
  if (key.size() != 2) return invalidArgument("Key must have 2 elements");
  return functionKernel([k0 = uint64_t(key[0]), k1 = uint64_t(key[1])](KernelContext& c) -> Status {
    const uint64_t both[2] = {k0, k1};
    return bucketsOf(c, [&](const std::string& s) { return sipHash(both, s); });
  });
}

Status fingerprintShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 0));
  c.setOutput(0, Shape{c.input(0).hasRank() ? c.input(0).dim(0) : Shape::kUnknownDim, 8});
  return {};
}
Status runFingerprint(KernelContext& c) {
  const Tensor &in = c.input(0), &method = c.input(1);
  if (in.rank() < 1) return invalidArgument("`data` should have at least one dimension.");
  if (method.rank() != 0) return invalidArgument("`method` should be a scalar string: ", method.shape().toString());
  if (method.data<std::string>()[0] != "farmhash64") return invalidArgument("Unsupported fingerprint method: ", method.data<std::string>()[0]);
  const int64_t rows = in.dim(0), width = rows > 0 ? in.elements() / rows : 0;
  WEFT_LET(Tensor* out, c.allocate(0, Shape{rows, 8}));
  for (int64_t r = 0; r < rows; ++r) {
    uint64_t print;
    if (in.dtype() == DType::String) {
      // A single string gives its fingerprint; several give the fingerprint of their fingerprints.
      const std::string* s = in.data<std::string>() + r * width;
      std::vector<uint64_t> prints;
      for (int64_t k = 0; k < width; ++k) prints.push_back(util::Fingerprint64(s[k].data(), s[k].size()));
      print = width == 1 ? prints[0] : util::Fingerprint64(reinterpret_cast<const char*>(prints.data()), prints.size() * 8);
    } else {
      const size_t bytes = size_t(width) * sizeOf(in.dtype());
      print = util::Fingerprint64(static_cast<const char*>(in.raw()) + size_t(r) * bytes, bytes);
    }
    for (int b = 0; b < 8; ++b) out->mutableData<uint8_t>()[r * 8 + b] = uint8_t(print >> (8 * b));
  }
  return {};
}

void addBuckets(OpRegistry& ops, const char* name, const char* input, bool keyed, KernelFactory create, const char* summary) {
  OpRecord& r = ops.add(name)
                    .category("Strings")
                    .keywords("categorical embedding vocabulary")
                    .summary(summary)
                    .noGradient(kNoNumbers)
                    .input(std::string(input) + ": string", "Strings.")
                    .output("output: int64", "Bucket index of each string.")
                    .attr("num_buckets: int >= 1", "Number of buckets.");
  if (keyed) r.attr("key: list(int)", "Key of the hash: two integers.");
  r.shape(shapes::unchanged).cpu({}, std::move(create));
}

}  // namespace

void registerStringHashes(OpRegistry& ops) {
  addBuckets(ops, "StringToHashBucketFast", "input", false, simpleKernel(runFast),
             "Hashes strings to buckets with a fast hash that is stable across platforms.");
  addBuckets(ops, "StringToHashBucket", "string_tensor", false, simpleKernel(runMurmur),
             "Hashes strings to buckets with an older hash; prefer StringToHashBucketFast.");
  addBuckets(ops, "StringToHashBucketStrong", "input", true, makeStrong,
             "Hashes strings to buckets with a keyed hash, so that collisions cannot be provoked without the key.");
  ops.add("Fingerprint")
      .category("Strings")
      .summary("64-bit fingerprint of each row, as eight bytes.")
      .noGradient("Fingerprints are not differentiable.")
      .input("data: T", "Rows along the first dimension.")
      .input("method: string", "Hash function; farmhash64.")
      .output("fingerprint: uint8", "[rows, 8].")
      .attr("T: type", "Type of the elements.")
      .shape(fingerprintShape)
      .cpu({}, simpleKernel(runFingerprint));
}

}  // namespace weft
