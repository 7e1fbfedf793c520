#include "views/timeline/timeline_dock.h"

#include <QAbstractListModel>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/elided_label.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/trace_questions.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "timeline/pass_strip.h"
#include "timeline/timeline_view.h"

namespace weft::app {
namespace {
constexpr int kMostFlows = 80;  // more would be illegible
constexpr int kStepWidth = 196;
constexpr int kRoomForStrip = 224;  // a lower dock shows the timeline only
}  // namespace

/// "All steps", then each step; texts of thousands of steps are made only when shown.
class StepModel : public QAbstractListModel {
 public:
  using QAbstractListModel::QAbstractListModel;

  void show(const ProfileStore& store) {
    beginResetModel();
    profile_ = store.current();
    slowest_ = store.slowestStep();
    endResetModel();
  }
  int rowCount(const QModelIndex& parent) const override { return parent.isValid() || !profile_ ? 0 : int(profile_->stepTimes.size()) + 1; }
  QVariant data(const QModelIndex& index, int role) const override {
    if (role != Qt::DisplayRole || !profile_) return {};
    if (index.row() == 0)
      return TimelineDock::tr("%n step(s)", nullptr, profile_->steps) + QStringLiteral(" · ") +
             TimelineDock::tr("median %1").arg(widgets::formatSeconds(profile_->p50StepNs / 1e9));
    const TraceStep& step = profile_->stepTimes[size_t(index.row() - 1)];
    const QString text =
        TimelineDock::tr("step %1").arg(widgets::formatCount(step.number)) + QStringLiteral(" · ") + widgets::formatSeconds(double(step.durationNs()) / 1e9);
    return index.row() - 1 == slowest_ && profile_->steps > 1 ? text + QStringLiteral(" · ") + TimelineDock::tr("slowest") : text;
  }

 private:
  ProfilePtr profile_;
  int slowest_ = -1;
};

TimelineDock::TimelineDock(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), store_(ProfileStore::of(context.workspace)), questions_(TraceQuestions::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("timeline"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  title_ = new QLabel(page);
  legend_ = new QLabel(page);
  legend_->setTextFormat(Qt::RichText);
  keys_ = new QLabel(page);
  found_ = new QLabel(page);
  title_->setObjectName(QStringLiteral("trace_title"));
  transfer_ = new widgets::ElidedLabel(page);
  transfer_->setObjectName(QStringLiteral("timeline_transfer"));
  transfer_->hide();
  // These must not limit how narrow the window can be; their texts are cut instead.
  for (QLabel* label : {title_, legend_, keys_}) {
    label->setMinimumWidth(1);
    label->setSizePolicy(label == legend_ ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Preferred);
  }
  find_ = new QLineEdit(page);
  find_->setClearButtonEnabled(true);
  find_->setFixedWidth(180);
  view_ = new widgets::TimelineView(page);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(10, 4, 10, 4);
  bar->setSpacing(12);
  colors_ = new QComboBox(page);
  colors_->setFocusPolicy(Qt::TabFocus);
  for (const char* word : {"category", "type", "scope", "device", "difference"}) colors_->addItem(QString(), QLatin1String(word));
  bar->addWidget(title_);
  bar->addWidget(makeStepBox(page));
  bar->addWidget(colors_);
  passes_ = new QToolButton(page);
  passes_->setObjectName(QStringLiteral("show_passes"));
  passes_->setCheckable(true);
  passes_->setChecked(context.workspace.settings().value(QStringLiteral("timeline/passes"), true).toBool());
  passes_->setIcon(widgets::icon(QStringLiteral("layers")));
  passes_->setFocusPolicy(Qt::TabFocus);
  bar->addWidget(passes_);
  strip_ = new widgets::PassStrip(page);
  running_ = new QToolButton(page);
  running_->setCheckable(true);
  running_->setIcon(widgets::icon(QStringLiteral("eye")));
  running_->setFocusPolicy(Qt::TabFocus);
  bar->addWidget(running_);
  bar->addWidget(makeGaps(page));
  bar->addWidget(legend_, 1);
  bar->addWidget(transfer_, 1);
  bar->addWidget(found_);
  bar->addWidget(find_);
  bar->addWidget(keys_);
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(0);
  inside->addLayout(bar);
  inside->addWidget(strip_);
  inside->addWidget(view_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  stack_->setMinimumHeight(96);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(&store_, &ProfileStore::currentChanged, this, &TimelineDock::refill);
  connect(&store_, &ProfileStore::sliceSelected, this, &TimelineDock::select);
  connect(&store_, &ProfileStore::stepChanged, this, &TimelineDock::showStep);
  connect(strip_, &widgets::PassStrip::chosen, &store_, &ProfileStore::selectPart);
  connect(passes_, &QToolButton::toggled, this, [this](bool on) {
    context_.workspace.settings().setValue(QStringLiteral("timeline/passes"), on);
    showStrip();
  });
  connect(&store_, &ProfileStore::timelineChanged, this, [this] {
    view_->recolor(store_.timeline());
    const QSignalBlocker quiet(colors_);
    colors_->setCurrentIndex(int(store_.colors()));
    updateLegend();
  });
  connect(colors_, &QComboBox::activated, this, [this](int index) {
    const QString word = colors_->itemData(index).toString();
    // Without a comparison there is no difference: the box keeps what the colours mean.
    if (word == QLatin1String("difference") && !store_.comparison()) colors_->setCurrentIndex(int(store_.colors()));
    context_.actions.runChosen(QStringLiteral("profile.color-slices"), {word});
  });
  connect(running_, &QToolButton::clicked, this, [this](bool on) {
    const CommandResult result = context_.actions.run(QStringLiteral("profile.light-running"), {on ? QStringLiteral("on") : QStringLiteral("off")});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  connect(&store_, &ProfileStore::lightsRunningChanged, this, [this] {
    running_->setChecked(store_.lightsRunning());
    light(-1);
  });
  connect(view_, &widgets::TimelineView::timeHovered, this, [this](qint64 ns) {
    if (store_.lightsRunning()) light(ns);
  });
  connect(view_, &widgets::TimelineView::rangeMeasured, this, &TimelineDock::measured);
  connect(view_, &widgets::TimelineView::sliceSelected, &store_, &ProfileStore::selectSlice);
  connect(view_, &widgets::TimelineView::arrowSelected, this, [this](int arrow) {
    const ProfileTransfer& t = store_.current()->transfers[arrow];
    store_.selectSlice(t.ask >= 0 ? t.ask : t.receive >= 0 ? t.receive : t.send);
  });
  connect(view_, &widgets::TimelineView::searchRequested, this, [this] {
    find_->setFocus(Qt::ShortcutFocusReason);
    find_->selectAll();
  });
  connect(find_, &QLineEdit::textChanged, this, [this](const QString& text) {
    const int count = view_->setSearch(text);
    found_->setText(text.trimmed().isEmpty() ? QString() : tr("%n slice(s)", nullptr, count));
  });
  connect(find_, &QLineEdit::returnPressed, this, [this] { search(false); });
  auto* back = new QShortcut(QKeySequence(QStringLiteral("Shift+Return")), find_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(back, &QShortcut::activated, this, [this] { search(true); });
  auto* leave = new QShortcut(QKeySequence(QStringLiteral("Esc")), find_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(leave, &QShortcut::activated, view_, [this] { view_->setFocus(); });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("profile.trace"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  retranslate();
  refill();
}

QWidget* TimelineDock::makeStepBox(QWidget* page) {
  auto* box = new QWidget(page);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  const auto button = [&](const char* id, const char* name) {
    auto* made = new QToolButton(box);
    made->setDefaultAction(context_.actions.action(QLatin1String(id)));
    made->setToolButtonStyle(Qt::ToolButtonIconOnly);
    made->setObjectName(QLatin1String(name));
    made->setFocusPolicy(Qt::TabFocus);
    return made;
  };
  before_ = button("profile.step-before", "step_before");
  after_ = button("profile.step-after", "step_after");
  step_ = new QComboBox(box);
  step_->setObjectName(QStringLiteral("traced_step"));
  step_->setFocusPolicy(Qt::TabFocus);
  steps_ = new StepModel(step_);
  step_->setModel(steps_);
  step_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  step_->setFixedWidth(kStepWidth);
  step_->setMaxVisibleItems(14);
  static_cast<QListView*>(step_->view())->setUniformItemSizes(true);
  connect(step_, &QComboBox::activated, this,
          [this](int row) { goToStep(row == 0 ? QStringLiteral("all") : QString::number(store_.current()->stepTimes[size_t(row - 1)].number)); });
  for (QWidget* w : std::initializer_list<QWidget*>{before_, step_, after_}) row->addWidget(w);
  return box;
}

void TimelineDock::goToStep(const QString& word) {
  const CommandResult result = context_.actions.run(QStringLiteral("profile.step"), {word});
  if (!result.ok) emit context_.actions.failed(result.message);
}

/// Zooms the timeline to the chosen step.
void TimelineDock::showStep() {
  const ProfilePtr& profile = store_.current();
  if (!profile) return;
  step_->setCurrentIndex(store_.step() + 1);
  if (store_.step() < 0) {
    view_->fitAll();
  } else {
    const TraceStep& step = profile->stepTimes[size_t(store_.step())];
    const double edge = double(step.durationNs()) * 0.01;
    view_->setRange(double(step.startNs) - edge, double(step.endNs) + edge);
  }
  fillStrip();
}

void TimelineDock::fillStrip() {
  const ProfilePtr& profile = store_.current();
  if (!profile) return;
  const PassTimes& passes = profile->passes;
  const int step = store_.step();
  double all = 0;
  for (const PassPart& part : passes.parts) all += partNs(part, step);
  const auto boxOf = [&](int index) {
    widgets::PassBox box;
    if (index < 0) return box;
    const PassPart& part = passes.parts[index];
    box.id = index;
    box.ns = partNs(part, step);
    const QString name = widgets::lastPart(part.scope);
    box.title = part.way == PassPart::Way::Update    ? tr("updates")
                : part.way == PassPart::Way::Forward ? name
                : name.isEmpty()                     ? tr("∂ others")
                                                     : QStringLiteral("∂ ") + name;
    box.tip = QStringLiteral("<b>%1</b><br>").arg((part.scope.isEmpty() ? box.title : part.scope).toHtmlEscaped());
    box.tip +=
        tr("%1, %2 % of the step's work").arg(widgets::formatSeconds(box.ns / 1e9)).arg(all > 0 ? box.ns / all * 100 : 0, 0, 'f', 1) + QStringLiteral("<br>");
    box.tip += tr("%n op(s), slowest: %1", nullptr, int(part.nodes.size())).arg(part.nodes.value(0).toHtmlEscaped());
    return box;
  };
  QVector<widgets::PassBoxes> columns;
  bool updates = passes.update >= 0;
  for (const PassColumn& column : passes.columns) {
    columns << widgets::PassBoxes{boxOf(column.forward), boxOf(column.backward)};
    // Variables are updated at the end of the backward pass.
    if (columns.size() > 1 || !updates) continue;
    if (column.backward < 0) columns.last().backward = boxOf(passes.update);
    else columns.prepend({{}, boxOf(passes.update)});
    updates = false;
  }
  const QString caption =
      step < 0 ? tr("median of %n step(s)", nullptr, profile->steps) : tr("step %1").arg(widgets::formatCount(profile->stepTimes[size_t(step)].number));
  strip_->setColumns(columns, caption);
  const int slice = store_.selectedSlice();
  strip_->setSelected(slice < 0 ? -1 : passes.partOf(sliceFacts(*profile, slice).node));
  showStrip();
}

void TimelineDock::showStrip() {
  const ProfilePtr& profile = store_.current();
  strip_->setVisible(passes_->isChecked() && profile && !profile->passes.columns.isEmpty() && height() >= kRoomForStrip);
}

void TimelineDock::search(bool backward) { view_->findNext(backward); }

void TimelineDock::refill() {
  const ProfilePtr& profile = store_.current();
  stack_->setCurrentIndex(profile ? 1 : 0);
  if (!profile) return;
  if (view_->data() != store_.timeline().get()) {
    find_->clear();
    view_->setData(store_.timeline());
    showGaps();
  }
  steps_->show(store_);
  showStep();
  QString title = QStringLiteral("<b>%1</b>").arg(profile->title.toHtmlEscaped());
  if (!profile->problems.isEmpty())
    title += QStringLiteral(" · <span style='color:%1'>⚠ %2</span>")
                 .arg(widgets::Theme::current().color(widgets::Role::Warning).name(), tr("with problems").toHtmlEscaped());
  title_->setText(title);
  QString tip = tr("%1 slices, %2 nodes; median step %3, 99th percentile %4")
                    .arg(widgets::formatCount(profile->slices), widgets::formatCount(profile->nodes), widgets::formatSeconds(profile->p50StepNs / 1e9),
                         widgets::formatSeconds(profile->p99StepNs / 1e9));
  for (const QString& problem : profile->problems) tip += u'\n' + problem;
  title_->setToolTip(tip);
  QMetaObject::invokeMethod(this, &TimelineDock::updateLegend, Qt::QueuedConnection);
}

void TimelineDock::select(int slice) {
  if (!store_.current() || view_->data() != store_.timeline().get()) return;
  view_->select(slice);
  strip_->setSelected(slice < 0 ? -1 : store_.current()->passes.partOf(sliceFacts(*store_.current(), slice).node));
  const int transfer = store_.current()->transferOf.value(slice, -1);
  tell(transfer);
  if (slice < 0) {
    view_->setHighlighted({});
    return;
  }
  QVector<int> alike = store_.current()->slicesOf.value(sliceFacts(*store_.current(), slice).node);
  if (transfer >= 0) {
    const ProfileTransfer& t = store_.current()->transfers[transfer];
    for (const int end : {t.send, t.ask, t.receive})
      if (end >= 0) alike << end;
  }
  view_->setHighlighted(alike);
  view_->setFlows(flowsOf(*store_.current(), slice));
}

/// Says what the selected transfer is, in the place of the legend; -1: none is selected.
void TimelineDock::tell(int transfer) {
  transfer_->setVisible(transfer >= 0);
  legend_->setVisible(transfer < 0);
  if (transfer < 0) {
    transfer_->setFull({});
    updateLegendSoon();
    return;
  }
  transfer_->setFull(transferLine(store_.current()->transfers[transfer]));
  transfer_->setToolTip(transferTip(store_.current()->transfers[transfer]));
}

/// Highlights on the canvas what ran at that time; -1: nothing.
void TimelineDock::light(qint64 ns) {
  widgets::GraphView* canvas = context_.shell.canvas();
  const Document* document = context_.workspace.current();
  if (!canvas || !document) return;
  QVector<widgets::Item> items;
  for (const QString& name : store_.runningAt(ns))
    if (const int node = document->nodeIndex(name); node >= 0) items << widgets::Item::node(node);
  canvas->setHighlight(items);
}

/// Within a measured range, joins producers and consumers by arrows, if there are few enough to be legible.
void TimelineDock::measured(qint64 from, qint64 to) {
  if (!store_.current() || from >= to) {
    view_->setFlows({});
    found_->clear();
    updateLegendSoon();
    return;
  }
  const auto flows = flowsBetween(*store_.current(), from, to, kMostFlows);
  const bool few = flows.size() <= kMostFlows;
  view_->setFlows(few ? flows : QVector<std::pair<int, int>>());
  found_->setText(few ? tr("%n arrow(s)", nullptr, int(flows.size())) : tr("too many arrows; measure less"));
  updateLegendSoon();
}

void TimelineDock::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  keys_->setVisible(width() > 1500);  // the help has them too
  showStrip();
  updateLegendSoon();
}

void TimelineDock::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    refill();
  }
  if (event->type() == QEvent::PaletteChange) updateLegend();
  QWidget::changeEvent(event);
}

void TimelineDock::retranslate() {
  empty_->setTitle(tr("No trace yet"));
  empty_->setText(tr("A trace shows when each op of a step ran, on which device, and what was in memory. To open one from a file, use Run ▸ Open trace."));
  empty_->setButton(tr("Trace 10 steps"), QStringLiteral("record"));
  find_->setPlaceholderText(tr("Find slice ( / )"));
  find_->setAccessibleName(tr("Find slice"));
  find_->setToolTip(tr("Matches slices whose names contain this text; Enter goes to the next, Shift+Enter to the previous one"));
  keys_->setText(tr("W S zoom · A D pan · F focus · M mark · G idle · drag measures"));
  keys_->setEnabled(false);
  view_->setAccessibleName(tr("Timeline of the trace"));
  running_->setToolTip(tr("Highlights on the canvas what ran at the time under the pointer"));
  running_->setAccessibleName(tr("Show running ops"));
  gaps_->setToolTip(tr("Hatches idle times, coloured by what was waited for (G and Shift+G go from one to the next)"));
  gaps_->setAccessibleName(tr("Show idle times"));
  passes_->setToolTip(tr("Time of each layer in the forward and backward passes"));
  passes_->setAccessibleName(tr("Forward and backward"));
  strip_->setAccessibleName(passes_->accessibleName());
  step_->setAccessibleName(tr("Traced step"));
  step_->setToolTip(tr("Traced step to show"));
  const QStringList colors{tr("op category"), tr("op type"), tr("scope"), tr("device"), tr("difference")};
  for (int i = 0; i < colors.size(); ++i) colors_->setItemText(i, colors[i]);
  colors_->setAccessibleName(tr("Slice colours"));
  colors_->setToolTip(tr("What the colours of the slices mean"));
}

const ViewRecord timelineView = {"timeline",
                                 QT_TRANSLATE_NOOP("Views", "Timeline"),
                                 QT_TRANSLATE_NOOP("Views", "When each op of the traced steps ran, on which thread or device"),
                                 "timeline",
                                 Qt::BottomDockWidgetArea,
                                 "profile!",
                                 [](const ViewContext& context, QWidget* parent) -> QWidget* { return new TimelineDock(context, parent); }};

}  // namespace weft::app
