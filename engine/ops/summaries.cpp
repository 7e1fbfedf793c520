#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_set>

#include "ops/registry.h"
#include "ops/summaries.h"
#include "proto/convert.h"
#include "proto/summary.pb.h"
#include "summary/histogram.h"
#include "summary/png.h"
#include "tensor/element_types.h"

// Ops that create Summary messages, which a training run writes to its event file.
namespace weft {
namespace {

bool isOne(const Tensor& t) { return t.rank() == 0 || (t.rank() == 1 && t.dim(0) == 1); }

Status setMessage(KernelContext& c, const tensorflow::Summary& summary) {
  std::string bytes;
  if (!summary.SerializeToString(&bytes)) return internalError("A summary cannot be encoded");
  c.setOutput(0, Tensor::scalar(std::move(bytes)));
  return {};
}

Status scalarSummary(KernelContext& c) {
  const Tensor& tags = c.input(0);
  const Tensor& values = c.input(1);
  if (!(tags.shape() == values.shape()) && !(isOne(tags) && isOne(values))) {
    const std::string tag = tags.elements() == 1 ? " (tag '" + tags.at<std::string>(0) + "')" : "";
    return invalidArgument("tags and values not the same shape: ", tags.shape().toString(), " != ", values.shape().toString(), tag);
  }
  tensorflow::Summary summary;
  for (int64_t i = 0; i < values.elements(); ++i) {
    auto* v = summary.add_value();
    v->set_tag(tags.at<std::string>(i));
    v->set_simple_value(float(values.asDouble(i)));
  }
  return setMessage(c, summary);
}

Status histogramSummary(KernelContext& c) {
  if (!isOne(c.input(0))) return invalidArgument("tags must be scalar");
  tensorflow::Summary summary;
  WEFT_TRY(addHistogram(c.input(0).at<std::string>(0), c.input(1), c.node().name, summary));
  return setMessage(c, summary);
}

/// Converts one image of `pixels` x `depth` numbers to bytes. Without negative values, the largest is scaled to 255. Otherwise 0 becomes 128 and the largest
/// magnitude is scaled to 127. Pixels with non-finite values get the bad colour and are not counted.
template <typename T>
void normalize(const T* values, int64_t pixels, int depth, const uint8_t* badColor, uint8_t* out) {
  const auto finite = [&](int64_t i) { return std::all_of(values + i * depth, values + (i + 1) * depth, [](T v) { return std::isfinite(double(v)); }); };
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (int64_t i = 0; i < pixels; ++i) {
    if (!finite(i)) continue;
    for (int j = 0; j < depth; ++j) {
      const float v = float(values[i * depth + j]);
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  constexpr float kZero = 1e-6f;
  T scale, offset;
  if (low < 0) {
    const float most = std::max(std::abs(low), std::abs(high));
    scale = T(most < kZero ? 0.0f : 127.0f / most);
    offset = T(128.0f);
  } else {
    scale = T(high < kZero ? 0.0f : 255.0f / high);
    offset = T(0.0f);
  }
  for (int64_t i = 0; i < pixels; ++i) {
    const bool good = finite(i);
    for (int j = 0; j < depth; ++j) out[i * depth + j] = good ? uint8_t(float(T(T(values[i * depth + j] * scale) + offset))) : badColor[j];
  }
}

}  // namespace

void addHistogram(const std::string& tag, const HistogramValue& counted, tensorflow::Summary& to) {
  auto* v = to.add_value();
  v->set_tag(tag);
  auto* h = v->mutable_histo();
  h->set_min(counted.min);
  h->set_max(counted.max);
  h->set_num(counted.num);
  h->set_sum(counted.sum);
  h->set_sum_squares(counted.sumOfSquares);
  h->mutable_bucket_limit()->Assign(counted.limits.begin(), counted.limits.end());
  h->mutable_bucket()->Assign(counted.counts.begin(), counted.counts.end());
}

Status addHistogram(const std::string& tag, const Tensor& values, const std::string& node, tensorflow::Summary& to) {
  HistogramCounter counter;
  for (int64_t i = 0; i < values.elements(); ++i) {
    const double v = values.asDouble(i);
    if (std::isnan(v)) return invalidArgument("Nan in summary histogram for: ", node);
    if (std::isinf(v)) return invalidArgument("Infinity in summary histogram for: ", node);
    counter.add(v);
  }
  addHistogram(tag, counter.value(), to);
  return {};
}

Status addImages(const std::string& tag, const Tensor& images, int64_t most, const Tensor& badColor, tensorflow::Summary& to) {
  if (images.rank() != 4 || (images.dim(3) != 1 && images.dim(3) != 3 && images.dim(3) != 4))
    return invalidArgument("Tensor must be 4-D with last dim 1, 3, or 4, not ", images.shape().toString());
  const int64_t batch = images.dim(0), height = images.dim(1), width = images.dim(2);
  const int depth = int(images.dim(3));
  if (batch >= int64_t(1) << 31 || height >= int64_t(1) << 31 || width >= int64_t(1) << 31 || height * width >= int64_t(1) << 29)
    return invalidArgument("Tensor too large for summary ", images.shape().toString());
  if (height * width <= 0) return invalidArgument("input tensor must have non-zero dims. Found: [", batch, ", ", height, ", ", width, ", ", depth, "].");
  if (images.dtype() != DType::UInt8 && badColor.elements() < depth)
    return invalidArgument("expected depth <= bad_color.size, got depth = ", depth, ", bad_color.size = ", badColor.elements());

  const int64_t pixels = height * width;
  std::vector<uint8_t> bytes(size_t(pixels) * size_t(depth));
  for (int64_t i = 0; i < std::min(most, batch); ++i) {
    const uint8_t* from = bytes.data();
    if (images.dtype() == DType::UInt8) from = images.data<uint8_t>() + i * pixels * depth;
    else
      withFloat(images.dtype(), [&]<typename T>(std::type_identity<T>) {
        normalize(elementsOf<T>(images) + i * pixels * depth, pixels, depth, badColor.data<uint8_t>(), bytes.data());
      });
    auto* v = to.add_value();
    v->set_tag(tag + (most > 1 ? "/image/" + std::to_string(i) : "/image"));
    v->mutable_image()->set_height(int32_t(height));
    v->mutable_image()->set_width(int32_t(width));
    v->mutable_image()->set_colorspace(depth);
    WEFT_LET(*v->mutable_image()->mutable_encoded_image_string(), encodePng(from, int(width), int(height), depth));
  }
  return {};
}

namespace {

class ImageSummaryKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(KernelInit& init) {
    auto kernel = std::make_unique<ImageSummaryKernel>();
    kernel->maxImages_ = init.attrs().integer("max_images", 3);
    if (const Attr* color = init.attrs().find("bad_color"))
      if (const Tensor* t = color->get<Tensor>()) kernel->badColor_ = *t;
    if (kernel->badColor_.dtype() != DType::UInt8 || kernel->badColor_.rank() != 1)
      return invalidArgument("bad_color must be a vector of uint8").atNode(init.node().name);
    return std::unique_ptr<Kernel>(std::move(kernel));
  }

  Status compute(KernelContext& c) override {
    if (!isOne(c.input(0))) return invalidArgument("Tags must be a scalar");
    tensorflow::Summary summary;
    WEFT_TRY(addImages(c.input(0).at<std::string>(0), c.input(1), maxImages_, badColor_, summary));
    return setMessage(c, summary);
  }

 private:
  int64_t maxImages_ = 3;
  Tensor badColor_;
};

Status mergeSummary(KernelContext& c) {
  tensorflow::Summary merged;
  std::unordered_set<std::string> tags;
  for (int i = 0; i < c.inputCount(); ++i) {
    for (const std::string& bytes : c.input(i).flat<std::string>()) {
      tensorflow::Summary part;
      if (!part.ParseFromString(bytes)) return invalidArgument("Could not parse one of the summary inputs");
      for (auto& value : *part.mutable_value()) {
        if (!value.tag().empty() && !tags.insert(value.tag()).second) return invalidArgument("Duplicate tag ", value.tag(), " found in summary inputs");
        merged.add_value()->Swap(&value);
      }
    }
  }
  return setMessage(c, merged);
}

Status tensorSummary(KernelContext& c) {
  const bool tagged = c.inputCount() == 3;
  tensorflow::Summary summary;
  auto* v = summary.add_value();
  if (tagged) {
    if (!c.input(0).shape().isScalar()) return invalidArgument("tag must be scalar");
    if (!c.input(2).shape().isScalar()) return invalidArgument("serialized_summary_metadata must be scalar");
    v->set_tag(c.input(0).at<std::string>(0));
    v->mutable_metadata()->ParseFromString(c.input(2).at<std::string>(0));
  } else {
    v->set_node_name(c.node().name);
  }
  const Tensor& t = c.input(tagged ? 1 : 0);
  WEFT_TRY(tensorToProto(t, TensorForm::Content, v->mutable_tensor()));
  return setMessage(c, summary);
}

OpRecord& summaryOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Summaries").summary(summary).shape(shapes::scalar).noGradient("A summary is a serialized message.");
}

}  // namespace

void registerSummaries(OpRegistry& ops) {
  constexpr const char* kSummary = "summary: string";
  constexpr const char* kSummaryDoc = "Serialized Summary message; a scalar.";
  summaryOp(ops, "ScalarSummary", "Summary with scalar values, one per tag.")
      .input("tags: string", "One tag per value.")
      .input("values: T", "The numbers.")
      .output(kSummary, kSummaryDoc)
      .attr("T: realnumbertype")
      .cpu({{"T", types::kCpuReal}}, simpleKernel(scalarSummary));
  summaryOp(ops, "HistogramSummary", "Summary with a histogram of a tensor's elements.")
      .input("tag: string", "A scalar.")
      .input("values: T", "The elements; NaN and infinity are errors.")
      .output(kSummary, kSummaryDoc)
      .attr("T: realnumbertype = DT_FLOAT")
      .cpu({{"T", types::kCpuReal}}, simpleKernel(histogramSummary));
  OpRecord& image = summaryOp(ops, "ImageSummary", "Summary with images, each rescaled to [0, 255] and encoded as PNG.")
                        .input("tag: string", "Base tag of the images; a scalar.")
                        .input("tensor: T", "[batch, height, width, channels], with 1, 3 or 4 channels.")
                        .output(kSummary, kSummaryDoc)
                        .attr("max_images: int >= 1 = 3", "Maximum number of images of the batch to record.")
                        .attr("T: {uint8, float, half, double} = DT_FLOAT")
                        .attr("bad_color: tensor", "Colour of pixels that are not finite; default: red.")
                        .cpu({{"T", {DType::UInt8, DType::Float, DType::Half, DType::Double}}}, ImageSummaryKernel::create);
  image.attrs.back().defaultValue = Attr(Tensor::vector<uint8_t>({255, 0, 0, 255}));
  summaryOp(ops, "MergeSummary", "Merges summaries into one; each tag may occur only once.")
      .input("inputs: N * string", "Serialized Summary messages.")
      .output(kSummary, kSummaryDoc)
      .attr("N: int >= 1")
      .cpu({}, simpleKernel(mergeSummary));
  summaryOp(ops, "TensorSummary", "Summary with a whole tensor.")
      .input("tensor: T", "The tensor.")
      .output(kSummary, kSummaryDoc)
      .attr("T: type")
      .attr("description: string = ''")
      .attr("labels: list(string) = []")
      .attr("display_name: string = ''")
      .cpu({}, simpleKernel(tensorSummary));
  summaryOp(ops, "TensorSummaryV2", "Summary with a whole tensor, a tag and plugin metadata.")
      .input("tag: string", "A scalar.")
      .input("tensor: T", "The tensor.")
      .input("serialized_summary_metadata: string", "Serialized SummaryMetadata message; a scalar.")
      .output(kSummary, kSummaryDoc)
      .attr("T: type")
      .cpu({}, simpleKernel(tensorSummary));
  state(ops, OpRole::Summary, Effect::None, "HistogramSummary ImageSummary ScalarSummary TensorSummary TensorSummaryV2");
  state(ops, OpRole::MergeSummary, Effect::None, "MergeSummary");
}

}  // namespace weft
