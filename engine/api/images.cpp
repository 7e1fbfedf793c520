// tf.image: geometry: resizing, cropping, padding, flipping, rotating.
#include "api/images.h"

#include "api/checks.h"
#include "api/control_flow.h"
#include "api/nn_functions.h"
#include "graph/small_ints.h"

namespace weft::api {
namespace images {

std::vector<int> checkImage(GraphBuilder& b, Output image) {
  const Shape s = b.shape(image);
  if (!b.ok()) return {};
  if (s.hasRank() && s.rank() < 3) {
    b.fail(invalidArgument("'image' must be at least three-dimensional."));
    return {};
  }
  for (const int64_t d : s.dims()) {
    if (d != 0) continue;
    b.fail(invalidArgument("all dims of 'image.shape' must be > 0: ", s.toPythonString()));
    return {};
  }
  if (s.isFullyKnown()) return {};
  checks::Options positive, rank;
  positive.data = ArgumentList{"all dims of 'image.shape' must be > 0."};
  rank.message = "'image' must be at least three-dimensional.";
  const int first = checks::sign(b, ">", tf::shape(b, image), positive);
  return {first, checks::binary(b, ">=", tf::rank(b, image), 3, rank)};
}

Output checkedImage(GraphBuilder& b, Output image) {
  const auto checks = checkImage(b, image);
  return b.ok() ? nn::withDependencies(b, checks, image) : Output{};
}

ArgumentList dimensions(GraphBuilder& b, Output image, int rank) {
  const Shape s = b.shape(image);
  ArgumentList out;
  if (s.isFullyKnown()) {
    for (const int64_t d : s.dims()) out.emplace_back(d);
    return out;
  }
  const auto all = tf::unstack(b, tf::shape(b, image), rank);
  for (int i = 0; i < rank && b.ok(); ++i) out.push_back(s.hasRank() && s.dim(i) >= 0 ? Argument(s.dim(i)) : Argument(all[size_t(i)]));
  out.resize(size_t(rank));
  return out;
}

namespace {

bool isTensor(const Argument& a) { return holdsTensor(a); }
int64_t value(const Argument& a) { return Arguments{{"v", a}}.integer("v"); }

// Arithmetic on sizes that may be numbers or tensors.
Argument less(GraphBuilder& b, const Argument& x, const Argument& y) {
  return isTensor(x) || isTensor(y) ? Argument(tf::minus(b, x, y)) : Argument(value(x) - value(y));
}
Argument sum(GraphBuilder& b, const Argument& x, const Argument& y) {
  return isTensor(x) || isTensor(y) ? Argument(tf::plus(b, x, y)) : Argument(value(x) + value(y));
}
Argument half(GraphBuilder& b, const Argument& x) {
  if (isTensor(x)) return tf::floordiv(b, x, 2);
  const int64_t v = value(x);
  return (v - (v < 0 ? 1 : 0)) / 2;
}
Argument minus(GraphBuilder& b, const Argument& x) { return isTensor(x) ? Argument(tf::negative(b, std::get<Output>(x))) : Argument(-value(x)); }
Argument larger(GraphBuilder& b, const Argument& x, const Argument& y) {
  return isTensor(x) || isTensor(y) ? Argument(emit(b, "Maximum", {x, y})) : Argument(std::max(value(x), value(y)));
}
Argument smaller(GraphBuilder& b, const Argument& x, const Argument& y) {
  return isTensor(x) || isTensor(y) ? Argument(emit(b, "Minimum", {x, y})) : Argument(std::min(value(x), value(y)));
}

// Conditions are checked statically if known, else in every step.
void require(GraphBuilder& b, std::vector<int>& checks, const Argument& x, std::string_view op, const Argument& y, const std::string& message) {
  if (!b.ok()) return;
  if (isTensor(x) || isTensor(y)) {
    const Output holds = tf::compare(b, op, x, y);
    checks.push_back(checks::require(b, holds, {message}));
    return;
  }
  if (!smallOp(op)->binary(value(x), value(y)).value_or(0)) b.fail(invalidArgument(message));
}

int64_t knownOr(const Argument& a) { return isTensor(a) ? -1 : value(a); }

// A single image as a batch of one.
struct Batch {
  Output images;
  bool isBatch = true;
};
Batch batchOf(GraphBuilder& b, const Argument& given) {
  const Output image = toTensor(b, given, "image");
  const Shape s = b.shape(image);
  if (s.rank() == 4) return {image, true};
  if (s.hasRank() && s.rank() != 3) {
    b.fail(invalidArgument("'image' must have either 3 or 4 dimensions."));
    return {};
  }
  const Output one = tf::expandDims(b, image, 0);
  if (!s.hasRank()) b.setShape(one, Shape::unknownOfRank(4));
  return {one, false};
}
Output unbatched(GraphBuilder& b, Output images, bool isBatch) { return isBatch ? images : tf::squeeze(b, images, {0}); }

}  // namespace

Output crop(GraphBuilder& b, const Argument& given, const Argument& top, const Argument& left, const Argument& height, const Argument& width) {
  const py::Scope scope(b, "crop_to_bounding_box");
  auto [image, isBatch] = batchOf(b, given);
  std::vector<int> checks = checkImage(b, image);
  const ArgumentList dims = dimensions(b, image, 4);
  if (!b.ok()) return {};
  require(b, checks, left, "GreaterEqual", 0, "offset_width must be >= 0.");
  require(b, checks, top, "GreaterEqual", 0, "offset_height must be >= 0.");
  require(b, checks, width, "Greater", 0, "target_width must be > 0.");
  require(b, checks, height, "Greater", 0, "target_height must be > 0.");
  require(b, checks, dims[2], "GreaterEqual", sum(b, width, left), "width must be >= target + offset.");
  require(b, checks, dims[1], "GreaterEqual", sum(b, height, top), "height must be >= target + offset.");
  if (!b.ok()) return {};
  image = nn::withDependencies(b, checks, image);
  const Output from = tf::stack(b, ArgumentList{0, top, left, 0});
  const Output size = tf::stack(b, ArgumentList{-1, height, width, -1});
  const Output cropped = b.op("Slice", {image, from, size});
  b.setShape(cropped, Shape{knownOr(dims[0]), knownOr(height), knownOr(width), knownOr(dims[3])});
  return unbatched(b, cropped, isBatch);
}

Output padded(GraphBuilder& b, const Argument& given, const Argument& top, const Argument& left, const Argument& height, const Argument& width) {
  const py::Scope scope(b, "pad_to_bounding_box");
  auto [image, isBatch] = batchOf(b, given);
  std::vector<int> checks = checkImage(b, image);
  const ArgumentList dims = dimensions(b, image, 4);
  if (!b.ok()) return {};
  const Argument right = less(b, less(b, width, left), dims[2]);
  const Argument bottom = less(b, less(b, height, top), dims[1]);
  require(b, checks, top, "GreaterEqual", 0, "offset_height must be >= 0");
  require(b, checks, left, "GreaterEqual", 0, "offset_width must be >= 0");
  require(b, checks, right, "GreaterEqual", 0, "width must be <= target - offset");
  require(b, checks, bottom, "GreaterEqual", 0, "height must be <= target - offset");
  if (!b.ok()) return {};
  image = nn::withDependencies(b, checks, image);
  const Output sides = tf::stack(b, ArgumentList{0, 0, top, bottom, left, right, 0, 0});
  const Output out = tf::pad(b, image, tf::reshape(b, sides, std::vector<int64_t>{4, 2}));
  b.setShape(out, Shape{knownOr(dims[0]), knownOr(height), knownOr(width), knownOr(dims[3])});
  return unbatched(b, out, isBatch);
}

Output cropOrPad(GraphBuilder& b, const Argument& given, Argument height, Argument width) {
  const py::Scope scope(b, "resize_image_with_crop_or_pad");
  auto [image, isBatch] = batchOf(b, given);
  std::vector<int> checks = checkImage(b, image);
  require(b, checks, width, "Greater", 0, "target_width must be > 0.");
  require(b, checks, height, "Greater", 0, "target_height must be > 0.");
  if (!b.ok()) return {};
  image = nn::withDependencies(b, checks, image);
  if (const auto* o = std::get_if<Output>(&height)) height = nn::withDependencies(b, checks, *o);
  if (const auto* o = std::get_if<Output>(&width)) width = nn::withDependencies(b, checks, *o);
  const ArgumentList dims = dimensions(b, image, 4);
  const Argument wider = less(b, width, dims[2]);
  const Argument cropLeft = larger(b, half(b, minus(b, wider)), 0);
  const Argument padLeft = larger(b, half(b, wider), 0);
  const Argument higher = less(b, height, dims[1]);
  const Argument cropTop = larger(b, half(b, minus(b, higher)), 0);
  const Argument padTop = larger(b, half(b, higher), 0);
  const Argument cropHeight = smaller(b, height, dims[1]);
  const Argument cropWidth = smaller(b, width, dims[2]);
  const Output cropped = crop(b, image, cropTop, cropLeft, cropHeight, cropWidth);
  Output resized = padded(b, cropped, padTop, padLeft, height, width);
  if (!b.ok()) return {};
  const ArgumentList now = dimensions(b, resized, 4);
  checks.clear();
  require(b, checks, now[1], "Equal", height, "resized height is not correct.");
  require(b, checks, now[2], "Equal", width, "resized width is not correct.");
  if (!b.ok()) return {};
  resized = nn::withDependencies(b, checks, resized);
  return unbatched(b, resized, isBatch);
}

}  // namespace images

namespace {

using namespace images;

Built resize(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("resize");
  Output images = c.tensor("images");
  const Shape s = b.shape(images);
  if (!b.ok()) return b.status().error();
  if (!s.hasRank()) return invalidArgument("'images' contains no shape.");
  if (s.rank() != 3 && s.rank() != 4) return invalidArgument("'images' must have either 3 or 4 dimensions.");
  const bool isBatch = s.rank() == 4;
  if (!isBatch) images = tf::expandDims(b, images, 0);
  Output size = c.tensor("size", DType::Int32);
  if (!b.ok() || !b.shape(size).compatibleWith(Shape{2})) return invalidArgument("'size' must be a 1-D int32 Tensor");
  auto known = b.constantValue(size);
  if (c.a.flag("preserve_aspect_ratio")) {
    const ArgumentList now = dimensions(b, images, 4);
    const auto asFloat = [&](const Argument& a) { return tf::cast(b, a, DType::Float); };
    const Argument newHeight = known ? Argument(known->asInt(0)) : Argument(tf::at(b, size, 0)),
                   newWidth = known ? Argument(known->asInt(1)) : Argument(tf::at(b, size, 1));
    const Output wantedHeight = asFloat(newHeight);
    const Output byHeight = tf::over(b, wantedHeight, asFloat(now[1]));
    const Output wantedWidth = asFloat(newWidth);
    const Output byWidth = tf::over(b, wantedWidth, asFloat(now[2]));
    const Output factor = b.op("Minimum", {byHeight, byWidth});
    const Output height = tf::cast(b, b.op("Round", {tf::times(b, factor, asFloat(now[1]))}), DType::Int32);
    const Output width = tf::cast(b, b.op("Round", {tf::times(b, factor, asFloat(now[2]))}), DType::Int32);
    size = toTensor(b, ArgumentList{height, width}, "size", DType::Int32);
    known = b.constantValue(size);
  }
  const Shape full = b.shape(images);
  if (known && full.dim(1) == known->asInt(0) && full.dim(2) == known->asInt(1)) return c.one(isBatch ? images : tf::squeeze(b, images, {0}));
  // By number, and by name.
  static constexpr std::pair<std::string_view, const char*> kMethods[] = {
      {"bilinear", "ResizeBilinear"}, {"nearest", "ResizeNearestNeighbor"}, {"bicubic", "ResizeBicubic"}, {"area", "ResizeArea"}};
  const char* op = nullptr;
  if (const auto* text = std::get_if<std::string>(&c["method"])) {
    for (const auto& [name, itsOp] : kMethods)
      if (name == *text) op = itsOp;
  } else if (const int64_t n = c.a.integer("method"); n >= 0 && n < 4) {
    op = kMethods[n].second;
  }
  if (!op) return invalidArgument("Resize method is not implemented.");
  Output out = b.op(op, {images, size}, {{"align_corners", c.a.flag("align_corners")}});
  b.setShape(out, Shape{-1, known ? known->asInt(0) : -1, known ? known->asInt(1) : -1, -1});
  if (!isBatch) out = tf::squeeze(b, out, {0});
  return c.one(out);
}

Built centralCrop(Call& c) {
  GraphBuilder& b = c.b;
  const py::Scope scope(b, "central_crop");
  const Output image = c.tensor("image");
  const double part = c.a.number("central_fraction");
  if (part <= 0.0 || part > 1.0) return invalidArgument("central_fraction must be within (0, 1]");
  if (part == 1.0) return c.one(image);
  checkedImage(b, image);
  const Shape s = b.shape(image);
  if (!b.ok()) return b.status().error();
  if (s.rank() != 3 && s.rank() != 4) return invalidArgument("`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = ", s.rank(), ".");
  const int first = s.rank() - 3;
  Argument sizes[2];
  for (int i = 0; i < 2; ++i) sizes[i] = s.dim(first + i) >= 0 ? Argument(s.dim(first + i)) : Argument(tf::at(b, tf::shape(b, image), first + i));
  Argument starts[2], lengths[2];
  for (int i = 0; i < 2; ++i) {
    if (const auto* n = std::get_if<int64_t>(&sizes[i])) {
      starts[i] = int64_t((double(*n) - double(*n) * part) / 2);
    } else {
      const Output whole = tf::cast(b, sizes[i], DType::Double);
      starts[i] = tf::cast(b, tf::over(b, tf::minus(b, whole, tf::times(b, whole, part)), 2), DType::Int32);
    }
  }
  for (int i = 0; i < 2; ++i) {
    const auto* n = std::get_if<int64_t>(&sizes[i]);
    lengths[i] = n ? Argument(*n - std::get<int64_t>(starts[i]) * 2) : Argument(tf::minus(b, sizes[i], tf::times(b, starts[i], 2)));
  }
  ArgumentList from = {starts[0], starts[1], 0}, size = {lengths[0], lengths[1], -1};
  if (first) {
    from.insert(from.begin(), 0);
    size.insert(size.begin(), -1);
  }
  const Output begin = tf::stack(b, from);
  const Output out = b.op("Slice", {image, begin, tf::stack(b, size)});
  Shape known = s;
  for (int i = 0; i < 2; ++i) known.setDim(first + i, std::holds_alternative<int64_t>(lengths[i]) ? std::get<int64_t>(lengths[i]) : -1);
  b.setShape(out, known);
  return c.one(out);
}

Built flip(Call& c, int64_t axis, const char* scopeName) {
  GraphBuilder& b = c.b;
  const py::Scope scope(b, scopeName);
  const Output image = checkedImage(b, c.tensor("image"));
  const Shape s = b.shape(image);
  if (!b.ok()) return b.status().error();
  if (s.rank() > 4) return invalidArgument("'image' must have either 3 or 4 dimensions.");
  const Output out = emit(b, "ReverseV2", {image, std::vector<int64_t>{s.rank() == 4 ? axis + 1 : axis}});
  if (s.rank() != 4) b.setShape(out, s.hasRank() ? s : Shape::unknownOfRank(3));
  return c.one(out);
}

Built randomFlip(Call& c, int64_t axis, const char* scopeName) {
  GraphBuilder& b = c.b;
  const py::Scope scope(b, scopeName);
  const Output image = checkedImage(b, c.tensor("image"));
  const Shape s = b.shape(image);
  if (!b.ok()) return b.status().error();
  using Ints = std::vector<int64_t>;
  if (s.rank() == 4) {
    const Output batch = tf::at(b, tf::shape(b, image), 0);
    const Output random = tf::randomUniform(b, ArgumentList{batch}, 0, 1.0, DType::Float, c.seed());
    const Output turned = tf::cast(b, b.op("Round", {tf::reshape(b, random, ArgumentList{batch, 1, 1, 1})}), b.dtype(image));
    const Output flipped = emit(b, "ReverseV2", {image, Ints{axis + 1}});
    const Output yes = tf::times(b, turned, flipped);
    const Output no = tf::times(b, tf::minus(b, 1, turned), image);
    return c.one(tf::plus(b, yes, no));
  }
  if (s.rank() > 4) return invalidArgument("'image' must have either 3 or 4 dimensions.");
  const Output random = tf::randomUniform(b, Ints{}, 0, 1.0, DType::Float, c.seed());
  const Output mirror = tf::compare(b, "Less", random, 0.5);
  const auto out = cond(
      b, mirror,
      [&]() -> std::vector<Output> {
        return {emit(b, "ReverseV2", {image, Ints{axis}})};
      },
      [&]() -> std::vector<Output> { return {image}; }, scope.name());
  if (!b.ok()) return b.status().error();
  b.setShape(out[0], s.hasRank() ? s : Shape::unknownOfRank(3));
  return c.one(out[0]);
}

Built turned(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("transpose");
  const Output image = checkedImage(b, c.tensor("image"));
  const Shape s = b.shape(image);
  if (!b.ok()) return b.status().error();
  if (s.rank() > 4) return invalidArgument("'image' must have either 3 or 4 dimensions.");
  const std::string name = c.name();
  return c.one(tf::transpose(b, image, s.rank() == 4 ? std::vector<int64_t>{0, 2, 1, 3} : std::vector<int64_t>{1, 0, 2}, name));
}

}  // namespace

void registerImages(ApiRegistry& r) {
  def(r, "image.resize_images image.resize",
      "images|size|method: any=bilinear|align_corners: bool=false|preserve_aspect_ratio: bool=false -- Whether to preserve the aspect ratio.|name",
      "Resizes images.", "Resized images, as floats unless the method is nearest neighbour.", resize);
  for (const auto& [name, op] :
       {std::pair("bilinear", "ResizeBilinear"), std::pair("nearest_neighbor", "ResizeNearestNeighbor"), std::pair("bicubic", "ResizeBicubic")}) {
    def(r, std::string("image.resize_") + name, "images|size|align_corners: bool=false|name|half_pixel_centers: bool=false", "Resizes images.", "Images.",
        [op = std::string(op)](Call& c) {
          return c.one(emit(c.b, op, {c["images"], c["size"]},
                            {{"align_corners", c.a.flag("align_corners")}, {"half_pixel_centers", c.a.flag("half_pixel_centers")}}, c.name()));
        });
  }
  const std::string box =
      "|offset_height: any -- Rows above the box.|offset_width: any -- Columns to the left of the box.|target_height: any -- Height of the "
      "result.|target_width: any -- Width of the result.";
  def(r, "image.crop_to_bounding_box", "image" + box, "Crops an image to a box.", "An image.",
      [](Call& c) { return c.one(crop(c.b, c["image"], c["offset_height"], c["offset_width"], c["target_height"], c["target_width"])); });
  def(r, "image.pad_to_bounding_box", "image" + box, "Pads an image with zeros to a given size.", "An image.",
      [](Call& c) { return c.one(padded(c.b, c["image"], c["offset_height"], c["offset_width"], c["target_height"], c["target_width"])); });
  def(r, "image.resize_image_with_crop_or_pad image.resize_with_crop_or_pad",
      "image|target_height: any -- Height of the result.|target_width: any -- Width of the result.",
      "Crops or pads an image around its centre to a given size.", "An image.",
      [](Call& c) { return c.one(cropOrPad(c.b, c["image"], c["target_height"], c["target_width"])); });
  def(r, "image.central_crop", "image|central_fraction: float -- Fraction of height and width to keep.", "Crops an image to its central region.", "An image.",
      centralCrop);
  def(r, "image.flip_left_right", "image", "Flips images horizontally.", "An image.", [](Call& c) { return flip(c, 1, "flip_left_right"); });
  def(r, "image.flip_up_down", "image", "Flips images vertically.", "An image.", [](Call& c) { return flip(c, 0, "flip_up_down"); });
  def(r, "image.random_flip_left_right", "image|seed: int=None", "Flips each image horizontally with probability 1/2.", "An image.",
      [](Call& c) { return randomFlip(c, 1, "random_flip_left_right"); });
  def(r, "image.random_flip_up_down", "image|seed: int=None", "Flips each image vertically with probability 1/2.", "An image.",
      [](Call& c) { return randomFlip(c, 0, "random_flip_up_down"); });
  def(r, "image.transpose_image image.transpose", "image|name", "Transposes images: swaps height and width.", "An image.", turned);
  registerImageColours(r);
}

}  // namespace weft::api
