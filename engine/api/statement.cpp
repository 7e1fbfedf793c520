#include "api/statement.h"

#include <algorithm>

namespace weft::api {
namespace {

std::string_view trimmed(std::string_view s) {
  while (s.starts_with(' ') || s.starts_with('\n')) s.remove_prefix(1);
  while (s.ends_with(' ') || s.ends_with('\n')) s.remove_suffix(1);
  return s;
}

// Parts between separators.
std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> out;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    out.push_back(trimmed(text.substr(at, end - at)));
    at = end + separator.size();
  }
  return out;
}

// Documentation of parameters with common names.
const std::map<std::string, std::string, std::less<>>& commonParameterDocs() {
  static const std::map<std::string, std::string, std::less<>> kMeanings = {
      {"name", "Name of the op or scope; made unique."},
      {"x", "A tensor."},
      {"y", "A tensor whose shape broadcasts with the first one's."},
      {"a", "A tensor."},
      {"b", "Second tensor."},
      {"input", "A tensor."},
      {"input_", "A tensor."},
      {"inputs", "Input tensor."},
      {"tensor", "A tensor."},
      {"tensors", "A list of tensors."},
      {"value", "A tensor."},
      {"values", "A tensor, or a list of values convertible to tensors."},
      {"features", "Values, element by element."},
      {"logits", "Outputs of the network before softmax or sigmoid (logits)."},
      {"labels", "The true labels."},
      {"predictions", "Outputs of the network."},
      {"weights", "Weights; shape broadcastable to that of the losses or values."},
      {"axis", "Dimension, or list of dimensions; negative values count from the end."},
      {"keepdims", "Keep reduced dimensions with size 1."},
      {"dtype", "Element type."},
      {"out_type", "Element type of the result."},
      {"shape", "A shape."},
      {"seed", "Random seed; together with the graph-level seed it makes results repeatable."},
      {"data_format", "Order of the dimensions."},
      {"padding", "Padding: \"VALID\" (none) or \"SAME\"."},
      {"strides", "Stride of the window along each dimension."},
      {"ksize", "Window size along each dimension."},
      {"dilations", "Dilation of the window along each dimension."},
      {"scope", "Name of the scope."},
      {"params", "The tensor to look up in, or a list of its partitions."},
      {"indices", "Indices."},
      {"image", "An image: [height, width, channels]."},
      {"images", "Images, [batch, height, width, channels], or a single image."},
      {"loss_collection", "Collection to which the loss is added; None: none."},
      {"reduction", "How element-wise losses are reduced to one."},
      {"metrics_collections", "Collections to which the value is added."},
      {"updates_collections", "Collections to which the update op is added."},
      {"validate_indices", "Ignored; indices are always checked."},
      {"use_locking", "Whether to hold the variable's lock during the update."},
      {"ref", "The variable."},
      {"updates", "New values."},
      {"sp_input", "A sparse tensor."},
      {"minval", "Lower bound, included."},
      {"maxval", "Upper bound, excluded."},
      {"mean", "Mean of the distribution."},
      {"stddev", "Standard deviation of the distribution."},
      {"data", "Tensors to show in the message."},
      {"summarize", "Number of elements of each tensor to show in the message."},
      {"message", "Prefix of the message."},
      {"parallel_iterations", "Maximum number of iterations that run in parallel."},
      {"back_prop", "Whether to support gradients."},
      {"swap_memory", "Whether tensors kept for gradients may be moved from device to host memory."},
      {"method", "Interpolation method."},
      {"align_corners", "Whether to align the centres of the corner pixels of input and output."},
      {"half_pixel_centers", "Place pixel centres at half-integer coordinates."},
      {"size", "New height and width."},
      {"num_classes", "Number of classes."},
      {"segment_ids", "Segment id of each row."},
      {"num_segments", "Number of segments."},
      {"collections", "Collections to which the result is added; None: the default ones."},
      {"trainable", "Whether optimizers update the variables."},
      {"reuse", "Whether to reuse the variables of an earlier layer of the same name."},
      {"activation", "Activation function; None: none."},
      {"use_bias", "Whether to add a bias."},
      {"kernel_initializer", "Initializer of the weights."},
      {"bias_initializer", "Initializer of the bias."},
      {"kernel_regularizer", "Regularizer of the weights."},
      {"bias_regularizer", "Regularizer of the bias."},
      {"activity_regularizer", "Regularizer of the output."},
      {"kernel_constraint", "Projection of the weights after each update."},
      {"bias_constraint", "Projection of the bias after each update."},
      {"training", "Whether to run in training mode: a bool or a boolean scalar tensor."},
      {"learning_rate", "Step size."},
      {"global_step", "Global step for which to compute the value."},
      {"decay_steps", "Number of steps of the decay."},
      {"sequence_length", "Length of each sequence in the batch; None: all have full length."},
      {"cell", "The recurrent cell."},
      {"initial_state", "Initial state; None: zeros."},
      {"time_major", "Whether the first dimension is time instead of batch."},
      {"partition_strategy", "How rows are distributed over the partitions: \"mod\" or \"div\"."},
      {"max_norm", "Maximum norm of an embedding; longer ones are scaled down."},
      {"data_", "A tensor."},
      {"t", "A tensor."},
      {"z", "A tensor."},
  };
  return kMeanings;
}

}  // namespace

std::vector<ApiParameter> parametersOf(std::string_view text) {
  std::vector<ApiParameter> out;
  if (trimmed(text).empty()) return out;
  for (std::string_view part : split(text, "|")) {
    ApiParameter p;
    if (const size_t doc = part.find("--"); doc != part.npos) {
      p.doc = trimmed(part.substr(doc + 2));
      part = trimmed(part.substr(0, doc));
    }
    std::optional<std::string> otherwise;
    if (const size_t is = part.find('='); is != part.npos) {
      otherwise = trimmed(part.substr(is + 1));
      part = trimmed(part.substr(0, is));
    }
    p.type = "tensor";
    if (const size_t colon = part.find(':'); colon != part.npos) {
      p.type = trimmed(part.substr(colon + 1));
      part = trimmed(part.substr(0, colon));
    }
    if (part.ends_with('*')) {
      p.variadic = true;
      part.remove_suffix(1);
    }
    const auto spellings = split(part, "/");
    p.name = spellings[0];
    p.aliases.assign(spellings.begin() + 1, spellings.end());
    if (p.name == "name" && part == "name" && !otherwise && p.type == "tensor") {
      p.type = "string";
      otherwise = "None";
    }
    if (p.doc.empty()) {
      const auto it = commonParameterDocs().find(p.name);
      if (it != commonParameterDocs().end()) p.doc = it->second;
    }
    if (otherwise && *otherwise == "None") {
      p.otherwise = Argument();
    } else if (otherwise) {
      auto value = argumentFromText(p, *otherwise == "''" ? std::string_view() : std::string_view(*otherwise));
      p.otherwise = value.ok() ? *value : Argument(*otherwise);
    }
    out.push_back(std::move(p));
  }
  return out;
}

void setReturns(ApiRecord& record, std::string_view returns) {
  record.returns = returns;
  const size_t colon = returns.find(": ");
  if (colon == returns.npos) return;
  std::string_view form = returns.substr(0, colon);
  std::string_view fields;
  if (const size_t open = form.find('('); open != form.npos && form.ends_with(')')) {
    fields = form.substr(open + 1, form.size() - open - 2);
    form = form.substr(0, open);
  }
  static const std::vector<std::string_view> kForms = {"tensor", "tensors", "tuple", "sparse", "operation", "others", "nothing"};
  if (std::find(kForms.begin(), kForms.end(), form) == kForms.end()) return;
  record.form = form;
  record.returns = trimmed(returns.substr(colon + 2));
  if (!fields.empty()) {
    for (const std::string_view f : split(fields, " ")) record.fields.emplace_back(f);
  }
}

void def(ApiRegistry& r, std::string_view names, std::string_view parameters, std::string_view summary, std::string_view returns, CallFunction build) {
  ApiRecord record;
  const auto all = split(names, " ");
  record.name = all[0];
  record.aliases.assign(all.begin() + 1, all.end());
  record.parameters = parametersOf(parameters);
  record.summary = summary;
  setReturns(record, returns);
  record.source = "tf." + record.name + " of TensorFlow 1.15";
  record.build = [build = std::move(build)](GraphBuilder& b, const Arguments& a) {
    Call call(b, a);
    return build(call);
  };
  r.add(std::move(record));
}

const Argument& Call::operator[](const std::string& name) const {
  static const Argument kNone;
  const Argument* found = a.find(name);
  return found ? *found : kNone;
}

Output Call::callback(const std::string& name, const std::vector<Output>& inputs) const {
  const auto* f = std::get_if<Callback>(&(*this)[name]);
  if (!f || !b.ok()) return {};
  auto made = (*f)(b, Values{inputs, {}});
  if (!made.ok()) b.fail(made.error());
  return made.ok() && !made->outputs.empty() ? made->outputs[0] : Output{};
}

Result<Attr> attrFromArgument(const std::string& type, const Argument& a) {
  const auto wrong = [&] { return typeError("Expected ", type, ", got ", argumentToText(a), " instead."); };
  const Arguments one = {{"v", a}};
  if (type == "int") {
    const auto l = asLiteral(a);
    if (!l.ok() || l->value.elements() != 1 || l->value.dtype() == DType::String) return wrong();
    return Attr(one.integer("v"));
  }
  if (type == "float") {
    const auto l = asLiteral(a);
    if (!l.ok() || l->value.elements() != 1 || l->value.dtype() == DType::String) return wrong();
    return Attr(l->value.asDouble(0));
  }
  if (type == "bool") return Attr(one.flag("v"));
  if (type == "string") {
    if (const auto* s = std::get_if<std::string>(&a)) return Attr(*s);
    return wrong();
  }
  if (type == "type") {
    if (const auto* t = std::get_if<DType>(&a)) return Attr(*t);
    return wrong();
  }
  if (type == "shape") return Attr(one.shape("v"));
  if (type == "list(int)") return Attr(one.integers("v"));
  if (type == "tensor") {
    WEFT_LET(const Literal l, asLiteral(a));
    WEFT_LET(Tensor t, literalValue(l));
    return Attr(std::move(t));
  }
  if (type == "list(float)" || type == "list(string)" || type == "list(type)" || type == "list(shape)" || type == "list(bool)") {
    std::vector<float> floats;
    std::vector<std::string> texts;
    std::vector<DType> types;
    std::vector<Shape> shapes;
    std::vector<bool> flags;
    for (const Argument& item : items(a)) {
      const Arguments i = {{"v", item}};
      if (type == "list(float)") floats.push_back(float(i.number("v")));
      else if (type == "list(bool)") flags.push_back(i.flag("v"));
      else if (type == "list(shape)") shapes.push_back(i.shape("v"));
      else if (const auto* t = std::get_if<DType>(&item); type == "list(type)" && t) types.push_back(*t);
      else if (const auto l = asLiteral(item); type == "list(string)" && l.ok() && l->value.dtype() == DType::String && l->value.elements() == 1)
        texts.push_back(l->value.at<std::string>(0));
      else return wrong();
    }
    if (type == "list(float)") return Attr(floats);
    if (type == "list(string)") return Attr(texts);
    if (type == "list(type)") return Attr(types);
    if (type == "list(bool)") return Attr(flags);
    return Attr(shapes);
  }
  return wrong();
}

}  // namespace weft::api
