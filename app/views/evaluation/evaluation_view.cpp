#include "views/evaluation/evaluation_view.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/evaluation/confusion_matrix.h"
#include "views/evaluation/drawing_pad.h"
#include "views/evaluation/sample_list.h"
#include "views/train_button.h"

namespace weft::app {
namespace {
constexpr int kWorst = 60;
}

/// One bar per class.
class EvaluationView::Bars : public QWidget {
 public:
  explicit Bars(QWidget* parent) : QWidget(parent) { setMinimumSize(140, 96); }
  void set(const QVector<double>& values) {
    values_ = values;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (values_.isEmpty()) return;
    const widgets::Theme& theme = widgets::Theme::current();
    QPainter painter(this);
    painter.setFont(theme.monoSmallFont());
    const double row = std::min(20.0, double(height()) / double(values_.size()));
    const qsizetype best = std::max_element(values_.begin(), values_.end()) - values_.begin();
    const double room = width() - 24 - 48;
    for (qsizetype i = 0; i < values_.size(); ++i) {
      const double y = double(i) * row;
      painter.setPen(theme.color(i == best ? widgets::Role::Text1 : widgets::Role::Text2));
      painter.drawText(QRectF(0, y, 18, row), Qt::AlignRight | Qt::AlignVCenter, QString::number(i));
      painter.fillRect(QRectF(24, y + row * 0.2, room, row * 0.6), theme.color(widgets::Role::Surface3));
      painter.fillRect(QRectF(24, y + row * 0.2, room * values_[i], row * 0.6), theme.color(i == best ? widgets::Role::Accent : widgets::Role::BorderStrong));
      painter.drawText(QRectF(24 + room, y, 46, row), Qt::AlignRight | Qt::AlignVCenter,
                       QStringLiteral("%1 %").arg(values_[i] * 100, 0, 'f', values_[i] < 0.0995 ? 1 : 0));
    }
  }

 private:
  QVector<double> values_;
};

EvaluationView::EvaluationView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("training"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("check"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  evaluate_ = new QPushButton(page);
  summary_ = new QLabel(page);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* top = new QHBoxLayout;
  top->setSpacing(12);
  top->addWidget(evaluate_);
  top->addWidget(summary_, 1);
  matrix_ = new ConfusionMatrix(page);
  samples_ = new SampleList;
  scroll_ = new QScrollArea(page);
  scroll_->setWidgetResizable(true);
  scroll_->setWidget(samples_);
  scroll_->setMinimumWidth(110);
  const auto heading = [&](QLabel*& label) {
    label = new QLabel(page);
    label->setProperty("kind", QStringLiteral("heading"));
    return label;
  };
  auto* worst = new QVBoxLayout;
  worst->addWidget(heading(worstTitle_));
  worst->addWidget(scroll_, 1);
  pad_ = new DrawingPad(page);
  bars_ = new Bars(page);
  clear_ = new QPushButton(page);
  answer_ = new QLabel(page);
  answer_->setProperty("kind", QStringLiteral("title"));
  answer_->setMinimumWidth(1);
  padHint_ = new QLabel(page);
  padHint_->setProperty("kind", QStringLiteral("muted"));
  padHint_->setWordWrap(true);
  auto* answerRow = new QHBoxLayout;
  answerRow->addWidget(answer_, 1);
  answerRow->addWidget(clear_);
  auto* drawn = new QVBoxLayout;
  drawn->addWidget(pad_);
  drawn->addLayout(answerRow);
  drawn->addWidget(padHint_);
  drawn->addStretch(1);
  // The bars take the whole height, which one per class needs in a low dock.
  auto* padRow = new QHBoxLayout;
  padRow->setSpacing(12);
  padRow->addLayout(drawn, 1);
  padRow->addWidget(bars_, 1);
  auto* draw = new QVBoxLayout;
  draw->addWidget(heading(padTitle_));
  draw->addLayout(padRow, 1);
  auto* row = new QHBoxLayout;
  row->setSpacing(16);
  row->addWidget(matrix_, 4);
  row->addLayout(worst, 4);
  row->addLayout(draw, 4);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, 8, 12, 8);
  column->addLayout(top);
  column->addLayout(row, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(evaluate_, &QPushButton::clicked, context.actions.action(QStringLiteral("run.evaluate")), &QAction::trigger);
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.action(QStringLiteral("run.train"))->trigger(); });
  followTrain(empty_, context_.actions.action(QStringLiteral("run.train")));
  connect(matrix_, &ConfusionMatrix::cellChosen, samples_, &SampleList::setCell);
  connect(matrix_, &ConfusionMatrix::cellChosen, this, [this] { showReport(); });
  connect(matrix_, &ConfusionMatrix::cellChosen, this, [this](int label, int predicted) {
    const QWidget* projector = context_.shell.isViewOpen(QStringLiteral("projector")) ? context_.shell.viewWidget(QStringLiteral("projector")) : nullptr;
    if (label >= 0 && projector && projector->property("samples").toBool())
      context_.actions.runChosen(QStringLiteral("projector.select-cell"), {QString::number(label), QString::number(predicted)});
  });
  connect(clear_, &QPushButton::clicked, pad_, &DrawingPad::clear);
  connect(pad_, &DrawingPad::changed, this, &EvaluationView::predict);
  RunController& runs = context.workspace.runs();
  connect(&runs, &RunController::stateChanged, this, &EvaluationView::updateState);
  connect(&context.workspace, &Workspace::currentChanged, this, &EvaluationView::updateState, Qt::QueuedConnection);
  connect(&runs, &RunController::runStarted, this, [this] {
    report_ = {};
    error_.clear();
    matrix_->setCounts(0, {});
    samples_->setReport({});
    probabilities_.clear();
    showReport();
  });
  retranslate();
}

void EvaluationView::retranslate() {
  empty_->setTitle(tr("Nothing to evaluate yet"));
  empty_->setText(tr("After training: which classes are confused, the worst samples, and predictions for a picture you draw."));
  empty_->setButton(tr("Train"), QStringLiteral("play"));
  evaluate_->setText(tr("Evaluate"));
  matrix_->setAccessibleName(tr("Confusion matrix"));
  samples_->setAccessibleName(tr("Worst samples"));
  scroll_->setAccessibleName(tr("Worst samples"));
  pad_->setAccessibleName(tr("Drawing pad"));
  bars_->setAccessibleName(tr("Class probabilities"));
  pad_->setToolTip(tr("Draw with the left button, erase with the right; arrow keys and Space also draw"));
  padTitle_->setText(tr("Draw a sample"));
  clear_->setText(tr("Clear"));
  updateState();
  showReport();
}

/// The model of the document in front; null if the trained document is another one.
TrainedModelPtr EvaluationView::shownModel() const {
  const RunController& runs = context_.workspace.runs();
  return runs.document() && runs.document() == context_.workspace.current() ? runs.model() : nullptr;
}

void EvaluationView::updateState() {
  if (!isVisible()) return;
  const TrainedModelPtr model = shownModel();
  stack_->setCurrentIndex(model ? 1 : 0);
  const QVector<int> shape = model ? model->sampleShape() : QVector<int>();
  const QSize size = sampleSize(shape);
  const bool drawable = !size.isEmpty() && !(shape.size() == 3 && shape[2] != 1);
  pad_->setEnabled(drawable);
  clear_->setEnabled(drawable);
  if (drawable) pad_->setPictureSize(size);
  padHint_->setText(drawable ? tr("%1×%2 pixels. Draw, or drop an image.").arg(size.width()).arg(size.height())
                             : tr("This graph does not classify single-channel images."));
  evaluate_->setEnabled(model && !evaluating_);
}

void EvaluationView::evaluate() {
  const TrainedModelPtr model = shownModel();
  if (!model || evaluating_) return;
  evaluating_ = true;
  evaluate_->setEnabled(false);
  auto report = std::make_shared<ClassReport>();
  auto error = std::make_shared<QString>();
  const QPointer<EvaluationView> guarded(this);
  context_.workspace.tasks().start(
      tr("Evaluating"), [model, report, error](TaskState&) { *report = model->evaluate(kWorst, error.get()); },
      [guarded, report, error] {
        if (!guarded) return;
        guarded->evaluating_ = false;
        guarded->report_ = *report;
        guarded->error_ = *error;
        guarded->matrix_->setCounts(report->classes, report->confusion);
        guarded->samples_->setReport(*report);
        guarded->updateState();
        guarded->showReport();
        if (const auto cell = std::exchange(guarded->cell_, {-1, -1}); cell.first >= 0) guarded->matrix_->chooseCell(cell.first, cell.second);
      },
      [guarded] {
        if (!guarded) return;
        guarded->evaluating_ = false;
        guarded->updateState();
      });
}

void EvaluationView::showCell(int label, int predicted) {
  if (report_.samples > 0) return matrix_->chooseCell(label, predicted);
  cell_ = {label, predicted};
  evaluate();
}

void EvaluationView::showReport() {
  if (!error_.isEmpty()) summary_->setText(error_);
  else if (report_.samples > 0)
    summary_->setText(tr("step %1: %2 % of %3 samples right, loss %4")
                          .arg(widgets::formatCount(report_.step))
                          .arg(report_.accuracy * 100, 0, 'f', 1)
                          .arg(widgets::formatCount(report_.samples), widgets::formatValue(report_.loss)));
  else summary_->setText(tr("on the samples held out from training"));
  const auto [label, predicted] = matrix_->chosen();
  worstTitle_->setText(label < 0 ? tr("Worst samples") : tr("%1 taken for %2").arg(label).arg(predicted));
  answer_->setText(!predictError_.isEmpty()   ? predictError_
                   : probabilities_.isEmpty() ? QString()
                                              : tr("a %1").arg(std::max_element(probabilities_.begin(), probabilities_.end()) - probabilities_.begin()));
  answer_->setToolTip(answer_->text());
  bars_->set(probabilities_);
}

/// While one is being computed, only the newest picture waits.
void EvaluationView::predict() {
  const TrainedModelPtr model = shownModel();
  const QVector<float> values = pad_->values();
  if (!model) return;
  if (std::all_of(values.begin(), values.end(), [](float v) { return v == 0; })) {
    probabilities_.clear();
    predictError_.clear();
    return showReport();
  }
  if (predicting_) {
    predictAgain_ = true;
    return;
  }
  predicting_ = true;
  auto answer = std::make_shared<QVector<double>>();
  auto error = std::make_shared<QString>();
  const QPointer<EvaluationView> guarded(this);
  const auto done = [guarded] {
    if (!guarded) return;
    guarded->predicting_ = false;
    if (std::exchange(guarded->predictAgain_, false)) guarded->predict();
  };
  context_.workspace.tasks().start(
      tr("Predicting"), [model, values, answer, error](TaskState&) { *answer = model->predict(values, error.get()); },
      [guarded, answer, error, done] {
        if (guarded) {
          guarded->probabilities_ = *answer;
          guarded->predictError_ = *error;
          guarded->showReport();
        }
        done();
      },
      done);
}

QString EvaluationView::predictOn(const QString& what) {
  const TrainedModelPtr model = shownModel();
  if (!model) return tr("Nothing has been trained yet.");
  updateState();
  if (!pad_->isEnabled()) return padHint_->text();
  if (QFileInfo::exists(what)) return pad_->load(what) ? QString() : tr("%1 is not a readable image.").arg(what);
  QVector<float> values;
  static const QRegularExpression blanks(QStringLiteral("[,\\s]+"));
  for (const QString& word : what.split(blanks, Qt::SkipEmptyParts)) {
    bool ok = false;
    values << word.toFloat(&ok);
    if (!ok) return tr("%1 is neither a number nor a file.").arg(word);
  }
  const qsizetype expected = qsizetype(pad_->pictureSize().width()) * pad_->pictureSize().height();
  if (values.size() != expected) return tr("A sample has %1 numbers, got %2.").arg(expected).arg(values.size());
  pad_->setValues(values);
  return {};
}

QString EvaluationView::report() const {
  QJsonArray confusion, worst, probabilities;
  for (const qint64 count : report_.confusion) confusion << count;
  for (const ClassReport::Sample& s : report_.worst)
    worst << QJsonObject{
        {QStringLiteral("row"), s.row}, {QStringLiteral("label"), s.label}, {QStringLiteral("predicted"), s.predicted}, {QStringLiteral("loss"), s.loss}};
  for (const double p : probabilities_) probabilities << p;
  return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("step"), report_.step},
                                                     {QStringLiteral("samples"), report_.samples},
                                                     {QStringLiteral("classes"), report_.classes},
                                                     {QStringLiteral("accuracy"), report_.accuracy},
                                                     {QStringLiteral("loss"), report_.loss},
                                                     {QStringLiteral("confusion"), confusion},
                                                     {QStringLiteral("worst"), worst},
                                                     {QStringLiteral("probabilities"), probabilities},
                                                     {QStringLiteral("error"), error_}})
                               .toJson(QJsonDocument::Compact));
}

void EvaluationView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void EvaluationView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  updateState();
}

const ViewRecord evaluationView = {"evaluation",
                                   QT_TRANSLATE_NOOP("Views", "Evaluation"),
                                   QT_TRANSLATE_NOOP("Views", "Confusion matrix, worst samples, and predictions for a picture you draw"),
                                   "check",
                                   Qt::BottomDockWidgetArea,
                                   "train",
                                   [](const ViewContext& context, QWidget* parent) -> QWidget* { return new EvaluationView(context, parent); }};

}  // namespace weft::app
