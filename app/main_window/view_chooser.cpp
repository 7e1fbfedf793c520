#include "main_window/view_chooser.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>

#include "common/theme.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/style.h"

namespace weft::app {
namespace {

using widgets::Arrangement;

constexpr int kLeastLevels = 3, kInset = 12;

const char* const kArrangementWords[] = {"scopes", "layers", "ops", "devices", "depth"};

}  // namespace

QString arrangementWord(const widgets::GraphView& canvas) {
  const Arrangement a = canvas.arrangement();
  const QString word = QLatin1String(kArrangementWords[int(a.kind)]);
  return a.kind == Arrangement::Kind::Depth ? word + QStringLiteral(" %1").arg(a.depth) : word;
}

QString showArrangement(widgets::GraphView& canvas, const QStringList& words) {
  const QString word = words.value(0);
  const auto* kind = std::find_if(std::begin(kArrangementWords), std::end(kArrangementWords), [&](const char* w) { return word == QLatin1String(w); });
  if (kind == std::end(kArrangementWords))
    return ViewChooser::tr("%1 is not a view of the graph; there are scopes, layers, ops, devices, depth N and text.").arg(word);
  Arrangement wanted{Arrangement::Kind(kind - std::begin(kArrangementWords)), 0};
  if (wanted.kind == Arrangement::Kind::Depth) {
    bool ok = false;
    wanted.depth = words.value(1).toInt(&ok);
    if (!ok || wanted.depth < 1 || wanted.depth > Arrangement::kMostLevels)
      return ViewChooser::tr("%1 is not a level: expected a number from 1 to %2.").arg(words.value(1)).arg(Arrangement::kMostLevels);
  }
  canvas.setArrangement(wanted);
  return {};
}

ViewChooser::ViewChooser(widgets::GraphView* canvas, ActionRegistry& actions, QWidget* parent) : QComboBox(parent), canvas_(canvas), actions_(actions) {
  setObjectName(QStringLiteral("view_chooser"));
  setFocusPolicy(Qt::TabFocus);
  connect(this, &QComboBox::activated, this, &ViewChooser::choose);
  connect(canvas, &widgets::GraphView::arrangementChanged, this, &ViewChooser::follow);
  connect(canvas, &widgets::GraphView::layoutFinished, this, &ViewChooser::follow);
}

void ViewChooser::fill() {
  const QSignalBlocker quiet(this);
  clear();
  setAccessibleName(tr("View of the graph"));
  setToolTip(tr("What each box of the drawing stands for. Each view keeps its own positions."));
  addItem(tr("by scope"), QStringLiteral("scopes"));
  addItem(tr("by layer"), QStringLiteral("layers"));
  addItem(tr("by op type"), QStringLiteral("ops"));
  addItem(tr("by device"), QStringLiteral("devices"));
  for (int level = 1; level <= std::clamp(levels_, kLeastLevels, Arrangement::kMostLevels); ++level)
    addItem(tr("down to level %1").arg(level), QStringLiteral("depth %1").arg(level));
  insertSeparator(count());
  addItem(tr("as text, beside"), QStringLiteral("text"));
  setCurrentIndex(findData(arrangementWord(*canvas_)));
  setMaxVisibleItems(count());
  updateGeometry();
}

void ViewChooser::follow() {
  const int levels = canvas_->arrangementFacts().levels;
  if (levels > 0 && levels != std::exchange(levels_, levels)) fill();
  setCurrentIndex(findData(arrangementWord(*canvas_)));
}

void ViewChooser::choose(int index) {
  const CommandResult result = actions_.run(QStringLiteral("graph.view"), itemData(index).toString().split(u' '));
  setCurrentIndex(findData(arrangementWord(*canvas_)));
  if (!result.ok) emit actions_.failed(result.message);
  canvas_->setFocus(Qt::OtherFocusReason);
}

QSize ViewChooser::sizeHint() const {
  const QFontMetrics metrics(widgets::Theme::current().uiFont());
  int widest = 0;
  for (int i = 0; i < count(); ++i) widest = std::max(widest, metrics.horizontalAdvance(itemText(i)));
  return {widest + kComboFrame, QComboBox::sizeHint().height()};
}

ViewNote::ViewNote(widgets::GraphView* canvas, ActionRegistry& actions) : QFrame(canvas), canvas_(canvas), actions_(actions), label_(new QLabel(this)) {
  setObjectName(QStringLiteral("view_note"));
  setCursor(Qt::ArrowCursor);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 5, 10, 5);
  row->addWidget(label_);
  label_->setFocusPolicy(Qt::NoFocus);
  connect(label_, &QLabel::linkActivated, this, [this] { actions_.run(QStringLiteral("graph.view-scopes")); });
  connect(canvas, &widgets::GraphView::arrangementChanged, this, &ViewNote::say);
  connect(canvas, &widgets::GraphView::layoutFinished, this, &ViewNote::say);
  hide();
}

QString ViewNote::text() const { return isHidden() ? QString() : words(); }

QString ViewNote::words() const {
  const widgets::GraphView::ArrangementFacts facts = canvas_->arrangementFacts();
  switch (canvas_->arrangement().kind) {
    case Arrangement::Kind::Layers:
      return facts.found ? tr("%n layer(s), one box each", nullptr, facts.groups) : tr("There are no layers: no scope of this graph contains weights");
    case Arrangement::Kind::Ops: return tr("%n op type(s), one box each", nullptr, facts.groups);
    case Arrangement::Kind::Devices:
      return facts.found ? tr("%n device(s), one box each", nullptr, facts.groups) : tr("No node requests a device: TensorFlow chooses where each one runs");
    case Arrangement::Kind::Depth: return tr("Scopes are open down to level %1 of %2").arg(canvas_->arrangement().depth).arg(facts.levels);
    case Arrangement::Kind::Scopes: break;
  }
  return {};
}

void ViewNote::say() {
  const QString words = canvas_->arrangementFacts().levels == 0 && canvas_->isLayoutPending() ? QString() : this->words();
  setVisible(!words.isEmpty());
  if (words.isEmpty()) return;
  const widgets::Theme& theme = widgets::Theme::current();
  setSheet(this, QStringLiteral("#view_note { background: %1; border: 1px solid %2; border-radius: 6px; }")
                     .arg(theme.color(widgets::Role::Surface1).name(), theme.color(widgets::Role::Border).name()));
  label_->setText(QStringLiteral("%1 · <a href='back' style='color:%2'>%3</a>")
                      .arg(words.toHtmlEscaped(), theme.color(widgets::Role::Accent).name(), tr("back to scopes").toHtmlEscaped()));
  setToolTip(tr("This view is read-only: move nodes and draw wires in the view by scope"));
  place();
}

void ViewNote::place() {
  adjustSize();
  move(kInset, canvas_->height() - height() - kInset);
}

void ViewNote::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) QMetaObject::invokeMethod(this, &ViewNote::say, Qt::QueuedConnection);
  QFrame::changeEvent(event);
}

}  // namespace weft::app
