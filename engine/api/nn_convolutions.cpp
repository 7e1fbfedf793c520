// tf.nn: convolutions of all kinds and pooling.
#include <algorithm>
#include <numeric>

#include "api/nn_functions.h"

namespace weft::api {
namespace nn {
namespace {

std::vector<int64_t> integers(const Argument& a) { return Arguments{{"v", a}}.integers("v"); }

Literal table(const std::vector<int64_t>& values, const Shape& shape) { return {Tensor::of(std::vector<int32_t>(values.begin(), values.end()), shape), false}; }

// Rows and columns of padding that a dilated window of this size needs for "SAME".
std::vector<int64_t> windowPaddings(const std::vector<int64_t>& filter, const std::vector<int64_t>& rate) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < rate.size(); ++i) {
    const int64_t extra = filter[i] + (filter[i] - 1) * (rate[i] - 1) - 1;
    out.insert(out.end(), {extra / 2, extra - extra / 2});
  }
  return out;
}

// array_ops.required_space_to_batch_paddings
std::pair<Output, Output> requiredPaddings(GraphBuilder& b, const Argument& shapeGiven, const Argument& baseGiven, Output block) {
  const py::Scope scope(b, "required_space_to_batch_paddings");
  const Output shape = toTensor(b, shapeGiven, "input_shape", DType::Int32);
  const Output base = toTensor(b, baseGiven, "base_paddings", DType::Int32);
  const auto s = b.constantValue(shape), r = b.constantValue(block), p = b.constantValue(base);
  if (s && r && p) {
    std::vector<int64_t> paddings, crops;
    const int64_t n = r->elements();
    for (int64_t i = 0; i < n; ++i) {
      const int64_t before = p->asInt(2 * i), after = p->asInt(2 * i + 1), rate = r->asInt(i), rest = (rate - (s->asInt(i) + before + after) % rate) % rate;
      paddings.insert(paddings.end(), {before, after + rest});
      crops.insert(crops.end(), {0, rest});
    }
    const Output made = b.constant(table(paddings, {n, 2}).value, "paddings");
    return {made, b.constant(table(crops, {n, 2}).value, "crops")};
  }
  using tf::Index;
  const Output before = tf::item(b, base, {Index::range({}, {}), Index::at(0)});
  const Output after = tf::item(b, base, {Index::range({}, {}), Index::at(1)});
  const Output full = tf::plus(b, tf::plus(b, shape, before), after);
  const Output rest = tf::mod(b, tf::minus(b, block, tf::mod(b, full, block)), block);
  const Output end = tf::plus(b, after, rest);
  if (!b.ok()) return {};
  ArgumentList paddings, crops;
  const int64_t n = b.shape(block).dim(0);
  for (int64_t i = 0; i < n; ++i) paddings.emplace_back(ArgumentList{tf::at(b, before, i), tf::at(b, end, i)});
  const Output made = tf::stack(b, paddings, 0, "paddings");
  for (int64_t i = 0; i < n; ++i) crops.emplace_back(ArgumentList{0, tf::at(b, rest, i)});
  return {made, tf::stack(b, crops, 0, "crops")};
}

// A value for each spatial dimension, padded up to the first one; known values stay numbers.
Argument adjusted(GraphBuilder& b, Output o, int64_t fill, const std::vector<int64_t>& dims) {
  const Shape s = b.shape(o);
  const bool wide = s.rank() == 2;
  const auto known = b.constantValue(o);
  const int64_t before = dims[0] - 1, width = wide ? 2 : 1;
  if (known) {
    std::vector<int64_t> values(size_t(before * width), fill);
    for (int64_t i = 0; i < known->elements(); ++i) values.push_back(known->asInt(i));
    const auto n = int64_t(values.size()) / width;
    return table(values, wide ? Shape{n, 2} : Shape{n});
  }
  ArgumentList parts;
  if (before > 0) parts.emplace_back(table(std::vector<int64_t>(size_t(before * width), fill), wide ? Shape{before, 2} : Shape{before}));
  parts.emplace_back(tf::part(b, o, 0, int64_t(dims.size())));
  return tf::concatenate(b, parts, 0);
}

}  // namespace

Output withSpaceToBatch(GraphBuilder& b, const Argument& input, const Argument& rateGiven, const std::string& padding, const SpaceOp& op,
                        const Argument& filterShape, std::vector<int64_t> dims, const std::string& dataFormat) {
  const Output x = toTensor(b, input, "input");
  const Output rate = toTensor(b, rateGiven, "dilation_rate", DType::Int32);
  if (!b.ok()) return {};
  const Shape rates = b.shape(rate);
  if (rates.rank() != 1 || rates.dim(0) < 1) {
    b.fail(invalidArgument(rates.rank() != 1 ? "rate must be rank 1" : "rate must have known shape"));
    return {};
  }
  if (dims.empty()) {
    dims.resize(size_t(rates.dim(0)));
    std::iota(dims.begin(), dims.end(), dataFormat.starts_with("NC") ? 2 : 1);
  }
  const auto known = b.constantValue(rate);
  std::vector<int64_t> knownRate;
  for (int64_t i = 0; known && i < known->elements(); ++i) knownRate.push_back(known->asInt(i));
  if (std::any_of(knownRate.begin(), knownRate.end(), [](int64_t v) { return v < 1; })) {
    b.fail(invalidArgument("dilation_rate must be positive"));
    return {};
  }
  if (known && std::all_of(knownRate.begin(), knownRate.end(), [](int64_t v) { return v == 1; })) return op(x, padding);
  Argument base;
  if (padding == "SAME") {
    const Output filter = toTensor(b, filterShape, "filter_shape");
    const auto sizes = b.constantValue(filter);
    if (sizes && known) {
      std::vector<int64_t> window;
      for (int64_t i = 0; i < sizes->elements(); ++i) window.push_back(sizes->asInt(i));
      base = b.constant(table(windowPaddings(window, knownRate), {int64_t(knownRate.size()), 2}).value, "stack");
    } else {
      const Argument r = known ? Argument(Literal{*known, false}) : Argument(rate);
      const Output space = tf::part(b, filter, 0, rates.dim(0));
      const Output less = tf::minus(b, space, 1), gaps = tf::minus(b, r, 1);  // the order determines their names
      const Output more = tf::times(b, less, gaps);
      const Output extra = tf::minus(b, tf::plus(b, space, more), 1);
      const Output start = tf::floordiv(b, extra, 2), end = tf::minus(b, extra, start);
      ArgumentList rows;
      for (int64_t i = 0; i < rates.dim(0); ++i) rows.emplace_back(ArgumentList{tf::at(b, start, i), tf::at(b, end, i)});
      base = tf::stack(b, rows);
    }
  } else if (padding == "VALID") {
    base = table(std::vector<int64_t>(dims.size() * 2, 0), {int64_t(dims.size()), 2});
  } else {
    b.fail(invalidArgument("Invalid padding method '", padding, "'"));
    return {};
  }
  const Shape s = b.shape(x);
  Argument space;
  std::vector<int64_t> sizes;
  for (const int64_t d : dims) sizes.push_back(s.hasRank() && d < s.rank() ? s.dim(int(d)) : -1);
  if (std::all_of(sizes.begin(), sizes.end(), [](int64_t v) { return v >= 0; })) {
    space = sizes;
  } else {
    const Output shape = tf::shape(b, x);
    ArgumentList parts;
    for (const int64_t d : dims) parts.emplace_back(tf::at(b, shape, d));
    space = tf::stack(b, parts);
  }
  const auto [paddings, crops] = requiredPaddings(b, space, base, rate);
  if (!b.ok()) return {};
  const Argument blocks = adjusted(b, rate, 1, dims), before = adjusted(b, paddings, 0, dims), after = adjusted(b, crops, 0, dims);
  const Output batched = emit(b, "SpaceToBatchND", {x, blocks, before});
  return emit(b, "BatchToSpaceND", {op(batched, "VALID"), blocks, after});
}

std::vector<int64_t> sequence(GraphBuilder& b, const Argument& given, int n, bool channelsFirst, std::string_view name) {
  std::vector<int64_t> v = isNone(given) ? std::vector<int64_t>{1} : integers(given);
  if (int(v.size()) == n + 2) return v;
  if (v.size() == 1) v.assign(size_t(n), v[0]);
  if (int(v.size()) != n) {
    b.fail(invalidArgument(name, " should be of length 1, ", n, " or ", n + 2, " but was ", v.size()));
    return v;
  }
  v.insert(v.begin(), size_t(channelsFirst ? 2 : 1), 1);
  if (!channelsFirst) v.push_back(1);
  return v;
}

Output conv1d(GraphBuilder& b, const Argument& value, const Argument& filters, const Argument& stride, const std::string& padding,
              const std::string& dataFormat, const Argument& dilations, Name name) {
  const py::Scope scope(b, otherwise(name, "conv1d"));
  const bool first = dataFormat == "NCHW" || dataFormat == "NCW";
  if (!first && !dataFormat.empty() && dataFormat != "NHWC" && dataFormat != "NWC") {
    b.fail(invalidArgument("data_format must be \"NWC\" or \"NCW\"."));
    return {};
  }
  std::vector<int64_t> strides = sequence(b, stride, 1, first, "stride"), rates = sequence(b, dilations, 1, first, "dilations");
  strides.insert(strides.begin(), 1);
  rates.insert(rates.begin(), 1);
  const int64_t space = first ? 2 : 1;
  const Output x = tf::expandDims(b, value, space), w = tf::expandDims(b, filters, 0);
  const Output out =
      b.op("Conv2D", {x, w}, {{"strides", strides}, {"padding", padding}, {"data_format", first ? "NCHW" : "NHWC"}, {"dilations", rates}}, scope.name());
  return tf::squeeze(b, out, {space});
}

Output convolution(GraphBuilder& b, const Argument& input, const Argument& filter, const Argument& stridesGiven, const std::string& padding,
                   const std::string& dataFormat, const Argument& dilations, Name name) {
  const auto shapeOf = [&](const Argument& a) {
    const auto* v = std::get_if<VariablePtr>(&a);
    const auto* o = std::get_if<Output>(&a);
    const auto* value = std::get_if<Literal>(&a);
    return v ? (*v)->shape : o ? b.shape(*o) : value ? value->value.shape() : Shape::unknown();
  };
  const Shape xs = shapeOf(input), ws = shapeOf(filter);
  const int n = (xs.hasRank() ? xs : ws).rank() - 2;
  if (n < 1 || n > 3) {
    b.fail(n < 0 ? invalidArgument("rank of input or filter must be known") : invalidArgument("Input tensor must be of rank 3, 4 or 5 but was ", n + 2, "."));
    return {};
  }
  const bool first = dataFormat.starts_with("NC");
  std::vector<int64_t> strides = sequence(b, stridesGiven, n, first, "strides"), rates = sequence(b, dilations, n, first, "dilations");
  if (!b.ok()) return {};
  const py::Scope scope(b, otherwise(name, "convolution"));
  const auto plain = [&](const Argument& x, const std::vector<int64_t>& steps, const std::string& pad, const std::vector<int64_t>& spread) {
    if (n == 1) return conv1d(b, x, filter, steps, pad, dataFormat, spread, scope.name());
    AttrMap attrs = {{"strides", steps}, {"padding", pad}, {"dilations", spread}};
    if (!dataFormat.empty()) attrs.set("data_format", dataFormat);
    return emit(b, n == 2 ? "Conv2D" : "Conv3D", {x, filter}, attrs, scope.name());
  };
  if (std::all_of(rates.begin(), rates.end(), [](int64_t v) { return v == 1; })) return plain(input, strides, padding, rates);
  const std::vector<int64_t> own(first ? rates.begin() + 2 : rates.begin() + 1, first ? rates.end() : rates.end() - 1);
  const std::vector<int64_t> ones(rates.size(), 1);
  if (std::any_of(strides.begin(), strides.end(), [](int64_t v) { return v > 1; })) {
    b.fail(invalidArgument("strides > 1 not supported in conjunction with dilation_rate > 1"));
    return {};
  }
  return withSpaceToBatch(
      b, input, own, padding, [&](Output x, const std::string& pad) { return plain(x, strides, pad, ones); }, ws, {}, dataFormat);
}

}  // namespace nn

namespace {

std::string formatOf(const Call& c, const char* usual) { return c.has("data_format") ? c.a.text("data_format") : std::string(usual); }

// "SAME", "VALID", or explicit padding for each dimension.
Status setPadding(const Call& c, AttrMap& attrs) {
  const auto* text = std::get_if<std::string>(&c["padding"]);
  if (text && *text == "EXPLICIT")
    return invalidArgument("\"EXPLICIT\" is not a valid value for the padding parameter. To use explicit padding, the padding parameter must be a list.");
  if (text) {
    attrs.set("padding", *text);
    return {};
  }
  std::vector<int64_t> all;
  const ArgumentList list = c.list("padding");
  for (const Argument& pair : list) {
    const auto two = Arguments{{"v", pair}}.integers("v");
    if (two.size() != 2)
      return invalidArgument("When padding is a list, each element of padding must be a list/tuple of size 2. Element with index ", all.size() / 2,
                             " of padding has size ", two.size());
    all.insert(all.end(), two.begin(), two.end());
  }
  if (list.size() != 4) return invalidArgument("When padding is a list, it must be of size 4. Got padding of size: ", list.size());
  attrs.set("padding", "EXPLICIT");
  attrs.set("explicit_paddings", all);
  return {};
}

Built convolve(Call& c, std::string_view op, int n, const ArgumentList& inputs, const char* usualFormat, const char* scope = nullptr) {
  const std::string format = formatOf(c, usualFormat);
  const bool first = format.starts_with("NC");
  std::optional<py::Scope> inside;
  if (scope) inside.emplace(c.b, c.name(scope));
  AttrMap attrs = {{"strides", nn::sequence(c.b, c["strides"], n, first, "strides")},
                   {"dilations", nn::sequence(c.b, c["dilations"], n, first, "dilations")},
                   {"data_format", format}};
  if (n == 2 && !scope) {
    WEFT_TRY(setPadding(c, attrs));
    attrs.set("use_cudnn_on_gpu", c.a.flag("use_cudnn_on_gpu"));
  } else {
    attrs.set("padding", c.a.text("padding"));
  }
  return c.one(emit(c.b, op, inputs, attrs, inside ? inside->name() : c.name()));
}

Built pooled(Call& c, const std::string& op, int n, const char* usualFormat) {
  const std::string value = n == 2 ? "value" : "input";
  const std::string format = formatOf(c, usualFormat);
  const auto scope = c.scope(op);
  const bool first = format.starts_with("NC");
  const auto window = nn::sequence(c.b, c["ksize"], n, first, "ksize");
  if (std::find(window.begin(), window.end(), 0) != window.end()) return invalidArgument("ksize cannot be zero.");
  return c.one(
      emit(c.b, op, {c[value]},
           {{"ksize", window}, {"strides", nn::sequence(c.b, c["strides"], n, first, "strides")}, {"padding", c.a.text("padding")}, {"data_format", format}},
           scope.name()));
}

Built pool(Call& c) {
  GraphBuilder& b = c.b;
  std::string kind = c.a.text("pooling_type"), lower = kind;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char ch) { return ch >= 'A' && ch <= 'Z' ? char(ch + 32) : ch; });
  const auto scope = c.scope(lower + "_pool");
  const Output x = c.tensor("input");
  const auto window = c.a.integers("window_shape");
  const auto n = window.size();
  if (n < 1 || n > 3) return invalidArgument("It is required that 1 <= num_spatial_dims <= 3.");
  if (kind != "MAX" && kind != "AVG") return invalidArgument(n, "-D ", kind, " pooling is not supported.");
  std::vector<int64_t> strides = c.has("strides") ? c.a.integers("strides") : std::vector<int64_t>(n, 1),
                       rate = c.has("dilation_rate") ? c.a.integers("dilation_rate") : std::vector<int64_t>(n, 1);
  const bool dilated = std::any_of(rate.begin(), rate.end(), [](int64_t v) { return v > 1; });
  if (strides.size() != n) return invalidArgument("len(strides)=", strides.size(), " but should be ", n);
  if (rate.size() != n) return invalidArgument("len(dilation_rate)=", rate.size(), " but should be ", n);
  if (dilated && std::any_of(strides.begin(), strides.end(), [](int64_t v) { return v > 1; }))
    return invalidArgument("strides > 1 not supported in conjunction with dilation_rate > 1");
  if (dilated && c.a.text("padding") == "SAME") return invalidArgument("pooling with SAME padding is not implemented for dilation_rate > 1");
  for (size_t i = 0; i < n; ++i) {
    if (strides[i] > window[i]) return invalidArgument("strides > window_shape not supported due to inconsistency between CPU and GPU implementations");
  }
  const std::string format = c.a.text("data_format");
  const bool first = format.starts_with("NC");
  const auto around = [&](std::vector<int64_t> v) {
    v.insert(v.begin(), first ? 2 : 1, 1);
    if (!first) v.push_back(1);
    if (n == 1) v.insert(v.begin(), 1);
    return v;
  };
  std::vector<int64_t> dims(n);
  std::iota(dims.begin(), dims.end(), first ? 2 : 1);
  const std::string op = (kind == "MAX" ? "MaxPool" : "AvgPool") + std::string(n == 3 ? "3D" : "");
  const std::string layout = n == 3 ? (format.empty() ? "NDHWC" : format) : first ? "NCHW" : "NHWC";
  const auto apply = [&](Output value, const std::string& padding) {
    if (n == 1) value = tf::expandDims(b, value, dims[0]);
    const Output out =
        b.op(op, {value}, {{"ksize", around(window)}, {"strides", around(strides)}, {"padding", padding}, {"data_format", layout}}, scope.name());
    return n == 1 ? tf::squeeze(b, out, {dims[0]}) : out;
  };
  return c.one(nn::withSpaceToBatch(b, x, rate, c.a.text("padding"), apply, window, dims, {}));
}

Built depthwise(Call& c, bool separable) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope(separable ? "separable_conv2d" : "depthwise");
  const Output x = toTensor(b, c["input"], "tensor_in");
  const Output w = separable ? c.tensor("depthwise_filter") : toTensor(b, c["filter"], "filter_in");
  const Output point = separable ? c.tensor("pointwise_filter") : Output{};
  const std::string format = c.a.text("data_format");
  const std::vector<int64_t> strides = c.a.integers("strides"), rate = c.has("rate") ? c.a.integers("rate") : std::vector<int64_t>{1, 1};
  const auto apply = [&](Output value, const std::string& padding) {
    AttrMap attrs = {{"strides", strides}, {"padding", padding}};
    if (!format.empty()) attrs.set("data_format", format);
    return b.op("DepthwiseConv2dNative", {value, w}, attrs, separable ? std::string_view("depthwise") : std::string_view(scope.name()));
  };
  const Output shape = tf::shape(b, w);
  const Output each = nn::withSpaceToBatch(b, x, rate, c.a.text("padding"), apply, shape, {}, format);
  if (!separable) return c.one(each);
  return c.one(b.op("Conv2D", {each, point},
                    {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "VALID"}, {"data_format", format.empty() ? std::string("NHWC") : format}},
                    scope.name()));
}

Built atrousTranspose(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("atrous_conv2d_transpose");
  const Output x = c.tensor("value"), w = c.tensor("filters");
  const int64_t rate = c.a.integer("rate");
  const std::string padding = c.a.text("padding");
  if (rate < 1) return invalidArgument("rate ", rate, " cannot be less than one");
  if (rate == 1)
    return buildApi(b, "nn.conv2d_transpose",
                    {{"value", x}, {"filter", w}, {"output_shape", c["output_shape"]}, {"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", padding}});
  c.tensor("output_shape");
  const auto sizes = c.a.integers("output_shape");
  const Shape ws = b.shape(w);
  if (sizes.size() != 4 || !ws.isFullyKnown()) return unimplemented("atrous_conv2d_transpose needs an output shape and a filter whose sizes are known");
  int64_t top = 0, bottom = 0, left = 0, right = 0;
  if (padding == "SAME") {
    const int64_t high = ws.dim(0) + (ws.dim(0) - 1) * (rate - 1) - 1, wide = ws.dim(1) + (ws.dim(1) - 1) * (rate - 1) - 1;
    top = high / 2;
    bottom = high - top;
    left = wide / 2;
    right = wide - left;
  } else if (padding != "VALID") {
    return invalidArgument("padding must be either VALID or SAME: ", padding);
  }
  const int64_t height = sizes[1] + top + bottom, width = sizes[2] + left + right;
  const int64_t moreDown = (rate - height % rate) % rate, moreRight = (rate - width % rate) % rate;
  const auto pairs = [](int64_t p, int64_t q, int64_t r, int64_t s) { return Argument(ArgumentList{std::vector<int64_t>{p, q}, std::vector<int64_t>{r, s}}); };
  const Argument block = Literal{Tensor::vector(std::vector<int64_t>{rate, rate}), false};
  const Output batched = emit(b, "SpaceToBatchND", {x, block, pairs(0, moreDown, 0, moreRight)});
  const std::vector<int64_t> inner = {rate * rate * sizes[0], (height + moreDown) / rate, (width + moreRight) / rate, sizes[3]};
  const Output values =
      emit(b, "Conv2DBackpropInput", {inner, w, batched}, {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "VALID"}, {"data_format", "NHWC"}});
  return c.one(emit(b, "BatchToSpaceND", {values, block, pairs(top, bottom + moreDown, left, right + moreRight)}));
}

}  // namespace

void registerConvolutions(ApiRegistry& r) {
  const std::string cudnn = "|use_cudnn_on_gpu: bool=true -- Ignored; kept for compatibility.";
  const std::string filter = "|filter/filters -- The filters.";
  def(r, "nn.conv2d", "input" + filter + "|strides: ints=None|padding: any=None" + cudnn + "|data_format: string=NHWC|dilations: ints=[1,1,1,1]|name",
      "Convolution of images.", "A tensor.", [](Call& c) {
        return convolve(c, "Conv2D", 2, {c["input"], c["filter"]}, "NHWC");
      });
  def(r, "nn.conv2d_backprop_filter",
      "input|filter_sizes -- Shape of the filters.|out_backprop -- Gradient of the output.|strides: ints|padding: any" + cudnn +
          "|data_format: string=NHWC|dilations: ints=[1,1,1,1]|name",
      "Gradient of a convolution with respect to its filters.", "A tensor.", [](Call& c) {
        return convolve(c, "Conv2DBackpropFilter", 2, {c["input"], c["filter_sizes"], c["out_backprop"]}, "NHWC");
      });
  def(r, "nn.conv2d_backprop_input",
      "input_sizes -- Shape of the input." + filter + "|out_backprop=None -- Gradient of the output.|strides: ints=None|padding: any=None" + cudnn +
          "|data_format: string=NHWC|dilations: ints=[1,1,1,1]|name",
      "Gradient of a convolution with respect to its input.", "A tensor.", [](Call& c) {
        return convolve(c, "Conv2DBackpropInput", 2, {c["input_sizes"], c["filter"], c["out_backprop"]}, "NHWC");
      });
  def(r, "nn.conv3d", "input" + filter + "|strides: ints=None|padding: string=None|data_format: string=NDHWC|dilations: ints=[1,1,1,1,1]|name",
      "3-D convolution of volumes.", "A tensor.", [](Call& c) {
        return convolve(c, "Conv3D", 3, {c["input"], c["filter"]}, "NDHWC");
      });
  def(r, "nn.conv2d_transpose",
      "value/input" + filter +
          "|output_shape=None -- Shape of the result.|strides: ints=None|padding: string=SAME|data_format: string=NHWC|name|dilations: ints=None",
      "Transposed 2-D convolution of images.", "A tensor.", [](Call& c) {
        return convolve(c, "Conv2DBackpropInput", 2, {c["output_shape"], c["filter"], c["value"]}, "NHWC", "conv2d_transpose");
      });
  def(r, "nn.conv3d_transpose",
      "value/input" + filter +
          "|output_shape=None -- Shape of the result.|strides: ints=None|padding: string=SAME|data_format: string=NDHWC|name|dilations: ints=None",
      "Transposed 3-D convolution of volumes.", "A tensor.", [](Call& c) {
        return convolve(c, "Conv3DBackpropInputV2", 3, {c["output_shape"], c["filter"], c["value"]}, "NDHWC", "conv3d_transpose");
      });
  def(r, "nn.conv1d",
      "value/input|filters -- The filters.|stride: ints=None -- Stride of the window.|padding: string=None|use_cudnn_on_gpu: bool=None -- Ignored; kept for "
      "compatibility.|data_format: string=None|name|dilations: ints=None",
      "1-D convolution of sequences.", "A tensor.", [](Call& c) {
        return c.one(nn::conv1d(c.b, c["value"], c["filters"], c["stride"], c.a.text("padding"), c.a.text("data_format"), c["dilations"], c.name()));
      });
  def(r, "nn.convolution",
      "input" + filter + "|padding: string|strides: ints=None|dilation_rate/dilations: ints=None -- Dilation of the window.|name|data_format: string=None",
      "Convolution over one to three spatial dimensions.", "A tensor.", [](Call& c) {
        return c.one(nn::convolution(c.b, c["input"], c["filter"], c["strides"], c.a.text("padding"), c.a.text("data_format"), c["dilation_rate"], c.name()));
      });
  def(r, "nn.atrous_conv2d", "value|filters -- The filters.|rate: int -- Dilation of the window.|padding: string|name", "Atrous (dilated) 2-D convolution.",
      "A tensor.", [](Call& c) {
        const int64_t rate = c.a.integer("rate");
        return c.one(nn::convolution(c.b, c["value"], c["filters"], {}, c.a.text("padding"), {}, std::vector<int64_t>{rate, rate}, c.name()));
      });
  def(r, "nn.atrous_conv2d_transpose",
      "value|filters -- The filters.|output_shape -- Shape of the result.|rate: int -- Dilation of the window.|padding: string|name",
      "Transposed atrous (dilated) 2-D convolution.", "A tensor.", atrousTranspose);
  def(r, "nn.depthwise_conv2d",
      "input|filter -- [height, width, channels, multiplier]|strides: ints|padding: string|rate/dilations: ints=None -- Dilation of the "
      "window.|name|data_format: string=None",
      "Depthwise convolution: each channel has its own filters.", "A tensor.", [](Call& c) { return depthwise(c, false); });
  def(r, "nn.separable_conv2d",
      "input|depthwise_filter -- [height, width, channels, multiplier]|pointwise_filter -- [1, 1, channels * multiplier, filters]|strides: ints|padding: "
      "string|rate/dilations: ints=None -- Dilation of the window.|name|data_format: string=None",
      "Depthwise convolution followed by a pointwise convolution.", "A tensor.", [](Call& c) { return depthwise(c, true); });
  for (const auto& [name, op] : {std::pair("nn.max_pool", "MaxPool"), std::pair("nn.avg_pool", "AvgPool")}) {
    def(r, name, "value/input|ksize: ints|strides: ints|padding: string|data_format: string=NHWC|name", "Pooling of images.", "A tensor.",
        [op = std::string(op)](Call& c) { return pooled(c, op, 2, "NHWC"); });
    def(r, name + std::string("3d"), "input|ksize: ints|strides: ints|padding: string|data_format: string=NDHWC|name", "Pooling of volumes.", "A tensor.",
        [op = std::string(op) + "3D"](Call& c) { return pooled(c, op, 3, "NDHWC"); });
  }
  def(r, "nn.max_pool_with_argmax",
      "input|ksize: ints|strides: ints|padding: string|data_format: string=NHWC|Targmax/output_dtype: dtype=None -- Type of the "
      "indices.|name|include_batch_in_index: bool=false -- Count indices through the whole batch instead of per image.",
      "Max pooling that also returns the indices of the maxima.", "tuple(output argmax): The maxima and their indices.", [](Call& c) -> Built {
        if (c.a.text("data_format") != "NHWC") return invalidArgument("Data formats other than 'NHWC' are not yet supported");
        return c.all(emitAll(c.b, "MaxPoolWithArgmax", {c["input"]},
                             {{"ksize", c.a.integers("ksize")},
                              {"strides", c.a.integers("strides")},
                              {"padding", c.a.text("padding")},
                              {"Targmax", c.dtype("Targmax", DType::Int64)},
                              {"include_batch_in_index", c.a.flag("include_batch_in_index")}},
                             c.name()));
      });
  def(r, "nn.pool",
      "input|window_shape: ints -- Size of the window.|pooling_type: string -- \"MAX\" or \"AVG\"|padding: string|dilation_rate/dilations: ints=None -- "
      "Dilation of the window.|strides: ints=None|name|data_format: string=None",
      "Pooling over one to three spatial dimensions.", "A tensor.", pool);
  for (const auto& [name, op] : {std::pair("nn.dilation2d", "Dilation2D"), std::pair("nn.erosion2d", "Dilation2D")}) {
    const bool erosion = std::string_view(name) == "nn.erosion2d";
    def(r, name,
        erosion ? "value|kernel -- The structuring element.|strides: ints|rates: ints -- Dilation of the window.|padding: string|name"
                : "input|filter/filters=None -- The structuring element.|strides: ints=None|rates/dilations: ints=None -- Dilation of the window.|padding: "
                  "string=None|name",
        "Greyscale morphological dilation or erosion.", "A tensor.", [erosion](Call& c) {
          GraphBuilder& b = c.b;
          const AttrMap attrs = {{"strides", c.a.integers("strides")}, {"rates", c.a.integers("rates")}, {"padding", c.a.text("padding")}};
          if (!erosion) return c.one(emit(b, "Dilation2D", {c["input"], c["filter"]}, attrs, c.name()));
          const auto scope = c.scope("erosion2d");
          const Output x = emit(b, "Neg", {c["value"]});
          const Output w = emit(b, "ReverseV2", {c["kernel"], std::vector<int64_t>{0, 1}});
          return c.one(b.op("Neg", {b.op("Dilation2D", {x, w}, attrs)}, {}, scope.name()));
        });
  }
}

}  // namespace weft::api
