// Every rule of the doctor, stated once: code, moment, weight and texts.
#include <iterator>

#include "weft/doctor.h"

namespace weft {
namespace {

constexpr DoctorMoment kBefore = DoctorMoment::Before, kDuring = DoctorMoment::During, kEvaluation = DoctorMoment::Evaluation;
constexpr DoctorWeight kNote = DoctorWeight::Note, kWarning = DoctorWeight::Warning, kError = DoctorWeight::Error;

constexpr DoctorRule kRules[] = {
    // The graph.
    {"softmax-twice", kBefore, kWarning, "%1 gets probabilities where it expects logits",
     "It applies the softmax or sigmoid itself, but its input comes from %2.", "Give it the input of %2."},
    {"updates-not-run", kBefore, kWarning, "Nothing runs %1",
     "It is in the collection update_ops: moving averages keep their initial values, so tests are wrong.",
     "Make the training op wait for the ops of update_ops."},
    {"global-step-stays", kBefore, kWarning, "Nothing increments %1",
     "There is an optimizer, but the step that schedules, hooks and checkpoints read stays at 0.", "Pass global_step to minimize() or apply_gradients()."},
    {"no-gradient", kBefore, kWarning, "%1 is not trained", "It is trainable, and the loss depends on it, but no optimizer changes it.",
     "Check the path to the loss for ops without a gradient, or make it not trainable."},
    {"gradient-blocked", kBefore, kWarning, "%1 lets no gradient through",
     "The gradient of %2 is 0 or none. %3 variables of the network, such as %4, lie behind it and are not trained.",
     "Compute the loss from values with a gradient: logits or probabilities, not classes; for rounded codes x + tf.stop_gradient(tf.round(x) - x)."},
    {"rows-broadcast", kBefore, kError, "%1 compares each row with all others",
     "Shapes %2 and %3 broadcast to a square: every prediction meets the target of every row.",
     "Give both one shape: tf.squeeze(predictions, 1), or tf.reshape(targets, [-1, 1])."},
    {"softmax-of-one", kBefore, kError, "%1 is a softmax of one value", "It is always 1, so that nothing is learned.",
     "Use a sigmoid for one output, or an output per class."},
    {"reshape-not-transpose", kBefore, kWarning, "%1 mixes up the axes", "It reshapes %2 to %3: the sizes change places, but the elements keep their order.",
     "Use tf.transpose to exchange axes."},
    {"loss-sign", kBefore, kError, "%1 makes the labels less likely", "%2 is multiplied by the labels and minimized: probabilities of the right classes fall.",
     "Put a minus before the sum: -tf.reduce_sum(labels * tf.log(p), 1)."},
    {"penalty-not-added", kBefore, kWarning, "%1 is in no loss", "%2 regularization losses were made, but none of them is part of what is minimized.",
     "Add them: loss += tf.losses.get_regularization_loss()."},
    {"clip-not-applied", kBefore, kWarning, "%1 clips gradients that nothing applies", "The optimizer gets the gradients as they were before.",
     "Pass the clipped ones on: apply_gradients(zip(clipped, variables))."},
    {"best-row-not-class", kBefore, kWarning, "%1 looks for the best row, not for the best class",
     "Its input has a row per example, %2, and the maximum is taken along axis 0.", "Use tf.argmax(x, 1)."},
    {"where-guards-value", kBefore, kNote, "%1 keeps the value of %2 from NaN, but not its gradient",
     "Where the condition is false, the gradient is 0 times infinity, which is NaN.", "Make the input safe too: tf.log(tf.where(x > 0, x, tf.ones_like(x)))."},
    {"root-of-zero", kBefore, kNote, "%1 may take the root of 0", "Its input %2 is a sum of squares. Where that is 0, the gradient is infinite or NaN.",
     "Add a small number: tf.sqrt(x + 1e-8)."},
    {"no-nonlinearity", kBefore, kWarning, "There is nothing non-linear between %1 and %2", "Two linear layers in a row can express no more than one.",
     "Put an activation such as relu between them, or leave one out."},
    {"activation-on-logits", kBefore, kWarning, "%1 limits the logits of %2", "The op before the loss is %3: the network cannot express every probability.",
     "Leave the activation of the last layer out."},
    {"activation-twice", kBefore, kNote, "%1 follows another activation", "%2 and %3 are applied one right after the other.", "Leave one of them out."},
    {"dropout-high", kBefore, kNote, "%1 drops %2 % of its inputs", "More than half of the values are set to 0.", "Try a rate between 0.1 and 0.5."},
    {"dropout-before-norm", kBefore, kNote, "Dropout %1 comes before batch normalization %2",
     "Dropout changes the variance in training but not in tests, so that the moving averages of the normalization are wrong in tests.",
     "Put the dropout after the last batch normalization."},
    {"bias-before-norm", kBefore, kNote, "The bias of %1 has no effect", "Batch normalization %2 subtracts the mean, and with it the bias.",
     "Leave the bias out (use_bias=False)."},
    {"loss-fits-not", kBefore, kError, "%1 does not fit the %2 outputs of the network", "A cross entropy over one class is always 0; nothing is learned.",
     "Use sigmoid_cross_entropy_with_logits for one output, or an output per class."},
    {"learning-rate-high", kBefore, kWarning, "The learning rate %1 is high for %2", "Usual values are %3.", "Start with a smaller one."},
    {"learning-rate-low", kBefore, kWarning, "The learning rate %1 changes next to nothing", "Usual values for %2 are %3.", "Start with a larger one."},
    {"update-race", kBefore, kError, "%1 and %2 both write %3 in a step", "Nothing orders them: the result depends on which runs last.",
     "Let one wait for the other with control_dependencies."},
    {"loss-not-scalar", kBefore, kWarning, "The loss %1 is not a single number",
     "Its shape is %2: the gradient is that of the sum of all elements, so that the best learning rate depends on the batch size.",
     "Take the mean (tf.reduce_mean) before minimize()."},
    {"log-of-probability", kBefore, kNote, "%1 may take the logarithm of 0",
     "Its input comes from %2, whose values can round to 0: the loss or its gradient is then infinite or NaN.",
     "Use a loss that takes logits, or clip: tf.log(tf.clip_by_value(p, 1e-10, 1.0))."},
    // Data.
    {"data-not-finite", kBefore, kError, "%1 has %2 values that are NaN or infinite", "They are in %3 of the %4 rows that were looked at.",
     "Remove or replace these rows."},
    {"data-not-scaled", kBefore, kWarning, "The values of %1 lie between %2 and %3",
     "Their mean is %4, their deviation %5. Networks learn best from values of about 0 to 1, or of mean 0 and deviation 1.",
     "Scale them (option scale), or standardize them (option standardize of tables)."},
    {"constant-feature", kBefore, kNote, "%1 of the %2 features of %3 never change", "The first is number %4, which is always %5.", "Leave them out."},
    {"constant-labels", kBefore, kError, "All labels in %1 are %2", "There is nothing to tell apart.",
     "Check the column that feeds %1, and the order of the rows."},
    {"classes-unbalanced", kBefore, kWarning, "The classes of %1 are very unequal", "The largest has %2 of %3 rows, the smallest %4.",
     "Weight the loss, or draw rows of small classes more often; watch precision and recall, not the accuracy."},
    {"labels-out-of-range", kBefore, kError, "%1 has the label %2, but there are %3 classes", "Labels go from 0 to %4.",
     "Give the last layer an output for each class."},
    {"labels-not-probabilities", kBefore, kWarning, "Row %2 of %1 is no distribution over the classes", "It adds up to %3, and its least value is %4.",
     "Feed rows that add up to 1, such as one-hot rows; for several labels per row use a sigmoid loss."},
    {"test-rows-in-training", kBefore, kWarning, "%1 % of the test rows are in the training data too",
     "%2 of %3 rows are the same. Results on the test data look better than they are.", "Remove duplicates before the data are split."},
    // Initial values and the first steps.
    {"constant-weights", kBefore, kError, "All weights of %1 start at %2",
     "Units of a layer that start alike stay alike, so that the layer acts like a single unit.", "Use a random initializer (Glorot, He)."},
    {"weights-too-large", kBefore, kWarning, "The weights of %1 start %2 times too large",
     "Their deviation is %3; for %4 inputs and %5 outputs He's rule gives %6.", "Use an initializer that knows the layer's size (Glorot, He)."},
    {"weights-too-small", kBefore, kWarning, "The weights of %1 start %2 times too small",
     "Their deviation is %3; for %4 inputs and %5 outputs He's rule gives %6.", "Use an initializer that knows the layer's size (Glorot, He)."},
    {"norm-not-training", kBefore, kWarning, "%1 normalizes with averages that nothing updates",
     "%2 has its initial value %3 in every unit, and training steps read it instead of what the batch says.",
     "Pass training=True (is_training=True) while it trains, and run the ops of update_ops."},
    {"first-loss-wrong", kBefore, kWarning, "The first loss is %1, but guessing among %2 classes costs %3",
     "An untrained network should be as good as guessing.", "Check the labels, the initial weights of the last layer, and whether the loss is a mean."},
    {"loss-sums-batch", kBefore, kWarning, "The loss grows with the batch",
     "Twice as many rows give %1 instead of %2: it is a sum. The best learning rate then depends on the batch size.", "Use reduce_mean over the batch."},
    {"mixes-rows", kBefore, kWarning, "Rows of a batch influence each other", "Changing row 0 of %1 moved %2 of other rows by up to %3.",
     "Look for reductions, reshapes or transposes over the wrong axis."},
    {"ignores-input", kBefore, kError, "The network does not look at %1", "With zeros in its place, %2 stays the same.",
     "Check which tensor feeds the first layer."},
    {"cannot-learn-batch", kBefore, kWarning, "One batch of %1 rows cannot be learned", "After %2 steps on the same rows the loss went from %3 to %4.",
     "Look for a wrong loss, mixed-up labels, a learning rate that is too high or low, or a network that is too small."},
    // While it trains.
    {"not-finite", kDuring, kError, "%1 of %2 is NaN or infinite", "Seen in step %3.",
     "Use Watch for NaN to find the first op that produced it; try a smaller learning rate."},
    {"loss-not-finite", kDuring, kError, "The loss became %1", "That was in step %2; in the step before it was %3.",
     "Use a smaller learning rate or clip gradients; look for logarithms, divisions and roots of values that can be 0."},
    {"log-of-zero", kDuring, kError, "%1 took the logarithm of 0", "Its input comes from %2; the loss was %3 in step %4.",
     "Use a loss that takes logits, or clip: tf.log(tf.clip_by_value(p, 1e-10, 1.0))."},
    {"loss-explodes", kDuring, kError, "The loss grows without end", "It was %1 at best and is %2 in step %3.",
     "Use a smaller learning rate, or clip gradients."},
    {"loss-stuck", kDuring, kWarning, "The loss does not fall", "It was %1 over the first steps and is %2 after %3 steps.",
     "Try another learning rate; check labels and whether gradients reach the first layers."},
    {"loss-oscillates", kDuring, kWarning, "The loss swings more than it falls", "Over the last %1 steps it went up and down by %2, and fell by %3.",
     "Use a smaller learning rate or a larger batch."},
    {"loss-negative", kDuring, kError, "The loss is negative: %1", "A cross entropy cannot be; seen in step %2.",
     "Check that labels and outputs are probabilities."},
    {"loss-and-accuracy-part", kDuring, kNote, "Loss and accuracy move together", "Their correlation over %1 steps is %2; it should be negative.",
     "Check that both are computed from the same outputs and labels."},
    {"gradient-vanishes", kDuring, kWarning, "Gradients vanish towards the input", "The gradient of %1 is %2, that of %3 is %4.",
     "Use relu instead of tanh or sigmoid, batch normalization, residual connections, or another initializer."},
    {"gradient-explodes", kDuring, kWarning, "The gradient of %1 explodes", "Its norm is %2; over the first steps it was %3.",
     "Clip gradients by norm, or use a smaller learning rate."},
    {"gradient-zero", kDuring, kWarning, "The gradient of %1 is exactly 0", "It was 0 in each of %2 measured steps: the variable does not learn.",
     "Look for dead units behind it, and for stop_gradient or integer ops on the path to the loss."},
    {"update-large", kDuring, kWarning, "%1 changes too fast", "A step changes it by %2 of its size; about a thousandth is usual.",
     "Use a smaller learning rate."},
    {"update-small", kDuring, kNote, "%1 hardly changes", "A step changes it by %2 of its size; about a thousandth is usual.", "Use a larger learning rate."},
    {"dead-units", kDuring, kWarning, "%1 % of the units of %2 are dead", "%3 of %4 were 0 for every row in %5 measured steps; their weights get no gradient.",
     "Use a smaller learning rate, another initializer, or leaky_relu."},
    {"saturated-units", kDuring, kWarning, "%1 % of the values of %2 are saturated", "Beyond ±%3 the slope of %4 is next to 0, so that little is learned.",
     "Use smaller initial weights, normalize the inputs of the layer, or use relu."},
    {"activations-drift", kDuring, kWarning, "The activations of %1 grow", "Their mean size was %2 and is %3.",
     "Use batch normalization, weight decay or a smaller learning rate."},
    {"weights-dead", kDuring, kWarning, "Nearly all weights of %1 are 0", "%2 % are below 1e-5.", "Use less weight decay, or a smaller learning rate."},
    {"weights-explode", kDuring, kError, "The weights of %1 grow without end", "Their mean size was %2 and is %3.",
     "Use a smaller learning rate or weight decay."},
    {"output-constant", kDuring, kWarning, "The network gives every row the same answer", "%1 had the same values for all rows in %2 measured steps.",
     "Check the input's scale, dead units and the learning rate."},
    {"rows-not-shuffled", kDuring, kWarning, "The rows are not shuffled", "A batch of %1 rows has %2 of %3 classes on average; shuffled rows would have %4.",
     "Shuffle the rows before each epoch (Dataset.shuffle, np.random.permutation)."},
    // At evaluation.
    {"overfit", kEvaluation, kWarning, "The network learns the training data by heart",
     "The loss on the test data rose from %1 to %2, while the training loss fell from %3 to %4.",
     "Stop earlier (patience), use dropout, weight decay, more data or augmentation."},
    {"no-more-gain", kEvaluation, kNote, "Training on brings nothing",
     "The loss on the test data has not improved in %1 evaluations; the best was %2 in step %3.", "Stop here, or lower the learning rate."},
    {"test-beats-training", kEvaluation, kNote, "Tests look better than training",
     "The accuracy on the test data is %1, in training %2, and no dropout explains it.",
     "Look for test rows in the training data, and for what differs between training and tests."},
};

}  // namespace

std::span<const DoctorRule> doctorRules() { return kRules; }

std::string doctorText(const char* text, const std::vector<std::string>& words) {
  std::string out;
  for (const char* c = text; *c; ++c) {
    const size_t slot = *c == '%' && c[1] >= '1' && c[1] <= '9' ? size_t(c[1] - '0') : 0;
    if (slot == 0 || slot > words.size()) {
      out += *c;
      continue;
    }
    out += words[slot - 1];
    ++c;
  }
  return out;
}

}  // namespace weft
