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

ApiParameter nameParameter() { return optional("name", "string", std::string(), "Name of the scope; empty: the kind of layer, made unique."); }

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

ApiParameter input(std::string doc = "What the layer works on.") { return required("inputs", "tensor", std::move(doc)); }
ApiParameter padding() { return optional("padding", "string", std::string("valid"), "Whether the borders are filled with zeros.", {"valid", "same"}); }
ApiParameter activationParameter() {
  return optional("activation", "string", std::string(), "Applied to the result; empty: none.",
                  {"", "linear", "relu", "relu6", "tanh", "sigmoid", "softmax", "elu", "selu", "softplus", "softsign"});
}
ApiParameter bias() { return optional("use_bias", "bool", true, "Whether a vector is added to the result."); }

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
      r, "placeholder", "An input that is fed in every run.", "The fed tensor.",
      {optional("dtype", "dtype", DType::Float, "Type of the elements."),
       optional("shape", "shape", Shape::unknown(), "What is known of the shape; ? for any size."),
       optional("name", "string", std::string("Placeholder"), "Name of the node.")},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(b.placeholder(a.dtype("dtype"), a.shape("shape"), a.text("name"))); },
      ApiRecipe{"input", "Inputs", {"shape", "dtype"}});
  add(
      r, "layers.dense", "Weighs and sums all inputs for each unit.", "A tensor of shape [batch, units].",
      {input("A matrix: one row for each sample."), required("units", "int", "Number of outputs."), activationParameter(), bias(), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(layers::dense(b, a.tensor("inputs"), a.integer("units"), layerOptions(a))); },
      ApiRecipe{"dense", "Layers", {"units", "activation"}});
  const auto convolution = [](bool transposed) {
    return [transposed](GraphBuilder& b, const Arguments& a) -> Built {
      const auto build = transposed ? layers::conv2dTranspose : layers::conv2d;
      return one(build(b, a.tensor("inputs"), a.integer("filters"), a.integers("kernel_size"), a.integers("strides"), a.text("padding"), layerOptions(a)));
    };
  };
  const Parameters convParameters = {input("Pictures: [batch, height, width, channels]."),
                                     required("filters", "int", "Number of channels that come out."),
                                     required("kernel_size", "ints", "Height and width of the window."),
                                     optional("strides", "ints", std::vector<int64_t>{1, 1}, "Step of the window in height and width."),
                                     padding(),
                                     activationParameter(),
                                     bias(),
                                     nameParameter()};
  add(r, "layers.conv2d", "Slides small filters over pictures.", "Pictures with `filters` channels.", convParameters, convolution(false),
      ApiRecipe{"conv", "Layers", {"filters", "kernel_size", "activation"}});
  add(r, "layers.conv2d_transpose", "The other way round of a convolution: makes pictures larger.", "Pictures with `filters` channels.", convParameters,
      convolution(true), ApiRecipe{"conv-transpose", "Layers", {"filters", "kernel_size", "strides"}});
  Parameters separableParameters = convParameters;
  separableParameters.insert(separableParameters.begin() + 5,
                             optional("depth_multiplier", "int", int64_t(1), "Filters for each channel, before they are mixed."));
  add(
      r, "layers.separable_conv2d", "Filters each channel by itself, then mixes the channels: far fewer parameters than a convolution.",
      "Pictures with `filters` channels.", separableParameters,
      [](GraphBuilder& b, const Arguments& a) -> Built {
        return one(layers::separableConv2d(b, a.tensor("inputs"), a.integer("filters"), a.integers("kernel_size"), a.integers("strides"), a.text("padding"),
                                           a.integer("depth_multiplier"), layerOptions(a)));
      },
      ApiRecipe{"conv", "Layers", {"filters", "kernel_size", "activation"}});
  const Parameters poolParameters = {input("Pictures: [batch, height, width, channels]."), required("pool_size", "ints", "Height and width of the window."),
                                     required("strides", "ints", "Step of the window in height and width."), padding(), nameParameter()};
  add(
      r, "layers.max_pooling2d", "Keeps the largest value of each window.", "Smaller pictures.", poolParameters,
      [](GraphBuilder& b, const Arguments& a) -> Built {
        return one(layers::maxPooling2d(b, a.tensor("inputs"), a.integers("pool_size"), a.integers("strides"), a.text("padding"), a.text("name")));
      },
      ApiRecipe{"pool", "Layers", {"pool_size"}});
  add(
      r, "layers.average_pooling2d", "Averages each window.", "Smaller pictures.", poolParameters,
      [](GraphBuilder& b, const Arguments& a) -> Built {
        return one(layers::averagePooling2d(b, a.tensor("inputs"), a.integers("pool_size"), a.integers("strides"), a.text("padding"), a.text("name")));
      },
      ApiRecipe{"pool", "Layers", {"pool_size"}});
  add(
      r, "layers.flatten", "Makes one row of each sample.", "A matrix: [batch, everything else].", {input(), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(layers::flatten(b, a.tensor("inputs"), a.text("name"))); },
      ApiRecipe{"flatten", "Layers", {}});
  add(
      r, "layers.dropout", "Sets a random part of the values to zero while training.", "A tensor like the input.",
      {input(), optional("rate", "float", 0.5, "Part of the values that is dropped."), optional("training", "bool", false, "Whether to drop at all."),
       optional("training_tensor", "tensor", std::monostate(), "A scalar bool that decides in every run."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const layers::Training training = a.given("training_tensor") ? layers::Training(a.tensor("training_tensor")) : layers::Training(a.flag("training"));
        return one(layers::dropout(b, a.tensor("inputs"), a.number("rate"), training, {}, a.text("name")));
      },
      ApiRecipe{"dropout", "Layers", {"rate"}});
  add(
      r, "layers.batch_normalization", "Brings each channel to mean 0 and variance 1 over the batch.", "A tensor like the input.",
      {input(), optional("training", "bool", false, "Whether to use the batch's own mean and variance."),
       optional("training_tensor", "tensor", std::monostate(), "A scalar bool that decides in every run."),
       optional("momentum", "float", 0.99, "How slowly the moving averages follow."), optional("epsilon", "float", 1e-3, "Added to the variance."),
       nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const layers::Training training = a.given("training_tensor") ? layers::Training(a.tensor("training_tensor")) : layers::Training(a.flag("training"));
        return one(layers::batchNormalization(b, a.tensor("inputs"), training, a.number("momentum"), a.number("epsilon"), a.text("name")));
      },
      ApiRecipe{"normalize", "Layers", {"momentum"}});
}

void registerFunctions(ApiRegistry& r) {
  const Parameters pair = {required("labels", "tensor", "What is right."), required("logits", "tensor", "What the network says, before softmax or sigmoid.")};
  const auto loss = [&](std::string name, std::string summary, Output (*build)(GraphBuilder&, Output, Output, std::string_view), std::string scope) {
    Parameters p = pair;
    if (name == "losses.mean_squared_error") p[1] = required("predictions", "tensor", "What the network says.");
    p.push_back(optional("scope", "string", std::move(scope), "Name of the scope."));
    const std::string second = p[1].name;
    add(
        r, std::move(name), std::move(summary), "A scalar, joined to the collection losses.", std::move(p),
        [build, second](GraphBuilder& b, const Arguments& a) -> Built { return one(build(b, a.tensor("labels"), a.tensor(second), a.text("scope"))); },
        ApiRecipe{"loss", "Losses", {}});
  };
  loss("losses.sparse_softmax_cross_entropy", "Cross entropy of classes given as numbers.", losses::sparseSoftmaxCrossEntropy,
       "sparse_softmax_cross_entropy_loss");
  loss("losses.softmax_cross_entropy", "Cross entropy of classes given as probabilities.", losses::softmaxCrossEntropy, "softmax_cross_entropy_loss");
  loss("losses.sigmoid_cross_entropy", "Cross entropy of independent yes and no.", losses::sigmoidCrossEntropy, "sigmoid_cross_entropy_loss");
  loss("losses.mean_squared_error", "Mean of the squared differences.", losses::meanSquaredError, "mean_squared_error");
  add(
      r, "metrics.accuracy_of_batch", "Share of samples whose largest logit is the right class.", "A scalar in [0, 1].",
      {required("labels", "tensor", "Classes as numbers, or one-hot rows."), required("logits", "tensor", "One row for each sample."),
       optional("scope", "string", std::string("accuracy"), "Name of the scope.")},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(accuracy(b, a.tensor("logits"), a.tensor("labels"), a.text("scope"))); },
      ApiRecipe{"accuracy", "Metrics", {}});
  add(
      r, "nn.dropout", "Sets a random part of the values to zero and scales the others up.", "A tensor like the input.",
      {required("x", "tensor", "Values."), optional("rate", "float", 0.5, "Part of the values that is dropped."),
       optional("rate_tensor", "tensor", std::monostate(), "The same as a scalar tensor, to be fed."),
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
    Parameters p = {required("loss", "tensor", "The scalar to be made small."), optional("learning_rate", "float", d.learningRate, "Size of a step."),
                    optional("learning_rate_tensor", "tensor", std::monostate(), "The same as a scalar tensor, to be fed.")};
    p.insert(p.end(), own.begin(), own.end());
    p.push_back(optional("clip_global_norm", "float", 0.0, "Largest norm of all gradients together; 0: any."));
    p.push_back(optional("count_steps", "bool", true, "Whether each step counts up global_step."));
    p.push_back(optional("name", "string", kind, "Name of the training op."));
    p.push_back(optional("variables", "string", std::string(), "Scope of the variables that it changes; empty: all that are trained."));
    add(
        r, "train." + kind + "Optimizer", std::move(summary), "The op that does one step.", std::move(p),
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
  optimizer("GradientDescent", "Steps against the gradient.", {});
  optimizer("Momentum", "Steps that keep part of their speed.",
            {optional("momentum", "float", 0.9, "Part of the speed that is kept."), optional("use_nesterov", "bool", false, "Looks ahead by one step.")});
  optimizer("Adagrad", "Smaller steps where gradients were large.", {optional("initial_accumulator_value", "float", 0.1, "Sum of squares at the start.")});
  optimizer("RMSProp", "Steps divided by the recent size of the gradient.",
            {optional("decay", "float", 0.9, "How slowly the average follows."), optional("momentum", "float", 0.0, "Part of the speed that is kept."),
             optional("epsilon", "float", 1e-10, "Added to the average.")});
  optimizer("Adam", "Steps by running averages of the gradient and of its square.",
            {optional("beta1", "float", 0.9, "Decay of the mean."), optional("beta2", "float", 0.999, "Decay of the square."),
             optional("epsilon", "float", 1e-8, "Added to the root.")});
  const auto summary = [&](std::string name, std::string text, Output (*build)(GraphBuilder&, std::string_view, Output)) {
    add(
        r, std::move(name), std::move(text), "A serialised Summary, added to the collection `summaries`.",
        {required("name", "string", "Tag under which it is shown."), required("tensor", "tensor", "What is recorded.")},
        [build](GraphBuilder& b, const Arguments& a) -> Built { return one(build(b, a.text("name"), a.tensor("tensor"))); },
        ApiRecipe{"summary", "Summaries", {"name"}});
  };
  summary("summary.scalar", "Records one number.", scalarSummary);
  summary("summary.histogram", "Records how values are distributed.", histogramSummary);
  add(
      r, "summary.image", "Records pictures.", "A serialised Summary, added to the collection `summaries`.",
      {required("name", "string", "Tag under which it is shown."), required("tensor", "tensor", "[batch, height, width, 1, 3 or 4 channels]."),
       optional("max_outputs", "int", int64_t(3), "How many pictures of the batch.")},
      [](GraphBuilder& b, const Arguments& a) -> Built { return one(imageSummary(b, a.text("name"), a.tensor("tensor"), a.integer("max_outputs"))); },
      ApiRecipe{"summary", "Summaries", {"name"}});
  add(r, "summary.merge_all", "One summary of all that were made.", "A serialised Summary; nothing if there are none.", {},
      [](GraphBuilder& b, const Arguments&) -> Built { return one(mergeAllSummaries(b)); });
  add(r, "train.Saver", "Adds the ops that save and restore all variables.", "The op that restores all.",
      {optional("max_to_keep", "int", int64_t(5), "Checkpoints that are kept.")}, [](GraphBuilder& b, const Arguments& a) -> Built {
        const int keep = fit32(b, a.integer("max_to_keep"), "max_to_keep");
        if (!b.ok()) return b.status().error();
        WEFT_LET(const SaverInfo saver, addSaver(b, keep));
        return Values{{}, {b.graph().find(saver.restoreOp)->id}};
      });
  add(r, "global_variables_initializer", "Adds the op that initialises all variables.", "The op.", {}, [](GraphBuilder& b, const Arguments&) -> Built {
    return Values{{}, {globalVariablesInitializer(b)}};
  });
}

}  // namespace weft::api
