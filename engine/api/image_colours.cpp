// tf.image: colours, contrast, boxes, similarity measures; files.
#include <cmath>

#include "api/checks.h"
#include "api/control_flow.h"
#include "api/images.h"
#include "api/nn_functions.h"

namespace weft::api {
namespace images {
namespace {

/// The largest integer of a type is 2 to the power of this, minus 1.
int valueBits(DType t) {
  switch (t) {
    case DType::UInt8: return 8;
    case DType::Int8: return 7;
    case DType::UInt16: return 16;
    case DType::Int16: return 15;
    case DType::Int32: return 31;
    case DType::UInt32: return 32;
    case DType::UInt64: return 64;
    default: return 63;
  }
}

double largest(DType t) { return std::ldexp(1.0, valueBits(t)) - 1; }

Output saturated(GraphBuilder& b, Output x, DType type, std::string_view name) {
  Arguments a = {{"value", x}, {"dtype", type}};
  if (!name.empty()) a.set("name", std::string(name));
  auto made = buildApi(b, "saturate_cast", std::move(a));
  if (!made.ok()) b.fail(made.error());
  return made.ok() ? made->outputs[0] : Output{};
}

}  // namespace

Output converted(GraphBuilder& b, const Argument& given, DType type, bool saturate, tf::Name name) {
  const Output image = toTensor(b, given, "image");
  if (!b.ok()) return {};
  if (!isFloating(type) && !isInteger(type)) {
    Error e = invalidArgument("dtype must be either floating point or integer");
    e.ofKind("AttributeError");
    b.fail(std::move(e));
    return {};
  }
  const DType from = b.dtype(image);
  if (from == type) return tf::identity(b, image, name);
  const py::Scope scope(b, name.empty() ? "convert_image" : name);
  const auto as = [&](Output x, std::string_view called) { return saturate ? saturated(b, x, type, called) : tf::cast(b, x, type, called); };
  if (isInteger(from) && isInteger(type)) {
    const int more = valueBits(from) - valueBits(type);
    const int64_t scale = int64_t(1) << std::abs(more);
    if (more > 0) return as(tf::div(b, image, scale), scope.name());
    return emit(b, "Mul", {as(image, {}), scale}, {}, scope.name());
  }
  if (isFloating(from) && isFloating(type)) return tf::cast(b, image, type, scope.name());
  if (isInteger(from)) return emit(b, "Mul", {tf::cast(b, image, type), 1.0 / largest(from)}, {}, scope.name());
  return as(emit(b, "Mul", {image, largest(type) + 0.5}), scope.name());
}

}  // namespace images

namespace {

using namespace images;

// Applies `change` to the image as float and converts the result back.
Output asFloats(GraphBuilder& b, Output image, const std::function<Output(Output)>& change, bool saturate) {
  const DType type = b.dtype(image);
  const Output x = type == DType::Half || type == DType::Float ? image : converted(b, image, DType::Float);
  return converted(b, change(x), type, saturate);
}

Output adjustBrightness(GraphBuilder& b, const Argument& given, const Argument& delta) {
  const py::Scope scope(b, "adjust_brightness");
  const Output image = toTensor(b, given, "image");
  return asFloats(
      b, image,
      [&](Output x) {
        return b.op("Add", {x, tf::cast(b, delta, b.dtype(x))}, {}, scope.name());
      },
      true);
}

Output adjustContrast(GraphBuilder& b, const Argument& given, const Argument& factor) {
  const py::Scope scope(b, "adjust_contrast");
  const Output image = toTensor(b, given, "images");
  return asFloats(
      b, image,
      [&](Output x) {
        return emit(b, "AdjustContrastv2", {x, factor}, {}, scope.name());
      },
      true);
}

Output adjustColour(GraphBuilder& b, const char* scopeName, const char* op, const Argument& given, const Argument& amount, const std::string& name) {
  const py::Scope scope(b, name.empty() ? scopeName : name);
  const Output image = toTensor(b, given, "image");
  return asFloats(
      b, image,
      [&](Output x) {
        return emit(b, op, {x, amount});
      },
      false);
}

Status boundsOk(const Call& c) {
  if (c.a.number("upper") <= c.a.number("lower")) return invalidArgument("upper must be > lower.");
  if (c.a.number("lower") < 0) return invalidArgument("lower must be non-negative.");
  return {};
}

Built standardized(Call& c) {
  GraphBuilder& b = c.b;
  const py::Scope scope(b, "per_image_standardization");
  Output image = checkedImage(b, c.tensor("image"));
  const DType type = b.dtype(image);
  if (type != DType::Half && type != DType::Float) image = converted(b, image, DType::Float);
  const std::vector<int64_t> axes = {-1, -2, -3};
  const Output pixels = tf::reduce(b, "Prod", tf::part(b, tf::shape(b, image), -3, {}));
  const Output mean = tf::reduce(b, "Mean", image, axes, true);
  auto deviation = buildApi(b, "math.reduce_std", {{"input_tensor", image}, {"axis", axes}, {"keepdims", true}});
  if (!deviation.ok()) return deviation.error();
  const Output least = b.op("Rsqrt", {tf::cast(b, pixels, b.dtype(image))});
  const Output divisor = b.op("Maximum", {deviation->outputs[0], least});
  image = tf::minus(b, image, mean);
  image = tf::div(b, image, divisor, scope.name());
  return c.one(converted(b, image, type, true));
}

Built gamma(Call& c) {
  GraphBuilder& b = c.b;
  const py::Scope scope(b, "adjust_gamma");
  const Output image = c.tensor("image");
  const DType type = b.dtype(image);
  const Output x = type == DType::Half || type == DType::Float ? image : converted(b, image, DType::Float);
  Argument power = c["gamma"];
  if (const auto* o = std::get_if<Output>(&power)) {
    const int checked = checks::require(b, tf::compare(b, "GreaterEqual", *o, 0), {"Gamma should be a non-negative real number."});
    if (b.ok()) power = nn::withDependencies(b, {checked}, *o);
  } else if (c.a.number("gamma") < 0) {
    return invalidArgument("Gamma should be a non-negative real number.");
  }
  const Output raised = binary(b, "pow", "Pow", x, power);
  return c.one(converted(b, tf::times(b, c["gain"], raised), type, true));
}

Built toGrey(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("rgb_to_grayscale");
  const Output images = c.tensor("images");
  const Output floats = converted(b, images, DType::Float);
  const Argument weights = Literal{Tensor::vector(std::vector<double>{0.2989, 0.5870, 0.1140}), true};
  const Output grey = tf::tensordot(b, floats, weights, ArgumentList{-1, -1});
  return c.one(converted(b, tf::expandDims(b, grey, -1), b.dtype(images), false, scope.name()));
}

Built fromGrey(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("grayscale_to_rgb");
  const Output given = toTensor(b, c["images"], {});
  const Shape s = b.shape(given);
  if (s.isFullyKnown() && s.rank() > 0 && s.dim(s.rank() - 1) != 1) return invalidArgument("Last dimension of a grayscale image should be size 1.");
  std::vector<int> nodes;
  if (!s.isFullyKnown()) {
    checks::Options last, rank;
    last.message = "Last dimension of a grayscale image should be size 1.";
    rank.message = "A grayscale image must be at least two-dimensional.";
    nodes.push_back(checks::binary(b, "==", tf::at(b, tf::shape(b, given), -1), 1, last));
    nodes.push_back(checks::binary(b, ">=", tf::rank(b, given), 3, rank));
  }
  if (!b.ok()) return b.status().error();
  const Output images = nn::withDependencies(b, nodes, given);
  const Output outer = tf::expandDims(b, tf::minus(b, tf::rank(b, images), 1), 0);
  const Output ones = tf::ones(b, outer, DType::Int32);
  const Output three = tf::expandDims(b, 3, 0);
  const Output out = b.op("Tile", {images, tf::concatenate(b, ArgumentList{ones, three}, 0)}, {}, scope.name());
  if (s.hasRank() && s.rank() > 0) {
    Shape known = s;
    known.setDim(s.rank() - 1, 3);
    b.setShape(out, known);
  }
  return c.one(out);
}

Built colourSpace(Call& c, const std::vector<double>& kernel) {
  GraphBuilder& b = c.b;
  const Output images = c.tensor("images");
  const Output matrix = toTensor(b, Literal{Tensor::of(kernel, Shape{3, 3}), true}, "kernel", b.dtype(images));
  return c.one(tf::tensordot(b, images, matrix, ArgumentList{std::vector<int64_t>{b.shape(images).rank() - 1}, std::vector<int64_t>{0}}));
}

Built totalVariation(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("total_variation");
  const Output x = toTensor(b, c["images"], {});
  const int rank = b.shape(x).rank();
  if (rank != 3 && rank != 4) return invalidArgument("'images' must be either 3 or 4-dimensional.");
  using tf::Index;
  const auto differences = [&](int axis) {
    std::vector<Index> from(size_t(rank), Index::range({}, {})), to = from;
    from[size_t(axis)] = Index::range(1, {});
    to[size_t(axis)] = Index::range({}, -1);
    const Output later = tf::item(b, x, from);
    return tf::minus(b, later, tf::item(b, x, to));
  };
  const Output down = differences(rank - 3), right = differences(rank - 2);
  const Argument axes = rank == 4 ? Argument(std::vector<int64_t>{1, 2, 3}) : Argument();
  const Output first = tf::reduce(b, "Sum", tf::abs(b, down), axes);
  return c.one(tf::plus(b, first, tf::reduce(b, "Sum", tf::abs(b, right), axes)));
}

Built gradients(Call& c) {
  GraphBuilder& b = c.b;
  const Output x = toTensor(b, c["image"], {});
  if (b.shape(x).rank() != 4) return invalidArgument("image_gradients expects a 4D tensor [batch_size, h, w, d], not ", b.shape(x).toPythonString(), ".");
  const Output shape = tf::shape(b, x);
  const auto dims = tf::unstack(b, shape);
  if (!b.ok()) return b.status().error();
  using tf::Index;
  Output out[2];
  for (const int axis : {1, 2}) {
    std::vector<Index> from(4, Index::range({}, {})), to = from;
    from[size_t(axis)] = Index::range(1, {});
    to[size_t(axis)] = Index::range({}, -1);
    const Output later = tf::item(b, x, from);
    out[axis - 1] = tf::minus(b, later, tf::item(b, x, to));
  }
  for (const int axis : {1, 2}) {
    ArgumentList edge(dims.begin(), dims.end());
    edge[size_t(axis)] = 1;
    const Output rest = tf::zeros(b, tf::stack(b, edge), b.dtype(x));
    const Output whole = tf::concatenate(b, ArgumentList{out[axis - 1], rest}, axis);
    out[axis - 1] = tf::reshape(b, whole, shape);
  }
  return c.all({out[0], out[1]});
}

Built psnr(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("PSNR");
  Output x = toTensor(b, c["a"], {}), y = toTensor(b, c["b"], {});
  Output most = tf::cast(b, c["max_val"], b.dtype(x));
  most = converted(b, most, DType::Float);
  x = converted(b, x, DType::Float);
  y = converted(b, y, DType::Float);
  const Output mse = tf::reduce(b, "Mean", b.op("SquaredDifference", {x, y}), std::vector<int64_t>{-3, -2, -1});
  const Output level = tf::times(b, 20, b.op("Log", {most}));
  const Output signal = tf::over(b, level, emit(b, "Log", {10.0}));
  const Output noise = tf::times(b, Literal{Tensor::scalar(float(10 / std::log(10.0))), false}, b.op("Log", {mse}));
  const Output out = b.op("Sub", {signal, noise}, {}, "psnr");
  const Shape s = b.shape(x), t = b.shape(y);
  if (!s.compatibleWith(t)) return invalidArgument("The static shapes of images are not compatible: ", s.toPythonString(), " and ", t.toPythonString());
  return c.one(tf::identity(b, out));
}

Built nonMaxSuppression(Call& c, const char* scopeName, const char* op, bool scores, bool padded) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope(scopeName);
  ArgumentList inputs = {c["boxes"], c["scores"], c["max_output_size"]};
  inputs.emplace_back(c.tensor("iou_threshold"));
  inputs.emplace_back(c.tensor("score_threshold"));
  if (scores) inputs.emplace_back(c.tensor("soft_nms_sigma"));
  AttrMap attrs;
  if (padded || scores) attrs.set("pad_to_max_output_size", padded && c.a.flag("pad_to_max_output_size"));
  auto all = emitAll(b, op, inputs, attrs);
  if (!b.ok()) return b.status().error();
  if (scores) all.resize(2);
  return c.all(all);
}

Built sampleBox(Call& c) {
  const auto scope = c.scope("sample_distorted_bounding_box");
  AttrMap attrs = {{"seed", c.a.integer("seed")}, {"seed2", c.a.integer("seed2")}};
  for (const char* n : {"aspect_ratio_range", "area_range"}) {
    if (!c.has(n)) continue;
    WEFT_LET(Attr v, attrFromArgument("list(float)", c[n]));
    attrs.set(n, std::move(v));
  }
  if (c.has("max_attempts")) attrs.set("max_attempts", c.a.integer("max_attempts"));
  if (c.has("use_image_if_no_bounding_boxes")) attrs.set("use_image_if_no_bounding_boxes", c.a.flag("use_image_if_no_bounding_boxes"));
  return c.all(emitAll(c.b, "SampleDistortedBoundingBoxV2", {c["image_size"], c["bounding_boxes"], c["min_object_covered"]}, attrs, c.name()));
}

// The file format is detected from the first bytes, in every step.
Built decodeImage(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("decode_image");
  const bool given = c.has("channels");
  const int64_t channels = c.a.integer("channels");
  if (channels != 0 && channels != 1 && channels != 3 && channels != 4) return invalidArgument("channels must be in (None, 0, 1, 3, 4)");
  (void)given;
  const DType type = c.a.dtype("dtype");
  const Output contents = toTensor(b, c["contents"], "contents");
  const auto begins = [&](int64_t n) { return emit(b, "Substr", {contents, 0, n}); };
  const auto starts = [&](Output head, std::string text, std::string_view name) { return emit(b, "Equal", {head, std::move(text)}, {}, name); };
  const Output head = begins(3);
  const auto checked = [&](Output good, const std::string& message) { return checks::require(b, good, {message}); };
  using List = std::vector<Output>;
  const auto bmp = [&]() -> List {
    const Output is = starts(begins(2), "BM", "is_bmp");
    const int decoded = checked(is, "Unable to decode bytes as JPEG, PNG, GIF, or BMP");
    const int good = checked(emit(b, "NotEqual", {channels, 1}, {}, "check_channels"), "Channels must be in (None, 0, 3) when decoding BMP images");
    const auto wait = b.controlDependencies({decoded, good});
    return {converted(b, b.op("DecodeBmp", {contents}), type)};
  };
  const auto gif = [&]() -> List {
    const Output notOne = emit(b, "NotEqual", {channels, 1}, {}, "check_gif_channels"), notFour = emit(b, "NotEqual", {channels, 4}, {}, "check_gif_channels");
    const int good = checked(b.op("LogicalAnd", {notOne, notFour}), "Channels must be in (None, 0, 3) when decoding GIF images");
    const auto wait = b.controlDependencies({good});
    const Output frames = converted(b, b.op("DecodeGif", {contents}), type);
    return {c.a.flag("expand_animations") ? frames : tf::gather(b, frames, 0)};
  };
  const auto otherwiseGif = [&]() -> List { return cond(b, starts(head, "GIF", "is_gif"), gif, bmp, "cond_gif"); };
  const auto png = [&]() -> List {
    return {converted(b, b.op("DecodePng", {contents}, {{"channels", channels}, {"dtype", type == DType::UInt8 ? DType::UInt8 : DType::UInt16}}), type)};
  };
  const auto otherwisePng = [&]() -> List {
    Output is;
    {
      const py::Scope own(b, "is_png");
      is = starts(begins(3), "\211PN", own.name());
    }
    return cond(b, is, png, otherwiseGif, "cond_png");
  };
  const auto jpeg = [&]() -> List {
    const int good = checked(emit(b, "NotEqual", {channels, 4}, {}, "check_jpeg_channels"), "Channels must be in (None, 0, 1, 3) when decoding JPEG images");
    const auto wait = b.controlDependencies({good});
    return {converted(b, b.op("DecodeJpeg", {contents}, {{"channels", channels}}), type)};
  };
  Output is;
  {
    const py::Scope own(b, "is_jpeg");
    is = starts(begins(3), "\xff\xd8\xff", own.name());
  }
  const auto out = cond(b, is, jpeg, otherwisePng, "cond_jpeg");
  if (!b.ok()) return b.status().error();
  return c.one(out[0]);
}

}  // namespace

void registerImageColours(ApiRegistry& r) {
  def(r, "image.convert_image_dtype", "image|dtype: dtype|saturate: bool=false -- Whether to clamp values that do not fit the type.|name",
      "Converts an image to another type; integers range from 0 to their maximum, floats from 0 to 1.", "An image.",
      [](Call& c) { return c.one(converted(c.b, c["image"], c.a.dtype("dtype"), c.a.flag("saturate"), c.name())); });
  def(r, "image.adjust_brightness", "image|delta -- Value to add.", "Adjusts the brightness of an image.", "An image.",
      [](Call& c) { return c.one(adjustBrightness(c.b, c["image"], c["delta"])); });
  def(r, "image.adjust_contrast", "images|contrast_factor -- Factor by which each channel is scaled about its mean.", "Adjusts the contrast of images.",
      "Images.", [](Call& c) { return c.one(adjustContrast(c.b, c["images"], c["contrast_factor"])); });
  def(r, "image.adjust_gamma", "image|gamma=1 -- Exponent.|gain=1 -- Factor.", "Gamma correction: gain * image ^ gamma.", "An image.", gamma);
  def(r, "image.adjust_hue", "image|delta -- Rotation of the hue, as a fraction of a full turn.|name", "Adjusts the hue of an image.", "An image.",
      [](Call& c) { return c.one(adjustColour(c.b, "adjust_hue", "AdjustHue", c["image"], c["delta"], c.name())); });
  def(r, "image.adjust_saturation", "image|saturation_factor -- Factor by which the saturation is multiplied.|name", "Adjusts the saturation of an image.",
      "An image.", [](Call& c) { return c.one(adjustColour(c.b, "adjust_saturation", "AdjustSaturation", c["image"], c["saturation_factor"], c.name())); });
  def(r, "image.random_brightness", "image|max_delta: float -- Maximum change.|seed: int=None", "Adjusts the brightness of an image randomly.", "An image.",
      [](Call& c) -> Built {
        const double most = c.a.number("max_delta");
        if (most < 0) return invalidArgument("max_delta must be non-negative.");
        return c.one(adjustBrightness(c.b, c["image"], tf::randomUniform(c.b, std::vector<int64_t>{}, -most, most, DType::Float, c.seed())));
      });
  def(r, "image.random_hue", "image|max_delta: float -- Maximum change.|seed: int=None", "Adjusts the hue of an image randomly.", "An image.",
      [](Call& c) -> Built {
        const double most = c.a.number("max_delta");
        if (most > 0.5) return invalidArgument("max_delta must be <= 0.5.");
        if (most < 0) return invalidArgument("max_delta must be non-negative.");
        return c.one(
            adjustColour(c.b, "adjust_hue", "AdjustHue", c["image"], tf::randomUniform(c.b, std::vector<int64_t>{}, -most, most, DType::Float, c.seed()), {}));
      });
  const std::string bounds = "|lower: float -- Smallest factor.|upper: float -- Largest factor.|seed: int=None";
  def(r, "image.random_contrast", "image" + bounds, "Adjusts the contrast of an image randomly.", "An image.", [](Call& c) -> Built {
    WEFT_TRY(boundsOk(c));
    return c.one(
        adjustContrast(c.b, c["image"], tf::randomUniform(c.b, std::vector<int64_t>{}, c.a.number("lower"), c.a.number("upper"), DType::Float, c.seed())));
  });
  def(r, "image.random_saturation", "image" + bounds, "Adjusts the saturation of an image randomly.", "An image.", [](Call& c) -> Built {
    WEFT_TRY(boundsOk(c));
    return c.one(adjustColour(c.b, "adjust_saturation", "AdjustSaturation", c["image"],
                              tf::randomUniform(c.b, std::vector<int64_t>{}, c.a.number("lower"), c.a.number("upper"), DType::Float, c.seed()), {}));
  });
  def(r, "image.per_image_standardization image.per_image_whitening", "image", "Normalizes an image to mean 0 and variance 1.", "A float image.", standardized);
  def(r, "image.rgb_to_grayscale", "images|name", "Converts RGB images to grayscale.", "Images with one channel.", toGrey);
  def(r, "image.grayscale_to_rgb", "images|name", "Converts grayscale images to RGB.", "Images with three channels.", fromGrey);
  def(r, "image.rgb_to_yiq", "images", "Converts RGB images to another colour space.", "Images.", [](Call& c) {
    return colourSpace(c, {0.299, 0.59590059, 0.2115, 0.587, -0.27455667, -0.52273617, 0.114, -0.32134392, 0.31119955});
  });
  def(r, "image.yiq_to_rgb", "images", "Converts YIQ images to RGB.", "Images.", [](Call& c) {
    return colourSpace(c, {1, 1, 1, 0.95598634, -0.27201283, -1.10674021, 0.6208248, -0.64720424, 1.70423049});
  });
  def(r, "image.rgb_to_yuv", "images", "Converts RGB images to another colour space.", "Images.", [](Call& c) {
    return colourSpace(c, {0.299, -0.14714119, 0.61497538, 0.587, -0.28886916, -0.51496512, 0.114, 0.43601035, -0.10001026});
  });
  def(r, "image.yuv_to_rgb", "images", "Converts YUV images to RGB.", "Images.", [](Call& c) {
    return colourSpace(c, {1, 1, 1, 0, -0.394642334, 2.03206185, 1.13988303, -0.58062185, 0});
  });
  def(r, "image.total_variation", "images|name", "Total variation: the sum of absolute differences between neighbouring pixels.", "One number per image.",
      totalVariation);
  def(r, "image.image_gradients", "image", "Differences between neighbouring pixels.", "tuple: Differences along the height and along the width.", gradients);
  def(r, "image.psnr", "a|b|max_val -- Maximum value that a pixel can have.|name", "Peak signal-to-noise ratio between images.", "One number per image.", psnr);
  def(r, "image.draw_bounding_boxes", "images|boxes -- [batch, boxes, 4]|name|colors=None -- Colours, used in turn.", "Draws bounding boxes on images.",
      "Images.", [](Call& c) {
        if (!c.has("colors")) return c.one(emit(c.b, "DrawBoundingBoxes", {c["images"], c["boxes"]}, {}, c.name()));
        return c.one(emit(c.b, "DrawBoundingBoxesV2", {c["images"], c["boxes"], c["colors"]}, {}, c.name()));
      });
  def(r, "image.crop_and_resize",
      "image|boxes -- [boxes, 4]|box_ind/box_indices -- Batch index of each box's image.|crop_size -- Height and width of the results.|method: "
      "string=bilinear|extrapolation_value: float=0 -- Value for crop pixels outside the image.|name",
      "Crops boxes from images and resizes them to a common size.", "Images.", [](Call& c) {
        return c.one(emit(c.b, "CropAndResize", {c["image"], c["boxes"], c["box_ind"], c["crop_size"]},
                          {{"method", c.a.text("method")}, {"extrapolation_value", c.a.number("extrapolation_value")}}, c.name()));
      });
  def(r, "image.extract_glimpse",
      "input|size|offsets -- Centres of the windows.|centered: bool=true -- Whether offsets are measured from the image's centre.|normalized: bool=true -- "
      "Whether offsets are relative to the image size.|uniform_noise: bool=true -- Whether to fill with uniform noise outside the image.|name",
      "Extracts windows (glimpses) of images.", "Images.", [](Call& c) {
        return c.one(emit(c.b, "ExtractGlimpse", {c["input"], c["size"], c["offsets"]},
                          {{"centered", c.a.flag("centered")}, {"normalized", c.a.flag("normalized")}, {"uniform_noise", c.a.flag("uniform_noise")}},
                          c.name()));
      });
  const std::string nms =
      "boxes -- [boxes, 4]|scores -- [boxes]|max_output_size -- Maximum number of boxes.|iou_threshold=0.5 -- Boxes whose IoU with a selected box is at "
      "least this are discarded.|score_threshold=-inf -- Boxes whose score is not above this are discarded.";
  def(r, "image.non_max_suppression", nms + "|name", "Greedy non-maximum suppression of boxes.", "Indices of the selected boxes.",
      [](Call& c) { return nonMaxSuppression(c, "non_max_suppression", "NonMaxSuppressionV3", false, false); });
  def(r, "image.non_max_suppression_padded", nms + "|pad_to_max_output_size: bool=false -- Pad the result to max_output_size.|name",
      "Greedy non-maximum suppression of boxes.", "tuple(selected_indices valid_outputs): Indices of the selected boxes, and their number.",
      [](Call& c) { return nonMaxSuppression(c, "non_max_suppression_padded", "NonMaxSuppressionV4", false, true); });
  def(r, "image.non_max_suppression_with_scores", nms + "|soft_nms_sigma=0.0 -- Sigma of Soft-NMS; 0: off.|name", "Greedy non-maximum suppression of boxes.",
      "tuple: Indices of the selected boxes, and their scores.",
      [](Call& c) { return nonMaxSuppression(c, "non_max_suppression_with_scores", "NonMaxSuppressionV5", true, false); });
  def(r, "image.sample_distorted_bounding_box",
      "image_size -- Height, width, channels.|bounding_boxes -- [batch, boxes, 4]|seed: int=None|seed2: int=None -- A second seed.|min_object_covered=0.1 -- "
      "Minimum fraction of a box that the crop must cover.|aspect_ratio_range: floats=None -- Minimum and maximum width / height.|area_range: floats=None -- "
      "Minimum and maximum fraction of the image's area.|max_attempts: int=None -- Number of attempts before the whole image is "
      "returned.|use_image_if_no_bounding_boxes: bool=None -- Without boxes, use the whole image as one instead of failing.|name",
      "A random crop of an image that covers enough of one of its bounding boxes.",
      "tuple(begin size bboxes): Start and size of the crop, for slice, and the crop as a box.", sampleBox);
  def(r, "image.decode_image io.decode_image",
      "contents -- The file's bytes.|channels: int=None -- Number of channels; 0: as in the file.|dtype: dtype=uint8|name|expand_animations: bool=true -- "
      "Whether to return all frames of an animation.",
      "Decodes a JPEG, PNG, GIF or BMP image.", "An image.", decodeImage);
  def(r, "image.is_jpeg io.is_jpeg", "contents -- The file's bytes.|name", "Whether a file is a JPEG image.", "A boolean scalar.", [](Call& c) {
    const auto scope = c.scope("is_jpeg");
    const Output head = emit(c.b, "Substr", {c["contents"], 0, 3});
    return c.one(emit(c.b, "Equal", {head, "\xff\xd8\xff"}, {}, scope.name()));
  });
}

}  // namespace weft::api
