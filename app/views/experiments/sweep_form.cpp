#include "views/experiments/sweep_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "adapters/sweep_job.h"
#include "common/theme.h"
#include "document/document.h"

namespace weft::app {
namespace {

enum { kName, kValue, kSpace };
constexpr int kLeastList = 120, kLeastSpin = 70;  // pixels
constexpr int kChosenByDefault = 1;               // the learning rate comes first

}  // namespace

SweepForm::SweepForm(QWidget* parent) : QWidget(parent) {
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("sweep_parameters"));
  list_->setColumnCount(3);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->header()->setStretchLastSection(true);
  list_->setMinimumHeight(kLeastList);
  const auto combo = [&](const char* name) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setMinimumContentsLength(6);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    return box;
  };
  const auto spin = [&](const char* name, int most) {
    auto* box = new QSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(0, most);
    box->setMinimumWidth(kLeastSpin);
    return box;
  };
  method_ = combo("sweep_method");
  stop_ = combo("sweep_stop");
  metric_ = combo("sweep_metric");
  runs_ = spin("sweep_runs", 1000000);
  parallel_ = spin("sweep_parallel", 4096);
  epochs_ = spin("sweep_epochs", 1000000);
  for (auto** label : {&methodLabel_, &stopLabel_, &metricLabel_, &runsLabel_, &parallelLabel_, &epochsLabel_}) {
    *label = new QLabel(this);
    (*label)->setProperty("kind", QStringLiteral("muted"));
  }
  problem_ = new QLabel(this);
  problem_->setWordWrap(true);
  problem_->setProperty("kind", QStringLiteral("muted"));
  start_ = new QPushButton(this);
  start_->setObjectName(QStringLiteral("sweep_begin"));
  start_->setProperty("kind", QStringLiteral("primary"));
  auto* grid = new QGridLayout;
  grid->setContentsMargins(12, 8, 12, 8);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  const std::pair<QLabel*, QWidget*> fields[] = {{methodLabel_, method_}, {runsLabel_, runs_},         {metricLabel_, metric_},
                                                 {stopLabel_, stop_},     {parallelLabel_, parallel_}, {epochsLabel_, epochs_}};
  for (int i = 0; i < 6; ++i) {
    grid->addWidget(fields[i].first, i / 2, 2 * (i % 2));
    grid->addWidget(fields[i].second, i / 2, 2 * (i % 2) + 1);
    fields[i].first->setBuddy(fields[i].second);
  }
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 1);
  grid->addWidget(problem_, 3, 0, 1, 3);
  grid->addWidget(start_, 3, 3, Qt::AlignRight);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(list_, 1);
  column->addLayout(grid);
  connect(list_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item) { list_->editItem(item, kSpace); });
  connect(list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { list_->editItem(item, kSpace); });
  connect(list_, &QTreeWidget::itemChanged, this, &SweepForm::check);
  connect(method_, &QComboBox::currentIndexChanged, this, &SweepForm::check);
  connect(runs_, &QSpinBox::valueChanged, this, &SweepForm::check);
  connect(start_, &QPushButton::clicked, this, [this] {
    QStringList words = chosen();
    words << QStringLiteral("--method") << method_->currentData().toString() << QStringLiteral("--stop") << stop_->currentData().toString();
    if (!metric_->currentText().isEmpty()) words << QStringLiteral("--metric") << metric_->currentText();
    if (runs_->value() > 0) words << QStringLiteral("--runs") << QString::number(runs_->value());
    if (parallel_->value() > 0) words << QStringLiteral("--parallel") << QString::number(parallel_->value());
    if (epochs_->value() > 0) words << QStringLiteral("--epochs") << QString::number(epochs_->value());
    emit startAsked(words);
  });
  retranslate();
}

void SweepForm::setDocument(const Document* document) {
  QHash<QString, std::pair<bool, QString>> before;
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* item = list_->topLevelItem(i);
    before.insert(item->text(kName), {item->checkState(kName) == Qt::Checked, item->text(kSpace)});
  }
  const QString metric = metric_->currentText();
  const QSignalBlocker quiet(list_);
  list_->clear();
  metric_->clear();
  if (document) {
    int n = 0;
    for (const SweepParameterInfo& p : sweepParameters(*document->contents())) {
      auto* item = new QTreeWidgetItem(list_, {p.name, p.value, p.space});
      item->setFlags(item->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsEditable);
      item->setCheckState(kName, n++ < kChosenByDefault ? Qt::Checked : Qt::Unchecked);
      item->setFont(kValue, widgets::Theme::current().monoFont());
      item->setFont(kSpace, widgets::Theme::current().monoFont());
      if (const auto it = before.constFind(p.name); it != before.constEnd()) {
        item->setCheckState(kName, it->first ? Qt::Checked : Qt::Unchecked);
        if (it->first) item->setText(kSpace, it->second);
      }
    }
    metric_->addItems(sweepMetrics(*document->contents()));
    if (const int at = metric_->findText(metric); at >= 0) metric_->setCurrentIndex(at);
  }
  list_->resizeColumnToContents(kName);
  list_->resizeColumnToContents(kValue);
  check();
}

void SweepForm::setWhyNot(const QString& reason) {
  if (reason == whyNot_) return;
  whyNot_ = reason;
  check();
}

QStringList SweepForm::chosen() const {
  QStringList out;
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* item = list_->topLevelItem(i);
    if (item->checkState(kName) == Qt::Checked) out << item->text(kName) + u'=' + item->text(kSpace);
  }
  return out;
}

void SweepForm::check() {
  const QStringList parameters = chosen();
  QString problem = whyNot_;
  for (const QString& p : parameters)
    if (problem.isEmpty()) problem = sweepParameterError(p);
  if (problem.isEmpty() && parameters.isEmpty())
    problem = list_->topLevelItemCount() > 0 ? tr("Choose the parameters to vary.") : tr("This graph has no training settings.");
  const bool grid = method_->currentData().toString() == QLatin1String("grid");
  start_->setEnabled(problem.isEmpty());
  runs_->setSpecialValueText(grid ? tr("all") : QStringLiteral("16"));
  if (problem.isEmpty() && grid) problem = tr("The grid has %n point(s).", nullptr, int(gridSize(parameters)));
  problem_->setText(problem);
}

void SweepForm::retranslate() {
  list_->setHeaderLabels({tr("Parameter"), tr("Value"), tr("Range or choices")});
  list_->headerItem()->setToolTip(kSpace, tr("log:LOW:HIGH, uniform:LOW:HIGH, int:LOW:HIGH, logint:LOW:HIGH or choice:A,B,…; double-click to change it"));
  list_->setAccessibleName(tr("Parameters to vary"));
  const auto fill = [](QComboBox* box, const QVector<std::pair<QString, QString>>& items) {
    const QSignalBlocker quiet(box);
    const int at = std::max(box->currentIndex(), 0);
    box->clear();
    for (const auto& [text, id] : items) box->addItem(text, id);
    box->setCurrentIndex(at);
  };
  fill(method_, {{tr("Random"), QStringLiteral("random")},
                 {tr("Grid"), QStringLiteral("grid")},
                 {tr("Sobol"), QStringLiteral("sobol")},
                 {tr("Bayesian"), QStringLiteral("bayesian")}});
  fill(stop_, {{tr("None"), QStringLiteral("none")},
               {tr("Median rule"), QStringLiteral("median")},
               {tr("ASHA"), QStringLiteral("asha")},
               {tr("Hyperband"), QStringLiteral("hyperband")}});
  methodLabel_->setText(tr("Method"));
  stopLabel_->setText(tr("Early stopping"));
  metricLabel_->setText(tr("Metric"));
  runsLabel_->setText(tr("Runs"));
  parallelLabel_->setText(tr("At once"));
  epochsLabel_->setText(tr("Epochs"));
  parallel_->setSpecialValueText(tr("one per processor"));
  epochs_->setSpecialValueText(tr("as the document"));
  start_->setText(tr("Start sweep"));
  for (const auto& [box, label] : {std::pair<QWidget*, QLabel*>{method_, methodLabel_},
                                   {stop_, stopLabel_},
                                   {metric_, metricLabel_},
                                   {runs_, runsLabel_},
                                   {parallel_, parallelLabel_},
                                   {epochs_, epochsLabel_}})
    box->setAccessibleName(label->text());
  check();
}

}  // namespace weft::app
