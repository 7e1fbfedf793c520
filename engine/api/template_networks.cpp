#include "api/template_networks.h"

#include "api/nn.h"
#include "api/training.h"
#include "ops/grad_ops.h"
#include "weft/recipes.h"
#include "weft/train.h"

namespace weft::api {
namespace {

/// A document under construction: each call corresponds to a gesture on the canvas. After the first error, later calls do nothing.
class Draft {
 public:
  Draft() : editor_(meta_, problems_), layers_(editor_) {}

  /// A placeholder for rows of data; returns its tensor.
  std::string input(const std::string& name, const std::string& type, const std::string& shape, const std::string& column) {
    if (!status_.ok()) return {};
    const auto id = editor_.add("Placeholder", name, {{"dtype", type}, {"shape", shape}});
    if (!keep(id)) return {};
    data.placeholders[name + ":0"] = column;
    return name + ":0";
  }
  /// A scalar with different values in training and otherwise.
  std::string scalar(const std::string& name, const std::string& type, const std::string& otherwise, const std::string& training) {
    if (!status_.ok()) return {};
    const auto fed = editor_.add("PlaceholderWithDefault", name, {{"dtype", type}, {"shape", "[]"}});
    if (!keep(fed)) return {};
    const auto value = editor_.add("Const", name + "/input", {{"dtype", type}, {"value", otherwise}});
    if (!keep(value)) return {};
    keep(editor_.connect({*value, 0}, {*fed, 0}));
    settings.trainFeed[name + ":0"] = training;
    return name + ":0";
  }
  /// A layer by the name of its record; returns its first output.
  std::string layer(const char* kind, const std::string& name, const TextAttrs& parameters, const TextAttrs& inputs) {
    if (!status_.ok()) return {};
    const ApiRecord* record = ApiRegistry::instance().findLayer(kind);
    if (!record) {
      status_ = internalError("there is no layer ", kind);
      return {};
    }
    const auto scope = layers_.add(*record, name, parameters, inputs);
    if (!keep(scope)) return {};
    const weft::Recipe* made = layers_.find(*scope);
    return made && !made->outputs.empty() ? made->outputs[0] : *scope + ":0";
  }
  std::string layer(const char* kind, const std::string& name, const TextAttrs& parameters, const std::string& from) {
    return layer(kind, name, parameters, TextAttrs{{"", from}});
  }
  std::string dense(const std::string& name, int units, const char* activation, const std::string& from) {
    TextAttrs parameters{{"units", std::to_string(units)}};
    if (*activation) parameters.emplace_back("activation", activation);
    return layer("layers.dense", name, parameters, from);
  }
  std::string convolution(const std::string& name, int filters, const char* kernel, const char* strides, const char* activation, const std::string& from) {
    TextAttrs parameters{{"filters", std::to_string(filters)}, {"kernel_size", kernel}, {"strides", strides}, {"padding", "same"}};
    if (*activation) parameters.emplace_back("activation", activation);
    return layer("layers.conv2d", name, parameters, from);
  }
  /// Ops in a scope, for computations without a layer.
  template <typename Build>
  std::string ops(const char* scope, const Build& build) {
    if (!status_.ok()) return {};
    const int before = editor_.graph().size();
    GraphBuilder b(meta_);
    b.setGraphSeed(kGraphSeed);
    std::string name;
    {
      const auto inside = b.nameScope(scope);
      const Output out = build(b);
      if (keep(b.status())) name = b.graph().tensorName(out);
    }
    for (int id = before; id < editor_.graph().size(); ++id) editor_.touch(id);
    return name;
  }
  Output at(const std::string& tensor) {
    if (!status_.ok()) return {};
    const auto found = editor_.output(tensor);
    return keep(found) ? *found : Output();
  }
  void picture(const std::string& tag, const std::string& images, int count) { layer("summary.image", tag, {{"max_outputs", std::to_string(count)}}, images); }
  void train(LayerEditor::Training training, int batch, const std::string& notes) {
    if (!status_.ok()) return;
    setTrainingSettings(meta_, settings);
    data.batchSize = batch;
    setDatasetBindings(meta_, {data});
    if (!keep(layers_.finish()) || !keep(layers_.addTraining(training)) || !keep(layers_.finish())) return;
    auto made = trainingSettingsOf(meta_);
    if (!keep(made)) return;
    made->summaryEverySteps = summaryEvery;
    made->checkpointEverySteps = checkpointEvery;
    setTrainingSettings(meta_, *made);
    notes_ = notes;
  }
  Result<MetaGraph> finished(const Template& info) {
    if (!status_.ok()) return status_.error();
    for (const Error& problem : problems_) return problem;
    DocumentInfo about;
    about.title = info.title;
    about.notes = notes_.empty() ? info.summary : notes_;
    setDocumentInfo(meta_, about);
    return std::move(meta_);
  }

  DatasetBinding data;
  TrainingSettings settings;
  int64_t summaryEvery = 10, checkpointEvery = 500;

 private:
  template <typename T>
  bool keep(const Result<T>& result) {
    if (!result.ok()) status_ = result.error();
    return result.ok();
  }
  bool keep(const Status& status) {
    if (!status.ok()) status_ = status;
    return status.ok();
  }

  MetaGraph meta_;
  std::vector<Error> problems_;
  GraphEditor editor_;
  LayerEditor layers_;
  Status status_;
  std::string notes_;
};

LayerEditor::Training adam(const std::string& loss, const char* rate, int64_t epochs) {
  LayerEditor::Training t;
  t.loss = loss;
  t.parameters = {{"learning_rate", rate}};
  t.epochs = epochs;
  return t;
}

void bindDigits(Draft& d) { d.data.builtin = "digits"; }

std::string digitPictures(Draft& d) {
  bindDigits(d);
  const std::string images = d.input("images", "float32", "[?,64]", "images");
  return d.layer("reshape", "pictures", {{"target_shape", "[-1,8,8,1]"}}, images);
}

std::string enlarged(Draft& d, const std::string& pictures, int side) {
  return d.ops("enlarge", [&](GraphBuilder& b) { return b.op("ResizeBilinear", {d.at(pictures), b.ints({side, side}, "size")}, {}, "resize"); });
}

std::string classify(Draft& d, const std::string& logits, const std::string& labels) {
  return d.layer("losses.sparse_softmax_cross_entropy", "loss", {}, TextAttrs{{"labels", labels}, {"logits", logits}});
}

Result<MetaGraph> lenet();
Result<MetaGraph> residual();
Result<MetaGraph> lstm();
Result<MetaGraph> words();
Result<MetaGraph> gan();
Result<MetaGraph> autoencoder();
Result<MetaGraph> regression();
Result<MetaGraph> table();

}  // namespace

const std::vector<DrawnTemplate>& drawnTemplates() {
  static const std::vector<DrawnTemplate> kAll = {
      {{"lenet-digits", "LeNet on digits", "Two convolutional layers learn strokes; the accuracy climbs past 98 %.", true, 60}, lenet},
      {{"resnet-digits", "Residual network", "Residual blocks, which add their output to their input, with batch normalization.", true, 60}, residual},
      {{"lstm-text", "LSTM on text", "An LSTM in a while loop reads Shakespeare and predicts each next character.", true, 70}, lstm},
      {{"word2vec", "word2vec", "Words that occur near each other get similar vectors.", true, 60}, words},
      {{"gan-digits", "GAN", "Generator and discriminator compete until noise turns into digits.", true, 60}, gan},
      {{"autoencoder-digits", "Convolutional autoencoder", "Compresses images to ten numbers and reconstructs them.", true, 60}, autoencoder},
      {{"bikes-regression", "Regression on a table", "Predicts bike rentals from weather and hour; the error falls to a few dozen bikes.", true, 60},
       regression},
      {{"income-table", "Classifier with embeddings", "Jobs and education become embeddings; watch training and evaluation loss diverge.", true, 60}, table},
  };
  return kAll;
}

namespace {

const Template& infoOf(std::string_view name) {
  for (const DrawnTemplate& t : drawnTemplates())
    if (t.info.name == name) return t.info;
  return drawnTemplates().front().info;
}

Result<MetaGraph> lenet() {
  Draft d;
  const std::string pictures = digitPictures(d), labels = d.input("labels", "int32", "[?]", "labels"), rate = d.scalar("dropout_rate", "float32", "0", "0.4");
  d.settings.live.push_back({"Dropout", rate, 0.4, 0, 0.9, false});
  std::string x = enlarged(d, pictures, 28);
  d.picture("input", x, 4);
  x = d.convolution("conv1", 64, "[5,5]", "[1,1]", "relu", x);
  x = d.layer("layers.max_pooling2d", "pool1", {{"pool_size", "[2,2]"}, {"strides", "[2,2]"}}, x);
  x = d.convolution("conv2", 128, "[5,5]", "[1,1]", "relu", x);
  x = d.layer("layers.max_pooling2d", "pool2", {{"pool_size", "[2,2]"}, {"strides", "[2,2]"}}, x);
  x = d.layer("layers.flatten", "flatten", {}, x);
  x = d.dense("fc1", 512, "relu", x);
  x = d.layer("nn.dropout", "dropout", {}, TextAttrs{{"x", x}, {"rate_tensor", rate}});
  const std::string loss = classify(d, d.dense("logits", 10, "", x), labels);
  d.checkpointEvery = 100;
  d.train(adam(loss, "0.0005", 32), 50, {});
  return d.finished(infoOf("lenet-digits"));
}

/// convolution, norm, relu, convolution, norm, added to the input (or to a 1×1 convolution of it), relu
std::string block(Draft& d, const std::string& name, const std::string& from, int filters, bool smaller, const std::string& training) {
  const char* strides = smaller ? "[2,2]" : "[1,1]";
  const auto norm = [&](const std::string& part, const std::string& x) {
    return d.layer("layers.batch_normalization", name + "/" + part, {{"momentum", "0.9"}}, TextAttrs{{"inputs", x}, {"training_tensor", training}});
  };
  std::string x = norm("norm1", d.convolution(name + "/conv1", filters, "[3,3]", strides, "", from));
  x = d.layer("nn.relu", name + "/relu1", {}, x);
  x = norm("norm2", d.convolution(name + "/conv2", filters, "[3,3]", "[1,1]", "", x));
  const std::string beside = smaller ? d.convolution(name + "/shortcut", filters, "[1,1]", strides, "", from) : from;
  x = d.layer("layers.add", name + "/add", {}, TextAttrs{{"inputs", x}, {"inputs+", beside}});
  return d.layer("nn.relu", name + "/relu2", {}, x);
}

Result<MetaGraph> residual() {
  Draft d;
  const std::string pictures = enlarged(d, digitPictures(d), 16), labels = d.input("labels", "int32", "[?]", "labels"),
                    training = d.scalar("is_training", "bool", "false", "true");
  d.picture("input", pictures, 4);
  std::string x = d.convolution("stem", 48, "[3,3]", "[1,1]", "relu", pictures);
  x = block(d, "block1", x, 48, false, training);
  x = block(d, "block2", x, 96, true, training);
  x = block(d, "block3", x, 192, true, training);
  x = d.layer("layers.global_average_pooling", "pool", {}, x);
  const std::string loss = classify(d, d.dense("logits", 10, "", x), labels);
  d.checkpointEvery = 200;
  d.train(adam(loss, "0.001", 32), 32, {});
  return d.finished(infoOf("resnet-digits"));
}

Result<MetaGraph> lstm() {
  constexpr int kCharacters = 65;
  Draft d;
  d.data.builtin = "shakespeare";
  d.data.options = {{"length", "40"}, {"hold_out", "end"}};
  d.data.validationFraction = 0.05;
  const std::string inputs = d.input("inputs", "int32", "[?,40]", "inputs"), targets = d.input("targets", "int32", "[?,40]", "targets");
  std::string x = d.layer("layers.embedding", "letters", {{"input_dim", std::to_string(kCharacters)}, {"output_dim", "32"}}, inputs);
  x = d.layer("layers.lstm_loop", "lstm", {{"units", "128"}, {"return_sequences", "true"}}, x);
  x = d.layer("reshape", "steps", {{"target_shape", "[-1,128]"}}, x);
  const std::string next = d.layer("reshape", "next", {{"target_shape", "[-1]"}}, targets);
  const std::string loss = classify(d, d.dense("logits", kCharacters, "", x), next);
  LayerEditor::Training training = adam(loss, "0.003", 10);
  training.parameters.emplace_back("clip_global_norm", "5");
  d.data.options["projector"] = "letters/embeddings=inputs";
  d.train(training, 64, {});
  return d.finished(infoOf("lstm-text"));
}

Result<MetaGraph> words() {
  constexpr int kWords = 2000;
  Draft d;
  d.data.builtin = "shakespeare";
  d.data.options = {
      {"level", "words"}, {"window", "2"}, {"vocabulary", std::to_string(kWords)}, {"hold_out", "end"}, {"projector", "embedding/embeddings=center"}};
  d.data.validationFraction = 0.02;
  const std::string center = d.input("center", "int32", "[?]", "center"), context = d.input("context", "int32", "[?]", "context");
  const std::string x = d.layer("layers.embedding", "embedding", {{"input_dim", std::to_string(kWords)}, {"output_dim", "128"}}, center);
  const std::string loss = classify(d, d.dense("neighbours", kWords, "", x), context);
  d.summaryEvery = 20;
  d.checkpointEvery = 2000;
  d.train(adam(loss, "0.002", 12), 256, {});
  return d.finished(infoOf("word2vec"));
}

Result<MetaGraph> gan() {
  constexpr int kNoise = 32;
  Draft d;
  bindDigits(d);
  d.data.validationFraction = 0;
  const std::string images = d.input("images", "float32", "[?,64]", "images");
  const std::string noise = d.ops("noise", [&](GraphBuilder& b) {
    const Output rows = py::at(b, b.op("Shape", {d.at(images)}), 0);
    const auto seeds = b.seedsFor(std::nullopt);
    const Output z =
        b.op("RandomStandardNormal", {py::stack(b, {rows, kNoise})}, {{"dtype", DType::Float}, {"seed", seeds.first}, {"seed2", seeds.second}}, "normal");
    b.setShape(z, Shape{-1, kNoise});
    return z;
  });
  std::string fake = d.dense("generator/dense1", 512, "relu", noise);
  fake = d.dense("generator/dense2", 512, "relu", fake);
  fake = d.dense("generator/pixels", kPixels, "sigmoid", fake);
  d.picture("generated", d.layer("reshape", "drawn", {{"target_shape", "[-1,8,8,1]"}}, fake), 6);
  d.picture("real", d.layer("reshape", "photographed", {{"target_shape", "[-1,8,8,1]"}}, images), 3);
  // Real ones first, then generated ones: one network judges both.
  const std::string both = d.layer("layers.concatenate", "both", {{"axis", "0"}}, TextAttrs{{"inputs", images}, {"inputs+", fake}});
  std::string x = d.dense("discriminator/dense1", 1024, "relu", both);
  x = d.dense("discriminator/dense2", 512, "relu", x);
  x = d.dense("discriminator/verdict", 1, "", x);
  const std::string truth = d.ops("truth", [&](GraphBuilder& b) {
    // Label smoothing for real samples: the generator learns nothing from a fully confident discriminator.
    const Output real = py::mul(b, py::onesLike(b, d.at(x)), 0.5);
    const Output rows = py::at(b, b.op("Shape", {d.at(images)}), 0), all = py::at(b, b.op("Shape", {d.at(x)}), 0);
    const Output first = b.op("Less", {py::range(b, 0, all), rows});
    const Output mask = b.op("ExpandDims", {b.cast(first, DType::Float), b.scalar<int32_t>(1, "dim")});
    return b.op("Mul", {mask, py::mul(b, real, 1.8)}, {}, "labels");
  });
  const std::string loss = d.layer("losses.sigmoid_cross_entropy", "discriminator_loss", {}, TextAttrs{{"labels", truth}, {"logits", x}});
  const std::string deceit = d.ops("deceit", [&](GraphBuilder& b) {
    const Output rows = py::at(b, b.op("Shape", {d.at(images)}), 0);
    const Output verdict = b.op("Slice", {d.at(x), py::stack(b, {rows, 0}), b.ints({-1, 1}, "size")}, {}, "verdict");
    b.setShape(verdict, Shape{-1, 1});
    return verdict;
  });
  const std::string wanted = d.ops("wanted", [&](GraphBuilder& b) { return py::onesLike(b, d.at(deceit)); });
  const std::string other = d.layer("losses.sigmoid_cross_entropy", "generator_loss", {}, TextAttrs{{"labels", wanted}, {"logits", deceit}});
  LayerEditor::Training training = adam(loss, "0.0004", 600);
  training.parameters.emplace_back("beta1", "0.5");
  training.parameters.emplace_back("variables", "discriminator");
  training.others.push_back({other, "Adam", {{"learning_rate", "0.0004"}, {"beta1", "0.5"}, {"variables", "generator"}}});
  d.summaryEvery = 50;
  d.checkpointEvery = 2000;
  d.train(training, 64, {});
  return d.finished(infoOf("gan-digits"));
}

Result<MetaGraph> autoencoder() {
  Draft d;
  const std::string pictures = enlarged(d, digitPictures(d), 16);
  d.picture("input", pictures, 4);
  std::string x = d.convolution("encoder/conv1", 64, "[3,3]", "[1,1]", "relu", pictures);
  x = d.convolution("encoder/conv2", 128, "[3,3]", "[2,2]", "relu", x);
  x = d.layer("layers.flatten", "encoder/flatten", {}, x);
  x = d.dense("code", 10, "", x);
  x = d.dense("decoder/dense", 8 * 8 * 128, "relu", x);
  x = d.layer("reshape", "decoder/maps", {{"target_shape", "[-1,8,8,128]"}}, x);
  x = d.layer("layers.conv2d_transpose", "decoder/conv1",
              {{"filters", "64"}, {"kernel_size", "[3,3]"}, {"strides", "[2,2]"}, {"padding", "same"}, {"activation", "relu"}}, x);
  x = d.convolution("decoder/pixels", 1, "[3,3]", "[1,1]", "sigmoid", x);
  d.picture("output", x, 4);
  const std::string loss = d.layer("losses.mean_squared_error", "loss", {}, TextAttrs{{"labels", pictures}, {"predictions", x}});
  d.checkpointEvery = 500;
  d.train(adam(loss, "0.001", 70), 32, {});
  return d.finished(infoOf("autoencoder-digits"));
}

Result<MetaGraph> regression() {
  Draft d;
  d.data.builtin = "bikes";
  const std::string features = d.input("features", "float32", "[?,8]", "features"), bikes = d.input("bikes", "float32", "[?,1]", "labels");
  std::string x = d.dense("hidden1", 1024, "relu", features);
  x = d.dense("hidden2", 1024, "relu", x);
  x = d.dense("hidden3", 512, "relu", x);
  x = d.dense("prediction", 1, "", x);
  const std::string loss = d.layer("losses.mean_squared_error", "loss", {}, TextAttrs{{"labels", bikes}, {"predictions", x}});
  const std::string error = d.ops("error_in_bikes", [&](GraphBuilder& b) {
    return py::mul(b, reduceAll(b, "Mean", b.op("Abs", {b.op("Sub", {d.at(x), d.at(bikes)})})), 100);
  });
  d.settings.metrics.emplace_back("error in bikes", error);
  d.summaryEvery = 50;
  d.checkpointEvery = 2000;
  d.train(adam(loss, "0.0003", 120), 32, {});
  return d.finished(infoOf("bikes-regression"));
}

Result<MetaGraph> table() {
  struct Words {
    const char* column;
    int count, width;
  };
  static constexpr Words kColumns[] = {{"workclass", 7, 4}, {"education", 16, 6}, {"marital", 7, 4}, {"occupation", 14, 6}, {"relationship", 6, 4}};
  Draft d;
  d.data.builtin = "income";
  const std::string numbers = d.input("features", "float32", "[?,5]", "features"), labels = d.input("labels", "int32", "[?]", "labels");
  const std::string rate = d.scalar("dropout_rate", "float32", "0", "0.2");
  d.settings.live.push_back({"Dropout", rate, 0.2, 0, 0.9, false});
  TextAttrs parts{{"inputs", numbers}};
  std::string projector;
  for (const Words& w : kColumns) {
    const std::string column = w.column, ids = d.input(column, "int32", "[?]", column + "_id");
    parts.emplace_back("inputs+",
                       d.layer("layers.embedding", "embed_" + column, {{"input_dim", std::to_string(w.count)}, {"output_dim", std::to_string(w.width)}}, ids));
    projector += (projector.empty() ? "" : ";") + ("embed_" + column + "/embeddings=" + column + "_id");
  }
  d.data.options["projector"] = projector;
  std::string x = d.layer("layers.concatenate", "row", {}, parts);
  x = d.dense("hidden1", 1024, "relu", x);
  x = d.layer("nn.dropout", "dropout", {}, TextAttrs{{"x", x}, {"rate_tensor", rate}});
  x = d.dense("hidden2", 1024, "relu", x);
  const std::string loss = classify(d, d.dense("logits", 2, "", x), labels);
  d.summaryEvery = 50;
  d.checkpointEvery = 2000;
  d.train(adam(loss, "0.0003", 45), 64, {});
  return d.finished(infoOf("income-table"));
}

}  // namespace
}  // namespace weft::api
