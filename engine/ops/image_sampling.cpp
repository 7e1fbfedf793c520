// Images scaled and translated with a choice of filters, random crops, and non-maximum suppression over all classes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "device/cpu/philox.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

// ---- ScaleAndTranslate

struct Filter {
  const char* name;
  float radius;
  float (*weight)(float x, float radius);  ///< Of a distance >= 0.
};

float lanczos(float x, float radius) {
  if (x > radius) return 0;
  if (x <= 1e-3f) return 1;
  const float pi = float(M_PI);
  return radius * std::sin(pi * x) * std::sin(pi * x / radius) / (pi * pi * x * x);
}
float cubicKeys(float x, float) {
  if (x >= 2) return 0;
  return x >= 1 ? ((-0.5f * x + 2.5f) * x - 4) * x + 2 : ((1.5f * x - 2.5f) * x) * x + 1;
}
float cubicMitchell(float x, float) {
  if (x >= 2) return 0;
  return x >= 1 ? (((-7.0f / 18) * x + 2) * x - 10.0f / 3) * x + 16.0f / 9 : (((7.0f / 6) * x - 2) * x) * x + 8.0f / 9;
}

const Filter kFilters[] = {{"lanczos1", 1, lanczos},
                           {"lanczos3", 3, lanczos},
                           {"lanczos5", 5, lanczos},
                           {"gaussian", 1.5f, [](float x, float r) { return x >= r ? 0.0f : std::exp(-x * x / (2 * (r / 3) * (r / 3))); }},
                           {"box", 0.5f, [](float x, float) { return x < 0.5f    ? 1.0f
                                                                     : x == 0.5f ? 0.5f
                                                                                 : 0.0f; }},
                           {"triangle", 1, [](float x, float) { return x < 1 ? 1 - x : 0.0f; }},
                           {"keyscubic", 2, cubicKeys},
                           {"mitchellcubic", 2, cubicMitchell}};

/// The old positions that contribute to each new position along an axis, with their weights.
struct Span {
  int64_t start = 0;
  std::vector<float> weights;
};

std::vector<Span> spansOf(const Filter& filter, int64_t out, int64_t in, float scale, float translation, bool antialias) {
  const float inverse = 1.0f / scale, shift = -inverse * translation, stretch = antialias ? std::max(inverse, 1.0f) : 1.0f;
  const float reach = filter.radius * stretch;
  std::vector<Span> spans(static_cast<size_t>(out));
  for (int64_t x = 0; x < out; ++x) {
    const float at = (float(x) + 0.5f) * inverse + shift;
    if (!(at >= 0 && at <= float(in))) continue;  // positions outside the image contribute nothing
    const auto inside = [&](float v) { return int64_t(std::clamp(v, 0.0f, float(in - 1))); };
    Span& span = spans[size_t(x)];
    span.start = inside(std::ceil(at - reach - 0.5f));
    const int64_t end = inside(std::floor(at + reach - 0.5f)) + 1;
    float sum = 0;
    for (int64_t i = span.start; i < end; ++i) {
      span.weights.push_back(filter.weight(std::abs((float(i) + 0.5f - at) / stretch), filter.radius));
      sum += span.weights.back();
    }
    const bool usable = std::abs(sum) >= 1000.0f * std::numeric_limits<float>::min();
    for (float& w : span.weights) w = usable ? w / sum : 0;
  }
  return spans;
}

struct Sampling {
  std::vector<Span> rows, cols;
  /// `scaleInput`: index of the scale input; the translation follows.
  static Result<Sampling> of(KernelContext& c, int scaleInput, const int64_t in[2], const int64_t out[2]) {
    const std::string kind = c.node().attrs.text("kernel_type", "lanczos3");
    const Filter* filter = std::find_if(std::begin(kFilters), std::end(kFilters), [&](const Filter& f) { return kind == f.name; });
    if (filter == std::end(kFilters)) return invalidArgument("Unrecognized kernel type: ", kind);
    const Tensor &scale = c.input(scaleInput), &translation = c.input(scaleInput + 1);
    for (const Tensor* t : {&scale, &translation}) {
      if (t->rank() != 1) return invalidArgument("t must be 1-dimensional", t->shape().toString());
      if (t->dim(0) != 2) return invalidArgument("t must have two elements", t->shape().toString());
    }
    if (!(scale.at<float>(0) > 0 && scale.at<float>(1) > 0)) return invalidArgument("Scale must be greater than zero.");
    const bool antialias = c.node().attrs.flag("antialias", true);
    return Sampling{spansOf(*filter, out[0], in[0], scale.at<float>(0), translation.at<float>(0), antialias),
                    spansOf(*filter, out[1], in[1], scale.at<float>(1), translation.at<float>(1), antialias)};
  }
};

Status scaleShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  const Shape &in = c.input(0), &size = c.input(1);
  if (size.hasRank() && size.dim(0) >= 0 && size.dim(0) != 2) return invalidArgument("Dimension must be 2 but is ", size.dim(0));
  const auto dim = [&](int k) { return std::max<int64_t>(-1, c.constantInt(1, k).value_or(-1)); };
  c.setOutput(0, Shape{in.hasRank() ? in.dim(0) : -1, dim(0), dim(1), in.hasRank() ? in.dim(3) : -1});
  return {};
}

Status likeOriginal(ShapeContext& c) {
  c.setOutput(0, c.input(1));
  return {};
}

Result<std::vector<Output>> scaleGradient(GradContext& c) {
  AttrMap attrs;
  for (const char* name : {"kernel_type", "antialias"}) {
    if (const Attr* a = c.attrs().find(name)) attrs.set(name, *a);
  }
  const Output dx = c.b().op("ScaleAndTranslateGrad", {c.grad(), c.input(0), c.input(2), c.input(3)}, attrs);
  return std::vector<Output>{dx, Output{}, Output{}, Output{}};
}

Status runScale(KernelContext& c) {
  const Tensor &in = c.input(0), &size = c.input(1);
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional", in.shape().toString());
  if (size.rank() != 1) return invalidArgument("output_shape_t must be 1-dimensional", size.shape().toString());
  if (size.dim(0) != 2) return invalidArgument("output_shape_t must have two elements", size.shape().toString());
  const int64_t from[2] = {in.dim(1), in.dim(2)}, to[2] = {size.asInt(0), size.asInt(1)}, depth = in.dim(3);
  if (to[0] <= 0 || to[1] <= 0) return invalidArgument("output dimensions must be positive");
  if (depth <= 0) return invalidArgument("image must have at least one channel");
  if (from[0] <= 0 || from[1] <= 0) return invalidArgument("input image must be of non-zero size");
  WEFT_LET(Tensor * out, c.allocate(0, Shape{in.dim(0), to[0], to[1], depth}));
  WEFT_LET(const Sampling s, Sampling::of(c, 2, from, to));
  if (out->elements() == 0) return {};
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    parallelFor(in.dim(0) * to[0], 1, [&](int64_t begin, int64_t end) {
      std::vector<float> line(static_cast<size_t>(from[1] * depth));
      for (int64_t r = begin; r < end; ++r) {
        const Span& rows = s.rows[size_t(r % to[0])];
        std::fill(line.begin(), line.end(), 0.0f);
        for (size_t i = 0; i < rows.weights.size(); ++i) {
          const T* x = elementsOf<T>(in) + (r / to[0] * from[0] + rows.start + int64_t(i)) * from[1] * depth;
          for (size_t k = 0; k < line.size(); ++k) line[k] += rows.weights[i] * float(x[k]);
        }
        float* y = out->mutableData<float>() + r * to[1] * depth;
        for (int64_t x = 0; x < to[1]; ++x, y += depth) {
          const Span& cols = s.cols[size_t(x)];
          std::fill_n(y, depth, 0.0f);
          for (size_t j = 0; j < cols.weights.size(); ++j) {
            const float* source = line.data() + (cols.start + int64_t(j)) * depth;
            for (int64_t k = 0; k < depth; ++k) y[k] += cols.weights[j] * source[k];
          }
        }
      }
    });
  });
  return {};
}

Status runScaleGrad(KernelContext& c) {
  const Tensor &grad = c.input(0), &original = c.input(1);
  if (grad.rank() != 4) return invalidArgument("input_grad must be 4-dimensional", grad.shape().toString());
  if (original.rank() != 4) return invalidArgument("original_image must be 4-dimensional", original.shape().toString());
  const int64_t in[2] = {original.dim(1), original.dim(2)}, out[2] = {grad.dim(1), grad.dim(2)}, depth = grad.dim(3);
  if (original.dim(0) != grad.dim(0) || original.dim(3) != depth) {
    return invalidArgument("gradients of shape ", grad.shape().toString(), " do not fit images of shape ", original.shape().toString());
  }
  WEFT_LET(Tensor * result, c.allocate(0, original.shape()));
  WEFT_LET(const Sampling s, Sampling::of(c, 2, in, out));
  float* dx = result->mutableData<float>();
  std::fill_n(dx, result->elements(), 0.0f);
  for (int64_t r = 0; r < grad.dim(0) * out[0]; ++r) {
    const Span& rows = s.rows[size_t(r % out[0])];
    for (int64_t x = 0; x < out[1]; ++x) {
      const Span& cols = s.cols[size_t(x)];
      const float* dy = grad.data<float>() + (r * out[1] + x) * depth;
      for (size_t i = 0; i < rows.weights.size(); ++i) {
        for (size_t j = 0; j < cols.weights.size(); ++j) {
          float* to = dx + ((r / out[0] * in[0] + rows.start + int64_t(i)) * in[1] + cols.start + int64_t(j)) * depth;
          for (int64_t k = 0; k < depth; ++k) to[k] += rows.weights[i] * cols.weights[j] * dy[k];
        }
      }
    }
  }
  return {};
}

// ---- RandomCrop

Status randomCropShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 3));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  const auto dim = [&](int k) { return std::max<int64_t>(-1, c.constantInt(1, k).value_or(-1)); };
  c.setOutput(0, Shape{dim(0), dim(1), c.input(0).hasRank() ? c.input(0).dim(2) : -1});
  return {};
}

class RandomCropKernel final : public Kernel {
 public:
  explicit RandomCropKernel(KernelInit& init) : stream_(cpu::randomStream(init)) {}
  Status compute(KernelContext& c) override {
    const Tensor &in = c.input(0), &size = c.input(1);
    if (in.rank() != 3) return invalidArgument("input must be 3-dimensional", in.shape().toString());
    if (size.rank() != 1) return invalidArgument("shape_t must be 1-dimensional", size.shape().toString());
    if (size.dim(0) != 2) return invalidArgument("shape_t must have two elements", size.shape().toString());
    const int64_t height = in.dim(0), width = in.dim(1), depth = in.dim(2), rows = size.asInt(0), cols = size.asInt(1);
    if (rows < 0 || cols < 0) return invalidArgument("Dimension ", std::min(rows, cols), " must be >= 0");
    if (width < cols) return failedPrecondition("width must be >= target_width: width = ", width, ", target_width = ", cols);
    if (height < rows) return failedPrecondition("height must be >= target_height: height = ", height, ", target_height = ", rows);
    if (rows == height && cols == width) {
      c.setOutput(0, in);
      return {};
    }
    WEFT_LET(Tensor * out, c.allocate(0, Shape{rows, cols, depth}));
    cpu::Philox gen = stream_->reserve(1);
    cpu::PhiloxSingles random(gen);
    const int64_t left = cols < width ? int64_t(random.next32()) % (width - cols + 1) : 0;
    const int64_t top = rows < height ? int64_t(random.next32()) % (height - rows + 1) : 0;
    for (int64_t y = 0; y < rows; ++y) copyElements(*out, y * cols * depth, in, ((top + y) * width + left) * depth, cols * depth);
    return {};
  }

 private:
  std::shared_ptr<cpu::RandomStream> stream_;
};

// ---- CombinedNonMaxSuppression

Status combinedShape(ShapeContext& c) {
  const Shape &boxes = c.input(0), &scores = c.input(1);
  WEFT_TRY(c.requireRank(boxes, 4));
  WEFT_TRY(c.requireRank(scores, 3));
  for (int i = 2; i < 6; ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  const auto dim = [](const Shape& s, int i) { return s.hasRank() ? s.dim(i) : Shape::kUnknownDim; };
  WEFT_LET(const int64_t batch, c.mergeDims(dim(boxes, 0), dim(scores, 0)));
  WEFT_TRY(c.mergeDims(dim(boxes, 1), dim(scores, 1)).status());
  if (dim(boxes, 3) >= 0 && dim(boxes, 3) != 4) return invalidArgument("Dimension must be 4 but is ", dim(boxes, 3));
  const int64_t kinds = dim(boxes, 2), classes = dim(scores, 2);
  if (kinds >= 0 && classes >= 0 && kinds != 1 && kinds != classes) {
    return invalidArgument("third dimension of boxes must be either 1 or equal to the third dimension of scores");
  }
  int64_t count = Shape::kUnknownDim;
  const auto perClass = c.constantInt(2), total = c.constantInt(3);
  if (total) {
    if (*total <= 0) return invalidArgument("max_total_size should be > 0 ");
    if (!c.attrs().flag("pad_per_class")) count = *total;
    else if (perClass && classes >= 0) count = std::min(*total, std::max<int64_t>(0, *perClass) * classes);
  }
  c.setOutput(0, Shape{batch, count, 4});
  for (int i : {1, 2}) c.setOutput(i, Shape{batch, count});
  c.setOutput(3, Shape{batch});
  return {};
}

float overlap(const float* a, const float* b) {
  const auto low = [](const float* box, int d) { return std::min(box[d], box[d + 2]); };
  const auto high = [](const float* box, int d) { return std::max(box[d], box[d + 2]); };
  const auto area = [&](const float* box) { return (high(box, 0) - low(box, 0)) * (high(box, 1) - low(box, 1)); };
  const float first = area(a), second = area(b);
  if (first <= 0 || second <= 0) return 0;
  const float height = std::max(std::min(high(a, 0), high(b, 0)) - std::max(low(a, 0), low(b, 0)), 0.0f);
  const float width = std::max(std::min(high(a, 1), high(b, 1)) - std::max(low(a, 1), low(b, 1)), 0.0f);
  return height * width / (first + second - height * width);
}

struct Detection {
  const float* box;
  float score;
  int64_t kind;
};

Status runCombined(KernelContext& c) {
  const Tensor &boxes = c.input(0), &scores = c.input(1);
  if (boxes.rank() != 4) return invalidArgument("boxes must be 4-D", boxes.shape().toString());
  if (scores.rank() != 3) return invalidArgument("scores must be 3-D", scores.shape().toString());
  const char* const names[] = {"max_size_per_class", "max_total_size", "iou_threshold", "score_threshold"};
  for (int i = 0; i < 4; ++i) {
    if (c.input(2 + i).rank() != 0) return invalidArgument(names[i], " must be 0-D, got shape ", c.input(2 + i).shape().toString());
  }
  const int64_t perClass = std::max<int64_t>(0, c.input(2).asInt(0)), total = c.input(3).asInt(0);
  const float most = c.input(4).at<float>(0), least = c.input(5).at<float>(0);
  if (total <= 0) return invalidArgument("max_total_size must be > 0");
  if (!(most >= 0 && most <= 1)) return invalidArgument("iou_threshold must be in [0, 1]");
  const int64_t batch = boxes.dim(0), n = boxes.dim(1), kinds = boxes.dim(2), classes = scores.dim(2);
  if (boxes.dim(3) != 4) return invalidArgument("boxes must have 4 columns");
  if (kinds != 1 && kinds != classes) return invalidArgument("third dimension of boxes must be either 1 or num classes");
  if (scores.dim(0) != batch || scores.dim(1) != n) return invalidArgument("scores has incompatible shape");
  const AttrMap& attrs = c.node().attrs;
  const bool clip = attrs.flag("clip_boxes", true);
  const int64_t count = attrs.flag("pad_per_class") ? std::min(total, perClass * classes) : total;
  WEFT_LET(Tensor * outBoxes, c.allocate(0, Shape{batch, count, 4}));
  WEFT_LET(Tensor * outScores, c.allocate(1, Shape{batch, count}));
  WEFT_LET(Tensor * outClasses, c.allocate(2, Shape{batch, count}));
  WEFT_LET(Tensor * valid, c.allocate(3, Shape{batch}));
  for (Tensor* t : {outBoxes, outScores, outClasses}) std::fill_n(t->mutableData<float>(), t->elements(), 0.0f);
  const auto better = [](const Detection& a, const Detection& b) { return a.score > b.score; };
  for (int64_t b = 0; b < batch; ++b) {
    std::vector<Detection> found;
    for (int64_t k = 0; k < classes; ++k) {
      std::vector<Detection> candidates, kept;
      for (int64_t i = 0; i < n; ++i) {
        const float score = scores.at<float>((b * n + i) * classes + k);
        if (score > least) candidates.push_back({boxes.data<float>() + ((b * n + i) * kinds + (kinds > 1 ? k : 0)) * 4, score, k});
      }
      std::stable_sort(candidates.begin(), candidates.end(), better);
      for (const Detection& d : candidates) {
        if (int64_t(kept.size()) >= perClass) break;
        if (std::none_of(kept.begin(), kept.end(), [&](const Detection& o) { return overlap(d.box, o.box) > most; })) kept.push_back(d);
      }
      found.insert(found.end(), kept.begin(), kept.end());
    }
    std::stable_sort(found.begin(), found.end(), better);
    const int64_t taken = std::min(count, int64_t(found.size()));
    for (int64_t i = 0; i < taken; ++i) {
      const Detection& d = found[size_t(i)];
      for (int j = 0; j < 4; ++j) outBoxes->mutableData<float>()[(b * count + i) * 4 + j] = clip ? std::max(std::min(d.box[j], 1.0f), 0.0f) : d.box[j];
      outScores->mutableData<float>()[b * count + i] = d.score;
      outClasses->mutableData<float>()[b * count + i] = float(d.kind);
    }
    valid->mutableData<int32_t>()[b] = int32_t(taken);
  }
  return {};
}

}  // namespace

void registerImageSampling(OpRegistry& ops) {
  const char *const filter = "Resampling filter: lanczos1, lanczos3, lanczos5, gaussian, box, triangle, keyscubic or mitchellcubic.",
                    *const antialias = "Widen the filter when downscaling, against aliasing.";
  ops.add("ScaleAndTranslate")
      .category("Images")
      .keywords("resize zoom shift lanczos antialias")
      .summary("Scales and translates images with a selectable resampling filter.")
      .input("images: T", "[batch, height, width, channels].")
      .input("size: int32", "Height and width of the result.")
      .input("scale: float", "Scale factors along height and width.")
      .input("translation: float", "Translation along height and width, in output pixels.")
      .output("resized_images: float", "The transformed images; 0 outside the input.")
      .attr("T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}", "Type of the pixels.")
      .attr("kernel_type: string = 'lanczos3'", filter)
      .attr("antialias: bool = true", antialias)
      .shape(scaleShape)
      .gradient(scaleGradient)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runScale));
  ops.add("ScaleAndTranslateGrad")
      .category("Gradients")
      .summary("Gradient of ScaleAndTranslate.")
      .input("grads: T", "Gradient with respect to the output.")
      .input("original_image: T", "The images.")
      .input("scale: float", "Scale factors along height and width.")
      .input("translation: float", "Translation along height and width.")
      .output("output: T", "Gradient with respect to the images.")
      .attr("T: {float}", "Type of the elements.")
      .attr("kernel_type: string = 'lanczos3'", filter)
      .attr("antialias: bool = true", antialias)
      .shape(likeOriginal)
      .noGradient("TensorFlow defines no second derivative for it.")
      .cpu({{"T", types::kFloat}}, simpleKernel(runScaleGrad))
      .gradientIsError = true;
  ops.add("RandomCrop")
      .category("Random")
      .summary("Crops an image at a random position.")
      .input("image: T", "[height, width, channels].")
      .input("size: int64", "Height and width of the crop.")
      .output("output: T", "The crop.")
      .attr("T: {uint8, int8, int16, int32, int64, float, double}", "Type of the pixels.")
      .attr("seed: int = 0", "Seed of the graph or the op.")
      .attr("seed2: int = 0", "Second seed.")
      .deprecated(8, "Random crop is now pure Python")
      .stateful()
      .shape(randomCropShape)
      .noGradient("Random sampling has no gradient.")
      .cpu({{"T", types::kCpuReal}}, kernelOf<RandomCropKernel>());
  ops.add("CombinedNonMaxSuppression")
      .category("Images")
      .keywords("detection boxes iou nms classes")
      .summary("Greedy non-maximum suppression per class, then the best boxes over all classes, for a batch of images.")
      .input("boxes: float", "[batch, boxes, 1 or classes, 4]: y1, x1, y2, x2 of two opposite corners.")
      .input("scores: float", "[batch, boxes, classes].")
      .input("max_output_size_per_class: int32", "Maximum number of boxes to select per class.")
      .input("max_total_size: int32", "Maximum number of boxes to select per image.")
      .input("iou_threshold: float", "Boxes whose IoU with an already selected box of their class exceeds this are discarded.")
      .input("score_threshold: float", "Boxes whose score is not above this are discarded.")
      .output("nmsed_boxes: float", "[batch, selected, 4], padded with zeros.")
      .output("nmsed_scores: float", "[batch, selected].")
      .output("nmsed_classes: float", "[batch, selected].")
      .output("valid_detections: int32", "[batch]: number of valid boxes per image.")
      .attr("pad_per_class: bool = false", "Size the outputs to at most max_output_size_per_class * classes instead of always max_total_size.")
      .attr("clip_boxes: bool = true", "Clip boxes to [0, 1].")
      .shape(combinedShape)
      .noGradient("Selecting boxes is not differentiable.")
      .cpu({}, simpleKernel(runCombined))
      .gradientIsError = true;
  state(ops, OpRole::Random, Effect::Random, "RandomCrop");
}

}  // namespace weft
