// What a dock tells the window about itself. A dock is a folder here with its widget, a ViewRecord and a CMakeLists.txt, and one line in
// view_list.inc; the window, the View menu, the layouts and scripts learn of it from there.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// What a view is given to work with; all outlive it.
struct ViewContext {
  Workspace& workspace;
  ActionRegistry& actions;
  Shell& shell;
};

/// One dock. Texts are marked with QT_TRANSLATE_NOOP("Views", …).
struct ViewRecord {
  const char* id;
  const char* title;
  const char* toolTip;
  const char* icon;
  Qt::DockWidgetArea area;
  /// Modes in which it is open at first, separated by spaces: `compose train@left debug@right+ profile!`. `@left|right|top|bottom`: there instead
  /// of in `area`; `+`: beside (at the sides: beneath) the dock before it instead of in its tabs; `_`: beneath it everywhere;
  /// `!`: the tab in front.
  const char* modes;
  /// Makes the widget. It does its texts anew on QEvent::LanguageChange; a slot `refreshNow()`, if it has one, brings it up to date at once.
  QWidget* (*create)(const ViewContext& context, QWidget* parent);
};

/// All docks, in the order of view_list.inc.
const std::vector<const ViewRecord*>& allViews();

}  // namespace weft::app
