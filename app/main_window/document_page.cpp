#include "main_window/document_page.h"

#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QStyleHints>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "common/empty_state.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/drawing_history.h"
#include "document/workspace.h"
#include "graph_view/drawn_model.h"
#include "graph_view/graph_view.h"
#include "main_window/compose_gestures.h"
#include "main_window/difference_marks.h"
#include "main_window/fix_cards.h"
#include "main_window/probes.h"
#include "main_window/train_strip.h"
#include "main_window/value_lens.h"
#include "main_window/view_chooser.h"
#include "shell/action_registry.h"
#include "shell/page_bar.h"
#include "shell/style.h"

namespace weft::app {
namespace {
// The canvas handles these itself, at the pointer.
const QStringList kOfTheCanvas = {QStringLiteral("graph.expand"), QStringLiteral("graph.collapse"), QStringLiteral("graph.add-menu"),
                                  QStringLiteral("graph.fit"), QStringLiteral("graph.fit-selection")};
constexpr int kBarMargins = 96;  // icon, spaces and edges of the bar
constexpr int kLowCanvas = 300;  // too low for both a graph and the training row

/// Swallows the second half of a double-click: the first click already opened this page, so the canvas must ignore the rest.
class DoubleClickFilter : public QObject {
 public:
  explicit DoubleClickFilter(QWidget* canvas) : QObject(canvas) {
    canvas->installEventFilter(this);
    QTimer::singleShot(QGuiApplication::styleHints()->mouseDoubleClickInterval(), this, &QObject::deleteLater);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    const bool half = event->type() == QEvent::MouseButtonDblClick;
    if (half || event->type() == QEvent::MouseButtonPress) {
      watched->removeEventFilter(this);
      deleteLater();
    }
    return half;
  }
};
}  // namespace

DocumentPage::DocumentPage(Document* document, ActionRegistry& actions, Workspace& workspace, QWidget* parent)
    : QWidget(parent), document_(document), actions_(actions), workspace_(workspace), canvas_(new widgets::GraphView(this)) {
  const widgets::Theme& theme = widgets::Theme::current();
  auto* bar = new QFrame(this);
  bar->setObjectName(QStringLiteral("breadcrumb_bar"));
  bar->setFixedHeight(theme.metrics().breadcrumbBar);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 0, 12, 0);
  row->setSpacing(8);
  place_ = new QLabel(bar);
  crumbs_ = new CrumbBar(bar);
  viewLabel_ = new QLabel(bar);
  viewLabel_->setProperty("kind", QStringLiteral("muted"));
  view_ = new ViewChooser(canvas_, actions, bar);
  viewLabel_->setBuddy(view_);
  colourLabel_ = new QLabel(bar);
  colourLabel_->setProperty("kind", QStringLiteral("muted"));
  colour_ = new QComboBox(bar);
  colour_->setFocusPolicy(Qt::TabFocus);
  legend_ = new LegendStrip(bar);
  row->addWidget(place_);
  row->addWidget(crumbs_);
  row->addStretch(1);
  row->addWidget(viewLabel_);
  row->addWidget(view_);
  row->addWidget(colourLabel_);
  row->addWidget(colour_);
  row->addWidget(legend_);

  canvas_->setObjectName(QStringLiteral("canvas"));
  new ComposeGestures(document, canvas_, actions, workspace);
  new FixCards(document, canvas_, actions, workspace);
  new Probes(document, canvas_, workspace);
  new ValueLens(document, canvas_, workspace);
  new DoubleClickFilter(canvas_);
  auto* marks = new DifferenceMarks(document, workspace.debugger());
  connect(marks, &DifferenceMarks::changed, this, [this, marks] {
    canvas_->setGhosts(marks->isShown() ? marks->difference().missing : QVector<widgets::Ghost>());
    updateLegend();
  });
  canvas_->setModel(document->model());
  DrawingHistory::of(*document).setSource([canvas = QPointer<widgets::GraphView>(canvas_)] { return canvas ? canvas->drawing() : nullptr; });
  // Users who have never drawn a graph here get a hint on how to begin.
  hint_ = new widgets::EmptyState(QStringLiteral("plus"), {}, {}, canvas_);
  hint_->setAttribute(Qt::WA_TransparentForMouseEvents);
  hint_->setFocusPolicy(Qt::NoFocus);
  connect(document, &Document::contentsChanged, this, &DocumentPage::showHint);
  // Over the canvas, so that nothing moves when it appears or disappears.
  strip_ = new TrainStrip(document, workspace, canvas_);
  note_ = new ViewNote(canvas_, actions);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar);
  layout->addWidget(canvas_, 1);

  connect(document, &Document::selectionRequested, this, [this](const QStringList& names) { canvas_->selectNames(names); });
  connect(crumbs_, &CrumbBar::chosen, this, [this](const QString& scope) {
    if (scope == QLatin1String("main")) {
      canvas_->setRootScope(-1);
      canvas_->clearSelection();
      canvas_->fitAll();
    } else {
      canvas_->selectNames({scope});
    }
  });
  connect(colour_, &QComboBox::activated, this, [this](int index) {
    const CommandResult result = actions_.run(QStringLiteral("graph.color-by"), {colour_->itemData(index).toString()});
    if (!result.ok) emit actions_.failed(result.message);
    updateLegend();
  });
  connect(canvas_, &widgets::GraphView::currentScopeChanged, this, &DocumentPage::updateCrumbs);
  connect(canvas_, &widgets::GraphView::legendChanged, this, [this] {
    if (!retranslating_) updateLegend();
  });
  connect(
      &workspace.debugger(), &DebugController::stateChanged, this,
      [this] {
        if (isVisible()) updateLegend();
      },
      Qt::QueuedConnection);
  connect(canvas_, &widgets::GraphView::selectionChanged, this, [this] { document_->setSelection(selectedNames()); });
  connect(document_, &Document::selectionChanged, this, &DocumentPage::followSelection);
  connect(canvas_, &widgets::GraphView::contextMenuRequested, this, [this](widgets::Item item, QPoint at) {
    if (item && !canvas_->selection().contains(item)) canvas_->select({item}, false);
    // Not modal: the document, and this page with it, may be closed or replaced while a menu is open.
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const char* id) { menu->addAction(actions_.action(QLatin1String(id))); };
    const auto addAll = [&](std::initializer_list<const char*> ids) {
      for (const char* id : ids) actions_.contains(QLatin1String(id)) ? add(id) : void();
      menu->addSeparator();
    };
    if (item) {
      addAll({"graph.expand", "graph.collapse", "graph.fit-selection", "graph.isolate"});
      addAll({"graph.frame"});
      addAll({"graph.show-hidden-wires", "graph.to-helpers", "graph.to-network"});
      addAll({"graph.rename-in-place", "graph.mute", "graph.group", "graph.ungroup", "graph.explode", "graph.probe"});
      if (canvas_->selection().size() > 1) {
        QMenu* arrange = menu->addMenu(tr("Align and distribute"));
        for (const QString& id : actions_.ids())
          if (id.startsWith(QLatin1String("graph.align-")) || id.startsWith(QLatin1String("graph.spread-"))) arrange->addAction(actions_.action(id));
        menu->addSeparator();
      }
      addAll({"debug.toggle-breakpoint", "debug.run-to", "debug.show", "debug.watch", "program.source"});
      addAll({"edit.cut", "edit.copy", "edit.duplicate", "graph.delete"});
    } else {
      addWireActions(menu, canvas_->edgeAt(canvas_->mapFromGlobal(QPointF(at))));
      addAll({"graph.add-menu", "graph.comment", "edit.paste"});
      addAll({"graph.fit", "graph.expand-all", "graph.collapse-all", "graph.tidy"});
      add("graph.minimap");
    }
    actions_.refresh();
    menu->popup(at);
  });
  for (const QString& id : actions_.ids()) {
    if (actions_.record(id).canvasKey) canvas_->addAction(actions_.action(id));
  }
  canvas_->installEventFilter(this);
  bar->installEventFilter(this);
  retranslateSoon();
}

/// Adds actions that lead to the ends of a wire.
void DocumentPage::addWireActions(QMenu* menu, int edge) {
  if (edge < 0) return;
  const widgets::EdgeEnds ends = document_->model()->edge(edge);
  const QString from = document_->model()->nodeName(ends.from), to = document_->model()->nodeName(ends.to);
  const auto go = [this](const QString& node) { return [this, node] { canvas_->selectNames({node}); }; };
  menu->addAction(tr("Go to source: %1").arg(QString(from).replace(u'&', QStringLiteral("&&"))), this, go(from));
  menu->addAction(tr("Go to reader: %1").arg(QString(to).replace(u'&', QStringLiteral("&&"))), this, go(to));
  menu->addSeparator();
}

void DocumentPage::showHint() {
  hint_->setVisible(document_->contents()->arrays.nodes.empty());
  hint_->setGeometry(canvas_->rect());
}

/// The canvas knows its own keys; a key that the settings gave to another command must not act here. The legend is the first thing to shrink when the bar lacks
/// room.
bool DocumentPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == legend_->parentWidget() && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)) {
    const int others = crumbs_->sizeHint().width() + viewLabel_->sizeHint().width() + view_->sizeHint().width() + colourLabel_->sizeHint().width() +
                       colour_->width() + kBarMargins;
    legend_->setMaximumWidth(std::max(1, legend_->parentWidget()->width() - others));
    return false;
  }
  if (watched == canvas_ && event->type() == QEvent::Resize) {
    hint_->setGeometry(canvas_->rect());
    // Where the canvas itself is a narrow row, as in the layout Train, the strip covers all of it.
    strip_->setGeometry(0, 0, canvas_->width(), canvas_->height() < kLowCanvas ? canvas_->height() : TrainStrip::kHeight);
    note_->place();
  }
  if (watched == canvas_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const QKeySequence pressed(key->keyCombination());
    for (const QString& id : actions_.ids()) {
      if (!actions_.record(id).canvasKey || !actions_.hasOwnShortcut(id)) continue;
      if (actions_.defaultShortcuts(id).contains(pressed) && !actions_.shortcuts(id).contains(pressed)) return true;
    }
    // Letters that are commands for a selection or a position, not view movements.
    for (const QString& id : actions_.ids()) {
      if (!actions_.record(id).canvasKey || kOfTheCanvas.contains(id) || !actions_.shortcuts(id).contains(pressed)) continue;
      if (key->key() == Qt::Key_Delete) continue;  // the canvas decides whether it deletes a wire or a comment
      // Not through the QAction, whose enabled state is updated shortly after the selection changed.
      const CommandResult result = actions_.run(id);
      if (!result.ok && !result.message.isEmpty()) emit actions_.failed(result.message);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

QStringList DocumentPage::selectedNames() const {
  QStringList names;
  for (const widgets::Item& item : canvas_->selection())
    names << (item.isNode() ? document_->model()->nodeName(item.index) : document_->model()->scopeName(item.index));
  return names;
}

/// The document's selection may be set elsewhere, for example by a variable chosen in a checkpoint.
void DocumentPage::followSelection() {
  if (document_->selection() != selectedNames()) canvas_->selectNames(document_->selection());
}

void DocumentPage::updateCrumbs(int scope) {
  scope_ = scope;
  QVector<int> path;
  for (int s = scope; s >= 0; s = document_->model()->scopeParent(s)) path.prepend(s);
  QVector<CrumbBar::Crumb> crumbs{{tr("main"), QStringLiteral("main")}};
  for (qsizetype i = 0; i < path.size(); ++i) {
    const QString name = document_->model()->scopeName(path[i]);
    crumbs << CrumbBar::Crumb{name.mid(name.lastIndexOf(u'/') + 1), name};
  }
  crumbs_->setPath(crumbs);
}

// Queued, but before the next painting, because a page that is first shown gets several palette changes.
void DocumentPage::retranslateSoon() {
  if (std::exchange(retranslating_, true)) return;
  QMetaObject::invokeMethod(
      this,
      [this] {
        retranslating_ = false;
        retranslate();
      },
      Qt::QueuedConnection);
}

void DocumentPage::retranslate() {
  const widgets::Theme& theme = widgets::Theme::current();
  setSheet(findChild<QFrame*>(QStringLiteral("breadcrumb_bar")),
           QStringLiteral("#breadcrumb_bar { background: %1; border: none; border-bottom: 1px solid %2; }")
               .arg(theme.color(widgets::Role::Surface1).name(), theme.color(widgets::Role::Border).name()));
  place_->setPixmap(widgets::iconPixmap(QStringLiteral("graph"), 16, theme.color(widgets::Role::Text2), devicePixelRatioF()));
  viewLabel_->setText(tr("view"));
  view_->fill();
  colourLabel_->setText(tr("colour"));
  hint_->setTitle(tr("This graph is empty"));
  hint_->setText(tr(
      "Press Tab or double-click to add a layer or an op, and type part of its name. Start with the data (digits), then add layers: each is connected to the selected one."));
  showHint();
  const int index = std::max(0, colour_->currentIndex());
  const QSignalBlocker quiet(colour_);
  colour_->clear();
  colour_->addItem(tr("op category"), QStringLiteral("category"));
  colour_->addItem(tr("device"), QStringLiteral("device"));
  colour_->addItem(tr("structure"), QStringLiteral("structure"));
  colour_->addItem(tr("op type"), QStringLiteral("type"));
  colour_->addItem(tr("compute"), QStringLiteral("compute"));
  colour_->addItem(tr("memory"), QStringLiteral("memory"));
  colour_->addItem(tr("time in the trace"), QStringLiteral("time"));
  colour_->addItem(tr("change between traces"), QStringLiteral("difference"));
  colour_->addItem(tr("gradient norm"), QStringLiteral("gradient"));
  colour_->addItem(tr("result of the query"), QStringLiteral("query"));
  colour_->setCurrentIndex(index);
  fitColour();
  updateCrumbs(scope_);
  updateLegend();
}

/// Sets the width for the longest entry: a combo box measured before it is styled remembers a width that is too small.
void DocumentPage::fitColour() {
  const QFontMetrics metrics(widgets::Theme::current().uiFont());
  int widest = 0;
  for (int i = 0; i < colour_->count(); ++i) widest = std::max(widest, metrics.horizontalAdvance(colour_->itemText(i)));
  colour_->setFixedWidth(widest + kComboFrame);
}

void DocumentPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslateSoon();
  QWidget::changeEvent(event);
}

void DocumentPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (shownOnce_) {
    if (!waiting_.isEmpty()) QTimer::singleShot(0, canvas_, [this] { restoreView(std::exchange(waiting_, {})); });
    return;
  }
  shownOnce_ = true;
  // The docks get their places after the page was shown.
  QTimer::singleShot(0, canvas_, [this] {
    settled_ = true;
    if (waiting_.isEmpty()) return canvas_->lookFirst();
    restoreView(std::exchange(waiting_, {}));
  });
}

QVariantMap DocumentPage::viewState() const {
  if (!waiting_.isEmpty()) return waiting_;
  const QPointF centre = canvas_->toWorld(QPointF(canvas_->width() / 2.0, canvas_->height() / 2.0));
  return {{QStringLiteral("open"), canvas_->expandedScopes()},
          {QStringLiteral("view"), arrangementWord(*canvas_)},
          {QStringLiteral("selection"), document_->selection()},
          {QStringLiteral("zoom"), canvas_->zoom()},
          {QStringLiteral("x"), centre.x()},
          {QStringLiteral("y"), centre.y()}};
}

void DocumentPage::restoreView(const QVariantMap& state) {
  if (!settled_ || !isVisible()) {
    waiting_ = state;
    return;
  }
  canvas_->setMotion(false);
  restoreArrangement(state);
  canvas_->setExpandedScopes(state.value(QStringLiteral("open")).toStringList());
  QStringList there;
  for (const QString& name : state.value(QStringLiteral("selection")).toStringList()) {
    if (document_->hasNode(name) || document_->hasScope(name)) there << name;
  }
  canvas_->selectNames(there);
  const double zoom = state.value(QStringLiteral("zoom")).toDouble();
  if (zoom > 0) {
    canvas_->setZoom(zoom);
    const QPointF at = canvas_->toScreen(QPointF(state.value(QStringLiteral("x")).toDouble(), state.value(QStringLiteral("y")).toDouble()));
    canvas_->panBy(at - QPointF(canvas_->width() / 2.0, canvas_->height() / 2.0));
  }
  canvas_->setMotion(motion_);
}

void DocumentPage::restoreArrangement(const QVariantMap& state) {
  const QStringList words = state.value(QStringLiteral("view")).toString().split(u' ', Qt::SkipEmptyParts);
  if (!words.isEmpty() && words.join(u' ') != arrangementWord(*canvas_)) showArrangement(*canvas_, words);
}

void DocumentPage::setMotion(bool on) {
  motion_ = on && QGuiApplication::platformName() != QLatin1String("offscreen");
  canvas_->setMotion(motion_);
}

}  // namespace weft::app
