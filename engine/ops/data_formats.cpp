// Converts axes and sizes from one order of dims (NHWC) to another (NCHW).
#include "ops/format_places.h"
#include "ops/registry.h"

namespace weft {
namespace {

Status runDimMap(KernelContext& c) {
  WEFT_LET(const std::vector<size_t> places, formatPlaces(c.node().attrs, false));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const auto n = int64_t(places.size());
  for (int64_t i = 0; i < in.elements(); ++i) {
    const auto v = int64_t(places[size_t((in.asInt(i) % n + n) % n)]);
    if (in.dtype() == DType::Int64) out->mutableData<int64_t>()[i] = v;
    else out->mutableData<int32_t>()[i] = int32_t(v);
  }
  return {};
}

Status runVecPermute(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const std::vector<size_t> places, vectorPlaces(c.node().attrs, in.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const int64_t row = in.rank() == 2 ? 2 : 1;
  for (int64_t i = 0; i < 4 * row; ++i) {
    const int64_t from = int64_t(places[size_t(i / row)]) * row + i % row;
    if (in.dtype() == DType::Int64) out->mutableData<int64_t>()[i] = in.at<int64_t>(from);
    else out->mutableData<int32_t>()[i] = in.at<int32_t>(from);
  }
  return {};
}

}  // namespace

Result<std::vector<size_t>> formatPlaces(const AttrMap& attrs, bool toSource) {
  const std::string from = attrs.text("src_format", "NHWC"), to = attrs.text("dst_format", "NCHW");
  if (from.size() != 4 && from.size() != 5) return invalidArgument("Source format must be of length 4 or 5, received src_format = ", from);
  if (to.size() != 4 && to.size() != 5) return invalidArgument("Destination format must be of length 4 or 5, received dst_format = ", to);
  const std::string &of = toSource ? to : from, &in = toSource ? from : to;
  std::vector<size_t> out;
  std::vector<bool> used(in.size());
  for (const char letter : of) {
    const size_t at = in.find(letter);
    if (at == std::string::npos || used[at] || of.size() != in.size()) {
      return invalidArgument("Destination and source format must determine a permutation, got ", from, " and ", to);
    }
    used[at] = true;
    out.push_back(at);
  }
  return out;
}

Result<std::vector<size_t>> vectorPlaces(const AttrMap& attrs, const Shape& in) {
  WEFT_LET(const std::vector<size_t> places, formatPlaces(attrs, true));
  if (in.rank() != 1 && in.rank() != 2) return invalidArgument("input must be a vector or 2D tensor, but got shape ", in.toString());
  if (in.rank() == 1 && in.dim(0) != 4) return invalidArgument("1D input must be of size 4, but got shape ", in.toString());
  if (in.rank() == 2 && in.dim(0) != 4) return invalidArgument("First dimension of 2D input must be of size 4, but got shape ", in.toString());
  if (in.rank() == 2 && in.dim(1) != 2) return invalidArgument("Second dimension of 2D input must be of size 2, but got shape ", in.toString());
  if (places.size() != 4) return invalidArgument("formats of 5 dims need 5 numbers, but got shape ", in.toString());
  return places;
}

void registerDataFormats(OpRegistry& ops) {
  const struct {
    const char *name, *summary, *input, *output;
    KernelFactory create;
  } all[] = {{"DataFormatDimMap", "Maps dimension indices from one data format to another, such as NHWC to NCHW.",
              "Dimension indices; negative values count from the end.", "The corresponding indices in the destination format.", simpleKernel(runDimMap)},
             {"DataFormatVecPermute", "Permutes a vector with one entry per dimension from one data format to another.",
              "[4], or [4, 2] with a pair of numbers per dimension.", "The entries in the destination order.", simpleKernel(runVecPermute)}};
  for (const auto& r : all) {
    ops.add(r.name)
        .category("Arrays")
        .keywords("layout NHWC NCHW transpose")
        .summary(r.summary)
        .input("x: T", r.input)
        .output("y: T", r.output)
        .attr("T: {int32, int64} = DT_INT32", "Type of the numbers.")
        .attr("src_format: string = 'NHWC'", "Source data format.")
        .attr("dst_format: string = 'NCHW'", "Destination data format.")
        .shape(shapes::unchanged)
        .noGradient("Integers have no gradient.")
        .cpu({{"T", types::kIndex}}, r.create)
        .gradientIsError = true;
  }
}

}  // namespace weft
