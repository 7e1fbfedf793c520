#include "views/runs/next_run_box.h"

#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "document/document.h"
#include "document/workspace.h"

namespace weft::app {

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
  const auto row = [&](QLabel*& label, QSpinBox*& editor, int most) {
    label = new QLabel(this);
    editor = new QSpinBox(this);
    editor->setRange(0, most);
    editor->setKeyboardTracking(false);
    editor->setMinimumWidth(96);
    label->setBuddy(editor);
    form->addRow(label, editor);
    connect(editor, &QSpinBox::valueChanged, this, &NextRunBox::take);
  };
  row(epochsLabel_, epochs_, 1000000);
  row(batchLabel_, batch_, 1000000);
  row(seedLabel_, seed_, 2147483647);
  row(patienceLabel_, patience_, 100000);
  row(summaryLabel_, summary_, 1000000);
  column->addLayout(form);
  connect(&context.workspace.runs(), &RunController::nextRunChanged, this, &NextRunBox::refill);
  connect(&context.workspace, &Workspace::currentChanged, this, &NextRunBox::refill);
  connect(&context.workspace, &Workspace::contentsChanged, this, [this](const Document* document) {
    if (document == context_.workspace.current()) refill();  // a training may have come or gone
  });
  retranslate();
}

void NextRunBox::retranslate() {
  title_->setText(tr("Next run"));
  epochsLabel_->setText(tr("Epochs"));
  batchLabel_->setText(tr("Batch"));
  seedLabel_->setText(tr("Seed"));
  patienceLabel_->setText(tr("Early stop after"));
  summaryLabel_->setText(tr("Summaries every"));
  for (QSpinBox* box : {epochs_, batch_, seed_, summary_}) box->setSpecialValueText(tr("document's"));
  patience_->setSpecialValueText(tr("never"));
  patience_->setSuffix(tr(" evaluations"));
  patience_->setToolTip(tr("Ends the training after so many evaluations in a row that were no better than the best one"));
  epochs_->setAccessibleName(tr("Epochs of the next run"));
  batch_->setAccessibleName(tr("Batch of the next run"));
  seed_->setAccessibleName(tr("Seed of the next run"));
  patience_->setAccessibleName(tr("Early stop of the next run"));
  summary_->setSuffix(tr(" steps"));
  summary_->setAccessibleName(tr("Summaries of the next run"));
  summary_->setToolTip(tr("How often histograms, images and the other summaries of the graph are computed; loss and accuracy are told at every step"));
  refill();
}

void NextRunBox::refill() {
  const RunRequest next = context_.workspace.runs().nextRun(context_.workspace.current());
  const std::pair<QSpinBox*, qint64> values[] = {{epochs_, next.epochs},
                                                 {batch_, next.set.value(QStringLiteral("batch_size")).toLongLong()},
                                                 {seed_, next.set.value(QStringLiteral("seed")).toLongLong()},
                                                 {patience_, next.patience},
                                                 {summary_, next.set.value(QStringLiteral("summary_every_steps")).toLongLong()}};
  const Document* document = context_.workspace.current();
  for (const auto& [box, value] : values) {
    const QSignalBlocker quiet(box);
    box->setValue(int(value));
    box->setEnabled(document && document->contents()->training.present);
  }
}

void NextRunBox::take() {
  RunController& runs = context_.workspace.runs();
  Document* document = context_.workspace.current();
  if (!document) return;
  RunRequest next = runs.nextRun(document);
  next.epochs = epochs_->value();
  next.patience = patience_->value();
  for (const auto& [key, box] : {std::pair<QString, QSpinBox*>{QStringLiteral("batch_size"), batch_}, {QStringLiteral("seed"), seed_}, {QStringLiteral("summary_every_steps"), summary_}}) {
    if (box->value() > 0)
      next.set.insert(key, QString::number(box->value()));
    else
      next.set.remove(key);
  }
  runs.setNextRun(document, next);
}

void NextRunBox::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
