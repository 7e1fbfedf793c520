#include "views/runs/next_run_box.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "document/document.h"
#include "document/settings.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/run_field.h"

namespace weft::app {
namespace {

constexpr int kDigits = 11, kBeforeUnit = 6;
/// The maximum of each setting, and the key in RunRequest::set of those that have one.
constexpr qint64 kMost[] = {1'000'000, 1'000'000, 2'147'483'647, 100'000, 1'000'000, 16'777'216};
constexpr const char* kPrecisions[] = {"float32", "bf16"};  // of graph.set-training
constexpr const char* kKeys[] = {nullptr, "batch_size", "seed", nullptr, "summary_every_steps", nullptr};

/// The setting behind the memory limit, in MB. It is the program's and holds for all documents.
constexpr const char* kStepMemory = "run/step-memory";

}  // namespace

NextRunBox::NextRunBox(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 10);
  title_ = new QLabel(this);
  title_->setProperty("kind", QStringLiteral("heading"));
  column->addWidget(title_);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(4);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  for (int i = 0; i < kSettings; ++i) {
    Row& row = rows_[size_t(i)];
    row.label = new QLabel(this);
    row.unit = new QLabel(this);
    row.unit->setProperty("kind", QStringLiteral("muted"));
    row.field = new RunField(
        kDigits, [this, i](const QString& text) { return take(Setting(i), text); }, this);
    connect(row.field, &RunField::refused, &context.actions, &ActionRegistry::failed);
    row.label->setBuddy(row.field);
    auto* line = new QHBoxLayout;
    line->setSpacing(kBeforeUnit);
    line->addWidget(row.field);
    line->addWidget(row.unit, 1);
    form->addRow(row.label, line);
  }
  precisionLabel_ = new QLabel(this);
  precision_ = new QComboBox(this);
  precision_->setObjectName(QStringLiteral("precision"));
  precision_->setFocusPolicy(Qt::TabFocus);
  precision_->addItems({QString(), QString()});
  precisionLabel_->setBuddy(precision_);
  form->addRow(precisionLabel_, precision_);
  connect(precision_, &QComboBox::activated, this, &NextRunBox::setPrecision);
  column->addLayout(form);
  connect(&context.workspace.runs(), &RunController::nextRunChanged, this, &NextRunBox::refill);
  connect(&context.workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String(kStepMemory)) refill();
  });
  connect(&context.workspace, &Workspace::currentChanged, this, &NextRunBox::refill);
  connect(&context.workspace, &Workspace::contentsChanged, this, [this](const Document* document) {
    if (document == context_.workspace.current()) refill();  // a training may have been added or removed
  });
  retranslate();
}

void NextRunBox::retranslate() {
  title_->setText(tr("Next run"));
  rows_[kEpochs].label->setText(tr("Epochs"));
  rows_[kBatch].label->setText(tr("Batch"));
  rows_[kSeed].label->setText(tr("Seed"));
  rows_[kPatience].label->setText(tr("Early stop"));
  rows_[kPatience].unit->setText(tr("evaluations"));
  rows_[kSummary].label->setText(tr("Summaries every"));
  rows_[kSummary].unit->setText(tr("steps"));
  rows_[kMemory].label->setText(tr("Memory limit"));
  rows_[kMemory].unit->setText(tr("MB"));
  for (const Row& row : rows_) row.field->setPlaceholderText(tr("document's"));
  rows_[kMemory].field->setPlaceholderText(tr("none"));
  rows_[kMemory].field->setTip(
      tr("A step that would need more computes values a second time instead of keeping them; its results stay the same. Holds for all documents."));
  rows_[kPatience].field->setPlaceholderText(tr("never"));
  rows_[kPatience].field->setTip(tr("Stops training after this many evaluations in a row without improvement"));
  rows_[kSummary].field->setTip(tr("How often histograms, images and other summaries are computed; loss and accuracy are logged at every step"));
  precisionLabel_->setText(tr("Precision"));
  precision_->setItemText(0, tr("float32"));
  precision_->setItemText(1, tr("bfloat16 products"));
  const QString tip =
      tr("bfloat16 products: the operands of matrix products and convolutions are rounded to bfloat16 and added up in float32; variables and "
         "all other values stay float32. Faster on processors with AMX");
  precision_->setToolTip(tip);
  precisionLabel_->setToolTip(tip);
  precision_->setAccessibleName(tr("Precision of training"));
  rows_[kEpochs].field->setAccessibleName(tr("Epochs of the next run"));
  rows_[kBatch].field->setAccessibleName(tr("Batch of the next run"));
  rows_[kSeed].field->setAccessibleName(tr("Seed of the next run"));
  rows_[kPatience].field->setAccessibleName(tr("Early stop of the next run"));
  rows_[kSummary].field->setAccessibleName(tr("Summaries of the next run"));
  rows_[kMemory].field->setAccessibleName(tr("Memory limit of the next run"));
  refill();
}

void NextRunBox::refill() {
  const Document* document = context_.workspace.current();
  const bool other = document != shown_;
  shown_ = document;
  const RunRequest next = context_.workspace.runs().nextRun(document);
  for (int i = 0; i < kSettings; ++i) {
    RunField* field = rows_[size_t(i)].field;
    if (other) field->reset();
    const qint64 value = i == kEpochs     ? next.epochs
                         : i == kPatience ? next.patience
                         : i == kMemory   ? context_.workspace.settings().get(QLatin1String(kStepMemory)).toLongLong()
                                          : next.set.value(QLatin1String(kKeys[i])).toLongLong();
    field->showValue(value > 0 ? QString::number(value) : QString());
    field->setEnabled(document && document->contents()->training.present);
  }
  precision_->setCurrentIndex(document && document->contents()->training.rounds ? 1 : 0);
  precision_->setEnabled(document && document->contents()->training.present);
}

void NextRunBox::setPrecision(int index) {
  if (const Document* document = context_.workspace.current(); document && int(document->contents()->training.rounds) == index) return;
  const CommandResult result = context_.actions.run(QStringLiteral("graph.set-training"), {QStringLiteral("--precision"), QLatin1String(kPrecisions[index])});
  if (result.ok) return;
  emit context_.actions.failed(result.message);
  refill();
}

QString NextRunBox::take(Setting setting, const QString& text) {
  bool ok = false;
  const qint64 value = text.isEmpty() ? 0 : text.toLongLong(&ok), most = kMost[setting];
  if (!text.isEmpty() && (!ok || value < 0 || value > most))
    return tr("%1: got %2, expected a whole number from 1 to %3, or nothing.").arg(rows_[setting].field->accessibleName(), text).arg(most);
  if (setting == kMemory) {
    context_.workspace.settings().setValue(QLatin1String(kStepMemory), value);
    return {};
  }
  Document* document = context_.workspace.current();
  if (!document) return {};
  RunController& runs = context_.workspace.runs();
  RunRequest next = runs.nextRun(document);
  if (setting == kEpochs) {
    next.epochs = value;
  } else if (setting == kPatience) {
    next.patience = int(value);
  } else if (value > 0) {
    next.set.insert(QLatin1String(kKeys[setting]), QString::number(value));
  } else {
    next.set.remove(QLatin1String(kKeys[setting]));
  }
  runs.setNextRun(document, next);
  return {};
}

void NextRunBox::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
