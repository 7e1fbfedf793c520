#include "main_window/status_bar.h"

#include <sys/resource.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDateTime>
#include <QEvent>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>

#include "common/format.h"
#include "common/icons.h"
#include "common/progress.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/front.h"
#include "document/step_estimate.h"
#include "document/workspace.h"
#include "main_window/task_popup.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

constexpr int kNoteMs = 8000;
constexpr int kKnownShare = 10;  // if more than one op in ten is not counted, the sum is meaningless

/// Inserts thousands separators into the number in `words`, which %n does not do.
QString grouped(QString words, int number) { return words.replace(QString::number(number), widgets::formatCount(number)); }

qint64 residentBytes() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  const QList<QByteArray> fields = file.readAll().split(' ');
  return fields.size() > 1 ? fields[1].toLongLong() * sysconf(_SC_PAGESIZE) : 0;
}

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// A label that elides its text.
class StatusText : public QLabel {
 public:
  explicit StatusText(QWidget* parent) : QLabel(parent) { setMinimumWidth(1); }  // lets the window become narrower than all texts of the bar together

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
  }
};

}  // namespace

StatusBar::StatusBar(Workspace& workspace, Shell& shell, QWidget* parent) : QStatusBar(parent), workspace_(workspace), shell_(shell) {
  setObjectName(QStringLiteral("status_bar"));
  setSizeGripEnabled(false);
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(10, 0, 12, 0);
  layout->setSpacing(14);
  const auto add = [&](QLabel*& label) {
    label = new StatusText(row);
    layout->addWidget(label);
  };
  auto* problemBox = new QHBoxLayout;
  problemBox->setSpacing(5);
  problemsIcon_ = new QLabel(row);
  problems_ = new QLabel(row);
  problems_->setCursor(Qt::PointingHandCursor);
  problems_->installEventFilter(this);
  problemBox->addWidget(problemsIcon_);
  problemBox->addWidget(problems_);
  layout->addLayout(problemBox);
  add(counts_);
  add(parameters_);
  add(note_);
  layout->addStretch(1);
  add(task_);
  bar_ = new QProgressBar(row);
  bar_->setFixedWidth(90);
  bar_->setTextVisible(false);
  cancel_ = new QToolButton(row);
  cancel_->setProperty("kind", QStringLiteral("flat"));
  cancel_->setIconSize({12, 12});
  cancel_->setFixedSize(18, 18);
  cancel_->setStyleSheet(QStringLiteral("QToolButton { min-height: 0; min-width: 0; padding: 0; }"));
  layout->addWidget(bar_);
  layout->addWidget(cancel_);
  more_ = new QToolButton(row);
  more_->setObjectName(QStringLiteral("tasks_button"));
  more_->setProperty("kind", QStringLiteral("flat"));
  more_->setStyleSheet(QStringLiteral("QToolButton { min-height: 0; padding: 0 4px; font-size: 11px; }"));
  layout->addWidget(more_);
  connect(more_, &QToolButton::clicked, this, [this] {
    if (!popup_) popup_ = new TaskPopup(workspace_, window());
    popup_->openAt(more_->mapTo(window(), QPoint(more_->width(), -4)));
  });
  add(resources_);
  addWidget(row, 1);

  connect(cancel_, &QToolButton::clicked, this, [this] { workspace_.tasks().cancel(shownTask_); });
  connect(&workspace, &Workspace::currentChanged, this, &StatusBar::updateDocument);
  connect(&workspace, &Workspace::contentsChanged, this, &StatusBar::updateDocument);
  connect(&workspace.tasks(), &Tasks::changed, this, &StatusBar::updateTasks);
  connect(&resourceTimer_, &QTimer::timeout, this, &StatusBar::updateResources);
  connect(&taskTimer_, &QTimer::timeout, this, &StatusBar::updateTasks);
  noteTimer_.setSingleShot(true);
  connect(&noteTimer_, &QTimer::timeout, this, [this] {
    noteText_ = nullptr;
    note_->clear();
  });
  resourceTimer_.start(1000);
  taskTimer_.setInterval(100);
  updateDocument();
  updateTasks();
  updateResources();
}

void StatusBar::notify(const QString& message) {
  notify([message] { return message; });
}

void StatusBar::notify(std::function<QString()> text) {
  noteText_ = std::move(text);
  note_->setText(noteText_());
  noteTimer_.start(kNoteMs);
}

Document* StatusBar::inFront() const { return shell_.isStartPageShown() ? nullptr : documentInFront(workspace_); }

/// For a file that is not a graph: its problem, its variables and its size.
void StatusBar::showFile(const FileTab& file) {
  const widgets::Theme& theme = widgets::Theme::current();
  const bool whole = file.contents()->problem.isEmpty();
  problemsIcon_->setPixmap(widgets::iconPixmap(QLatin1String(whole ? "check" : "warning"), 14, theme.color(whole ? widgets::Role::Ok : widgets::Role::Warning),
                                               devicePixelRatioF()));
  problems_->setText(whole ? tr("no problems") : tr("%n warning(s)", nullptr, 1));
  problems_->setToolTip(file.contents()->problem);
  counts_->setText(file.title());
  counts_->setToolTip(file.path());
  const int arrays = file.tensors() ? int(file.tensors()->entries().size()) : 0;
  const QString count = file.holdsVariables() ? tr("%n variable(s)", nullptr, arrays) : tr("%n array(s)", nullptr, arrays);
  const QString size = widgets::formatBytes(file.tensors() ? file.totalBytes() : file.contents()->bytes);
  parameters_->setText(arrays > 0 ? grouped(count, arrays) + QStringLiteral(" · ") + size : size);
  parameters_->setToolTip({});
}

void StatusBar::updateDocument() {
  const Document* document = inFront();
  problems_->setToolTip({});
  if (const FileTab* file = workspace_.currentFile(); file && !shell_.isStartPageShown()) {
    for (QLabel* label : {problemsIcon_, problems_, parameters_}) label->setVisible(true);
    return showFile(*file);
  }
  problemsIcon_->setVisible(document);
  problems_->setVisible(document);
  parameters_->setVisible(document);
  counts_->setToolTip({});
  if (!document) {
    counts_->setText(tr("Weft %1").arg(QCoreApplication::applicationVersion()) + QStringLiteral("   Qt ") + QLatin1String(qVersion()));
    return;
  }
  int errors = 0, warnings = 0;
  for (const Problem& p : document->problems()) (p.severity == Problem::Severity::Error ? errors : warnings) += 1;
  const widgets::Theme& theme = widgets::Theme::current();
  const char* icon = errors ? "error" : warnings ? "warning" : "check";
  const widgets::Role role = errors ? widgets::Role::Error : warnings ? widgets::Role::Warning : widgets::Role::Ok;
  problemsIcon_->setPixmap(widgets::iconPixmap(QLatin1String(icon), 14, theme.color(role), devicePixelRatioF()));
  problems_->setText(errors ? tr("%n error(s)", nullptr, errors) : warnings ? tr("%n warning(s)", nullptr, warnings) : tr("no problems"));
  const GraphSummary& s = document->summary();
  const QString nodes = grouped(tr("%n node(s)", nullptr, s.nodes), s.nodes);
  counts_->setText(s.scopes > 0 ? tr("%1 in %2").arg(nodes, grouped(tr("%n scope(s)", nullptr, s.scopes), s.scopes)) : nodes);
  parameters_->setText(s.variables > 0
                           ? tr("%1 parameters").arg(widgets::formatCountShort(s.parameters)) + QStringLiteral(" · ") + widgets::formatBytes(s.parameterBytes)
                           : tr("no variables"));
  showCosts();
}

/// Shows the cost of a step after the parameters.
void StatusBar::showCosts() {
  Document* document = inFront();
  if (!document) return;
  StepEstimate& estimate = StepEstimate::of(*document);
  connect(&estimate, &StepEstimate::changed, this, &StatusBar::updateDocument, Qt::UniqueConnection);
  const StepCostsPtr costs = estimate.costs();
  // With too many unknown ops the known cost is meaningless.
  if (costs && costs->total().unknown * kKnownShare >= std::max(1, document->summary().nodes)) {
    parameters_->setText(parameters_->text() + QStringLiteral(" · ") + tr("cost unknown"));
    parameters_->setToolTip(tr("Cost unknown for %n op(s): their sizes are unknown until the graph runs", nullptr, costs->total().unknown));
    return;
  }
  if (!costs || costs->total().flops <= 0) return parameters_->setToolTip({});
  const QString work = tr("%1 per step").arg(widgets::formatSi(costs->total().flops, QStringLiteral("FLOP")));
  parameters_->setText(parameters_->text() + QStringLiteral(" · ") + (costs->dependsOnBatch() ? tr("%1 at batch %2").arg(work).arg(costs->batch()) : work));
  parameters_->setToolTip(
      costs->total().unknown > 0 ? tr("%n op(s) are not counted: their shapes are unknown until the graph runs", nullptr, costs->total().unknown) : QString());
}

void StatusBar::updateTasks() {
  const QVector<Tasks::Info> running = workspace_.tasks().running();
  const bool any = !running.isEmpty();
  task_->setVisible(any);
  bar_->setVisible(any);
  cancel_->setVisible(any);
  more_->setVisible(running.size() > 1);
  if (any) {
    const Tasks::Info& info = running.front();
    shownTask_ = info.id;
    task_->setText(info.title);
    widgets::showProgress(bar_, info.progress);
    cancel_->setIcon(widgets::icon(QStringLiteral("close")));
    cancel_->setToolTip(tr("Cancel"));
    cancel_->setAccessibleName(tr("Cancel %1").arg(info.title));
    bar_->setAccessibleName(info.title);
    more_->setText(tr("+%1").arg(running.size() - 1));
    more_->setToolTip(tr("All running tasks"));
    more_->setAccessibleName(more_->toolTip());
    if (!taskTimer_.isActive()) taskTimer_.start();
  } else {
    taskTimer_.stop();
  }
}

void StatusBar::updateResources() {
  const double cpu = cpuSeconds();
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  QString text;
  if (lastCpuSeconds_ >= 0 && now > lastCpuMs_)
    text = tr("CPU %1 %").arg(qRound((cpu - lastCpuSeconds_) * 1e5 / double(now - lastCpuMs_))) + QStringLiteral("   ");
  lastCpuSeconds_ = cpu;
  lastCpuMs_ = now;
  resources_->setText(text + tr("RSS %1").arg(widgets::formatBytes(residentBytes())));
}

void StatusBar::changeEvent(QEvent* event) {
  const bool made = resources_ && more_;
  if (made && (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)) {
    updateDocument();
    updateTasks();
    updateResources();
    if (noteText_) note_->setText(noteText_());
  }
  QStatusBar::changeEvent(event);
}

bool StatusBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == problems_ && event->type() == QEvent::MouseButtonRelease) shell_.showView(QStringLiteral("problems"));
  return QStatusBar::eventFilter(watched, event);
}

}  // namespace weft::app
