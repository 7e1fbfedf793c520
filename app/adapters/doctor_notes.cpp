#include "adapters/doctor_notes.h"

#include <QCoreApplication>
#include <string_view>

#include "adapters/engine_graph.h"
#include "common/format.h"
#include "weft/doctor.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct DoctorText {
  Q_DECLARE_TR_FUNCTIONS(DoctorNotes)
};

// Texts of the engine's rules, listed here for translation.
[[maybe_unused]] constexpr const char* kDoctorTexts[] = {
    QT_TRANSLATE_NOOP("Doctor", "%1 gets probabilities where it expects logits"),
    QT_TRANSLATE_NOOP("Doctor", "It applies the softmax or sigmoid itself, but its input comes from %2."),
    QT_TRANSLATE_NOOP("Doctor", "Give it the input of %2."),
    QT_TRANSLATE_NOOP("Doctor", "Nothing runs %1"),
    QT_TRANSLATE_NOOP("Doctor", "It is in the collection update_ops: moving averages keep their initial values, so tests are wrong."),
    QT_TRANSLATE_NOOP("Doctor", "Make the training op wait for the ops of update_ops."),
    QT_TRANSLATE_NOOP("Doctor", "Nothing increments %1"),
    QT_TRANSLATE_NOOP("Doctor", "There is an optimizer, but the step that schedules, hooks and checkpoints read stays at 0."),
    QT_TRANSLATE_NOOP("Doctor", "Pass global_step to minimize() or apply_gradients()."),
    QT_TRANSLATE_NOOP("Doctor", "%1 is not trained"),
    QT_TRANSLATE_NOOP("Doctor", "It is trainable, and the loss depends on it, but no optimizer changes it."),
    QT_TRANSLATE_NOOP("Doctor", "Check the path to the loss for ops without a gradient, or make it not trainable."),
    QT_TRANSLATE_NOOP("Doctor", "There is nothing non-linear between %1 and %2"),
    QT_TRANSLATE_NOOP("Doctor", "Two linear layers in a row can express no more than one."),
    QT_TRANSLATE_NOOP("Doctor", "Put an activation such as relu between them, or leave one out."),
    QT_TRANSLATE_NOOP("Doctor", "%1 limits the logits of %2"),
    QT_TRANSLATE_NOOP("Doctor", "The op before the loss is %3: the network cannot express every probability."),
    QT_TRANSLATE_NOOP("Doctor", "Leave the activation of the last layer out."),
    QT_TRANSLATE_NOOP("Doctor", "%1 follows another activation"),
    QT_TRANSLATE_NOOP("Doctor", "%2 and %3 are applied one right after the other."),
    QT_TRANSLATE_NOOP("Doctor", "Leave one of them out."),
    QT_TRANSLATE_NOOP("Doctor", "%1 drops %2 % of its inputs"),
    QT_TRANSLATE_NOOP("Doctor", "More than half of the values are set to 0."),
    QT_TRANSLATE_NOOP("Doctor", "Try a rate between 0.1 and 0.5."),
    QT_TRANSLATE_NOOP("Doctor", "Dropout %1 comes before batch normalization %2"),
    QT_TRANSLATE_NOOP("Doctor",
                      "Dropout changes the variance in training but not in tests, so that the moving averages of the normalization are wrong in tests."),
    QT_TRANSLATE_NOOP("Doctor", "Put the dropout after the last batch normalization."),
    QT_TRANSLATE_NOOP("Doctor", "The bias of %1 has no effect"),
    QT_TRANSLATE_NOOP("Doctor", "Batch normalization %2 subtracts the mean, and with it the bias."),
    QT_TRANSLATE_NOOP("Doctor", "Leave the bias out (use_bias=False)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 does not fit the %2 outputs of the network"),
    QT_TRANSLATE_NOOP("Doctor", "A cross entropy over one class is always 0; nothing is learned."),
    QT_TRANSLATE_NOOP("Doctor", "Use sigmoid_cross_entropy_with_logits for one output, or an output per class."),
    QT_TRANSLATE_NOOP("Doctor", "The learning rate %1 is high for %2"),
    QT_TRANSLATE_NOOP("Doctor", "Usual values are %3."),
    QT_TRANSLATE_NOOP("Doctor", "Start with a smaller one."),
    QT_TRANSLATE_NOOP("Doctor", "The learning rate %1 changes next to nothing"),
    QT_TRANSLATE_NOOP("Doctor", "Usual values for %2 are %3."),
    QT_TRANSLATE_NOOP("Doctor", "Start with a larger one."),
    QT_TRANSLATE_NOOP("Doctor", "%1 and %2 both write %3 in a step"),
    QT_TRANSLATE_NOOP("Doctor", "Nothing orders them: the result depends on which runs last."),
    QT_TRANSLATE_NOOP("Doctor", "Let one wait for the other with control_dependencies."),
    QT_TRANSLATE_NOOP("Doctor", "%1 has %2 values that are NaN or infinite"),
    QT_TRANSLATE_NOOP("Doctor", "They are in %3 of the %4 rows that were looked at."),
    QT_TRANSLATE_NOOP("Doctor", "Remove or replace these rows."),
    QT_TRANSLATE_NOOP("Doctor", "The values of %1 lie between %2 and %3"),
    QT_TRANSLATE_NOOP("Doctor", "Their mean is %4, their deviation %5. Networks learn best from values of about 0 to 1, or of mean 0 and deviation 1."),
    QT_TRANSLATE_NOOP("Doctor", "Scale them (option scale), or standardize them (option standardize of tables)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 of the %2 features of %3 never change"),
    QT_TRANSLATE_NOOP("Doctor", "The first is number %4, which is always %5."),
    QT_TRANSLATE_NOOP("Doctor", "Leave them out."),
    QT_TRANSLATE_NOOP("Doctor", "All labels in %1 are %2"),
    QT_TRANSLATE_NOOP("Doctor", "There is nothing to tell apart."),
    QT_TRANSLATE_NOOP("Doctor", "Check the column that feeds %1, and the order of the rows."),
    QT_TRANSLATE_NOOP("Doctor", "The classes of %1 are very unequal"),
    QT_TRANSLATE_NOOP("Doctor", "The largest has %2 of %3 rows, the smallest %4."),
    QT_TRANSLATE_NOOP("Doctor", "Weight the loss, or draw rows of small classes more often; watch precision and recall, not the accuracy."),
    QT_TRANSLATE_NOOP("Doctor", "%1 has the label %2, but there are %3 classes"),
    QT_TRANSLATE_NOOP("Doctor", "Labels go from 0 to %4."),
    QT_TRANSLATE_NOOP("Doctor", "Give the last layer an output for each class."),
    QT_TRANSLATE_NOOP("Doctor", "%1 % of the test rows are in the training data too"),
    QT_TRANSLATE_NOOP("Doctor", "%2 of %3 rows are the same. Results on the test data look better than they are."),
    QT_TRANSLATE_NOOP("Doctor", "Remove duplicates before the data are split."),
    QT_TRANSLATE_NOOP("Doctor", "All weights of %1 start at %2"),
    QT_TRANSLATE_NOOP("Doctor", "Units of a layer that start alike stay alike, so that the layer acts like a single unit."),
    QT_TRANSLATE_NOOP("Doctor", "Use a random initializer (Glorot, He)."),
    QT_TRANSLATE_NOOP("Doctor", "The weights of %1 start %2 times too large"),
    QT_TRANSLATE_NOOP("Doctor", "Their deviation is %3; for %4 inputs and %5 outputs He's rule gives %6."),
    QT_TRANSLATE_NOOP("Doctor", "Use an initializer that knows the layer's size (Glorot, He)."),
    QT_TRANSLATE_NOOP("Doctor", "The weights of %1 start %2 times too small"),
    QT_TRANSLATE_NOOP("Doctor", "Their deviation is %3; for %4 inputs and %5 outputs He's rule gives %6."),
    QT_TRANSLATE_NOOP("Doctor", "Use an initializer that knows the layer's size (Glorot, He)."),
    QT_TRANSLATE_NOOP("Doctor", "The first loss is %1, but guessing among %2 classes costs %3"),
    QT_TRANSLATE_NOOP("Doctor", "An untrained network should be as good as guessing."),
    QT_TRANSLATE_NOOP("Doctor", "Check the labels, the initial weights of the last layer, and whether the loss is a mean."),
    QT_TRANSLATE_NOOP("Doctor", "The loss grows with the batch"),
    QT_TRANSLATE_NOOP("Doctor", "Twice as many rows give %1 instead of %2: it is a sum. The best learning rate then depends on the batch size."),
    QT_TRANSLATE_NOOP("Doctor", "Use reduce_mean over the batch."),
    QT_TRANSLATE_NOOP("Doctor", "Rows of a batch influence each other"),
    QT_TRANSLATE_NOOP("Doctor", "Changing row 0 of %1 moved %2 of other rows by up to %3."),
    QT_TRANSLATE_NOOP("Doctor", "Look for reductions, reshapes or transposes over the wrong axis."),
    QT_TRANSLATE_NOOP("Doctor", "The network does not look at %1"),
    QT_TRANSLATE_NOOP("Doctor", "With zeros in its place, %2 stays the same."),
    QT_TRANSLATE_NOOP("Doctor", "Check which tensor feeds the first layer."),
    QT_TRANSLATE_NOOP("Doctor", "One batch of %1 rows cannot be learned"),
    QT_TRANSLATE_NOOP("Doctor", "After %2 steps on the same rows the loss went from %3 to %4."),
    QT_TRANSLATE_NOOP("Doctor", "Look for a wrong loss, mixed-up labels, a learning rate that is too high or low, or a network that is too small."),
    QT_TRANSLATE_NOOP("Doctor", "%1 of %2 is NaN or infinite"),
    QT_TRANSLATE_NOOP("Doctor", "Seen in step %3."),
    QT_TRANSLATE_NOOP("Doctor", "Use Watch for NaN to find the first op that produced it; try a smaller learning rate."),
    QT_TRANSLATE_NOOP("Doctor", "The loss grows without end"),
    QT_TRANSLATE_NOOP("Doctor", "It was %1 at best and is %2 in step %3."),
    QT_TRANSLATE_NOOP("Doctor", "Use a smaller learning rate, or clip gradients."),
    QT_TRANSLATE_NOOP("Doctor", "The loss does not fall"),
    QT_TRANSLATE_NOOP("Doctor", "It was %1 over the first steps and is %2 after %3 steps."),
    QT_TRANSLATE_NOOP("Doctor", "Try another learning rate; check labels and whether gradients reach the first layers."),
    QT_TRANSLATE_NOOP("Doctor", "The loss swings more than it falls"),
    QT_TRANSLATE_NOOP("Doctor", "Over the last %1 steps it went up and down by %2, and fell by %3."),
    QT_TRANSLATE_NOOP("Doctor", "Use a smaller learning rate or a larger batch."),
    QT_TRANSLATE_NOOP("Doctor", "The loss is negative: %1"),
    QT_TRANSLATE_NOOP("Doctor", "A cross entropy cannot be; seen in step %2."),
    QT_TRANSLATE_NOOP("Doctor", "Check that labels and outputs are probabilities."),
    QT_TRANSLATE_NOOP("Doctor", "Loss and accuracy move together"),
    QT_TRANSLATE_NOOP("Doctor", "Their correlation over %1 steps is %2; it should be negative."),
    QT_TRANSLATE_NOOP("Doctor", "Check that both are computed from the same outputs and labels."),
    QT_TRANSLATE_NOOP("Doctor", "Gradients vanish towards the input"),
    QT_TRANSLATE_NOOP("Doctor", "The gradient of %1 is %2, that of %3 is %4."),
    QT_TRANSLATE_NOOP("Doctor", "Use relu instead of tanh or sigmoid, batch normalization, residual connections, or another initializer."),
    QT_TRANSLATE_NOOP("Doctor", "The gradient of %1 explodes"),
    QT_TRANSLATE_NOOP("Doctor", "Its norm is %2; over the first steps it was %3."),
    QT_TRANSLATE_NOOP("Doctor", "Clip gradients by norm, or use a smaller learning rate."),
    QT_TRANSLATE_NOOP("Doctor", "The gradient of %1 is exactly 0"),
    QT_TRANSLATE_NOOP("Doctor", "It was 0 in each of %2 measured steps: the variable does not learn."),
    QT_TRANSLATE_NOOP("Doctor", "Look for dead units behind it, and for stop_gradient or integer ops on the path to the loss."),
    QT_TRANSLATE_NOOP("Doctor", "%1 changes too fast"),
    QT_TRANSLATE_NOOP("Doctor", "A step changes it by %2 of its size; about a thousandth is usual."),
    QT_TRANSLATE_NOOP("Doctor", "Use a smaller learning rate."),
    QT_TRANSLATE_NOOP("Doctor", "%1 hardly changes"),
    QT_TRANSLATE_NOOP("Doctor", "A step changes it by %2 of its size; about a thousandth is usual."),
    QT_TRANSLATE_NOOP("Doctor", "Use a larger learning rate."),
    QT_TRANSLATE_NOOP("Doctor", "%1 % of the units of %2 are dead"),
    QT_TRANSLATE_NOOP("Doctor", "%3 of %4 were 0 for every row in %5 measured steps; their weights get no gradient."),
    QT_TRANSLATE_NOOP("Doctor", "Use a smaller learning rate, another initializer, or leaky_relu."),
    QT_TRANSLATE_NOOP("Doctor", "%1 % of the values of %2 are saturated"),
    QT_TRANSLATE_NOOP("Doctor", "Beyond ±%3 the slope of %4 is next to 0, so that little is learned."),
    QT_TRANSLATE_NOOP("Doctor", "Use smaller initial weights, normalize the inputs of the layer, or use relu."),
    QT_TRANSLATE_NOOP("Doctor", "The activations of %1 grow"),
    QT_TRANSLATE_NOOP("Doctor", "Their mean size was %2 and is %3."),
    QT_TRANSLATE_NOOP("Doctor", "Use batch normalization, weight decay or a smaller learning rate."),
    QT_TRANSLATE_NOOP("Doctor", "Nearly all weights of %1 are 0"),
    QT_TRANSLATE_NOOP("Doctor", "%2 % are below 1e-5."),
    QT_TRANSLATE_NOOP("Doctor", "Use less weight decay, or a smaller learning rate."),
    QT_TRANSLATE_NOOP("Doctor", "The weights of %1 grow without end"),
    QT_TRANSLATE_NOOP("Doctor", "Their mean size was %2 and is %3."),
    QT_TRANSLATE_NOOP("Doctor", "Use a smaller learning rate or weight decay."),
    QT_TRANSLATE_NOOP("Doctor", "The network gives every row the same answer"),
    QT_TRANSLATE_NOOP("Doctor", "%1 had the same values for all rows in %2 measured steps."),
    QT_TRANSLATE_NOOP("Doctor", "Check the input's scale, dead units and the learning rate."),
    QT_TRANSLATE_NOOP("Doctor", "The network learns the training data by heart"),
    QT_TRANSLATE_NOOP("Doctor", "The loss on the test data rose from %1 to %2, while the training loss fell from %3 to %4."),
    QT_TRANSLATE_NOOP("Doctor", "Stop earlier (patience), use dropout, weight decay, more data or augmentation."),
    QT_TRANSLATE_NOOP("Doctor", "Training on brings nothing"),
    QT_TRANSLATE_NOOP("Doctor", "The loss on the test data has not improved in %1 evaluations; the best was %2 in step %3."),
    QT_TRANSLATE_NOOP("Doctor", "Stop here, or lower the learning rate."),
    QT_TRANSLATE_NOOP("Doctor", "The loss %1 is not a single number"),
    QT_TRANSLATE_NOOP("Doctor", "Its shape is %2: the gradient is that of the sum of all elements, so that the best learning rate depends on the batch size."),
    QT_TRANSLATE_NOOP("Doctor", "Take the mean (tf.reduce_mean) before minimize()."),
    QT_TRANSLATE_NOOP("Doctor", "%1 may take the logarithm of 0"),
    QT_TRANSLATE_NOOP("Doctor", "Its input comes from %2, whose values can round to 0: the loss or its gradient is then infinite or NaN."),
    QT_TRANSLATE_NOOP("Doctor", "Use a loss that takes logits, or clip: tf.log(tf.clip_by_value(p, 1e-10, 1.0))."),
    QT_TRANSLATE_NOOP("Doctor", "Row %2 of %1 is no distribution over the classes"),
    QT_TRANSLATE_NOOP("Doctor", "It adds up to %3, and its least value is %4."),
    QT_TRANSLATE_NOOP("Doctor", "Feed rows that add up to 1, such as one-hot rows; for several labels per row use a sigmoid loss."),
    QT_TRANSLATE_NOOP("Doctor", "%1 normalizes with averages that nothing updates"),
    QT_TRANSLATE_NOOP("Doctor", "%2 has its initial value %3 in every unit, and training steps read it instead of what the batch says."),
    QT_TRANSLATE_NOOP("Doctor", "Pass training=True (is_training=True) while it trains, and run the ops of update_ops."),
    QT_TRANSLATE_NOOP("Doctor", "The loss became %1"),
    QT_TRANSLATE_NOOP("Doctor", "That was in step %2; in the step before it was %3."),
    QT_TRANSLATE_NOOP("Doctor", "Use a smaller learning rate or clip gradients; look for logarithms, divisions and roots of values that can be 0."),
    QT_TRANSLATE_NOOP("Doctor", "%1 took the logarithm of 0"),
    QT_TRANSLATE_NOOP("Doctor", "Its input comes from %2; the loss was %3 in step %4."),
    QT_TRANSLATE_NOOP("Doctor", "The rows are not shuffled"),
    QT_TRANSLATE_NOOP("Doctor", "A batch of %1 rows has %2 of %3 classes on average; shuffled rows would have %4."),
    QT_TRANSLATE_NOOP("Doctor", "Shuffle the rows before each epoch (Dataset.shuffle, np.random.permutation)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 lets no gradient through"),
    QT_TRANSLATE_NOOP("Doctor", "The gradient of %2 is 0 or none. %3 variables of the network, such as %4, lie behind it and are not trained."),
    QT_TRANSLATE_NOOP(
        "Doctor",
        "Compute the loss from values with a gradient: logits or probabilities, not classes; for rounded codes x + tf.stop_gradient(tf.round(x) - x)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 variables are not trained"),
    QT_TRANSLATE_NOOP("Doctor", "A checkpoint is restored into them, such as %2, and no optimizer changes them."),
    QT_TRANSLATE_NOOP("Doctor", "Nothing, if they are frozen on purpose; else add them to var_list."),
    QT_TRANSLATE_NOOP("Doctor", "Checkpoints lack %1"),
    QT_TRANSLATE_NOOP(
        "Doctor",
        "Savers write %2 weights, but not %3 moving averages of batch normalization, which tests use. After a restart they have their initial values."),
    QT_TRANSLATE_NOOP("Doctor", "Make the saver without a list of variables, or give it tf.global_variables()."),
    QT_TRANSLATE_NOOP("Doctor", "%1 takes the last step of padded rows"),
    QT_TRANSLATE_NOOP("Doctor", "The recurrent layer is told the lengths of its rows, so behind the end of a row its outputs are 0."),
    QT_TRANSLATE_NOOP("Doctor", "Use the final state that dynamic_rnn returns, or gather the outputs at sequence_length - 1."),
    QT_TRANSLATE_NOOP("Doctor", "Nothing counts %1"),
    QT_TRANSLATE_NOOP("Doctor", "The learning rate of %2 is computed from it, so it stays what it is in the first step."),
    QT_TRANSLATE_NOOP("Doctor", "Pass it to minimize() or apply_gradients() as global_step."),
    QT_TRANSLATE_NOOP("Doctor", "%1 compares each row with all others"),
    QT_TRANSLATE_NOOP("Doctor", "Shapes %2 and %3 broadcast to a square: every prediction is compared with every target."),
    QT_TRANSLATE_NOOP("Doctor", "Give both one shape: tf.squeeze(predictions, 1), or tf.reshape(targets, [-1, 1])."),
    QT_TRANSLATE_NOOP("Doctor", "%1 is a softmax of one value"),
    QT_TRANSLATE_NOOP("Doctor", "It is always 1, so that nothing is learned."),
    QT_TRANSLATE_NOOP("Doctor", "Use a sigmoid for one output, or an output per class."),
    QT_TRANSLATE_NOOP("Doctor", "%1 mixes up the axes"),
    QT_TRANSLATE_NOOP("Doctor", "It reshapes %2 to %3: the sizes change places, but the elements keep their order."),
    QT_TRANSLATE_NOOP("Doctor", "Use tf.transpose to exchange axes."),
    QT_TRANSLATE_NOOP("Doctor", "%1 makes the labels less likely"),
    QT_TRANSLATE_NOOP("Doctor", "%2 is multiplied by the labels and minimized: probabilities of the right classes fall."),
    QT_TRANSLATE_NOOP("Doctor", "Put a minus before the sum: -tf.reduce_sum(labels * tf.log(p), 1)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 is not part of the loss"),
    QT_TRANSLATE_NOOP("Doctor", "%2 regularization losses were made, but none of them is part of what is minimized."),
    QT_TRANSLATE_NOOP("Doctor", "Add them: loss += tf.losses.get_regularization_loss()."),
    QT_TRANSLATE_NOOP("Doctor", "%1 clips gradients that nothing applies"),
    QT_TRANSLATE_NOOP("Doctor", "The optimizer gets the gradients as they were before."),
    QT_TRANSLATE_NOOP("Doctor", "Pass the clipped ones on: apply_gradients(zip(clipped, variables))."),
    QT_TRANSLATE_NOOP("Doctor", "%1 looks for the best row, not for the best class"),
    QT_TRANSLATE_NOOP("Doctor", "Its input has a row per example, %2, and the maximum is taken along axis 0."),
    QT_TRANSLATE_NOOP("Doctor", "Use tf.argmax(x, 1)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 keeps the value of %2 from NaN, but not its gradient"),
    QT_TRANSLATE_NOOP("Doctor", "Where the condition is false, the gradient is 0 times infinity, which is NaN."),
    QT_TRANSLATE_NOOP("Doctor", "Make the input safe too: tf.log(tf.where(x > 0, x, tf.ones_like(x)))."),
    QT_TRANSLATE_NOOP("Doctor", "%1 may take the root of 0"),
    QT_TRANSLATE_NOOP("Doctor", "Its input %2 is a sum of squares. Where that is 0, the gradient is infinite or NaN."),
    QT_TRANSLATE_NOOP("Doctor", "Add a small number: tf.sqrt(x + 1e-8)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 cannot reach its targets"),
    QT_TRANSLATE_NOOP("Doctor", "Its values lie between %2 and %3, but %5 % of the values of %4 lie outside."),
    QT_TRANSLATE_NOOP("Doctor", "Leave the last activation out, or scale the targets to its range."),
    QT_TRANSLATE_NOOP("Doctor", "Column %1 of %2 is the label"),
    QT_TRANSLATE_NOOP("Doctor", "It equals %3 in all %4 rows: the network learns to copy it."),
    QT_TRANSLATE_NOOP("Doctor", "Leave the column out of the features."),
    QT_TRANSLATE_NOOP("Doctor", "All values of %1 are %2"),
    QT_TRANSLATE_NOOP("Doctor", "There is nothing to learn from."),
    QT_TRANSLATE_NOOP("Doctor", "Look at how it is read and scaled: integers divided by 255 are 0."),
    QT_TRANSLATE_NOOP("Doctor", "The loss %1 counts padding"),
    QT_TRANSLATE_NOOP("Doctor", "%2 % of the labels in %3 are zeros at the ends of rows, and the mean is over all of them."),
    QT_TRANSLATE_NOOP("Doctor", "Weight the losses: tf.sequence_mask(lengths, …), and divide by the sum of the weights."),
    QT_TRANSLATE_NOOP("Doctor", "Rows come again with other labels"),
    QT_TRANSLATE_NOOP("Doctor", "Of %3 rows that came again, %2 had another label in %1: labels and inputs are not in the same order."),
    QT_TRANSLATE_NOOP("Doctor", "Shuffle both by one permutation, and take both from the same batch: session.run([x, y])."),
    QT_TRANSLATE_NOOP("Doctor", "The first loss is %1"),
    QT_TRANSLATE_NOOP("Doctor", "No step has changed a weight yet: the initial weights or the data are the cause."),
    QT_TRANSLATE_NOOP(
        "Doctor", "Use smaller initial weights, orthogonal ones for recurrent layers; look for NaN in the data, and for logarithms, divisions and roots of 0."),
    QT_TRANSLATE_NOOP("Doctor", "The gradient of %1 is not finite at 0"),
    QT_TRANSLATE_NOOP("Doctor", "%2 can be 0, and since step %3 values are NaN."),
    QT_TRANSLATE_NOOP("Doctor", "Keep the input away from 0: tf.sqrt(x + 1e-8), tf.log(tf.where(x > 0, x, tf.ones_like(x)))."),
    QT_TRANSLATE_NOOP("Doctor", "The steps are too small"),
    QT_TRANSLATE_NOOP("Doctor", "A step changes the weights by at most %1 of their size. In %2 steps the loss went from %3 to %4."),
    QT_TRANSLATE_NOOP("Doctor", "The learning rate has fallen to next to nothing"),
    QT_TRANSLATE_NOOP("Doctor", "It was %1, and is %2 in step %3; it has been below a thousandth since step %4."),
    QT_TRANSLATE_NOOP("Doctor", "decay_steps counts training steps, not epochs: multiply it by the steps of an epoch."),
    QT_TRANSLATE_NOOP("Doctor", "Regularization outweighs the data"),
    QT_TRANSLATE_NOOP("Doctor", "It adds %1 to the loss; the comparison with the data adds %2."),
    QT_TRANSLATE_NOOP("Doctor", "Use a smaller factor: 0.0001 to 0.001 is usual."),
    QT_TRANSLATE_NOOP("Doctor", "%1 outweighs %2"),
    QT_TRANSLATE_NOOP("Doctor", "Their values are %3 and %4. In the sum, only the first one is learned."),
    QT_TRANSLATE_NOOP("Doctor", "Scale its targets to mean 0 and deviation 1, or weight the parts."),
    QT_TRANSLATE_NOOP("Doctor", "The variables were initialized again while it trained"),
    QT_TRANSLATE_NOOP("Doctor", "What %1 steps had learned was lost; %2 steps had been run by then."),
    QT_TRANSLATE_NOOP("Doctor", "Run the initializer once, before the loop."),
    QT_TRANSLATE_NOOP("Doctor", "The initializer overwrites a checkpoint"),
    QT_TRANSLATE_NOOP("Doctor", "%1 variables were restored, %2 among them, and then initialized."),
    QT_TRANSLATE_NOOP("Doctor", "Restore after running the initializer, or in its place."),
    QT_TRANSLATE_NOOP("Doctor", "The graph grows while it trains"),
    QT_TRANSLATE_NOOP("Doctor", "It went from %1 nodes to %2, %3 times: each time the next run is prepared anew, and memory grows."),
    QT_TRANSLATE_NOOP("Doctor", "Make all ops before the loop; feed what changes. tf.get_default_graph().finalize() finds the line."),
    QT_TRANSLATE_NOOP("Doctor", "The optimizer is made again while it trains"),
    QT_TRANSLATE_NOOP("Doctor", "This is number %1 for one loss. Each starts without moments (Adam, momentum), and the graph has %2 nodes by now."),
    QT_TRANSLATE_NOOP("Doctor", "Make it once, before the loop; feed the learning rate or compute it from global_step."),
    QT_TRANSLATE_NOOP("Doctor", "The training of %1 changes its opponent's variables"),
    QT_TRANSLATE_NOOP("Doctor", "%2 variables, such as %3, are also trained by %4, in the opposite direction."),
    QT_TRANSLATE_NOOP("Doctor", "Pass each minimize() its own variables: var_list."),
    QT_TRANSLATE_NOOP("Doctor", "Inputs and labels are shuffled apart"),
    QT_TRANSLATE_NOOP("Doctor", "%1 and %2 draw their own random orders: rows get labels of other rows."),
    QT_TRANSLATE_NOOP("Doctor", "Shuffle them together: one data set or queue of pairs."),
    QT_TRANSLATE_NOOP("Doctor", "None of %2 runs of the network ran the optimizer."),
    QT_TRANSLATE_NOOP("Doctor", "Run the training op: session.run([train_op, loss], …)."),
    QT_TRANSLATE_NOOP("Doctor", "Tests use %1, which is not trained"),
    QT_TRANSLATE_NOOP("Doctor", "%2 variables of the network that is tested keep their initial values; %3 of the same shape is what was trained."),
    QT_TRANSLATE_NOOP("Doctor", "Make the second network with the same variables: tf.variable_scope(…, reuse=True)."),
    QT_TRANSLATE_NOOP("Doctor", "The embedding %1 stays random"),
    QT_TRANSLATE_NOOP("Doctor", "It is not trainable, and nothing loads values into it."),
    QT_TRANSLATE_NOOP("Doctor", "Make it trainable, or load pretrained vectors."),
    QT_TRANSLATE_NOOP("Doctor", "%1 is fed, but nothing uses it"),
    QT_TRANSLATE_NOOP("Doctor", "No run that fed it computed anything from it."),
    QT_TRANSLATE_NOOP("Doctor", "Pass it to the op that it is meant for (training=, sequence_length=, keep_prob), or leave it out."),
    QT_TRANSLATE_NOOP("Doctor", "Dropout %1 is active in tests too"),
    QT_TRANSLATE_NOOP("Doctor", "Every test run on rows that were not trained on went through it."),
    QT_TRANSLATE_NOOP("Doctor", "Feed the rate, or use tf.layers.dropout with training=, and turn it off in tests."),
    QT_TRANSLATE_NOOP("Doctor", "The metric %1 keeps its first value"),
    QT_TRANSLATE_NOOP("Doctor", "Its value is read, but nothing runs %2."),
    QT_TRANSLATE_NOOP("Doctor", "Run the update op of tf.metrics first, then read the value."),
    QT_TRANSLATE_NOOP("Doctor", "%1 asks for each class alone"),
    QT_TRANSLATE_NOOP("Doctor", "Use categorical_crossentropy; or, if a row may have several labels, sigmoid outputs."),
    QT_TRANSLATE_NOOP("Doctor", "The noise of %1 is the same in every step"),
    QT_TRANSLATE_NOOP("Doctor", "Draw it in the graph: tf.random_normal(tf.shape(x))."),
    QT_TRANSLATE_NOOP("Doctor", "%1 scales noise by the variance"),
    QT_TRANSLATE_NOOP("Doctor", "%2 is the logarithm of a variance, as the loss uses it, and the noise is multiplied by its exponential."),
    QT_TRANSLATE_NOOP("Doctor", "Multiply by the deviation: tf.exp(0.5 * log_variance)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 compares two networks with weights of their own"),
    QT_TRANSLATE_NOOP("Doctor", "Inputs %2 and %3 go through %4 variables each, of the same shapes, such as %5 and %6."),
    QT_TRANSLATE_NOOP("Doctor", "If both are to be one network, make it with the same variables: tf.variable_scope(…, reuse=tf.AUTO_REUSE)."),
    QT_TRANSLATE_NOOP("Doctor", "Rows move between training and tests"),
    QT_TRANSLATE_NOOP("Doctor", "%1 skips rows of %2, which shuffles anew in each epoch: the rows that are left out change."),
    QT_TRANSLATE_NOOP("Doctor", "Split before shuffling, or shuffle with reshuffle_each_iteration=False and a seed."),
    QT_TRANSLATE_NOOP("Doctor", "%1 shuffles batches, not rows"),
    QT_TRANSLATE_NOOP("Doctor", "%2 comes before it, and nothing shuffles the rows: those of a batch always come together."),
    QT_TRANSLATE_NOOP("Doctor", "Shuffle first, then batch."),
    QT_TRANSLATE_NOOP("Doctor", "Inputs and labels come from different batches"),
    QT_TRANSLATE_NOOP("Doctor", "%1 and %2 each take the next batch of one iterator: rows get labels of other rows."),
    QT_TRANSLATE_NOOP("Doctor", "Call get_next() once: x, y = iterator.get_next()."),
    QT_TRANSLATE_NOOP("Doctor", "%1 looks for the best of one value"),
    QT_TRANSLATE_NOOP("Doctor", "Its input has the shape %2, so it always finds 0, and an accuracy that compares it says nothing."),
    QT_TRANSLATE_NOOP("Doctor", "Compare with a threshold: tf.cast(logits > 0, tf.float32)."),
    QT_TRANSLATE_NOOP("Doctor", "%1 equals %2"),
    QT_TRANSLATE_NOOP("Doctor", "Each element of the sequences is to give itself, so the network learns to copy."),
    QT_TRANSLATE_NOOP("Doctor", "The targets %1 are large"),
    QT_TRANSLATE_NOOP("Doctor", "Their mean is %2 and their deviation %3; the network starts near 0, and gradients grow with the distance."),
    QT_TRANSLATE_NOOP("Doctor", "Scale targets to mean 0 and deviation 1, or learn their logarithm."),
    QT_TRANSLATE_NOOP("Doctor", "%1 counts padding"),
    QT_TRANSLATE_NOOP("Doctor", "Divide the sum over the mask by the sum of the mask."),
    QT_TRANSLATE_NOOP("Doctor", "The rarer class counts less"),
    QT_TRANSLATE_NOOP("Doctor", "%1 weights positive rows by %2, and %3 % of the rows are positive."),
    QT_TRANSLATE_NOOP("Doctor", "The weight of the positive class is the number of negative rows over that of positive ones."),
    QT_TRANSLATE_NOOP("Doctor", "%1 changes, but the optimizer keeps its first value"),
    QT_TRANSLATE_NOOP("Doctor", "The optimizer was made in line %2, with the number that %1 was then."),
    QT_TRANSLATE_NOOP("Doctor", "Make it a placeholder and feed it, or compute it in the graph: tf.train.exponential_decay."),
    QT_TRANSLATE_NOOP("Doctor", "trainable was changed after compile()"),
    QT_TRANSLATE_NOOP("Doctor", "Call compile() again after setting trainable."),
    QT_TRANSLATE_NOOP("Doctor", "The learning rate drops in the first steps only"),
    QT_TRANSLATE_NOOP("Doctor", "It went from %1 to %2 by step %3, and is still that in step %4."),
    QT_TRANSLATE_NOOP("Doctor", "Boundaries count training steps, not epochs: multiply them by the steps of an epoch."),
    QT_TRANSLATE_NOOP("Doctor", "Run the op that sets it to 0 after each apply_gradients()."),
    QT_TRANSLATE_NOOP("Doctor", "Some steps train on many more rows"),
    QT_TRANSLATE_NOOP("Doctor", "%1 steps had up to %2 rows, some of them again and again; the first one had %3."),
    QT_TRANSLATE_NOOP("Doctor", "If these are tests, run them without the training op."),
    QT_TRANSLATE_NOOP("Doctor", "In training its mean is %2 and its deviation %3; in tests they are %4 and %5."),
    QT_TRANSLATE_NOOP("Doctor", "Scale test data by the numbers that training data were scaled by."),
    QT_TRANSLATE_NOOP("Doctor", "%1 normalizes tests by their own rows"),
    QT_TRANSLATE_NOOP("Doctor", "What it gives a row depends on the other rows of the test; moving averages are not used."),
    QT_TRANSLATE_NOOP("Doctor", "Feed the argument training, and turn it off in tests."),
    QT_TRANSLATE_NOOP("Doctor", "Every step has the same rows"),
    QT_TRANSLATE_NOOP("Doctor", "All %1 steps were fed with the same %2 rows, and tests with %3."),
    QT_TRANSLATE_NOOP("Doctor", "Run them now and then: session.run(update_target)."),
    QT_TRANSLATE_NOOP(
        "Doctor",
        "It is a binary cross entropy of the softmax %2, whose classes exclude each other. metrics=['accuracy'] then counts every 0 of a row as right."),
    QT_TRANSLATE_NOOP("Doctor", "What is added to %2 or multiplied by it is a constant: it was drawn once, while the graph was made."),
    QT_TRANSLATE_NOOP("Doctor", "The loss samples other words, but each word is to give itself."),
    QT_TRANSLATE_NOOP("Doctor", "Take the words near it as labels."),
    QT_TRANSLATE_NOOP("Doctor", "In an autoencoder nothing is wrong. To learn what comes next, shift them: x = s[:, :-1], y = s[:, 1:]."),
    QT_TRANSLATE_NOOP("Doctor", "The model trains %1 weight tensors, as when it was compiled; %2 are trainable now."),
    QT_TRANSLATE_NOOP("Doctor", "%1 is a sum of gradients that is never set to 0"),
    QT_TRANSLATE_NOOP("Doctor", "It was applied %2 times, and nothing set it to 0 in between."),
    QT_TRANSLATE_NOOP("Doctor", "%1 is scaled differently in tests"),
    QT_TRANSLATE_NOOP("Doctor", "If there are no more rows, nothing needs to change. Otherwise take the next ones in each step: x[i:i + n]."),
    QT_TRANSLATE_NOOP("Doctor", "%2 is never updated"),
    QT_TRANSLATE_NOOP("Doctor", "%1 copies what is trained into it, and steps or tests use it; %3 such copies were never made."),
    QT_TRANSLATE_NOOP("Doctor", "Tests look better than training"),
    QT_TRANSLATE_NOOP("Doctor", "The accuracy on the test data is %1, in training %2, and no dropout explains it."),
    QT_TRANSLATE_NOOP("Doctor", "Look for test rows in the training data, and for what differs between training and tests."),
};

QString filledText(const char* source, const std::vector<std::string>& words) {
  QString out;
  const QString given = QCoreApplication::translate("Doctor", source);
  for (qsizetype i = 0; i < given.size(); ++i) {
    const int place = given[i] == u'%' && i + 1 < given.size() ? given[i + 1].digitValue() : 0;
    if (place >= 1 && size_t(place) <= words.size()) {
      out += text(words[size_t(place) - 1]);
      ++i;
    } else {
      out += given[i];
    }
  }
  return out;
}

}  // namespace

DoctorNote doctorNote(const DoctorFinding& f) {
  DoctorNote out;
  out.code = QString::fromLatin1(f.rule->code);
  out.node = text(f.node);
  out.weight = f.rule->weight == DoctorWeight::Error     ? DoctorNote::Weight::Error
               : f.rule->weight == DoctorWeight::Warning ? DoctorNote::Weight::Warning
                                                         : DoctorNote::Weight::Note;
  out.step = f.step;
  out.title = filledText(f.rule->title, f.words);
  out.detail = filledText(f.rule->detail, f.words);
  out.advice = filledText(f.rule->advice, f.words);
  out.evidence = f.evidence == DoctorFinding::Evidence::None    ? DoctorNote::Evidence::None
                 : f.evidence == DoctorFinding::Evidence::Curve ? DoctorNote::Evidence::Curve
                                                                : DoctorNote::Evidence::Bars;
  for (const double v : f.values) out.values << v;
  out.from = f.from;
  out.to = f.to;
  out.file = text(f.file);
  out.line = f.line;
  if (f.fix && f.fix->helps()) {
    out.setting = text(f.fix->setting);
    out.value = text(f.fix->value);
    if (f.fix->setting.empty() && !f.fix->command.action.empty()) {
      out.command << text(f.fix->command.action);
      for (const std::string& word : f.fix->command.words) out.command << text(word);
    }
    out.fix =
        (out.command.isEmpty()
             ? DoctorText::tr("Tried on a copy: with %1 = %2 the loss after %3 steps is %4 instead of %5.").arg(out.setting, out.value)
             : DoctorText::tr("Tried on a copy: with %1 in %2 the loss after %3 steps is %4 instead of %5.").arg(out.command.value(2), out.command.value(1)))
            .arg(f.fix->steps)
            .arg(widgets::formatValue(f.fix->lossWith), widgets::formatValue(f.fix->lossWithout));
  }
  return out;
}

std::optional<DoctorNote> doctorNoteOf(const QByteArray& json) {
  const DoctorFinding f = doctorFindingOf(std::string_view(json.constData(), size_t(json.size())));
  return f.rule ? std::optional(doctorNote(f)) : std::nullopt;
}

DoctorOutcome examine(const GraphContentsPtr& contents, const QString& folder, const QVector<QPair<QString, QString>>& set,
                      const std::function<bool(double)>& report) {
  DoctorOptions options;
  options.folder = folder.toStdString();
  for (const auto& [name, value] : set)
    if (name != QLatin1String("device")) options.set.emplace_back(name.toStdString(), value.toStdString());
  options.progress = report;
  const auto found = doctorBeforeTraining(contents->engine->loaded.meta, options);
  if (!found.ok()) return {{}, errorText(found.error())};
  DoctorOutcome out;
  out.onlyGraph = !trainingSettingsOf(contents->engine->loaded.meta).ok();
  for (const DoctorFinding& f : *found) out.notes << doctorNote(f);
  return out;
}

}  // namespace weft::app
