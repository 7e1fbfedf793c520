// Calls of functions whose arguments must fit one another, written in a few words each. The other functions' arguments are found by trying (api_example.cpp).
//
// "name = value; …": f[2,3] is a placeholder of that type and shape (f float32, i int32, l int64, s string, c complex64, q quint8), sparse f[4,5] is three
// placeholders, any other value is written as in Python. "loss" is a loss that depends on variables. A leading "after X;" names what the graph must already
// contain.
#include "adapters/api_example_calls.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

namespace weft::app {
namespace {

struct Line {
  std::string_view function, arguments;
};

constexpr Line kCalls[] = {
    {"Print", "input_ = f[2,3]; data = [f[2,3]]"},
    {"SparseTensor", "indices = [[0, 1], [2, 3]]; values = [1.0, 2.0]; dense_shape = [3, 4]"},
    {"batch_to_space", "input = f[4,2,2,1]; crops = [[0, 0], [0, 0]]; block_size = 2"},
    {"batch_to_space_nd", "input = f[4,2,2,1]; block_shape = [2, 2]; crops = [[0, 0], [0, 0]]"},
    {"clip_by_global_norm", "t_list = [f[2,3], f[3]]; clip_norm = 5.0"},
    {"constant", "value = [1.0, 2.0, 3.0]"},
    {"convert_to_tensor", "value = [1.0, 2.0, 3.0]"},
    {"depth_to_space", "input = f[1,2,2,12]; block_size = 2"},
    {"dequantize", "input = q[2,3]; min_range = f[]; max_range = f[]"},
    {"einsum", "equation = 'ij,jk->ik'; inputs = [f[2,3], f[3,4]]"},
    {"extract_volume_patches", "input = f[1,4,4,4,2]; ksizes = [1, 2, 2, 2, 1]; strides = [1, 2, 2, 2, 1]; padding = 'SAME'"},
    {"fft3d", "input = c[2,4,4,4]"},
    {"global_norm", "t_list = [f[2,3], f[3]]"},
    {"ifft3d", "input = c[2,4,4,4]"},
    {"image.crop_and_resize", "image = f[1,8,8,3]; boxes = f[2,4]; box_ind = i[2]; crop_size = [4, 4]"},
    {"image.crop_to_bounding_box", "image = f[8,8,3]; offset_height = 2; offset_width = 2; target_height = 4; target_width = 4"},
    {"image.draw_bounding_boxes", "images = f[1,8,8,3]; boxes = f[1,2,4]"},
    {"image.extract_glimpse", "input = f[1,8,8,3]; size = [4, 4]; offsets = f[1,2]"},
    {"image.grayscale_to_rgb", "images = f[8,8,1]"},
    {"image.non_max_suppression", "boxes = f[6,4]; scores = f[6]; max_output_size = 3"},
    {"image.non_max_suppression_padded", "boxes = f[6,4]; scores = f[6]; max_output_size = 3"},
    {"image.non_max_suppression_with_scores", "boxes = f[6,4]; scores = f[6]; max_output_size = 3"},
    {"image.pad_to_bounding_box", "image = f[4,4,3]; offset_height = 2; offset_width = 2; target_height = 8; target_width = 8"},
    {"image.resize_image_with_crop_or_pad", "image = f[8,8,3]; target_height = 6; target_width = 10"},
    {"image.sample_distorted_bounding_box", "image_size = [8, 8, 3]; bounding_boxes = f[1,1,4]"},
    {"io.decode_and_crop_jpeg", "contents = s[]; crop_window = [0, 0, 4, 4]"},
    {"layers.average_pooling3d", "inputs = f[1,4,4,4,2]; pool_size = [2, 2, 2]; strides = [2, 2, 2]"},
    {"layers.max_pooling3d", "inputs = f[1,4,4,4,2]; pool_size = [2, 2, 2]; strides = [2, 2, 2]"},
    {"linalg.logm", "input = c[3,3]"},
    {"linspace", "start = 0.0; stop = 1.0; num = 5"},
    {"losses.get_total_loss", "after loss;"},
    {"nn.atrous_conv2d_transpose", "value = f[1,8,8,3]; filters = f[3,3,4,3]; output_shape = [1, 8, 8, 4]; rate = 2; padding = 'SAME'"},
    {"nn.avg_pool3d", "input = f[1,4,4,4,2]; ksize = [1, 2, 2, 2, 1]; strides = [1, 2, 2, 2, 1]; padding = 'SAME'"},
    {"nn.batch_norm_with_global_normalization",
     "t = f[1,8,8,3]; m = f[3]; v = f[3]; beta = f[3]; gamma = f[3]; variance_epsilon = 0.001; scale_after_normalization = True"},
    {"nn.compute_accidental_hits", "true_classes = l[2,1]; sampled_candidates = l[4]; num_true = 1"},
    {"nn.conv2d_backprop_filter", "input = f[1,8,8,3]; filter_sizes = [3, 3, 3, 4]; out_backprop = f[1,8,8,4]; strides = [1, 1, 1, 1]; padding = 'SAME'"},
    {"nn.conv2d_backprop_input", "input_sizes = [1, 8, 8, 3]; filter = f[3,3,3,4]; out_backprop = f[1,8,8,4]; strides = [1, 1, 1, 1]; padding = 'SAME'"},
    {"nn.conv2d_transpose", "value = f[1,4,4,4]; filter = f[3,3,3,4]; output_shape = [1, 8, 8, 3]; strides = [1, 2, 2, 1]"},
    {"nn.conv3d", "input = f[1,4,4,4,2]; filter = f[3,3,3,2,4]; strides = [1, 1, 1, 1, 1]; padding = 'SAME'"},
    {"nn.conv3d_backprop_filter",
     "input = f[1,4,4,4,2]; filter_sizes = [3, 3, 3, 2, 4]; out_backprop = f[1,4,4,4,4]; strides = [1, 1, 1, 1, 1]; padding = 'SAME'"},
    {"nn.conv3d_transpose", "value = f[1,2,2,2,4]; filter = f[3,3,3,2,4]; output_shape = [1, 4, 4, 4, 2]; strides = [1, 2, 2, 2, 1]"},
    {"nn.ctc_beam_search_decoder", "inputs = f[5,2,4]; sequence_length = i[2]"},
    {"nn.ctc_greedy_decoder", "inputs = f[5,2,4]; sequence_length = i[2]"},
    {"nn.ctc_loss", "labels = sparse i[2,3]; inputs = f[5,2,4]; sequence_length = i[2]"},
    {"nn.depthwise_conv2d_backprop_filter",
     "input = f[1,8,8,3]; filter_sizes = [3, 3, 3, 2]; out_backprop = f[1,8,8,6]; strides = [1, 1, 1, 1]; padding = 'SAME'"},
    {"nn.depthwise_conv2d_backprop_input",
     "input_sizes = [1, 8, 8, 3]; filter = f[3,3,3,2]; out_backprop = f[1,8,8,6]; strides = [1, 1, 1, 1]; padding = 'SAME'"},
    {"nn.dilation2d", "input = f[1,8,8,3]; filter = f[3,3,3]; strides = [1, 1, 1, 1]; rates = [1, 1, 1, 1]; padding = 'SAME'"},
    {"nn.dropout", "x = f[2,3]; rate = 0.5"},
    {"nn.embedding_lookup_sparse", "params = f[10,4]; sp_ids = sparse l[2,3]; sp_weights = None; combiner = 'mean'"},
    {"nn.fixed_unigram_candidate_sampler",
     "true_classes = l[2,1]; num_true = 1; num_sampled = 2; unique = True; range_max = 4; unigrams = [0.4, 0.3, 0.2, 0.1]"},
    {"nn.fractional_avg_pool", "value = f[1,8,8,3]; pooling_ratio = [1.0, 1.44, 1.73, 1.0]"},
    {"nn.fractional_max_pool", "value = f[1,8,8,3]; pooling_ratio = [1.0, 1.44, 1.73, 1.0]"},
    {"nn.learned_unigram_candidate_sampler", "true_classes = l[2,1]; num_true = 1; num_sampled = 4; unique = True; range_max = 10"},
    {"nn.log_uniform_candidate_sampler", "true_classes = l[2,1]; num_true = 1; num_sampled = 4; unique = True; range_max = 10"},
    {"nn.max_pool3d", "input = f[1,4,4,4,2]; ksize = [1, 2, 2, 2, 1]; strides = [1, 2, 2, 2, 1]; padding = 'SAME'"},
    {"nn.nce_loss", "weights = f[10,4]; biases = f[10]; labels = l[2,1]; inputs = f[2,4]; num_sampled = 3; num_classes = 10"},
    {"nn.pool", "input = f[1,8,8,3]; window_shape = [2, 2]; pooling_type = 'MAX'; padding = 'SAME'"},
    {"nn.quantized_avg_pool", "input = q[1,8,8,3]; min_input = f[]; max_input = f[]; ksize = [1, 2, 2, 1]; strides = [1, 2, 2, 1]; padding = 'SAME'"},
    {"nn.quantized_conv2d",
     "input = q[1,8,8,3]; filter = q[3,3,3,4]; min_input = f[]; max_input = f[]; min_filter = f[]; max_filter = f[]; strides = [1, 1, 1, 1]; padding = 'SAME'"},
    {"nn.quantized_max_pool", "input = q[1,8,8,3]; min_input = f[]; max_input = f[]; ksize = [1, 2, 2, 1]; strides = [1, 2, 2, 1]; padding = 'SAME'"},
    {"nn.quantized_relu_x", "features = q[2,3]; max_value = f[]; min_features = f[]; max_features = f[]"},
    {"nn.sampled_softmax_loss", "weights = f[10,4]; biases = f[10]; labels = l[2,1]; inputs = f[2,4]; num_sampled = 3; num_classes = 10"},
    {"nn.uniform_candidate_sampler", "true_classes = l[2,1]; num_true = 1; num_sampled = 4; unique = True; range_max = 10"},
    {"sets.size", "a = sparse l[2,3]"},
    {"signal.irfft3d", "input_tensor = c[2,4,4,3]"},
    {"space_to_batch", "input = f[1,4,4,1]; paddings = [[0, 0], [0, 0]]; block_size = 2"},
    {"sparse.add", "a = sparse f[4,5]; b = sparse f[4,5]"},
    {"sparse.concat", "axis = 0; sp_inputs = [sparse f[4,5], sparse f[4,5]]"},
    {"sparse.merge", "sp_ids = sparse l[2,3]; sp_values = sparse f[2,3]; vocab_size = 10"},
    {"sparse.sparse_dense_matmul", "sp_a = sparse f[4,5]; b = f[5,3]"},
    {"sparse.split", "sp_input = sparse f[4,6]; num_split = 2; axis = 1"},
    {"stack", "values = [f[2,3], f[2,3]]"},
    {"strings.format", "template = 'x is {}'; inputs = f[2,3]"},
    {"strings.regex_replace", "input = s[2]; pattern = 'a+'; rewrite = 'b'"},
    {"summary.merge_all", "after summary;"},
    {"train.AdagradOptimizer", "loss = loss; learning_rate = 0.1"},
    {"train.AdamOptimizer", "loss = loss; learning_rate = 0.01"},
    {"train.GradientDescentOptimizer", "loss = loss; learning_rate = 0.1"},
    {"train.MomentumOptimizer", "loss = loss; learning_rate = 0.1"},
    {"train.RMSPropOptimizer", "loss = loss; learning_rate = 0.01"},
    {"train.Saver", "after loss;"},
};

/// A loss of a small dense layer, also added to the collection of losses.
Output someLoss(GraphBuilder& b) {
  const auto call = [&](std::string_view function, Arguments arguments) -> Output {
    const auto made = buildApi(b, function, std::move(arguments));
    return made.ok() && !made->outputs.empty() ? made->outputs[0] : Output{};
  };
  Arguments dense, error;
  dense.set("inputs", b.placeholder(DType::Float, Shape({2, 3}), "x"));
  dense.set("units", int64_t(1));
  error.set("labels", b.placeholder(DType::Float, Shape({2, 1}), "y"));
  error.set("predictions", call("layers.dense", std::move(dense)));
  return call("losses.mean_squared_error", std::move(error));
}

void someSummary(GraphBuilder& b) {
  Arguments arguments;
  arguments.set("name", std::string("loss"));
  arguments.set("tensor", someLoss(b));
  (void)buildApi(b, "summary.scalar", std::move(arguments));
}

/// Reads one value of a line; `at` moves past it.
class CallReader {
 public:
  explicit CallReader(std::string_view text) : text_(text) {}

  bool atEnd() {
    skip();
    return at_ >= text_.size();
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view word() {
    skip();
    const size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    return text_.substr(from, at_ - from);
  }

  /// `open`: whether it contains a placeholder, which a program must name.
  std::function<Argument(GraphBuilder&, const std::string&)> value(const ApiParameter& p, bool& open) {
    if (take("loss")) {
      open = true;
      return [](GraphBuilder& b, const std::string&) -> Argument { return someLoss(b); };
    }
    if (take("sparse")) {
      open = true;
      const DType type = dtype();
      const auto dims = numbers();
      return [type, dims](GraphBuilder& b, const std::string& name) -> Argument {
        const auto rank = int64_t(dims.size());
        return SparseValue{b.placeholder(DType::Int64, Shape({3, rank}), name + "_indices"), b.placeholder(type, Shape({3}), name + "_values"),
                           b.constant(Tensor::vector(dims), name + "_shape")};
      };
    }
    if (at_ + 1 < text_.size() && text_[at_ + 1] == '[' && std::isalpha(static_cast<unsigned char>(text_[at_]))) {
      open = true;
      const DType type = dtype();
      const Shape shape(numbers());
      return [type, shape](GraphBuilder& b, const std::string& name) -> Argument { return b.placeholder(type, shape, name); };
    }
    if (take("[")) return list(p, open);
    return plain(p);
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  DType dtype() {
    skip();
    static const std::map<char, DType> kTypes = {{'f', DType::Float},  {'i', DType::Int32},     {'l', DType::Int64},
                                                 {'s', DType::String}, {'c', DType::Complex64}, {'q', DType::QUInt8}};
    return kTypes.at(text_[at_++]);
  }

  std::vector<int64_t> numbers() {
    std::vector<int64_t> out;
    (void)take("[");
    while (!take("]")) {
      int64_t v = 0;
      const auto r = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
      at_ = size_t(r.ptr - text_.data());
      out.push_back(v);
      (void)take(",");
      skip();
    }
    return out;
  }

  std::function<Argument(GraphBuilder&, const std::string&)> list(const ApiParameter& p, bool& open) {
    std::vector<std::function<Argument(GraphBuilder&, const std::string&)>> parts;
    while (!take("]")) {
      skip();
      parts.push_back(value(p, open));
      (void)take(",");
      skip();
    }
    const bool ints = p.type == "ints";
    return [parts, ints](GraphBuilder& b, const std::string& name) -> Argument {
      ArgumentList all;
      for (size_t i = 0; i < parts.size(); ++i) all.push_back(parts[i](b, name + "_" + std::to_string(i)));
      if (!all.empty() && std::all_of(all.begin(), all.end(), [](const Argument& a) { return std::holds_alternative<Output>(a); })) {
        std::vector<Output> outputs;
        for (const Argument& a : all) outputs.push_back(std::get<Output>(a));
        return outputs;
      }
      if (ints) {
        std::vector<int64_t> values;
        for (const Argument& a : all) values.push_back(std::get<int64_t>(a));
        return values;
      }
      return all;
    };
  }

  std::function<Argument(GraphBuilder&, const std::string&)> plain(const ApiParameter& p) {
    const auto fixed = [](Argument a) { return [a = std::move(a)](GraphBuilder&, const std::string&) { return a; }; };
    if (take("None")) return fixed(std::monostate{});
    if (take("True")) return fixed(true);
    if (take("'")) {
      const size_t end = text_.find('\'', at_);
      std::string text(text_.substr(at_, end - at_));
      at_ = end + 1;
      return fixed(std::move(text));
    }
    const size_t end = std::min(text_.find_first_of(",;]", at_), text_.size());
    const std::string number(text_.substr(at_, end - at_));
    at_ = end;
    if (number.find('.') != number.npos || p.type == "float") return fixed(std::stod(number));
    return fixed(int64_t(std::stoll(number)));
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<std::string> writtenCalls() {
  std::vector<std::string> out;
  for (const Line& line : kCalls) out.emplace_back(line.function);
  return out;
}

std::optional<WrittenCall> writtenCall(const ApiRecord& record) {
  const auto line = std::find_if(std::begin(kCalls), std::end(kCalls), [&](const Line& l) { return l.function == record.name; });
  if (line == std::end(kCalls)) return std::nullopt;
  WrittenCall call;
  std::string_view rest = line->arguments;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    CallReader part(rest.substr(0, end));
    if (part.take("after")) {
      if (part.take("summary")) call.before = someSummary;
      else call.before = [](GraphBuilder& b) { (void)someLoss(b); };
    } else if (!part.atEnd()) {
      const std::string name(part.word());
      const ApiParameter* p = record.find(name);
      const size_t equals = rest.find('=');
      if (!p) return std::nullopt;
      (void)part.take("=");
      (void)part.atEnd();
      bool open = false;
      ExampleValue value;
      value.make = part.value(*p, open);
      if (!open) value.text = std::string(rest.substr(equals + 2, end - equals - 2));
      call.arguments.push_back({name, std::move(value)});
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return call;
}

}  // namespace weft::app
