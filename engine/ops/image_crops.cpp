#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>

#include "base/parallel.h"
#include "graph/window.h"
#include "ops/box_selection.h"
#include "ops/crop_place.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Boxes in images: crop and resize (CropAndResize), and removal of overlapping boxes (NonMaxSuppression…).
namespace weft {

Status checkBoxShapes(const Tensor& boxes, const Tensor& index) {
  if (boxes.elements() == 0 && index.elements() == 0) return {};
  if (boxes.rank() != 2) return invalidArgument("boxes must be 2-D", boxes.shape().toString());
  if (boxes.dim(1) != 4) return invalidArgument("boxes must have 4 columns");
  if (index.rank() != 1) return invalidArgument("box_index must be 1-D", index.shape().toString());
  if (index.dim(0) != boxes.dim(0)) return invalidArgument("box_index has incompatible shape");
  return {};
}
Error outsideBatch() { return outOfRange("box_index has values outside [0, batch_size)"); }

Result<CropShape> cropShapeOf(KernelContext& c) {
  const Tensor &image = c.input(0), &boxes = c.input(1), &index = c.input(2), &size = c.input(3);
  if (image.rank() != 4) return invalidArgument("input image must be 4-D", image.shape().toString());
  const int64_t height = image.dim(1), width = image.dim(2), depth = image.dim(3);
  if (height <= 0 || width <= 0) return invalidArgument("image dimensions must be positive");
  WEFT_TRY(checkBoxShapes(boxes, index));
  if (size.rank() != 1) return invalidArgument("crop_size must be 1-D", size.shape().toString());
  if (size.dim(0) != 2) return invalidArgument("crop_size must have two elements", size.shape().toString());
  const int64_t rows = size.asInt(0), cols = size.asInt(1), n = boxes.rank() == 2 ? boxes.dim(0) : 0;
  if (rows <= 0 || cols <= 0) return invalidArgument("crop dimensions must be positive");
  return CropShape{n, rows, cols, depth, image.dim(0), height, width, Shape{n, rows, cols, depth}};
}

Result<CropShape> cropGradImageShapeOf(KernelContext& c) {
  const Tensor &grads = c.input(0), &boxes = c.input(1), &index = c.input(2), &size = c.input(3);
  if (grads.rank() != 4) return invalidArgument("grads image must be 4-D", grads.shape().toString());
  if (size.rank() != 1 || size.dim(0) != 4) return invalidArgument("image_size must have 4 elements", size.shape().toString());
  const int64_t rows = grads.dim(1), cols = grads.dim(2);
  if (rows <= 0 || cols <= 0) return invalidArgument("grads dimensions must be positive");
  const int64_t batch = size.asInt(0), height = size.asInt(1), width = size.asInt(2), depth = size.asInt(3);
  if (batch < 0 || height <= 0 || width <= 0 || depth < 0) return invalidArgument("image dimensions must be positive");
  if (depth != grads.dim(3)) return invalidArgument("image_size and grads are incompatible");
  WEFT_TRY(checkBoxShapes(boxes, index));
  const int64_t n = boxes.rank() == 2 ? boxes.dim(0) : 0;
  if (grads.dim(0) != n) return invalidArgument("boxes and grads have incompatible shape");
  return CropShape{n, rows, cols, depth, batch, height, width, Shape{batch, height, width, depth}};
}

Result<CropShape> cropGradBoxesShapeOf(KernelContext& c) {
  const Tensor &grads = c.input(0), &image = c.input(1), &boxes = c.input(2), &index = c.input(3);
  if (grads.rank() != 4) return invalidArgument("grads image must be 4-D", grads.shape().toString());
  if (image.rank() != 4) return invalidArgument("input image must be 4-D", image.shape().toString());
  const int64_t rows = grads.dim(1), cols = grads.dim(2), depth = grads.dim(3), height = image.dim(1), width = image.dim(2);
  if (rows <= 0 || cols <= 0) return invalidArgument("grads dimensions must be positive");
  if (height <= 0 || width <= 0) return invalidArgument("image dimensions must be positive");
  if (image.dim(3) != depth) return invalidArgument("image, grads depth differ");
  WEFT_TRY(checkBoxShapes(boxes, index));
  const int64_t n = boxes.rank() == 2 ? boxes.dim(0) : 0;
  if (grads.dim(0) != n) return invalidArgument("boxes and grads have incompatible shape");
  return CropShape{n, rows, cols, depth, image.dim(0), height, width, boxes.shape()};
}

Result<BoxSelection> boxSelectionOf(KernelContext& c) {
  const std::string& op = c.node().op;
  const bool overlaps = op == "NonMaxSuppressionWithOverlaps";
  const Tensor &boxes = c.input(0), &scores = c.input(1), &most = c.input(2);
  if (most.rank() != 0) return invalidArgument("max_output_size must be 0-D, got shape ", most.shape().toString());
  const int64_t limit = most.asInt(0);
  if (limit < 0) return invalidArgument("max_output_size must be non-negative, got ", limit);
  if (boxes.rank() != 2) return invalidArgument(overlaps ? "overlaps" : "boxes", " must be 2-D", boxes.shape().toString());
  const int64_t n = boxes.dim(0);
  if (overlaps ? boxes.dim(1) != n : boxes.dim(1) != 4)
    return invalidArgument(overlaps ? "overlaps must be square" : "boxes must have 4 columns", boxes.shape().toString());
  if (scores.rank() != 1) return invalidArgument("scores must be 1-D", scores.shape().toString());
  if (scores.dim(0) != n) return invalidArgument("scores has incompatible shape");
  const auto scalar = [&](int i, const char* name) -> Result<float> {
    if (c.input(i).rank() != 0) return invalidArgument(name, " must be 0-D, got shape ", c.input(i).shape().toString());
    return float(c.input(i).asDouble(0));
  };
  float threshold = c.node().attrs.number("iou_threshold", 0.5f), least = std::numeric_limits<float>::lowest(), sigma = 0;
  if (c.inputCount() > 3) {
    WEFT_LET(threshold, scalar(3, overlaps ? "overlap_threshold" : "iou_threshold"));
  }
  if (c.inputCount() > 4) {
    WEFT_LET(least, scalar(4, "score_threshold"));
  }
  if (c.inputCount() > 5) {
    WEFT_LET(sigma, scalar(5, "soft_nms_sigma"));
    if (sigma < 0) return invalidArgument("soft_nms_sigma must be non-negative, got ", sigma);
  }
  if (!overlaps && (threshold < 0 || threshold > 1)) return invalidArgument("iou_threshold must be in [0, 1]");
  return BoxSelection{n, limit, threshold, least, sigma};
}

namespace {

using Grads = Result<std::vector<Output>>;

std::optional<float> placeOf(float from, float to, int64_t i, int64_t crop, int64_t size) {
  const CropPlace p = cropPlace(from, to, i, crop, size);
  return p.inside ? std::optional<float>(p.at) : std::nullopt;
}

Status checkNumbers(const Tensor& index, int64_t batch) {
  for (int64_t i = 0; i < index.elements(); ++i) {
    if (index.at<int32_t>(i) < 0 || index.at<int32_t>(i) >= batch) return outsideBatch();
  }
  return {};
}

Status cropShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  WEFT_TRY(c.requireRank(c.input(1), 2));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  const auto dim = [&](int i, int d) { return c.input(i).hasRank() ? c.input(i).dim(d) : Shape::kUnknownDim; };
  WEFT_LET(const int64_t boxes, c.mergeDims(dim(1, 0), dim(2, 0)));
  if (dim(1, 1) >= 0 && dim(1, 1) != 4) return invalidArgument("Dimension must be 4 but is ", dim(1, 1));
  WEFT_TRY(c.requireRank(c.input(3), 1));
  WEFT_LET(const Shape size, c.constantAsShape(3));
  const bool known = size.hasRank() && size.rank() == 2;
  c.setOutput(0, Shape{boxes, known ? size.dim(0) : Shape::kUnknownDim, known ? size.dim(1) : Shape::kUnknownDim, dim(0, 3)});
  return {};
}

Status runCrop(KernelContext& c) {
  const Tensor &image = c.input(0), &boxes = c.input(1), &index = c.input(2);
  WEFT_LET(const CropShape shape, cropShapeOf(c));
  WEFT_TRY(checkNumbers(index, shape.batch));
  const int64_t n = shape.boxes, rows = shape.rows, cols = shape.columns, depth = shape.depth, height = shape.height, width = shape.width;
  const bool isNearest = c.node().attrs.text("method") == "nearest";
  const float outside = c.node().attrs.number("extrapolation_value");
  WEFT_LET(Tensor* out, c.allocate(0, shape.out));
  withReal(image.dtype(), [&]<typename T>(std::type_identity<T>) {
    parallelFor(n * rows, std::max<int64_t>(1, 8192 / std::max<int64_t>(1, cols * depth)), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const int64_t b = r / rows, y = r % rows;
        const float* box = boxes.data<float>() + 4 * b;
        const T* picture = elementsOf<T>(image) + index.at<int32_t>(b) * height * width * depth;
        float* to = out->mutableData<float>() + r * cols * depth;
        const auto v = placeOf(box[0], box[2], y, rows, height);
        for (int64_t x = 0; x < cols; ++x, to += depth) {
          const auto h = v ? placeOf(box[1], box[3], x, cols, width) : std::nullopt;
          if (!h) {
            std::fill_n(to, depth, outside);
            continue;
          }
          if (isNearest) {
            const T* from = picture + (int64_t(std::round(*v)) * width + int64_t(std::round(*h))) * depth;
            for (int64_t k = 0; k < depth; ++k) to[k] = float(from[k]);
            continue;
          }
          const int64_t top = int64_t(std::floor(*v)), bottom = int64_t(std::ceil(*v)), left = int64_t(std::floor(*h)), right = int64_t(std::ceil(*h));
          const float py = *v - float(top), px = *h - float(left);
          for (int64_t k = 0; k < depth; ++k) {
            const auto at = [&](int64_t i, int64_t j) { return float(picture[(i * width + j) * depth + k]); };
            const float upper = at(top, left) + (at(top, right) - at(top, left)) * px, lower = at(bottom, left) + (at(bottom, right) - at(bottom, left)) * px;
            to[k] = upper + (lower - upper) * py;
          }
        }
      }
    });
  });
  return {};
}

Status runGradImage(KernelContext& c) {
  const Tensor &grads = c.input(0), &boxes = c.input(1), &index = c.input(2);
  WEFT_LET(const CropShape shape, cropGradImageShapeOf(c));
  WEFT_TRY(checkNumbers(index, shape.batch));
  const int64_t n = shape.boxes, rows = shape.rows, cols = shape.columns, depth = shape.depth, height = shape.height, width = shape.width;
  const bool isNearest = c.node().attrs.text("method") == "nearest";
  WEFT_LET(Tensor* out, c.allocate(0, shape.out));
  withFloat(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    T* result = elementsOf<T>(*out);
    std::fill_n(result, out->elements(), T(0));
    for (int64_t r = 0; r < n * rows; ++r) {
      const int64_t b = r / rows, y = r % rows;
      const float* box = boxes.data<float>() + 4 * b;
      T* picture = result + index.at<int32_t>(b) * height * width * depth;
      const auto v = placeOf(box[0], box[2], y, rows, height);
      for (int64_t x = 0; v && x < cols; ++x) {
        const auto h = placeOf(box[1], box[3], x, cols, width);
        if (!h) continue;
        const float* from = grads.data<float>() + (r * cols + x) * depth;
        const auto add = [&](int64_t i, int64_t j, float weight) {
          for (int64_t k = 0; k < depth; ++k) {
            T& to = picture[(i * width + j) * depth + k];
            to = T(to + T(from[k] * weight));
          }
        };
        if (isNearest) {
          add(int64_t(std::round(*v)), int64_t(std::round(*h)), 1);
          continue;
        }
        const int64_t top = int64_t(std::floor(*v)), bottom = int64_t(std::ceil(*v)), left = int64_t(std::floor(*h)), right = int64_t(std::ceil(*h));
        const float py = *v - float(top), px = *h - float(left);
        add(top, left, (1 - py) * (1 - px));
        add(top, right, (1 - py) * px);
        add(bottom, left, py * (1 - px));
        add(bottom, right, py * px);
      }
    }
  });
  return {};
}

Status gradBoxesShape(ShapeContext& c) {
  c.setOutput(0, c.input(2));
  return {};
}
Status runGradBoxes(KernelContext& c) {
  const Tensor &grads = c.input(0), &image = c.input(1), &boxes = c.input(2), &index = c.input(3);
  WEFT_LET(const CropShape shape, cropGradBoxesShapeOf(c));
  WEFT_TRY(checkNumbers(index, shape.batch));
  const int64_t n = shape.boxes, rows = shape.rows, cols = shape.columns, depth = shape.depth, height = shape.height, width = shape.width;
  WEFT_LET(Tensor* out, c.allocate(0, boxes.shape()));
  float* result = out->mutableData<float>();
  std::fill_n(result, out->elements(), 0.0f);
  withReal(image.dtype(), [&]<typename T>(std::type_identity<T>) {
    const float perRow = rows > 1 ? float(height - 1) / float(rows - 1) : 0, perColumn = cols > 1 ? float(width - 1) / float(cols - 1) : 0;
    for (int64_t r = 0; r < n * rows; ++r) {
      const int64_t b = r / rows, y = r % rows;
      const float* box = boxes.data<float>() + 4 * b;
      const T* picture = elementsOf<T>(image) + index.at<int32_t>(b) * height * width * depth;
      const auto v = placeOf(box[0], box[2], y, rows, height);
      for (int64_t x = 0; v && x < cols; ++x) {
        const auto h = placeOf(box[1], box[3], x, cols, width);
        if (!h) continue;
        const int64_t top = int64_t(std::floor(*v)), bottom = int64_t(std::ceil(*v)), left = int64_t(std::floor(*h)), right = int64_t(std::ceil(*h));
        const float py = *v - float(top), px = *h - float(left);
        for (int64_t k = 0; k < depth; ++k) {
          const auto at = [&](int64_t i, int64_t j) { return float(picture[(i * width + j) * depth + k]); };
          const float g = grads.data<float>()[(r * cols + x) * depth + k];
          const float dy = g * ((1 - px) * (at(bottom, left) - at(top, left)) + px * (at(bottom, right) - at(top, right)));
          const float dx = g * ((1 - py) * (at(top, right) - at(top, left)) + py * (at(bottom, right) - at(bottom, left)));
          float* to = result + 4 * b;
          to[0] += rows > 1 ? dy * (float(height - 1) - float(y) * perRow) : dy * 0.5f * float(height - 1);
          to[2] += rows > 1 ? dy * float(y) * perRow : dy * 0.5f * float(height - 1);
          to[1] += cols > 1 ? dx * (float(width - 1) - float(x) * perColumn) : dx * 0.5f * float(width - 1);
          to[3] += cols > 1 ? dx * float(x) * perColumn : dx * 0.5f * float(width - 1);
        }
      }
    }
  });
  return {};
}

Grads cropGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output image = c.input(0);
  const DType type = b.dtype(image);
  Output forImage;
  if (type == DType::Half || type == DType::Float || type == DType::Double) {
    const Shape s = b.shape(image);
    Output size;
    if (s.isFullyKnown()) {
      std::vector<int32_t> dims(s.dims().begin(), s.dims().end());
      size = b.ints(dims, "CropAndResizeGradImage/image_size");
    } else {
      size = py::shape(b, image);
    }
    forImage = b.op("CropAndResizeGradImage", {c.grad(), c.input(1), c.input(2), size}, {{"T", type}, {"method", c.attrs().text("method", "bilinear")}});
  }
  const Output forBoxes = b.op("CropAndResizeGradBoxes", {c.grad(), image, c.input(1), c.input(2)});
  return std::vector{forImage, forBoxes, Output{}, Output{}};
}

// NonMaxSuppression.

/// The intersection of two boxes divided by their union.
float overlapOf(const Tensor& boxes, int64_t i, int64_t j) {
  const auto side = [&](int64_t b, int d, bool high) {
    const float p = float(boxes.asDouble(4 * b + d)), q = float(boxes.asDouble(4 * b + d + 2));
    return high ? std::max(p, q) : std::min(p, q);
  };
  const auto area = [&](int64_t b) { return (side(b, 0, true) - side(b, 0, false)) * (side(b, 1, true) - side(b, 1, false)); };
  const float a = area(i), b = area(j);
  if (a <= 0 || b <= 0) return 0;
  const float height = std::max(std::min(side(i, 0, true), side(j, 0, true)) - std::max(side(i, 0, false), side(j, 0, false)), 0.0f);
  const float width = std::max(std::min(side(i, 1, true), side(j, 1, true)) - std::max(side(i, 1, false), side(j, 1, false)), 0.0f);
  const float both = height * width;
  return both / (a + b - both);
}

constexpr size_t kMany = size_t(1) << 20;

struct Candidate {
  int64_t box;
  float score;
  size_t compared;  ///< Number of selected boxes it has been compared with.
};

Status selectBoxes(KernelContext& c) {
  const bool overlaps = c.node().op == "NonMaxSuppressionWithOverlaps";
  const Tensor &boxes = c.input(0), &scores = c.input(1);
  WEFT_LET(const BoxSelection s, boxSelectionOf(c));
  const int64_t n = s.boxes, limit = s.limit;
  const float threshold = s.threshold, least = s.least, sigma = s.sigma;

  const auto later = [](const Candidate& a, const Candidate& b) { return a.score < b.score || (a.score == b.score && a.box > b.box); };
  std::priority_queue<Candidate, std::vector<Candidate>, decltype(later)> queue(later);
  for (int64_t i = 0; i < n; ++i) {
    if (float(scores.asDouble(i)) > least) queue.push({i, float(scores.asDouble(i)), 0});
  }
  // TensorFlow 1.15 puts a selected box back into the queue (fixed in 2.x). It is then compared with itself in its next turn and selected again unless it
  // overlaps itself too much, as boxes without an area and given overlaps may not.
  const float scale = sigma > 0 ? -0.5f / sigma : 0;
  std::vector<int32_t> selected;
  std::vector<float> kept;
  while (int64_t(selected.size()) < limit && !queue.empty()) {
    if (selected.size() == kMany) WEFT_TRY(c.scratch(DType::Int64, Shape{limit}).status());  // the limit is a value that anybody may give
    if (selected.size() >= kMany && selected.size() % kMany == 0 && c.cancelled()) return cancelledError("The operation was cancelled.");
    Candidate next = queue.top();
    queue.pop();
    const float before = next.score;
    bool dropped = false;
    for (size_t j = selected.size(); j-- > next.compared;) {
      const float similar = overlaps ? boxes.at<float>(next.box * n + selected[j]) : overlapOf(boxes, next.box, selected[j]);
      dropped = similar >= threshold;
      if (dropped) break;
      next.score *= std::exp(scale * similar * similar);
      if (next.score <= least) break;
    }
    next.compared = selected.size();
    if (dropped) continue;
    if (next.score == before) {
      selected.push_back(int32_t(next.box));
      kept.push_back(next.score);
    }
    if (next.score > least) queue.push(next);
  }
  const int64_t valid = int64_t(selected.size());
  if (c.node().attrs.flag("pad_to_max_output_size")) {
    WEFT_TRY(c.scratch(DType::Int64, Shape{limit}).status());  // as much as both lists: the limit is a value that anybody may give
    selected.resize(size_t(limit), 0);
    kept.resize(size_t(limit), 0);
  }
  c.setOutput(0, Tensor::vector(selected));
  if (c.outputCount() == 3) {
    WEFT_LET(Tensor* out, c.allocate(1, Shape{int64_t(kept.size())}));
    withFloat(out->dtype(),
              [&]<typename T>(std::type_identity<T>) { std::transform(kept.begin(), kept.end(), elementsOf<T>(*out), [](float v) { return T(v); }); });
  }
  if (c.outputCount() > 1) c.setOutput(c.outputCount() - 1, Tensor::scalar(int32_t(valid)));
  return {};
}

Status selectShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  for (int i = 2; i < c.inputCount(); ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  const auto dim = [&](int i, int d) { return c.input(i).hasRank() ? c.input(i).dim(d) : Shape::kUnknownDim; };
  WEFT_TRY(c.mergeDims(dim(0, 0), dim(1, 0)).status());
  const bool overlaps = c.node().op == "NonMaxSuppressionWithOverlaps";
  if (!overlaps && dim(0, 1) >= 0 && dim(0, 1) != 4) return invalidArgument("Dimension must be 4 but is ", dim(0, 1));
  int64_t count = Shape::kUnknownDim;
  if (const auto most = c.constantInt(2)) {
    if (*most < 0) return invalidArgument("Dimension size, given by scalar input 2, must be non-negative but is ", *most);
    if (c.attrs().flag("pad_to_max_output_size")) count = *most;
  }
  c.setOutput(0, Shape{count});
  if (c.outputCount() == 3) c.setOutput(1, Shape{count});
  if (c.outputCount() > 1) c.setOutput(c.outputCount() - 1, Shape());
  return {};
}

void addSelect(OpRegistry& ops, int version, const char* summary) {
  OpRecord& r = ops.add(version == 0 ? std::string("NonMaxSuppressionWithOverlaps")
                                     : "NonMaxSuppression" + (version > 1 ? "V" + std::to_string(version) : std::string()));
  r.category("Images").keywords("detection boxes iou nms").summary(summary).noGradient("Selecting boxes is not differentiable.");
  const std::string type = version >= 2 ? "T" : "float", limit = version == 5 ? "T" : version >= 2 ? "T_threshold" : "float";
  if (version == 0) r.input("overlaps: float", "[n, n]: overlap of each pair of boxes.");
  else r.input("boxes: " + type, "[n, 4]: y1, x1, y2, x2 of two opposite corners.");
  r.input("scores: " + type, "[n]: score of each box.").input("max_output_size: int32", "Maximum number of boxes to select; a scalar.");
  if (version == 0) r.input("overlap_threshold: float", "Boxes whose overlap with an already selected box is at least this are discarded.");
  if (version >= 2) r.input("iou_threshold: " + limit, "Boxes whose IoU with an already selected box is at least this (0 to 1) are discarded.");
  if (version == 0 || version >= 3) r.input("score_threshold: " + limit, "Boxes whose score is not above this are discarded.");
  if (version == 5) r.input("soft_nms_sigma: T", "If above 0, Soft-NMS: overlapping boxes lose score by a Gaussian of this sigma.");
  r.output("selected_indices: int32", "Indices of the selected boxes, best score first.");
  if (version == 5) r.output("selected_scores: T", "Their scores.");
  if (version >= 4) r.output("valid_outputs: int32", "Number of selected boxes.");
  if (version == 1) r.attr("iou_threshold: float = 0.5", "Boxes whose overlap with an already selected box is at least this are discarded.");
  if (version >= 2) r.attr("T: {half, float} = DT_FLOAT", "Type of boxes and scores.");
  if (version >= 2 && version < 5) r.attr("T_threshold: {half, float} = DT_FLOAT", "Type of the thresholds.");
  if (version >= 4) r.attr("pad_to_max_output_size: bool = false", "Pad the outputs with zeros to max_output_size.");
  r.shape(selectShape).cpu({}, simpleKernel(selectBoxes));
  if (version >= 3 || version == 0) r.gradientIsError = version >= 3;
}

}  // namespace

void registerImageCrops(OpRegistry& ops) {
  const char* none = "TensorFlow defines no second derivative for it.";
  ops.add("CropAndResize")
      .category("Images")
      .keywords("roi boxes detection")
      .summary("Crops boxes from images and resizes them to a common size.")
      .input("image: T", "[batch, height, width, depth].")
      .input("boxes: float", "[boxes, 4]: y1, x1, y2, x2, relative to the image size (0 to 1); parts outside are filled with extrapolation_value.")
      .input("box_ind: int32", "[boxes]: batch index of each box's image.")
      .input("crop_size: int32", "Height and width of the crops.")
      .output("crops: float", "[boxes, crop height, crop width, depth].")
      .attr("T: {uint8, uint16, int8, int16, int32, int64, half, float, double}", "Type of the pixels.")
      .attr("method: {'bilinear', 'nearest'} = 'bilinear'", "Interpolation method.")
      .attr("extrapolation_value: float = 0", "Value for crop pixels outside the image.")
      .shape(cropShape)
      .gradient(cropGradient)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runCrop));
  ops.add("CropAndResizeGradImage")
      .category("Images")
      .summary("Gradient of CropAndResize with respect to its images.")
      .input("grads: float", "Gradient of the crops.")
      .input("boxes: float", "The boxes.")
      .input("box_ind: int32", "Batch index of each box's image.")
      .input("image_size: int32", "Shape of the images.")
      .output("output: T", "Gradient with respect to the images.")
      .attr("T: {float, half, double}", "Type of the pixels.")
      .attr("method: {'bilinear', 'nearest'} = 'bilinear'", "Interpolation method of the forward op.")
      .shape([](ShapeContext& c) { return shapeFromInput(c, 3); })
      .noGradient(none)
      .cpu({{"T", types::kFloats}}, simpleKernel(runGradImage))
      .gradientIsError = true;
  ops.add("CropAndResizeGradBoxes")
      .category("Images")
      .summary("Gradient of CropAndResize with respect to its boxes.")
      .input("grads: float", "Gradient of the crops.")
      .input("image: T", "The images.")
      .input("boxes: float", "The boxes.")
      .input("box_ind: int32", "Batch index of each box's image.")
      .output("output: float", "Gradient with respect to the boxes.")
      .attr("T: {uint8, uint16, int8, int16, int32, int64, half, float, double}", "Type of the pixels.")
      .attr("method: {'bilinear'} = 'bilinear'", "Interpolation method of the forward op.")
      .shape(gradBoxesShape)
      .noGradient(none)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runGradBoxes))
      .gradientIsError = true;
  const char* select = "Greedy non-maximum suppression: selects the best-scoring boxes that do not overlap a selected one too much.";
  for (int version = 1; version <= 5; ++version) addSelect(ops, version, select);
  addSelect(
      ops, 0,
      "Greedy non-maximum suppression by given pairwise overlaps; as in TensorFlow 1.15, a box whose overlap with itself is below the threshold is selected "
      "repeatedly.");
}

}  // namespace weft
