#include "views/palette/palette_dock.h"

#include <QCoreApplication>
#include <QEnterEvent>
#include <QEvent>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>
#include <utility>

#include "adapters/palette_items.h"
#include "document/group_store.h"
#include "document/workspace.h"
#include "palette/palette_view.h"
#include "shell/action_registry.h"
#include "shell/fuzzy.h"
#include "shell/palette_memory.h"
#include "shell/shell.h"

namespace weft::app {

PaletteDock::PaletteDock(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), view_(new widgets::PaletteView(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_);
  setMinimumWidth(180);
  setProperty("helpPage", QStringLiteral("canvas"));
  setFocusProxy(view_->field());
  view_->model()->setMatcher(
      [](const QString& typed) { return [pattern = FuzzyPattern(typed)](QStringView name) { return name.isEmpty() ? 0 : pattern.score(name); }; });
  connect(view_, &widgets::PaletteView::chosen, this, &PaletteDock::add);
  connect(view_, &widgets::PaletteView::favouriteToggled, this, [this](const QString& type) {
    PaletteMemory memory(context_.workspace.settings());
    memory.toggleFavourite(type);
    view_->model()->setFavourites(memory.favourites());
  });
  connect(view_, &widgets::PaletteView::helpRequested, this, [this](const QString& type) {
    TypeFacts facts;
    if (typeFacts(type, &facts)) context_.shell.showHelp(facts.page);
  });
  if (auto* tree = view_->findChild<QTreeView*>()) {  // F1 explains the selected row
    connect(tree->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
      const widgets::PaletteItem* item = view_->model()->itemAt(index);
      TypeFacts facts;
      setProperty("helpPage", item && typeFacts(item->type, &facts) ? facts.page : QStringLiteral("canvas"));
    });
  }
  connect(view_, &widgets::PaletteView::openGroupsChanged, this,
          [this] { context_.workspace.settings().setValue(QStringLiteral("palette/open"), view_->openGroups()); });
  connect(&GroupStore::of(context.workspace), &GroupStore::changed, this, [this] {
    QStringList groups;
    for (const widgets::PaletteItem& item : GroupStore::of(context_.workspace).items()) groups << item.type + item.summary;
    if (filled_ && groups != groups_) fill();
  });
  connect(&context.actions, &ActionRegistry::ran, this, [this](const QString& id, const QStringList&, bool ok) {
    if (ok && filled_ && id.endsWith(QLatin1String("-snippet"))) return fill();
    if (!ok || !filled_ || !id.startsWith(QLatin1String("graph.add"))) return;
    // Not under the pointer: rows would move below the next click.
    if (pointerInside_) recentWaits_ = true;
    else view_->model()->setRecent(PaletteMemory(context_.workspace.settings()).recent());
  });
}

void PaletteDock::enterEvent(QEnterEvent* event) {
  pointerInside_ = true;
  QWidget::enterEvent(event);
}

void PaletteDock::leaveEvent(QEvent* event) {
  pointerInside_ = false;
  if (std::exchange(recentWaits_, false)) view_->model()->setRecent(PaletteMemory(context_.workspace.settings()).recent());
  QWidget::leaveEvent(event);
}

void PaletteDock::fill() {
  filled_ = true;
  groups_.clear();
  for (const widgets::PaletteItem& item : GroupStore::of(context_.workspace).items()) groups_ << item.type + item.summary;
  const PaletteMemory memory(context_.workspace.settings());
  view_->model()->setItems(GroupStore::of(context_.workspace).items() + paletteItems());
  view_->model()->setFavourites(memory.favourites());
  view_->model()->setRecent(memory.recent());
  // Types for the first steps, whatever is listed above them.
  QStringList fallback;
  for (const char* group : {"Groups", "Snippets", "Inputs", "Layers"}) fallback << QCoreApplication::translate("Palette", group);
  view_->setOpenGroups(context_.workspace.settings().value(QStringLiteral("palette/open"), fallback).toStringList());
}

void PaletteDock::showEvent(QShowEvent* event) {
  if (!filled_) fill();
  QWidget::showEvent(event);
}

void PaletteDock::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange && filled_) fill();
  QWidget::changeEvent(event);
}

void PaletteDock::add(const QString& type, const QString& parameters) {
  const CommandResult result = context_.actions.run(QStringLiteral("graph.add-here"), QStringList{type} + parameters.split(u' ', Qt::SkipEmptyParts));
  if (!result.ok) context_.shell.showError(result.message);
}

const ViewRecord paletteView = {"palette",
                                QT_TRANSLATE_NOOP("Views", "Palette"),
                                QT_TRANSLATE_NOOP("Views", "Layers and ops to add: drag them to the canvas, or choose one and press Enter"),
                                "layers",
                                Qt::LeftDockWidgetArea,
                                "compose",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new PaletteDock(context, parent); }};

}  // namespace weft::app
