#include "views/inspector/inspector_view.h"

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "adapters/group_facts.h"
#include "adapters/node_details.h"
#include "adapters/property_list.h"
#include "adapters/shape_hints.h"
#include "common/discard.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/device_places.h"
#include "document/document.h"
#include "document/step_estimate.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/dock_parts.h"
#include "views/inspector/inspector_parts.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kFactRow = 19;  // pixels; makes rows of Chinese and Latin text equally high
constexpr int kMaxRows = 40;
constexpr int kMostFact = 130;   // pixels; narrower numbers are never cut
constexpr int kKnownShare = 10;  // if more than one op in ten is not counted, the sum is meaningless

/// A colour swatch. Painted: a style sheet for each would cost more than the rest of the page.
class Swatch : public QWidget {
 public:
  Swatch(const QColor& color, double radius, QWidget* parent) : QWidget(parent), color_(color), radius_(radius) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color_);
    painter.drawRoundedRect(rect(), radius_, radius_);
  }

 private:
  QColor color_;
  double radius_;
};

QFrame* hairline(QWidget* parent) {
  auto* line = new QFrame(parent);
  line->setFrameShape(QFrame::HLine);
  line->setFixedHeight(1);
  return line;
}

}  // namespace

InspectorView::InspectorView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("node"), {}, {}, stack_);
  scroll_ = makeColumnArea(stack_);
  scroll_->setAccessibleName(QCoreApplication::translate("Views", "Inspector"));
  pages_ = new QWidget;
  (new QVBoxLayout(pages_))->setContentsMargins(0, 0, 0, 0);
  scroll_->setWidget(pages_);
  stack_->addWidget(empty_);
  stack_->addWidget(scroll_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  setMinimumWidth(240);  // any narrower, values would be cut too short
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, &InspectorView::refillSoon);
  refill();
}

void InspectorView::refillSoon() {
  if (queued_) return;
  queued_ = true;
  QTimer::singleShot(0, this, [this] {
    queued_ = false;
    if (isVisible()) refill();
  });
}

void InspectorView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refill();
}

void InspectorView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refillSoon();
  if (event->type() == QEvent::LanguageChange) scroll_->setAccessibleName(QCoreApplication::translate("Views", "Inspector"));
  QWidget::changeEvent(event);
}

void InspectorView::refill() {
  widgets::discard(coming_);  // showing the view fills it anew, and any event may do so
  coming_ = nullptr;
  const Document* document = context_.workspace.current();
  const QStringList selection = document ? document->selection() : QStringList();
  if (selection.size() == 1) {
    const QString& name = selection.front();
    // A variable is named like its scope; the op has more facts.
    const NodeDetails details = nodeDetails(*document->contents(), name, !document->hasNode(name));
    if (details.found) {
      QWidget* page = makePage(details);
      coming_ = page;
      // The other half is made in a later event; any change of the document fills the view anew.
      QTimer::singleShot(0, page, [this, page, details, contents = document->contents()] {
        if (page != coming_ || !context_.workspace.current() || context_.workspace.current()->contents() != contents) return;
        finishPage(page, details);
        showPage(page);
      });
      return;
    }
  } else if (selection.size() > 1) {
    if (QWidget* page = makeGroupPage(selection)) {
      showPage(page);
      return;
    }
  }
  empty_->setTitle(!document             ? tr("No graph is open")
                   : selection.isEmpty() ? tr("Nothing is selected")
                                         : tr("%n items are selected", nullptr, int(selection.size())));
  empty_->setText(!document              ? tr("Open a file or start from a template.")
                  : selection.size() > 1 ? tr("Select nodes of the same op to edit their attributes together.")
                                         : tr("Click a node or a scope to see its op, shapes, attributes and gradient."));
  stack_->setCurrentWidget(empty_);
}

/// A page that is not visible yet, at its final place.
QWidget* InspectorView::newPage(const QString& name) {
  auto* page = new QWidget(pages_);
  page->hide();
  page->setObjectName(name);
  return page;
}

QWidget* InspectorView::makePage(const NodeDetails& details) {
  auto* widget = newPage(QStringLiteral("page:") + details.name);
  auto* page = new QVBoxLayout(widget);
  page->setContentsMargins(12, 12, 12, 12);
  page->setSpacing(3);
  addHeader(page, details);
  if (details.isScope) {
    addScope(page, details);
  } else {
    addPorts(page, details);
  }
  return widget;
}

void InspectorView::finishPage(QWidget* widget, const NodeDetails& details) {
  auto* page = static_cast<QVBoxLayout*>(widget->layout());
  if (!details.isScope) addAttributes(page, details);
  addCost(page, details);
  if (details.isScope) addScopeLists(page, details);
  addHelp(page, details);
  page->addStretch(1);
}

void InspectorView::addHeader(QVBoxLayout* page, const NodeDetails& details) {
  const Theme& theme = Theme::current();
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  const QColor hue = details.isScope ? theme.color(Role::Text3) : theme.opCategory(widgets::opCategoryName(details.hue));
  auto* bar = new Swatch(hue, 1, page->parentWidget());
  bar->setFixedWidth(3);
  row->addWidget(bar);
  auto* titles = new QVBoxLayout;
  titles->setSpacing(1);
  auto* title = new FittingLabel(details.op, page->parentWidget());
  title->setProperty("kind", QStringLiteral("title"));
  title->setTextInteractionFlags(Qt::TextSelectableByMouse);
  title->setMinimumWidth(1);  // a long name must not widen the page beyond the dock
  title->setToolTip(details.op);
  titles->addWidget(title);
  auto* name = new FittingLabel(details.name, page->parentWidget());
  name->setFont(theme.monoFont());
  name->setProperty("kind", QStringLiteral("muted"));
  titles->addWidget(name);
  row->addLayout(titles, 1);
  const QString chip = details.isScope     ? tr("scope")
                       : details.isKnownOp ? QCoreApplication::translate("Palette", details.category.toUtf8().constData())
                                           : tr("unknown op");
  if (!chip.isEmpty()) row->addWidget(label(page, chip, "chip"), 0, Qt::AlignTop);
  page->addLayout(row);
  page->addSpacing(6);
  if (!details.summary.isEmpty()) {
    auto* summary = sentence(page, details.summary);
    page->addWidget(summary);
  }
  if (!details.isScope && !details.isKnownOp) {
    auto* note =
        sentence(page, tr("The engine does not support this op. The graph can be viewed and saved unchanged, but nothing that depends on this node can run."));
    page->addWidget(note);
  }
  if (!details.description.isEmpty()) {
    auto* description = sentence(page, details.description, "muted");
    page->addWidget(description);
  }
}

QLabel* InspectorView::link(QWidget* parent, const QString& shown, const QString& node) {
  auto* l = new FittingLabel(shown, parent);
  l->setToolTip(node);
  l->setCursor(Qt::PointingHandCursor);
  l->setProperty("kind", QStringLiteral("muted"));
  l->setProperty("node", node);
  l->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  l->installEventFilter(this);
  return l;
}

void InspectorView::addPorts(QVBoxLayout* page, const NodeDetails& details) {
  const Theme& theme = Theme::current();
  auto* grid = new QGridLayout;
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(3, 1);
  int row = 0;
  const auto add = [&](const QVector<NodeDetails::Port>& ports, bool out) {
    for (qsizetype i = 0; i < ports.size(); ++i) {
      if (i == kMaxRows) {
        grid->addWidget(label(page, tr("and %n more", nullptr, int(ports.size() - i)), "muted"), row++, 1, 1, 3);
        break;
      }
      const NodeDetails::Port& port = ports[i];
      auto* dot = new Swatch(theme.dtype(port.dtype), 4, page->parentWidget());
      dot->setFixedSize(8, 8);
      dot->setToolTip(port.dtype);
      grid->addWidget(dot, row, 0);
      auto* name = label(page, port.name);
      name->setToolTip(port.doc.isEmpty() ? port.dtype : port.dtype + u'\n' + port.doc);
      grid->addWidget(name, row, 1);
      auto* shape = mono(page, port.shape);
      shape->setToolTip(port.dtype + u' ' + port.shape);
      grid->addWidget(shape, row, 2);
      if (port.targets.size() == 1) grid->addWidget(link(page->parentWidget(), port.other, port.targets.front()), row, 3);
      else grid->addWidget(label(page, port.other, "muted"), row, 3, Qt::AlignRight);
      ++row;
      if (!out) continue;
      // The tensor name for session.run: the node's name and the output's index; no value.
      auto* tensor = new FittingLabel(QStringLiteral("%1:%2").arg(details.name).arg(i), page->parentWidget());
      tensor->setObjectName(QStringLiteral("tensor:%1").arg(i));
      tensor->setFont(theme.monoFont());
      tensor->setProperty("kind", QStringLiteral("muted"));
      tensor->setTextInteractionFlags(Qt::TextSelectableByMouse);
      tensor->setToolTip(tr("%1:%2 is a tensor name: output %2 of node %1.").arg(details.name).arg(i));
      grid->addWidget(tensor, row++, 1, 1, 3);
    }
  };
  if (details.inputs.isEmpty() && details.outputs.isEmpty() && details.controls.isEmpty()) return;
  addHeading(page, tr("Inputs and outputs"));
  add(details.inputs, false);
  if (!details.inputs.isEmpty() && !details.outputs.isEmpty()) grid->addWidget(hairline(page->parentWidget()), row++, 0, 1, 4);
  add(details.outputs, true);
  for (qsizetype i = 0; i < std::min<qsizetype>(details.controls.size(), kMaxRows); ++i) {
    grid->addWidget(label(page, tr("waits for"), "muted"), row, 1);
    grid->addWidget(link(page->parentWidget(), details.controls[i], details.controls[i]), row++, 2, 1, 2);
  }
  page->addLayout(grid);
}

void InspectorView::addAttributes(QVBoxLayout* page, const NodeDetails& details) {
  // For a node of a layer, the layer's parameters tell more, and are edited there.
  addSheet(page, tr("Attributes"), nodeProperties(*context_.workspace.current()->contents(), {details.name}), {details.name});
  const QVector<ShapeHint> hints = shapeHints(*context_.workspace.current()->contents(), details.name);
  if (!hints.isEmpty()) {
    addHeading(page, tr("Inferred"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    for (qsizetype i = 0; i < hints.size(); ++i) {
      auto* name = label(page, hints[i].name);
      auto* value = mono(page, hints[i].value);
      name->setToolTip(hints[i].tip);
      value->setToolTip(hints[i].tip);
      value->setObjectName(QStringLiteral("hint:") + hints[i].name);
      grid->addWidget(name, int(i), 0);
      grid->addWidget(value, int(i), 1, Qt::AlignRight);
      grid->setRowMinimumHeight(int(i), kFactRow);
    }
    page->addLayout(grid);
  }
  addHeading(page, tr("Running"));
  auto* facts = new QGridLayout;
  facts->setHorizontalSpacing(12);
  facts->setColumnStretch(1, 1);
  const auto fact = [&](int row, const QString& name, const QString& words) {
    if (words.isEmpty()) return;
    facts->addWidget(label(page, name), row, 0, Qt::AlignTop);
    auto* value = sentence(page, words, "muted");
    value->setAlignment(Qt::AlignRight | Qt::AlignTop);
    facts->addWidget(value, row, 1);
  };
  fact(1, tr("Gradient"), details.gradient);
  fact(2, tr("State"), !details.changes.isEmpty() ? tr("changes %1").arg(details.changes) : details.stateful ? tr("keeps state between steps") : QString());
  fact(3, tr("Next run"), DevicePlaces::of(context_.workspace).words(details.name));
  page->addLayout(facts);
}

void InspectorView::addScope(QVBoxLayout* page, const NodeDetails& details) {
  addInstance(page, details.name);
  const LayerDetails layer = layerDetails(*context_.workspace.current()->contents(), details.name);
  if (layer.found) {
    if (!layer.summary.isEmpty()) {
      auto* summary = sentence(page, layer.summary);
      page->addWidget(summary);
    }
    addSheet(page, tr("Layer %1").arg(layer.kind), layer.parameters, {details.name});
    if (!layer.source.isEmpty()) {
      auto* source = sentence(page, layer.source, "muted");
      page->addWidget(source);
    }
  }
}

void InspectorView::addCost(QVBoxLayout* page, const NodeDetails& details) {
  StepEstimate& estimate = StepEstimate::of(*context_.workspace.current());
  connect(&estimate, &StepEstimate::changed, this, &InspectorView::refillSoon, Qt::UniqueConnection);
  const StepCostsPtr costs = estimate.costs();
  const StepCost cost = costs ? costOf(*costs, details.name, details.isScope) : StepCost();
  auto* facts = new QGridLayout;
  facts->setHorizontalSpacing(12);
  facts->setVerticalSpacing(4);
  facts->setColumnStretch(1, 1);
  int row = 0;
  const auto add = [&](const QString& name, const QString& value, const QString& tip) {
    auto* l = label(page, name);
    l->setToolTip(tip);
    facts->addWidget(l, row, 0);
    facts->setRowMinimumHeight(row, kFactRow);
    QLabel* shown = mono(page, value);
    shown->setMinimumWidth(std::min(kMostFact, shown->sizeHint().width()));  // names shrink before numbers do
    facts->addWidget(shown, row++, 1, Qt::AlignRight);
  };
  if (costs && costs->dependsOnBatch() && (cost.any || cost.unknown > 0)) {
    auto* batch = new QSpinBox(page->parentWidget());
    batch->setObjectName(QStringLiteral("cost_batch"));
    batch->setAccessibleName(tr("Batch"));
    batch->setToolTip(tr("Costs at another batch size; the graph does not change"));
    batch->setRange(1, 1000000);
    batch->setKeyboardTracking(false);
    batch->setValue(estimate.batch());
    batch->setFixedWidth(90);
    connect(batch, &QSpinBox::valueChanged, this, [this](int n) { context_.actions.run(QStringLiteral("graph.assume-batch"), {QString::number(n)}); });
    // Across both columns, so that in a narrow dock the field does not narrow the names below.
    auto* line = new QHBoxLayout;
    line->addWidget(label(page, tr("Batch")));
    line->addStretch(1);
    line->addWidget(batch);
    facts->addLayout(line, row++, 0, 1, 2);
  }
  if (details.isScope) add(tr("Ops"), widgets::formatCount(details.ops), tr("Ops inside, at any depth"));
  if (details.parameters > 0) {
    add(tr("Parameters"), widgets::formatCount(details.parameters), tr("Elements of the trainable variables inside; optimizer slots are not counted"));
    add(tr("Memory of parameters"), widgets::formatBytes(details.parameters * 4),
        tr("At four bytes each; training needs the same again for gradients, and most optimizers need one or two times more"));
  }
  if (cost.unknown * kKnownShare >= std::max(1, details.isScope ? details.ops : 1))
    add(tr("Work"), tr("unknown"),
        tr("Some sizes are unknown until the graph runs. The known part is %1").arg(widgets::formatSi(cost.flops, QStringLiteral("FLOP"))));
  else if (cost.flops > 0)
    add(tr("Work"), widgets::formatSi(cost.flops, QStringLiteral("FLOP")),
        tr("FLOPs per step; a multiply-add counts as two. Variable initialisation is not included."));
  if (cost.outputBytes > 0) add(tr("Output"), widgets::formatBytes(cost.outputBytes), tr("Total size of the outputs with known shapes, per step"));
  if (cost.unknown > 0) add(tr("Not counted"), widgets::formatOps(cost.unknown), tr("Their shapes are not known before the graph runs"));
  if (row == 0) {
    delete facts;
    return;
  }
  addHeading(page, tr("Cost per step"));
  page->addLayout(facts);
}

void InspectorView::addScopeLists(QVBoxLayout* page, const NodeDetails& details) {
  addHeading(page, tr("Ops by type"));
  auto* mix = new QGridLayout;
  mix->setHorizontalSpacing(12);
  mix->setColumnStretch(0, 1);
  for (int i = 0; i < std::min<int>(int(details.opMix.size()), kMaxRows); ++i) {
    mix->addWidget(new FittingLabel(details.opMix[i].first, page->parentWidget()), i, 0);
    mix->addWidget(mono(page, QString::number(details.opMix[i].second)), i, 1, Qt::AlignRight);
    mix->setRowMinimumHeight(i, kFactRow);
  }
  page->addLayout(mix);
}

void InspectorView::addHelp(QVBoxLayout* page, const NodeDetails& details) {
  if (details.isScope || !details.isKnownOp) return;
  page->addSpacing(8);
  auto* help = new QPushButton(tr("Help for %1").arg(details.op), page->parentWidget());
  help->setProperty("kind", QStringLiteral("link"));
  help->setMinimumWidth(1);
  help->setCursor(Qt::PointingHandCursor);
  connect(help, &QPushButton::clicked, this, [this, op = details.op] { context_.shell.showHelp(QStringLiteral("op/") + op); });
  page->addWidget(help, 0, Qt::AlignLeft);
}

bool InspectorView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonRelease) {
    const QString node = watched->property("node").toString();
    if (!node.isEmpty() && context_.shell.canvas()) context_.shell.canvas()->selectNames({node});
  }
  return QWidget::eventFilter(watched, event);
}

const ViewRecord inspectorView = {"inspector",
                                  QT_TRANSLATE_NOOP("Views", "Inspector"),
                                  QT_TRANSLATE_NOOP("Views", "Op, shapes, attributes and gradient of the selection"),
                                  "info",
                                  Qt::RightDockWidgetArea,
                                  "compose debug profile inspect",
                                  [](const ViewContext& context, QWidget* parent) -> QWidget* { return new InspectorView(context, parent); }};

}  // namespace weft::app
