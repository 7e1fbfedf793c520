// Layers with their options, built once to be compared with.
#include <algorithm>

#include "fold/fold_parts.h"
#include "weft/builder.h"
#include "weft/op_traits.h"

namespace weft::folding {
namespace {

using From = Source::From;

// Values that occur nowhere else in a layer, so that the constant that holds one can be found.
constexpr const char *kRate = "0.375", *kEpsilon = "0.0078125", *kMomentum = "0.90625";

/// A kind of layer: its options, the inputs it is tried with, and where its numbers are read.
struct KindRecord {
  const char* kind;
  TextAttrs fixed;  ///< Parameters that any value of which gives the same structure.
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
  std::vector<Shape> shapes;
  DType type = DType::Float;
  std::vector<Source> sources;
  std::vector<std::string> ports = {};  ///< Of further inputs: boolean scalars.
  std::pair<std::string, int> channels = {};
};

const std::vector<std::string> kBias = {"true", "false"};

/// Every activation that the record offers.
std::vector<std::string> activationsOf(const char* kind) {
  const ApiRecord* record = ApiRegistry::instance().findLayer(kind);
  const ApiParameter* p = record ? record->find("activation") : nullptr;
  std::vector<std::string> out = p ? p->choices : std::vector<std::string>();
  std::erase(out, "linear");  // the same as none
  return out;
}

std::vector<KindRecord> kinds() {
  const std::vector<Shape> images = {Shape{-1, 8, 8, 5}, Shape{4, 8, 8, 5}};
  const Source strides{"strides", From::Attribute, "strides", {1, 2}}, padding{"padding", From::Attribute, "padding", {}};
  const Source pool{"pool_size", From::Attribute, "ksize", {1, 2}};
  const TextAttrs window = {{"filters", "3"}, {"kernel_size", "[2,2]"}};
  const std::vector<Source> convolution = {{"filters", From::Variable, "kernel", {3}}, {"kernel_size", From::Variable, "kernel", {0, 1}}, strides, padding};
  std::vector<Source> transposed = convolution;
  transposed[0].elements = {2};
  const std::vector<Source> average = {{"momentum", From::Constant, "", {}}, {"epsilon", From::Attribute, "epsilon", {}}};
  std::vector<KindRecord> out = {
      {"layers.dense",
       {{"units", "3"}},
       {{"use_bias", kBias}, {"activation", activationsOf("layers.dense")}},
       {Shape{-1, 5}},
       DType::Float,
       {{"units", From::Variable, "kernel", {1}}}},
      {"layers.conv2d", window, {{"use_bias", kBias}, {"activation", activationsOf("layers.conv2d")}}, {images[0]}, DType::Float, convolution},
      {"layers.conv2d_transpose",
       window,
       {{"use_bias", kBias}, {"padding", {"same", "valid"}}, {"activation", activationsOf("layers.conv2d_transpose")}},
       {images[0]},
       DType::Float,
       transposed},
      {"layers.separable_conv2d",
       window,
       {{"use_bias", kBias}, {"activation", activationsOf("layers.separable_conv2d")}},
       {images[0]},
       DType::Float,
       {{"filters", From::Variable, "pointwise_kernel", {3}},
        {"kernel_size", From::Variable, "depthwise_kernel", {0, 1}},
        {"depth_multiplier", From::Variable, "depthwise_kernel", {3}},
        strides,
        padding}},
      {"layers.max_pooling2d", {{"pool_size", "[2,2]"}, {"strides", "[2,2]"}}, {}, {images[0]}, DType::Float, {pool, strides, padding}},
      {"layers.average_pooling2d", {{"pool_size", "[2,2]"}, {"strides", "[2,2]"}}, {}, {images[0]}, DType::Float, {pool, strides, padding}},
      {"layers.flatten", {}, {}, images, DType::Float, {}},
      // Without training, a dropout layer is an Identity like any other.
      {"layers.dropout",
       {{"rate", kRate}, {"training", "true"}},
       {},
       {Shape{-1, 5}, Shape{4, 5}},
       DType::Float,
       {{"rate", From::Constant, "", {}}, {"rate", From::ConstantRest, "", {}}}},
      {"layers.dropout",
       {{"rate", kRate}},
       {},
       {Shape{-1, 5}, Shape{4, 5}},
       DType::Float,
       {{"rate", From::Constant, "", {}}, {"rate", From::ConstantRest, "", {}}},
       {"training_tensor"}},
      {"layers.batch_normalization", {{"momentum", kMomentum}, {"epsilon", kEpsilon}}, {{"training", {"true", "false"}}}, {images[0]}, DType::Float, average},
      {"layers.batch_normalization", {{"momentum", kMomentum}, {"epsilon", kEpsilon}}, {}, {images[0]}, DType::Float, average, {"training_tensor"}},
      {"layers.batch_normalization",
       {{"momentum", kMomentum}, {"epsilon", kEpsilon}},
       {{"training", {"true", "false"}}},
       {Shape{-1, 5}},
       DType::Float,
       {{"momentum", From::ConstantRest, "", {}}, {"epsilon", From::Constant, "", {}}}},
      {"layers.layer_norm", {{"epsilon", kEpsilon}}, {}, {Shape{-1, 5}}, DType::Float, {{"epsilon", From::Constant, "", {}}}},
      {"layers.embedding",
       {{"input_dim", "7"}, {"output_dim", "3"}},
       {},
       {Shape{-1}},
       DType::Int32,
       {{"input_dim", From::Variable, "embeddings", {0}}, {"output_dim", From::Variable, "embeddings", {1}}}},
      {"layers.lstm_loop",
       {{"units", "3"}, {"forget_bias", "0.6875"}},
       {{"return_sequences", {"true", "false"}}},
       {Shape{-1, -1, 5}},
       DType::Float,
       {{"units", From::Variable, "bias", {0}, 4}, {"forget_bias", From::Constant, "", {}}}},
      {"layers.global_average_pooling", {}, {}, {images[0]}, DType::Float, {}},
      {"layers.global_max_pooling", {}, {}, {images[0]}, DType::Float, {}},
  };
  static const std::map<std::string_view, std::pair<std::string, int>> kChannels = {{"layers.dense", {"kernel", 0}},
                                                                                    {"layers.conv2d", {"kernel", 2}},
                                                                                    {"layers.conv2d_transpose", {"kernel", 3}},
                                                                                    {"layers.separable_conv2d", {"depthwise_kernel", 2}},
                                                                                    {"layers.batch_normalization", {"gamma", 0}},
                                                                                    {"layers.lstm_loop", {"kernel", 0}}};
  for (KindRecord& k : out)
    if (const auto at = kChannels.find(k.kind); at != kChannels.end()) k.channels = at->second;
  return out;
}

/// All combinations of the options.
std::vector<TextAttrs> variantsOf(const KindRecord& k) {
  std::vector<TextAttrs> out{k.fixed};
  for (const auto& [name, values] : k.options) {
    std::vector<TextAttrs> more;
    for (const TextAttrs& before : out)
      for (const std::string& v : values) {
        more.push_back(before);
        more.back().emplace_back(name, v);
      }
    out = std::move(more);
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<const Specimen>> buildSpecimen(const std::string& kind, const TextAttrs& parameters, const std::vector<InputKind>& inputs,
                                                      const std::vector<std::string>& ports) {
  auto s = std::make_shared<Specimen>();
  s->kind = kind;
  s->parameters = parameters;
  const ApiRecord* record = ApiRegistry::instance().findLayer(kind);
  if (!record) return notFound("There is no layer ", kind);
  const std::vector<LayerInput> all = layerInputs(*record);
  TextAttrs wires;
  {
    GraphBuilder b(s->meta);
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Output in = b.placeholder(inputs[i].type, inputs[i].shape, concat("in_", i));
      s->inputs.push_back(in.node);
      wires.emplace_back(i == 0 ? all[0].name : ports[i - 1], concat("in_", i, ":0"));
    }
    if (!b.ok()) return b.status().error();
  }
  std::vector<Error> problems;
  GraphEditor editor(s->meta, problems);
  LayerEditor layers(editor);
  WEFT_TRY(layers.add(*record, "layer", parameters, wires).status());
  WEFT_TRY(layers.finish());
  for (const Error& e : problems) return e;
  const Recipe* made = layers.find("layer");
  if (!made || made->outputs.empty()) return internalError(kind, " has no output");
  WEFT_LET(s->output, s->meta.graph.findOutput(made->outputs[0]));
  const Graph& graph = s->meta.graph;
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id); n && roleOf(*n) == OpRole::Variable) s->variables.emplace(id, n->name.substr(std::string_view("layer/").size()));
  const auto consumers = graph.consumers();
  std::vector<int> open = s->inputs;
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    for (const int reader : consumers[size_t(id)])
      if (s->dependent.insert(reader).second) open.push_back(reader);
  }
  std::set<int> before;
  open = {s->output.node};
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (!before.insert(id).second) continue;
    for (const Output in : graph.node(id)->inputs) open.push_back(in.node);
  }
  s->size = before.size();
  return std::shared_ptr<const Specimen>(std::move(s));
}

const std::map<std::string, std::vector<Pattern>>& patterns() {
  static const std::map<std::string, std::vector<Pattern>> all = [] {
    std::map<std::string, std::vector<Pattern>> out;
    for (const KindRecord& k : kinds()) {
      for (const TextAttrs& parameters : variantsOf(k)) {
        for (const Shape& shape : k.shapes) {
          std::vector<InputKind> inputs{{k.type, shape}};
          for (size_t i = 0; i < k.ports.size(); ++i) inputs.push_back({DType::Bool, Shape{}});
          const auto specimen = buildSpecimen(k.kind, parameters, inputs, k.ports);
          if (!specimen.ok()) continue;  // an option that this kind has not
          out[(*specimen)->meta.graph.node((*specimen)->output.node)->op].push_back(
              {*specimen, k.sources, k.channels, k.kind == std::string_view("layers.lstm_loop") ? 4 : 0});
        }
      }
    }
    for (auto& [op, list] : out)
      std::stable_sort(list.begin(), list.end(), [](const Pattern& a, const Pattern& b) { return a.specimen->size > b.specimen->size; });
    return out;
  }();
  return all;
}

}  // namespace weft::folding
