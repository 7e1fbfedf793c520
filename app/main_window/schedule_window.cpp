#include "main_window/schedule_window.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include "common/format.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/workspace.h"
#include "plot/scalar_plot.h"

namespace weft::app {
namespace {
constexpr int kRedrawDelayMs = 250;  // for typing a number
}  // namespace

ScheduleWindow::ScheduleWindow(Document* document, Workspace& workspace, QWidget* parent) : QDialog(parent), document_(document), workspace_(workspace) {
  setObjectName(QStringLiteral("schedule_window"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Over the steps: %1").arg(document->title()));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 14, 16, 14);
  layout->setSpacing(10);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  auto* tensorLabel = new QLabel(tr("&Tensor"), this);
  tensor_ = new QLineEdit(this);
  tensor_->setFont(widgets::Theme::current().monoFont());
  tensor_->setPlaceholderText(tr("the learning rate"));
  tensor_->setAccessibleName(tr("Tensor to draw"));
  tensor_->setToolTip(tr("A scalar of the graph; if empty, the learning rate of its optimizer"));
  tensorLabel->setBuddy(tensor_);
  auto* lastLabel = new QLabel(tr("&up to step"), this);
  last_ = new QSpinBox(this);
  last_->setRange(1, 1'000'000'000);
  last_->setGroupSeparatorShown(true);
  last_->setFixedWidth(110);
  last_->setAccessibleName(tr("Last step"));
  last_->setToolTip(tr("Last step of the chart; no training is run"));
  lastLabel->setBuddy(last_);
  log_ = new QCheckBox(tr("&logarithmic"), this);
  log_->setToolTip(tr("Logarithmic vertical axis"));
  row->addWidget(tensorLabel);
  row->addWidget(tensor_, 1);
  row->addWidget(lastLabel);
  row->addWidget(last_);
  row->addWidget(log_);
  layout->addLayout(row);
  plot_ = new widgets::ScalarPlot(this);
  plot_->setMinimumHeight(220);
  layout->addWidget(plot_, 1);
  words_ = new QLabel(this);
  words_->setWordWrap(true);
  words_->setProperty("kind", QStringLiteral("muted"));
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(words_);
  soon_.setSingleShot(true);
  soon_.setInterval(kRedrawDelayMs);
  connect(&soon_, &QTimer::timeout, this, &ScheduleWindow::compute);
  connect(tensor_, &QLineEdit::textEdited, this, [this] { soon_.start(); });
  connect(last_, &QSpinBox::valueChanged, this, [this] { soon_.start(); });
  connect(log_, &QCheckBox::toggled, plot_, &widgets::ScalarPlot::setLogY);
  connect(document, &Document::contentsChanged, this, [this] { soon_.start(); });
  connect(document, &QObject::destroyed, this, &QDialog::close);
}

void ScheduleWindow::show(const QString& tensor, qint64 lastStep) {
  tensor_->setText(tensor);
  const TrainingInfo& training = document_->contents()->training;
  const QSignalBlocker quiet(last_);
  last_->setValue(int(std::min<qint64>(last_->maximum(), lastStep > 0 ? lastStep : training.steps > 0 ? training.steps : 10'000)));
  compute();
  QDialog::show();
  raise();
}

void ScheduleWindow::compute() {
  soon_.stop();
  if (!document_) return;
  if (task_ != 0) workspace_.tasks().cancel(task_);
  struct Work {
    ScheduleRequest request;
    ScheduleCurve curve;
  };
  auto work = std::make_shared<Work>();
  work->request = {document_->contents(), tensor_->text().trimmed(), last_->value()};
  task_ = workspace_.tasks().start(
      tr("Chart over steps"), [work](TaskState& state) { work->curve = scheduleCurve(work->request, state.cancelled); },
      [this, guard = QPointer<ScheduleWindow>(this), work] {
        if (!guard) return;
        task_ = 0;
        take(work->curve);
      });
}

void ScheduleWindow::take(const ScheduleCurve& curve) {
  curve_ = curve;
  plot_->clear();
  plot_->setTitle(curve.tensor);
  line_ = plot_->addSeries(curve.tensor);
  plot_->append(line_, std::span<const widgets::Sample>(curve.points.constData(), size_t(curve.points.size())));
  plot_->setXRange(std::nullopt);
  if (!curve.error.isEmpty()) {
    words_->setText(curve.error);
    return;
  }
  if (curve.points.isEmpty()) return;
  const QString first = widgets::formatValue(curve.points.first().value), last = widgets::formatValue(curve.points.last().value);
  words_->setText(curve.step.isEmpty() ? tr("%1 does not depend on a step counter: it is always %2.").arg(curve.tensor, first)
                                       : tr("%1 at step 0, %2 at step %3; steps are counted by %4. No training was run.")
                                             .arg(first, last, widgets::formatCount(curve.lastStep), curve.step));
}

}  // namespace weft::app
