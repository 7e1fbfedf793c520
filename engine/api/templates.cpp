#include "weft/templates.h"

#include "api/layers.h"
#include "api/nn.h"
#include "api/template_networks.h"
#include "api/training.h"
#include "ops/grad_ops.h"
#include "weft/recipes.h"
#include "weft/train.h"

namespace weft::api {
namespace {

constexpr int64_t kClasses = 10;

// Common to all templates: inputs, a learning rate that can be changed during training, and the length of training.
struct Parts {
  Output images, labels, learningRate, dropoutRate;
  Output loss, accuracy;
  OptimizerOptions optimizer;
  int64_t epochs = 20;
  int batchSize = 32;
  std::vector<Recipe> layers;
};

Output scalarInput(GraphBuilder& b, double value, std::string_view name) {
  const py::Scope scope(b, name);
  const Output input = b.number(DType::Float, value, "input");
  return b.op("PlaceholderWithDefault", {input}, {{"shape", Shape{}}}, scope.name());
}

layers::LayerOptions layer(const std::string& name, const std::string& activation) {
  layers::LayerOptions o;
  o.name = name;
  o.activation = activation;
  return o;
}

/// Stores a scope's recipe, so that it can be changed as a layer.
Output kept(GraphBuilder& b, Parts& p, const char* kind, const std::string& name, std::map<std::string, std::string> parameters, Output x, Output y) {
  if (!b.ok()) return y;
  std::erase_if(parameters, [](const auto& parameter) { return parameter.second.empty(); });
  parameters["~in"] = dtypeName(b.dtype(x)) + b.shape(x).toString() + ";";
  parameters["~out"] = b.shape(y).toString() + ";";
  p.layers.push_back({name, kind, std::move(parameters), {b.graph().tensorName(x)}, {b.graph().tensorName(y)}, {}});
  return y;
}

Output dense(GraphBuilder& b, Parts& p, Output x, int64_t units, const std::string& name, const std::string& activation = {}) {
  return kept(b, p, "layers.dense", name, {{"units", std::to_string(units)}, {"activation", activation}}, x,
              layers::dense(b, x, units, layer(name, activation)));
}

Output convolution(GraphBuilder& b, Parts& p, Output x, int64_t filters, const std::string& name) {
  return kept(b, p, "layers.conv2d", name,
              {{"filters", std::to_string(filters)}, {"kernel_size", "[3,3]"}, {"strides", "[1,1]"}, {"padding", "same"}, {"activation", "relu"}}, x,
              layers::conv2d(b, x, filters, {3, 3}, {1, 1}, "same", layer(name, "relu")));
}

Output pooling(GraphBuilder& b, Parts& p, Output x, const std::string& name) {
  return kept(b, p, "layers.max_pooling2d", name, {{"pool_size", "[2,2]"}, {"strides", "[2,2]"}}, x, layers::maxPooling2d(b, x, {2, 2}, {2, 2}, "valid", name));
}

void classify(GraphBuilder& b, Parts& p, Output logits) {
  {
    const auto scope = b.nameScope("cross_entropy");
    p.loss = reduceAll(b, "Mean", sparseSoftmaxCrossEntropy(b, p.labels, logits), "value");
  }
  p.accuracy = accuracy(b, logits, p.labels, "evaluation");
}

void softmax(GraphBuilder& b, Parts& p) {
  p.optimizer = optimizerDefaults("GradientDescent");
  p.optimizer.learningRate = 0.5;
  p.epochs = 30;
  classify(b, p, dense(b, p, p.images, kClasses, "logits"));
}

void mlp(GraphBuilder& b, Parts& p) {
  p.optimizer = optimizerDefaults("Adam");
  p.optimizer.learningRate = 0.002;
  p.epochs = 20;
  const Output first = dense(b, p, p.images, 64, "hidden1", "relu");
  const Output second = dense(b, p, first, 32, "hidden2", "relu");
  classify(b, p, dense(b, p, second, kClasses, "logits"));
}

void lenet(GraphBuilder& b, Parts& p) {
  p.optimizer = optimizerDefaults("Adam");
  p.optimizer.learningRate = 0.002;
  p.epochs = 20;
  p.dropoutRate = scalarInput(b, 0, "dropout_rate");
  const Output pictures = py::reshape(b, p.images, std::vector<int64_t>{-1, 8, 8, 1});
  Output x = convolution(b, p, pictures, 16, "conv1");
  x = convolution(b, p, x, 32, "conv2");
  x = pooling(b, p, x, "pool1");
  x = convolution(b, p, x, 64, "conv3");
  x = pooling(b, p, x, "pool2");
  x = kept(b, p, "layers.flatten", "flatten", {}, x, layers::flatten(b, x, "flatten"));
  x = dense(b, p, x, 64, "fc1", "relu");
  x = dropout(b, x, p.dropoutRate);
  classify(b, p, dense(b, p, x, kClasses, "logits"));
}

void autoencoder(GraphBuilder& b, Parts& p) {
  p.optimizer = optimizerDefaults("Adam");
  p.optimizer.learningRate = 0.003;
  p.epochs = 40;
  Output x = dense(b, p, p.images, 32, "encoder1", "relu");
  x = dense(b, p, x, 8, "code", "relu");
  x = dense(b, p, x, 32, "decoder1", "relu");
  x = dense(b, p, x, kPixels, "reconstruction", "sigmoid");
  {
    const auto scope = b.nameScope("squared_error");
    p.loss = reduceAll(b, "Mean", b.op("SquaredDifference", {x, p.images}), "value");
  }
  imageSummary(b, "input", py::reshape(b, p.images, std::vector<int64_t>{-1, 8, 8, 1}), 4);
  imageSummary(b, "output", py::reshape(b, x, std::vector<int64_t>{-1, 8, 8, 1}), 4);
}

struct Recipe {
  Template info;
  void (*build)(GraphBuilder&, Parts&);
};

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> kAll = {
      {{"softmax", "Softmax regression", "One dense layer that classifies digits by a weighted sum of their pixels."}, softmax},
      {{"mlp", "Multi-layer perceptron", "Two hidden layers of 64 and 32 units, trained by Adam."}, mlp},
      {{"lenet", "Convolutional network", "Three convolutions with pooling and dropout: the classic architecture for digits."}, lenet},
      {{"autoencoder", "Autoencoder", "Compresses each digit to eight numbers and reconstructs it."}, autoencoder},
  };
  return kAll;
}

}  // namespace

const std::vector<Template>& templates() {
  static const std::vector<Template> kAll = [] {
    std::vector<Template> out;
    for (const DrawnTemplate& t : drawnTemplates()) out.push_back(t.info);
    for (const Recipe& r : recipes()) out.push_back(r.info);
    return out;
  }();
  return kAll;
}

Result<MetaGraph> buildTemplate(const std::string& name) {
  const Recipe* recipe = nullptr;
  std::string names;
  for (const DrawnTemplate& t : drawnTemplates()) {
    if (t.info.name == name) return t.build();
    names += (names.empty() ? "" : ", ") + t.info.name;
  }
  for (const Recipe& r : recipes()) {
    if (r.info.name == name) recipe = &r;
    names += (names.empty() ? "" : ", ") + r.info.name;
  }
  if (!recipe) return notFound("There is no template '", name, "'; expected one of ", names);
  MetaGraph meta;
  GraphBuilder b(meta);
  b.setGraphSeed(kGraphSeed);
  Parts p;
  p.images = b.placeholder(DType::Float, Shape{Shape::kUnknownDim, kPixels}, "images");
  if (name != "autoencoder") p.labels = b.placeholder(DType::Int32, Shape{Shape::kUnknownDim}, "labels");
  recipe->build(b, p);
  // Not a part of the training, which is built again when the network changes: pictures of the data stay.
  if (name != "autoencoder") imageSummary(b, "input", py::reshape(b, p.images, std::vector<int64_t>{-1, 8, 8, 1}), 4);
  const int before = b.graph().size();
  p.optimizer.learningRateTensor = scalarInput(b, p.optimizer.learningRate, "learning_rate");
  p.optimizer.globalStep = globalStep(b);
  scalarSummary(b, "loss", p.loss);
  if (p.accuracy.valid()) scalarSummary(b, "accuracy", p.accuracy);
  for (const VariablePtr& v : variablesIn(b, "trainable_variables")) histogramSummary(b, v->name, v->snapshot);
  int train = -1;
  {
    const auto scope = b.nameScope("train");
    WEFT_LET(train, minimize(b, p.loss, p.optimizer));
  }
  const Output merged = mergeAllSummaries(b);
  const int init = globalVariablesInitializer(b);
  WEFT_TRY(addSaver(b));
  WEFT_TRY(b.status());

  const auto tensor = [&](Output o) { return b.graph().tensorName(o); };
  TrainingSettings t;
  t.trainOp = b.nodeAt(train).name;
  t.initOp = b.nodeAt(init).name;
  t.loss = tensor(p.loss);
  if (p.accuracy.valid()) t.accuracy = tensor(p.accuracy);
  t.summaries = {tensor(merged)};
  t.epochs = p.epochs;
  t.summaryEverySteps = 10;
  t.checkpointEverySteps = 200;
  t.globalStep = tensor(p.optimizer.globalStep->snapshot);
  t.live.push_back({"Learning rate", tensor(p.optimizer.learningRateTensor), p.optimizer.learningRate, 1e-5, 1, true});
  if (p.dropoutRate.valid()) {
    t.live.push_back({"Dropout", tensor(p.dropoutRate), 0.25, 0, 0.9, false});
    t.trainFeed[tensor(p.dropoutRate)] = "0.25";
    t.evalFeed[tensor(p.dropoutRate)] = "0";
  }
  setTrainingSettings(meta, t);
  weft::Recipe training{"train", "train." + p.optimizer.kind + "Optimizer", {{"learning_rate", argumentToText(p.optimizer.learningRate)}}, {tensor(p.loss)}, {},
                        {}};
  if (p.accuracy.valid()) training.inputs.push_back(tensor(p.accuracy));
  for (int id = before; id < b.graph().size(); ++id) training.nodes.push_back(b.nodeAt(id).name);
  p.layers.push_back(std::move(training));
  setRecipes(meta, p.layers);
  DatasetBinding data;
  data.kind = "builtin";
  data.builtin = "digits";
  data.placeholders[tensor(p.images)] = "images";
  if (p.labels.valid()) data.placeholders[tensor(p.labels)] = "labels";
  data.validationFraction = 0.2;
  data.seed = 1;
  data.shuffle = true;
  data.batchSize = p.batchSize;
  setDatasetBindings(meta, {data});
  DocumentInfo info;
  info.title = recipe->info.title;
  info.notes = recipe->info.summary;
  setDocumentInfo(meta, info);
  return meta;
}

}  // namespace weft::api
