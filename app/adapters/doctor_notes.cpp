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
    QT_TRANSLATE_NOOP("Doctor", "Tests look better than training"),
    QT_TRANSLATE_NOOP("Doctor", "The accuracy on the test data is %1, in training %2, and no dropout explains it."),
    QT_TRANSLATE_NOOP("Doctor", "Look for test rows in the training data, and for what differs between training and tests."),
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
    out.fix = DoctorText::tr("Tried on a copy: with %1 = %2 the loss after %3 steps is %4 instead of %5.")
                  .arg(out.setting, out.value)
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
