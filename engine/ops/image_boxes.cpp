// Boxes drawn into images, random boxes, and glimpses extracted from images.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "device/cpu/philox.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

// ---- DrawBoundingBoxes

Status drawShape(ShapeContext& c) {
  if (c.inputCount() == 3) {
    WEFT_TRY(c.requireRankAtLeast(c.input(0), 3));
    c.setOutput(0, c.input(0));
    return {};
  }
  const Shape &images = c.input(0), &boxes = c.input(1);
  WEFT_TRY(c.requireRank(images, 4));
  const int64_t depth = images.hasRank() ? images.dim(3) : Shape::kUnknownDim;
  if (depth >= 0 && depth != 1 && depth != 3 && depth != 4) return invalidArgument("Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)");
  WEFT_TRY(c.requireRank(boxes, 3));
  if (boxes.hasRank() && boxes.dim(2) >= 0 && boxes.dim(2) != 4) return invalidArgument("Dimension must be 4 but is ", boxes.dim(2));
  c.setOutput(0, images);
  return {};
}

using Color = std::array<float, 4>;

/// The colours that boxes cycle through: given ones, or ten that differ clearly.
Result<std::vector<Color>> boxColors(KernelContext& c, int64_t depth) {
  std::vector<Color> colors;
  if (c.inputCount() > 2) {
    const Tensor& given = c.input(2);
    if (given.rank() != 2) return invalidArgument("colors must be a 2-D matrix", given.shape().toString());
    if (given.dim(1) < depth) return invalidArgument("colors must have equal or more channels than the image provided: ", given.shape().toString());
    for (int64_t i = 0; i < given.dim(0); ++i) {
      Color color{};
      for (int64_t k = 0; k < depth; ++k) color[size_t(k)] = given.at<float>(i * given.dim(1) + k);
      colors.push_back(color);
    }
    if (!colors.empty()) return colors;
  }
  colors = {{1, 1, 0, 1},       {0, 0, 1, 1},    {1, 0, 0, 1},    {0, 1, 0, 1}, {0.5f, 0, 0.5f, 1},
            {0.5f, 0.5f, 0, 1}, {0.5f, 0, 0, 1}, {0, 0, 0.5f, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}};
  if (depth == 1) {
    for (Color& color : colors) color[0] = 1;  // grey images get white boxes
  }
  return colors;
}

Status runDraw(KernelContext& c) {
  const Tensor &images = c.input(0), &boxes = c.input(1);
  if (images.rank() != 4) return invalidArgument("The rank of the images should be 4");
  if (boxes.rank() != 3) return invalidArgument("The rank of the boxes tensor should be 3");
  if (images.dim(0) != boxes.dim(0)) return invalidArgument("The batch sizes should be the same");
  const int64_t height = images.dim(1), width = images.dim(2), depth = images.dim(3), count = boxes.dim(1);
  if (depth != 1 && depth != 3 && depth != 4) return invalidArgument("Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)");
  if (boxes.dim(2) != 4) return invalidArgument("The size of the third dimension of the box must be 4: Dimension must be 4 but is ", boxes.dim(2));
  WEFT_LET(const std::vector<Color> colors, boxColors(c, depth));
  WEFT_LET(Tensor * out, c.allocate(0, images.shape()));
  copyElements(*out, 0, images, 0, images.elements());
  if (out->elements() == 0) return {};
  withFloat(images.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t b = 0; b < images.dim(0) * count; ++b) {
      T* picture = elementsOf<T>(*out) + b / count * height * width * depth;
      const Color& color = colors[size_t(b % count) % colors.size()];
      int64_t edge[4];
      bool valid = true;
      for (int i = 0; i < 4; ++i) {
        const float at = boxes.at<float>(4 * b + i) * float((i % 2 ? width : height) - 1);
        valid = valid && std::abs(at) < 1e9f;  // NaN and infinities are invalid
        edge[i] = valid ? int64_t(at) : 0;
      }
      const auto [top, left, bottom, right] = edge;
      if (!valid || top > bottom || left > right || top >= height || bottom < 0 || left >= width || right < 0) continue;
      const auto paint = [&](int64_t y, int64_t x) {
        for (int64_t k = 0; k < depth; ++k) picture[(y * width + x) * depth + k] = T(color[size_t(k)]);
      };
      for (int64_t x = std::max<int64_t>(0, left); x <= std::min(right, width - 1); ++x) {
        if (top >= 0) paint(top, x);
        if (bottom < height) paint(bottom, x);
      }
      for (int64_t y = std::max<int64_t>(0, top); y <= std::min(bottom, height - 1); ++y) {
        if (left >= 0) paint(y, left);
        if (right < width) paint(y, right);
      }
    }
  });
  return {};
}

// ---- SampleDistortedBoundingBox

struct Rectangle {
  int64_t left = 0, top = 0, right = 0, bottom = 0;
  float area() const { return float((right - left) * (bottom - top)); }
  Rectangle with(const Rectangle& o) const {
    const Rectangle both{std::max(left, o.left), std::max(top, o.top), std::min(right, o.right), std::min(bottom, o.bottom)};
    return both.left < both.right && both.top < both.bottom ? both : Rectangle{};
  }
};

/// Uniform in [0, n), without the bias of a plain remainder.
int64_t drawBelow(cpu::PhiloxSingles& random, uint32_t n) {
  if ((n & (n - 1)) == 0) return random.next32() & (n - 1);
  const uint32_t rest = 0xffffffffu % n + 1;
  uint32_t v = random.next32();
  while (v < rest) v = random.next32();
  return v % n;
}

/// A crop of the given aspect ratio that covers a fraction of the image between two bounds; false if there is none.
bool drawCrop(int64_t fullWidth, int64_t fullHeight, float least, float most, float aspect, cpu::PhiloxSingles& random, Rectangle& crop) {
  if (most <= 0 || aspect <= 0 || fullWidth <= 0 || fullHeight <= 0 || least > most) return false;
  const float leastArea = least * float(fullWidth) * float(fullHeight), mostArea = most * float(fullWidth) * float(fullHeight);
  int64_t height = std::lrintf(std::sqrt(leastArea / aspect)), highest = std::lrintf(std::sqrt(mostArea / aspect));
  if (std::lrintf(float(highest) * aspect) > fullWidth) {
    const float epsilon = 0.0000001f;
    highest = int64_t((double(fullWidth) + 0.5 - double(epsilon)) / double(aspect));
    if (std::lrintf(float(highest) * aspect) > fullWidth) highest -= 1;
  }
  highest = std::min(highest, fullHeight);
  height = std::min(height, highest);
  if (height < highest) height += drawBelow(random, uint32_t(highest - height + 1));
  int64_t width = std::lrintf(float(height) * aspect);
  float area = float(width * height);
  // Rounding may have moved the area out of the bounds.
  if (area < leastArea) {
    height += 1;
    width = std::lrintf(float(height) * aspect);
    area = float(width * height);
  }
  if (area > mostArea) {
    height -= 1;
    width = std::lrintf(float(height) * aspect);
    area = float(width * height);
  }
  if (area < leastArea || area > mostArea || width > fullWidth || height > fullHeight || width <= 0 || height <= 0) return false;
  const int64_t top = height < fullHeight ? drawBelow(random, uint32_t(fullHeight - height)) : 0;
  const int64_t left = width < fullWidth ? drawBelow(random, uint32_t(fullWidth - width)) : 0;
  crop = {left, top, left + width, top + height};
  return true;
}

class DistortedBoxKernel final : public Kernel {
 public:
  explicit DistortedBoxKernel(KernelInit& init) : attrs_(init.attrs()), stream_(cpu::randomStream(init)) {}

  Status compute(KernelContext& c) override {
    const bool v2 = c.inputCount() > 2;
    float covered = attrs_.number("min_object_covered", 0.1f);
    if (!v2 && covered < 0) return invalidArgument("Min object covered must be non-negative: ", covered);
    WEFT_LET(const auto aspect, range("aspect_ratio_range", "Aspect ratio"));
    WEFT_LET(const auto area, range("area_range", "Area"));
    if (area[0] > 1 || area[1] > 1) return invalidArgument("Area range must be less then or equal to 1.0: [", area[0], ", ", area[1], "]");
    const int64_t attempts = attrs_.integer("max_attempts", 100);
    if (attempts <= 0 || attempts > 0x7fffffff) return invalidArgument("Max attempts must be non-negative: ", attempts);

    const Tensor &size = c.input(0), &boxes = c.input(1);
    if (size.rank() != 1) return invalidArgument("image_size must be 1-dimensional", size.shape().toString());
    if (size.dim(0) != 3) return invalidArgument("image_size must contain 3 elements", size.shape().toString());
    const int64_t height = size.asInt(0), width = size.asInt(1);
    for (const auto& [n, what] : {std::pair(height, "height"), std::pair(width, "width")}) {
      if (n < 0 || n >= std::numeric_limits<int32_t>::max()) return invalidArgument("image ", what, " cannot be >= int32 max");
    }
    if (boxes.rank() != 3) return invalidArgument("input boxes must be 3-dimensional [batch, num_boxes, coords]: ", boxes.shape().toString());
    if (boxes.dim(2) != 4) return invalidArgument("bounding boxes must have shape [4] or [*, 4], got ", boxes.shape().toString());
    if (v2) {
      if (c.input(2).rank() != 0) return invalidArgument("min_object_covered must be 0-D, got shape ", c.input(2).shape().toString());
      covered = c.input(2).at<float>(0);
      if (covered < 0) return invalidArgument("Min object covered must be non-negative: ", covered);
    }
    std::vector<Rectangle> objects;
    for (int64_t b = 0; b < boxes.elements() / 4; ++b) {
      const float* box = boxes.data<float>() + 4 * b;
      for (int i = 0; i < 4; ++i) {
        if (!(box[i] >= 0 && box[i] <= 1)) return invalidArgument("All bounding box coordinates must be in [0.0, 1.0]: ", box[i]);
      }
      const auto at = [](float part, int64_t whole) { return int64_t(int32_t(part * float(whole))); };
      objects.push_back({at(box[1], width), at(box[0], height), at(box[3], width), at(box[2], height)});
    }
    const Rectangle whole{0, 0, width, height};
    if (objects.empty()) {
      if (!attrs_.flag("use_image_if_no_bounding_boxes")) {
        return invalidArgument(
            "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes if you wish to not provide any bounding boxes.");
      }
      objects.push_back(whole);
    }
    cpu::Philox gen = stream_->reserve(uint64_t(attempts));
    cpu::PhiloxSingles random(gen);
    Rectangle crop = whole;
    for (int64_t i = 0; i < attempts; ++i) {
      const float ratio = cpu::uniformFloat(random.next32()) * (aspect[1] - aspect[0]) + aspect[0];
      Rectangle drawn;
      if (drawCrop(width, height, area[0], area[1], ratio, random, drawn) && covers(drawn, objects, covered)) {
        crop = drawn;
        break;
      }
    }
    WEFT_LET(Tensor * begin, c.allocate(0, Shape{3}));
    WEFT_LET(Tensor * extent, c.allocate(1, Shape{3}));
    WEFT_LET(Tensor * box, c.allocate(2, Shape{1, 1, 4}));
    withReal(size.dtype(), [&]<typename T>(std::type_identity<T>) {
      T *from = elementsOf<T>(*begin), *by = elementsOf<T>(*extent);
      from[0] = T(crop.top), from[1] = T(crop.left), from[2] = T(0);
      by[0] = T(crop.bottom - crop.top), by[1] = T(crop.right - crop.left), by[2] = T(-1);
    });
    float* to = box->mutableData<float>();
    to[0] = float(crop.top) / float(height), to[1] = float(crop.left) / float(width);
    to[2] = float(crop.bottom) / float(height), to[3] = float(crop.right) / float(width);
    return {};
  }

 private:
  Result<std::array<float, 2>> range(const char* name, const char* words) const {
    const std::vector<float> v = attrs_.list<float>(name);
    if (v.size() != 2) return invalidArgument(words, " range field must specify 2 dimensions");
    if (!(v[0] > 0 && v[1] > 0)) return invalidArgument(words, " range must be non-negative: [", v[0], ", ", v[1], "]");
    return std::array<float, 2>{v[0], v[1]};
  }
  /// Whether the crop covers enough of an object that has pixels.
  static bool covers(const Rectangle& crop, const std::vector<Rectangle>& objects, float least) {
    if (crop.area() < 1) return false;
    for (const Rectangle& o : objects) {
      if (o.area() >= 1 && o.with(crop).area() / o.area() >= least) return true;
    }
    return false;
  }

  AttrMap attrs_;
  std::shared_ptr<cpu::RandomStream> stream_;
};

Status distortedShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  if (c.input(0).hasRank() && c.input(0).dim(0) >= 0 && c.input(0).dim(0) != 3) return invalidArgument("Dimension must be 3 but is ", c.input(0).dim(0));
  WEFT_TRY(c.requireRank(c.input(1), 3));
  if (c.input(1).hasRank() && c.input(1).dim(2) >= 0 && c.input(1).dim(2) != 4) return invalidArgument("Dimension must be 4 but is ", c.input(1).dim(2));
  if (c.inputCount() > 2) WEFT_TRY(c.requireRank(c.input(2), 0));
  c.setOutput(0, Shape{3});
  c.setOutput(1, Shape{3});
  c.setOutput(2, Shape{1, 1, 4});
  return {};
}

// ---- ExtractGlimpse

enum class Noise { Uniform, Gaussian, Zero };

Result<Noise> noiseOf(const AttrMap& attrs) {
  const std::string noise = attrs.text("noise", "uniform");
  if (attrs.flag("uniform_noise", true)) {
    if (!noise.empty() && noise != "uniform") return invalidArgument("The uniform_noise and noise should not be specified at the same time");
    return Noise::Uniform;
  }
  if (noise == "uniform" || noise.empty()) return Noise::Uniform;
  if (noise == "gaussian") return Noise::Gaussian;
  if (noise == "zero") return Noise::Zero;
  return invalidArgument("The noise could only be uniform, gaussian, or zero, got", noise);
}

Status glimpseShape(ShapeContext& c) {
  const Shape &in = c.input(0), &offsets = c.input(2);
  WEFT_TRY(c.requireRank(in, 4));
  WEFT_TRY(c.requireRank(offsets, 2));
  WEFT_LET(const int64_t batch, c.mergeDims(in.hasRank() ? in.dim(0) : -1, offsets.hasRank() ? offsets.dim(0) : -1));
  if (offsets.hasRank() && offsets.dim(1) >= 0 && offsets.dim(1) != 2) return invalidArgument("Dimension must be 2 but is ", offsets.dim(1));
  const std::string noise = c.attrs().text("noise", "uniform");
  if (c.attrs().flag("uniform_noise", true) && !noise.empty() && noise != "uniform") {
    return invalidArgument("The uniform_noise and noise should not be specified at the same time");
  }
  WEFT_TRY(c.requireRank(c.input(1), 1));
  if (c.input(1).hasRank() && c.input(1).dim(0) >= 0 && c.input(1).dim(0) != 2) return invalidArgument("Dimension must be 2 but is ", c.input(1).dim(0));
  const auto size = [&](int k) -> int64_t { return std::max<int64_t>(-1, c.constantInt(1, k).value_or(-1)); };
  c.setOutput(0, Shape{batch, size(0), size(1), in.hasRank() ? in.dim(3) : Shape::kUnknownDim});
  return {};
}

/// Fills a glimpse that exceeds the image: with noise of the image's range or distribution, or zeros.
void fillNoise(Noise noise, const float* picture, int64_t pixels, float* out, int64_t count) {
  if (noise == Noise::Zero || pixels == 0) {
    std::fill_n(out, count, 0.0f);
    return;
  }
  std::mt19937 random(std::random_device{}());
  if (noise == Noise::Uniform) {
    const auto [low, high] = std::minmax_element(picture, picture + pixels);
    std::uniform_real_distribution<float> draw(0, 1);
    for (int64_t i = 0; i < count; ++i) out[i] = *low + draw(random) * (*high - *low);
    return;
  }
  double mean = 0, square = 0;
  for (int64_t i = 0; i < pixels; ++i) mean += picture[i];
  mean /= double(pixels);
  for (int64_t i = 0; i < pixels; ++i) square += (picture[i] - mean) * (picture[i] - mean);
  std::normal_distribution<float> draw(0, 1);
  for (int64_t i = 0; i < count; ++i) out[i] = float(mean) + draw(random) * float(std::sqrt(square / double(pixels)));
}

/// One axis of a glimpse: the part of the image that it shows, and its position. Parts before the beginning push the rest to the end, as in TensorFlow 1.15,
/// even if the image is smaller than the glimpse.
struct GlimpseAxis {
  int64_t from = 0, to = 0, count = 0;
  bool partial = false;
  GlimpseAxis(float offset, int64_t glimpse, int64_t size, bool centered, bool normalized) {
    if (normalized) offset *= float(size);
    if (centered) offset = offset / 2 + float(size) / 2;
    offset -= float(glimpse) / 2;
    const int64_t start = std::isfinite(offset) ? int64_t(std::clamp(offset, -1e9f, 1e9f)) : int64_t(-1e9);
    from = start;
    count = glimpse;
    if (start < 0) {
      from = 0;
      count = std::max<int64_t>(0, glimpse + start);
      to = glimpse - count;
      partial = true;
    } else if (start + glimpse >= size) {
      count = std::max<int64_t>(0, size - start);
      partial = true;
    }
    count = std::min(count, size);
  }
};

Status runGlimpse(KernelContext& c) {
  const AttrMap& attrs = c.node().attrs;
  WEFT_LET(const Noise noise, noiseOf(attrs));
  const Tensor &in = c.input(0), &size = c.input(1), &offsets = c.input(2);
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional (batch_size, height, width, depth)", in.shape().toString());
  if (size.rank() != 1 || size.dim(0) != 2) return invalidArgument("input must be a vector of size 2 (height, width)", size.shape().toString());
  const int64_t batch = in.dim(0), height = in.dim(1), width = in.dim(2), depth = in.dim(3), rows = size.asInt(0), cols = size.asInt(1);
  if (rows < 0 || cols < 0) return invalidArgument("Dimension ", std::min(rows, cols), " must be >= 0");
  if (offsets.rank() != 2) return invalidArgument("input must be a matrix", offsets.shape().toString());
  if (offsets.dim(0) != batch) return invalidArgument("first dimension should be batch", offsets.shape().toString());
  if (offsets.dim(1) != 2) return invalidArgument("second dimension should be of size 2 (y,x)", offsets.shape().toString());
  WEFT_LET(Tensor * out, c.allocate(0, Shape{batch, rows, cols, depth}));
  if (out->elements() == 0) return {};
  const bool centered = attrs.flag("centered", true), normalized = attrs.flag("normalized", true);
  const int64_t image = height * width * depth, glimpse = rows * cols * depth;
  for (int64_t n = 0; n < batch; ++n) {
    const float* picture = in.data<float>() + n * image;
    float* to = out->mutableData<float>() + n * glimpse;
    const GlimpseAxis y(offsets.at<float>(2 * n), rows, height, centered, normalized), x(offsets.at<float>(2 * n + 1), cols, width, centered, normalized);
    if (y.partial || x.partial) fillNoise(noise, picture, image, to, glimpse);
    for (int64_t i = 0; i < y.count; ++i) {
      std::copy_n(picture + ((y.from + i) * width + x.from) * depth, x.count * depth, to + ((y.to + i) * cols + x.to) * depth);
    }
  }
  return {};
}

}  // namespace

void registerImageBoxes(OpRegistry& ops) {
  for (const bool v2 : {false, true}) {
    OpRecord& draw = ops.add(v2 ? "DrawBoundingBoxesV2" : "DrawBoundingBoxes");
    draw.category("Images")
        .keywords("detection boxes visualize")
        .summary(v2 ? "Draws bounding boxes on images in given colours." : "Draws bounding boxes on images.")
        .input("images: T", "[batch, height, width, channels], with 1, 3 or 4 channels.")
        .input("boxes: float", "[batch, boxes, 4]: y1, x1, y2, x2, relative to the image size (0 to 1).");
    if (v2) draw.input("colors: float", "[colours, channels], used in turn; empty: ten built-in colours.");
    draw.output("output: T", "The images with boxes.")
        .attr("T: {float, half} = DT_FLOAT", "Type of the pixels.")
        .shape(drawShape)
        .noGradient("Boxes overwrite pixels; TensorFlow defines no gradient.")
        .cpu({{"T", {DType::Float, DType::Half}}}, simpleKernel(runDraw));
    draw.gradientIsError = v2;

    OpRecord& sample = ops.add(v2 ? "SampleDistortedBoundingBoxV2" : "SampleDistortedBoundingBox");
    sample.category("Random")
        .keywords("augmentation crop image")
        .summary("Draws a random crop of an image that covers enough of one of its bounding boxes.")
        .input("image_size: T", "[height, width, channels].")
        .input("bounding_boxes: float", "[batch, boxes, 4]: bounding boxes y1, x1, y2, x2, relative to the image size (0 to 1).");
    if (v2) sample.input("min_object_covered: float", "Minimum fraction of a bounding box that the crop must cover.");
    sample.output("begin: T", "[top, left, 0], as `begin` of Slice.")
        .output("size: T", "[height, width, -1], as `size` of Slice.")
        .output("bboxes: float", "[1, 1, 4]: the crop, relative to the image size (0 to 1).");
    sample.attr("T: {uint8, int8, int16, int32, int64}", "Type of the sizes.")
        .attr("seed: int = 0", "Seed of the graph or the op.")
        .attr("seed2: int = 0", "Second seed.");
    if (!v2) sample.attr("min_object_covered: float = 0.1", "Minimum fraction of a bounding box that the crop must cover.");
    sample.attr("aspect_ratio_range: list(float) = [0.75, 1.33]", "Minimum and maximum width / height of the crop.")
        .attr("area_range: list(float) = [0.05, 1]", "Minimum and maximum fraction of the image's area.")
        .attr("max_attempts: int = 100", "Number of attempts before the whole image is returned.")
        .attr("use_image_if_no_bounding_boxes: bool = false", "Without bounding boxes, use the whole image as one instead of failing.")
        .stateful()
        .shape(distortedShape)
        .noGradient("Random sampling has no gradient.")
        .cpu({{"T", {DType::UInt8, DType::Int8, DType::Int16, DType::Int32, DType::Int64}}}, kernelOf<DistortedBoxKernel>());
  }
  ops.add("ExtractGlimpse")
      .category("Images")
      .keywords("attention crop window")
      .summary("Extracts a window (glimpse) from each image; parts outside the image are filled with noise.")
      .input("input: float", "Images [batch, height, width, channels].")
      .input("size: int32", "Height and width of the windows.")
      .input("offsets: float", "[batch, 2]: y and x of each window's centre.")
      .output("glimpse: float", "The windows.")
      .attr("centered: bool = true", "Measure offsets from the image's centre, in half units: normalized ones range from -1 to 1.")
      .attr("normalized: bool = true", "Offsets are relative to the image size instead of in pixels.")
      .attr("uniform_noise: bool = true", "Fill with noise drawn uniformly from the image's value range.")
      .attr("noise: string = 'uniform'", "Kind of noise: uniform, gaussian or zero; used without uniform_noise.")
      .shape(glimpseShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(runGlimpse));
  state(ops, OpRole::Random, Effect::Random, "SampleDistortedBoundingBox SampleDistortedBoundingBoxV2");
}

}  // namespace weft
