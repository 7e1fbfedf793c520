#include "api/records.h"

#include "api/layers.h"
#include "api/narrow.h"
#include "api/nn.h"
#include "api/training.h"

namespace weft::api {
namespace records {

ApiParameter required(std::string name, std::string type, std::string doc) { return {std::move(name), std::move(type), {}, std::move(doc), {}, {}}; }

ApiParameter optional(std::string name, std::string type, Argument otherwise, std::string doc, std::vector<std::string> choices) {
  return {std::move(name), std::move(type), std::move(otherwise), std::move(doc), {}, std::move(choices)};
}

ApiParameter nameParameter() { return optional("name", "string", std::string(), "Name of the scope; empty: the layer type, made unique."); }

Values one(Output o) { return Values{{o}, {}}; }

void add(ApiRegistry& r, std::string name, std::string summary, std::string returns, Parameters parameters,
         std::function<Built(GraphBuilder&, const Arguments&)> build, std::optional<ApiRecipe> recipe, std::string source) {
  ApiRecord record;
  record.source = source.empty() ? "tf." + name + " of TensorFlow 1.15" : std::move(source);
  record.name = std::move(name);
  record.summary = std::move(summary);
  record.returns = std::move(returns);
  record.parameters = std::move(parameters);
  record.build = std::move(build);
  record.recipe = std::move(recipe);
  r.add(std::move(record));
}

}  // namespace records

using namespace records;

namespace {

ApiParameter input(std::string doc = "Input of the layer.") { return required("inputs", "tensor", std::move(doc)); }
ApiParameter padding() {
  return optional("padding", "string", std::string("valid"), "valid: no padding; same: zero padding, so that the output has size ceil(input / stride).",
                  {"valid", "same"});
}
ApiParameter activationParameter() {
  return optional("activation", "string", std::string(), "Activation function of the output; empty: none.",
                  {"", "linear", "relu", "relu6", "tanh", "sigmoid", "softmax", "elu", "selu", "softplus", "softsign"});
}
ApiParameter bias() { return optional("use_bias", "bool", true, "Whether to add a bias vector."); }

layers::LayerOptions layerOptions(const Arguments& a) {
  layers::LayerOptions o;
  o.name = a.text("name");
  o.activation = a.text("activation");
  o.useBias = a.flag("use_bias");
  return o;
}

}  // namespace

void registerLayers(ApiRegistry& r) {
  add(
      r, "placeholder", "An input that must be fed in every run.", "The fed tensor.",
      {optional("dtype", "dtype", DType::Float, "Type of the elements."),
       optional("shape", "shape", Shape::unknown(), "Shape of the fed tensor; ? for dimensions of any size."),
       optional("name", "string", std::string("Placeholder"), "Name of the node.")},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(b.placeholder(a.dtype("dtype"), a.shape("shape"), a.text("name"))); },
      ApiRecipe{"input", "Inputs", {"shape", "dtype"}});
  add(
      r, "layers.dense", "Fully connected layer: each unit computes a weighted sum of all inputs.", "A tensor of shape [batch, units].",
      {input("A matrix with one row per sample."), required("units", "int", "Number of units (outputs)."), activationParameter(), bias(), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(layers::dense(b, a.tensor("inputs"), a.integer("units"), layerOptions(a))); },
      ApiRecipe{"dense", "Layers", {"units", "activation"}});
  const auto convolution = [](bool transposed) {
    return [transposed](GraphBuilder& b, const Arguments& a) -> Built {
      const auto build = transposed ? layers::conv2dTranspose : layers::conv2d;
      return one(build(b, a.tensor("inputs"), a.integer("filters"), a.integers("kernel_size"), a.integers("strides"), a.text("padding"), layerOptions(a)));
    };
  };
  const Parameters convParameters = {input("Images, [batch, height, width, channels]."),
                                     required("filters", "int", "Number of filters (output channels)."),
                                     required("kernel_size", "ints", "Height and width of the window."),
                                     optional("strides", "ints", std::vector<int64_t>{1, 1}, "Stride of the window in height and width."),
                                     padding(),
                                     activationParameter(),
                                     bias(),
                                     nameParameter()};
  add(r, "layers.conv2d", "2-D convolution: slides a bank of filters over images.", "Feature maps with `filters` channels.", convParameters, convolution(false),
      ApiRecipe{"conv", "Layers", {"filters", "kernel_size", "activation"}});
  add(r, "layers.conv2d_transpose", "Transposed 2-D convolution, which enlarges images.", "Feature maps with `filters` channels.", convParameters,
      convolution(true), ApiRecipe{"conv-transpose", "Layers", {"filters", "kernel_size", "strides"}});
  Parameters separableParameters = convParameters;
  separableParameters.insert(separableParameters.begin() + 5, optional("depth_multiplier", "int", int64_t(1), "Depthwise filters per input channel."));
  add(
      r, "layers.separable_conv2d", "Depthwise convolution followed by a 1×1 convolution; has far fewer parameters than a full convolution.",
      "Feature maps with `filters` channels.", separableParameters,
      [](GraphBuilder& b, const Arguments& a) -> Built {
        return one(layers::separableConv2d(b, a.tensor("inputs"), a.integer("filters"), a.integers("kernel_size"), a.integers("strides"), a.text("padding"),
                                           a.integer("depth_multiplier"), layerOptions(a)));
      },
      ApiRecipe{"conv", "Layers", {"filters", "kernel_size", "activation"}});
  const Parameters poolParameters = {input("Images, [batch, height, width, channels]."), required("pool_size", "ints", "Height and width of the window."),
                                     required("strides", "ints", "Stride of the window in height and width."), padding(), nameParameter()};
  add(
      r, "layers.max_pooling2d", "Max pooling: keeps the largest value of each window.", "Smaller images.", poolParameters,
      [](GraphBuilder& b, const Arguments& a) -> Built {
        return one(layers::maxPooling2d(b, a.tensor("inputs"), a.integers("pool_size"), a.integers("strides"), a.text("padding"), a.text("name")));
      },
      ApiRecipe{"pool", "Layers", {"pool_size"}});
  add(
      r, "layers.average_pooling2d", "Average pooling: keeps the mean of each window.", "Smaller images.", poolParameters,
      [](GraphBuilder& b, const Arguments& a) -> Built {
        return one(layers::averagePooling2d(b, a.tensor("inputs"), a.integers("pool_size"), a.integers("strides"), a.text("padding"), a.text("name")));
      },
      ApiRecipe{"pool", "Layers", {"pool_size"}});
  add(
      r, "layers.flatten", "Flattens each sample to one row.", "A matrix, [batch, all other dimensions].", {input(), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(layers::flatten(b, a.tensor("inputs"), a.text("name"))); },
      ApiRecipe{"flatten", "Layers", {}});
  add(
      r, "layers.dropout", "Dropout: sets a random fraction of the values to zero during training and scales the others up.",
      "A tensor in the shape of the input.",
      {input(), optional("rate", "float", 0.5, "Fraction of the values to drop."), optional("training", "bool", false, "Whether to drop values."),
       optional("training_tensor", "tensor", std::monostate(), "A boolean scalar that decides in each run."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const layers::Training training = a.given("training_tensor") ? layers::Training(a.tensor("training_tensor")) : layers::Training(a.flag("training"));
        return one(layers::dropout(b, a.tensor("inputs"), a.number("rate"), training, {}, a.text("name")));
      },
      ApiRecipe{"dropout", "Layers", {"rate"}});
  add(
      r, "layers.batch_normalization",
      "Batch normalization: normalizes each channel over the batch to mean 0 and variance 1, then applies a learned scale and offset.",
      "A tensor in the shape of the input.",
      {input(), optional("training", "bool", false, "Use the batch's own mean and variance instead of the moving averages."),
       optional("training_tensor", "tensor", std::monostate(), "A boolean scalar that decides in each run."),
       optional("momentum", "float", 0.99, "Momentum of the moving averages; closer to 1 is slower."),
       optional("epsilon", "float", 1e-3, "Small constant added to the variance."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const layers::Training training = a.given("training_tensor") ? layers::Training(a.tensor("training_tensor")) : layers::Training(a.flag("training"));
        return one(layers::batchNormalization(b, a.tensor("inputs"), training, a.number("momentum"), a.number("epsilon"), a.text("name")));
      },
      ApiRecipe{"normalize", "Layers", {"momentum"}});
}

void registerFunctions(ApiRegistry& r) {
  const Parameters pair = {required("labels", "tensor", "The true labels."),
                           required("logits", "tensor", "Outputs of the network before softmax or sigmoid (logits).")};
  const auto loss = [&](std::string name, std::string summary, Output (*build)(GraphBuilder&, Output, Output, std::string_view), std::string scope) {
    Parameters p = pair;
    if (name == "losses.mean_squared_error") p[1] = required("predictions", "tensor", "Outputs of the network.");
    p.push_back(optional("scope", "string", std::move(scope), "Name of the scope."));
    const std::string second = p[1].name;
    add(
        r, std::move(name), std::move(summary), "A scalar, also added to the collection `losses`.", std::move(p),
        [build, second](GraphBuilder& b, const Arguments& a) -> Built { return one(build(b, a.tensor("labels"), a.tensor(second), a.text("scope"))); },
        ApiRecipe{"loss", "Losses", {}});
  };
  loss("losses.sparse_softmax_cross_entropy", "Softmax cross entropy with class indices as labels.", losses::sparseSoftmaxCrossEntropy,
       "sparse_softmax_cross_entropy_loss");
  loss("losses.softmax_cross_entropy", "Softmax cross entropy with class probabilities as labels.", losses::softmaxCrossEntropy, "softmax_cross_entropy_loss");
  loss("losses.sigmoid_cross_entropy", "Sigmoid cross entropy with independent binary labels.", losses::sigmoidCrossEntropy, "sigmoid_cross_entropy_loss");
  loss("losses.mean_squared_error", "Mean squared error.", losses::meanSquaredError, "mean_squared_error");
  add(
      r, "metrics.accuracy_of_batch", "Fraction of samples whose largest logit is the true class.", "A scalar in [0, 1].",
      {required("labels", "tensor", "Class indices or one-hot rows."), required("logits", "tensor", "Logits, one row per sample."),
       optional("scope", "string", std::string("accuracy"), "Name of the scope.")},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(accuracy(b, a.tensor("logits"), a.tensor("labels"), a.text("scope"))); },
      ApiRecipe{"accuracy", "Metrics", {}});
  add(
      r, "nn.dropout", "Dropout: sets a random fraction of the values to zero and scales the others up.", "A tensor in the shape of the input.",
      {required("x", "tensor", "Values."), optional("rate", "float", 0.5, "Fraction of the values to drop."),
       optional("rate_tensor", "tensor", std::monostate(), "The same as a scalar tensor, which can be fed."),
       optional("name", "string", std::string("dropout"), "Name of the scope.")},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const DropoutRate rate = a.given("rate_tensor") ? DropoutRate(a.tensor("rate_tensor")) : DropoutRate(a.number("rate"));
        return one(dropout(b, a.tensor("x"), rate, {}, a.text("name")));
      },
      ApiRecipe{"dropout", "Layers", {"rate"}});
}

void registerTraining(ApiRegistry& r) {
  const auto optimizer = [&](const std::string& kind, std::string summary, Parameters own) {
    const OptimizerOptions d = optimizerDefaults(kind);
    Parameters p = {required("loss", "tensor", "Scalar loss to minimize."), optional("learning_rate", "float", d.learningRate, "Step size."),
                    optional("learning_rate_tensor", "tensor", std::monostate(), "The same as a scalar tensor, which can be fed.")};
    p.insert(p.end(), own.begin(), own.end());
    p.push_back(optional("clip_global_norm", "float", 0.0, "Maximum global norm of the gradients; 0: no clipping."));
    p.push_back(optional("count_steps", "bool", true, "Whether each step increments global_step."));
    p.push_back(optional("name", "string", kind, "Name of the training op."));
    p.push_back(optional("variables", "string", std::string(), "Scope of the variables to train; empty: all trainable variables."));
    add(
        r, "train." + kind + "Optimizer", std::move(summary), "The training op, which performs one step.", std::move(p),
        [kind](GraphBuilder& b, const Arguments& a) -> Built {
          OptimizerOptions o = optimizerDefaults(kind);
          o.name = a.text("name");
          o.learningRate = a.number("learning_rate");
          o.learningRateTensor = a.tensor("learning_rate_tensor");
          o.clipGlobalNorm = a.number("clip_global_norm");
          const auto set = [&](const char* name, double* field) {
            if (a.given(name)) *field = a.number(name);
          };
          set("momentum", &o.momentum);
          set("initial_accumulator_value", &o.initialAccumulator);
          set("decay", &o.decay);
          set("beta1", &o.beta1);
          set("beta2", &o.beta2);
          set("epsilon", &o.epsilon);
          o.nesterov = a.flag("use_nesterov");
          if (a.flag("count_steps")) o.globalStep = globalStep(b);
          if (const std::string inside = a.text("variables"); !inside.empty()) {
            for (const VariablePtr& v : variablesIn(b, "trainable_variables"))
              if (v->name.starts_with(inside + "/")) o.variables.push_back(v);
            if (o.variables.empty()) return invalidArgument("There is no variable to be trained in the scope '", inside, "'");
          }
          WEFT_LET(const int train, minimize(b, a.tensor("loss"), o));
          return Values{{}, {train}};
        },
        ApiRecipe{"optimizer", "Training", {"learning_rate"}});
  };
  optimizer("GradientDescent", "Plain gradient descent.", {});
  optimizer("Momentum", "Gradient descent with momentum.",
            {optional("momentum", "float", 0.9, "Momentum coefficient."), optional("use_nesterov", "bool", false, "Use Nesterov momentum.")});
  optimizer("Adagrad", "Adagrad: smaller steps for parameters whose past gradients were large.",
            {optional("initial_accumulator_value", "float", 0.1, "Initial value of the accumulated squared gradients.")});
  optimizer("RMSProp", "RMSProp: steps divided by a moving average of the gradient's magnitude.",
            {optional("decay", "float", 0.9, "Decay rate of the moving average."), optional("momentum", "float", 0.0, "Momentum coefficient."),
             optional("epsilon", "float", 1e-10, "Small constant added to the average, to avoid division by zero.")});
  optimizer("Adam", "Adam: steps from moving averages of the gradient and of its square.",
            {optional("beta1", "float", 0.9, "Decay rate of the gradient's moving average."),
             optional("beta2", "float", 0.999, "Decay rate of the squared gradient's moving average."),
             optional("epsilon", "float", 1e-8, "Small constant added to the denominator.")});
  const auto summary = [&](std::string name, std::string text, Output (*build)(GraphBuilder&, std::string_view, Output)) {
    add(
        r, std::move(name), std::move(text), "A serialized Summary, added to the collection `summaries`.",
        {required("name", "string", "Tag of the summary."), required("tensor", "tensor", "Tensor to record.")},
        [build](GraphBuilder& b, const Arguments& a) -> Built { return one(build(b, a.text("name"), a.tensor("tensor"))); },
        ApiRecipe{"summary", "Summaries", {"name"}});
  };
  summary("summary.scalar", "Records a scalar.", scalarSummary);
  summary("summary.histogram", "Records a histogram of a tensor's values.", histogramSummary);
  add(
      r, "summary.image", "Records images.", "A serialized Summary, added to the collection `summaries`.",
      {required("name", "string", "Tag of the summary."), required("tensor", "tensor", "[batch, height, width, channels], with 1, 3 or 4 channels."),
       optional("max_outputs", "int", int64_t(3), "Maximum number of images of the batch to record.")},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(imageSummary(b, a.text("name"), a.tensor("tensor"), a.integer("max_outputs"))); },
      ApiRecipe{"summary", "Summaries", {"name"}});
  add(r, "summary.merge_all", "Merges all summaries of the graph into one.", "A serialized Summary; nothing if there are no summaries.", {},
      [](GraphBuilder& b, const Arguments&) -> Built { return one(mergeAllSummaries(b)); });
  add(r, "train.Saver", "Adds the ops that save and restore all variables.", "The op that restores all variables.",
      {optional("max_to_keep", "int", int64_t(5), "Number of checkpoints to keep.")}, [](GraphBuilder& b, const Arguments& a) -> Built {
        const int keep = fit32(b, a.integer("max_to_keep"), "max_to_keep");
        if (!b.ok()) return b.status().error();
        WEFT_LET(const SaverInfo saver, addSaver(b, keep));
        return Values{{}, {b.graph().find(saver.restoreOp)->id}};
      });
  add(r, "global_variables_initializer", "Adds the op that initializes all variables.", "The op.", {}, [](GraphBuilder& b, const Arguments&) -> Built {
    return Values{{}, {globalVariablesInitializer(b)}};
  });
}

}  // namespace weft::api
