#include "views/tensor/tensor_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "adapters/node_details.h"
#include "common/empty_state.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/front.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "tensor_view/tensor_view.h"

namespace weft::app {

TensorDock::TensorDock(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("debugging"));
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(12, 8, 12, 8);
  page->setSpacing(6);
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  name_ = new QLineEdit(this);
  name_->setFont(widgets::Theme::current().monoFont());
  place_ = new QLabel(this);
  place_->setProperty("kind", QStringLiteral("chip"));
  pin_ = new QToolButton(this);
  pin_->setProperty("kind", QStringLiteral("flat"));
  pin_->setIcon(widgets::icon(QStringLiteral("pin")));
  pin_->setCheckable(true);
  row->addWidget(name_, 1);
  row->addWidget(place_, 0, Qt::AlignVCenter);
  row->addWidget(pin_);
  page->addLayout(row);
  which_ = new QComboBox(this);
  page->addWidget(which_);
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("image"), {}, {}, stack_);
  view_ = new widgets::TensorView(stack_);
  stack_->addWidget(empty_);
  stack_->addWidget(view_);
  page->addWidget(stack_, 1);
  setMinimumWidth(280);

  connect(name_, &QLineEdit::returnPressed, this, [this] {
    QString name = name_->text().trimmed();
    if (!name.isEmpty() && !name.contains(u':')) name += QStringLiteral(":0");
    context_.workspace.debugger().showTensor(name);
    read();
  });
  connect(pin_, &QToolButton::toggled, this, &TensorDock::setPinned);
  connect(view_, &widgets::TensorView::lookChosen, this, [this](widgets::TensorView::Look look) { chosenLook_ = int(look); });
  connect(view_, &widgets::TensorView::cellEdited, this, &TensorDock::setCell);
  connect(view_, &widgets::TensorView::cellAsked, this, &TensorDock::askAbout);
  connect(which_, &QComboBox::activated, this, &TensorDock::read);
  DebugController& debug = context.workspace.debugger();
  connect(&debug, &DebugController::stateChanged, this, &TensorDock::read, Qt::QueuedConnection);
  connect(&debug, &DebugController::shownTensorChanged, this, [this] {
    pin_->setChecked(!context_.workspace.debugger().shownTensor().isEmpty());
    read();
  });
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, [this] {
    if (!asked_) read();
  });
  connect(&context.workspace, &Workspace::currentChanged, this, &TensorDock::read, Qt::QueuedConnection);
  retranslate();
}

/// A pinned tensor is fixed by name; unpinned, the dock follows the selection again.
void TensorDock::setPinned(bool on) {
  asked_ = on;
  DebugController& debug = context_.workspace.debugger();
  if (on && debug.shownTensor().isEmpty()) debug.showTensor(shown_);
  if (!on) debug.showTensor({});
  read();
}

QString TensorDock::whyNotEditable() const {
  const DebugController& debug = context_.workspace.debugger();
  if (!debug.isStopped()) return tr("Values can be changed while the debugger is paused.");
  if (which_->currentIndex() != 0) return tr("Only the present value can be changed: choose it above.");
  return {};
}

/// Sets one element, as setting a value in the watch list does.
void TensorDock::setCell(const QVector<qint64>& positions, const QString& text) {
  QStringList at;
  for (const qint64 position : positions) at << QString::number(position);
  const QString place = at.isEmpty() ? shown_ : QStringLiteral("%1[%2]").arg(shown_, at.join(u','));
  const CommandResult result = context_.actions.run(QStringLiteral("debug.set"), {place, text});
  view_->showEditError(result.ok ? QString() : result.message);
}

/// Asks where an element comes from, in the step of the training that is stopped or was.
void TensorDock::askAbout(const QVector<qint64>& positions) {
  QStringList at;
  for (const qint64 position : positions) at << QString::number(position);
  const QString place = at.isEmpty() ? shown_ : QStringLiteral("%1[%2]").arg(shown_, at.join(u','));
  const CommandResult result = context_.actions.run(QStringLiteral("why.ask"), {place, QString::number(context_.workspace.debugger().state().step)});
  if (!result.ok) emit context_.actions.failed(result.message);
}

/// The tensor to show for a node: for the next op, which has not run yet, its first input; an op without inputs has only its own value.
QString TensorDock::tensorAt(const QString& node) const {
  const DebugController& debug = context_.workspace.debugger();
  if (debug.isStopped() && node == debug.state().node()) {
    const NodeDetails details = nodeDetails(*debug.document()->contents(), node, false);
    const QString input = details.inputs.isEmpty() ? QString() : details.inputs.front().other;
    if (debug.document()->hasNode(input)) return input + QStringLiteral(":0");
    if (debug.document()->hasNode(input.section(u':', 0, 0))) return input;
  }
  return node + QStringLiteral(":0");
}

QString TensorDock::wanted() const {
  const DebugController& debug = context_.workspace.debugger();
  const Document* document = documentInFront(context_.workspace);
  if (!document || document != debug.document()) return {};  // values of one graph are meaningless beside another one
  if (asked_ && !debug.shownTensor().isEmpty()) return debug.shownTensor();
  if (document->selection().size() == 1 && document->hasNode(document->selection().front())) return tensorAt(document->selection().front());
  return debug.isStopped() ? tensorAt(debug.state().node()) : QString();
}

void TensorDock::read() {
  DebugController& debug = context_.workspace.debugger();
  if (!isVisible()) return;
  const bool stands = debug.hasValues() && (debug.isStopped() || !debug.isActive());
  const QString name = wanted();
  pin_->setEnabled(!name.isEmpty() || asked_);
  const bool elsewhere = debug.hasValues() && debug.document() && debug.document() != documentInFront(context_.workspace);
  if (!stands || name.isEmpty()) {
    if (!elsewhere && debug.isActive() && debug.hasValues() && !debug.isStopped()) return;  // while the run continues, keep what is shown
    empty_->setTitle(tr("No values yet"));
    empty_->setText(elsewhere
                        ? tr("The debugger is at %1, not at the current graph; its values are shown there.").arg(debug.document()->title())
                        : tr("While the debugger is paused, the values of the selected node appear here as a table, heat map, image, histogram or curve."));
    stack_->setCurrentWidget(empty_);
    view_->setSource(nullptr);
    shown_.clear();
    if (!name_->hasFocus()) name_->clear();
    place_->hide();
    return;
  }
  if (!name_->hasFocus() || asked_) name_->setText(name);
  debug.readTensor(name, DebugController::Which(which_->currentIndex()), [this, name, guard = QPointer<TensorDock>(this)](const DebugTensor& value) {
    if (!guard || name != wanted()) return;
    if (!value.source) {
      empty_->setTitle(tr("No value"));
      empty_->setText(value.error);
      stack_->setCurrentWidget(empty_);
      place_->hide();
      return;
    }
    view_->setSource(value.source);
    const QString whyNot = whyNotEditable();
    view_->setEditable(whyNot.isEmpty(), whyNot);
    view_->setWhyNotAsked(context_.workspace.debugger().state().ofTraining ? QString() : tr("Only numbers of a training step can be followed back."));
    view_->setMoments(value.moments);
    stack_->setCurrentWidget(view_);
    place_->setVisible(!value.loops.empty());
    if (!value.loops.empty()) place_->setText(tr("iteration %1").arg(value.loops.back().iteration));
    if (name != shown_ && value.source->facts().isNumeric) {
      // Few numbers are shown as a table, many as a picture, unless the user chose otherwise.
      using Look = widgets::TensorView::Look;
      view_->setLook(chosenLook_ >= 0 ? Look(chosenLook_) : value.source->facts().elements <= 64 ? Look::Table : Look::Map);
    }
    shown_ = name;
  });
}

bool TensorDock::setOption(const QString& option) {
  static const QStringList kLooks = {QStringLiteral("table"), QStringLiteral("heat-map"), QStringLiteral("image"), QStringLiteral("histogram"),
                                     QStringLiteral("curve")};
  const QString word = option.section(u' ', 0, 0), rest = option.section(u' ', 1);
  if (const qsizetype look = kLooks.indexOf(option); look >= 0) {
    chosenLook_ = int(look);
    view_->setLook(widgets::TensorView::Look(look));
    return true;
  }
  if (word == QLatin1String("slice")) return view_->setSliceText(rest);
  if (word == QLatin1String("mark")) return view_->setHighlight(rest);
  if (word == QLatin1String("go-to")) return view_->goTo(rest);
  bool number = false;
  const int which = rest.toInt(&number);
  if (word != QLatin1String("value") || !number || which < 0 || which >= which_->count()) return false;
  which_->setCurrentIndex(which);
  read();
  return true;
}

void TensorDock::fillChoices() {
  const int index = std::max(0, which_->currentIndex());
  const QSignalBlocker quiet(which_);
  which_->clear();
  which_->addItems({tr("current value"), tr("previous iteration's value"), tr("previous step's value"), tr("change since previous iteration"),
                    tr("change since previous step")});
  which_->setCurrentIndex(index);
}

void TensorDock::retranslate() {
  fillChoices();
  name_->setPlaceholderText(tr("tensor, e.g. conv1/Relu:0"));
  name_->setAccessibleName(tr("Tensor"));
  name_->setToolTip(tr("The tensor that is shown"));
  which_->setAccessibleName(tr("Which value to show"));
  which_->setToolTip(tr("The current value, an earlier one, or the change since then"));
  pin_->setToolTip(tr("Keep this tensor when the selection changes"));
  pin_->setAccessibleName(pin_->toolTip());
  read();
}

void TensorDock::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  read();
}

void TensorDock::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

const ViewRecord tensorView = {"tensor",
                               QT_TRANSLATE_NOOP("Views", "Tensor"),
                               QT_TRANSLATE_NOOP("Views", "Values of a tensor: table, heat map, image, histogram, statistics"),
                               "image",
                               Qt::RightDockWidgetArea,
                               "debug!",
                               [](const ViewContext& context, QWidget* parent) -> QWidget* { return new TensorDock(context, parent); }};

}  // namespace weft::app
