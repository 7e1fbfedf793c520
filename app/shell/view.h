// How a dock describes itself to the window. A dock is a folder here with its widget, a ViewRecord and a CMakeLists.txt, and a line in view_list.inc; the
// window, the View menu, the layouts and scripts find it there.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Objects that a view works with; all outlive it.
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
  /// Modes in which it is initially open, separated by spaces: `compose train@left debug@right+ profile!`. `@left|right|top|bottom`: position instead of
  /// `area`; `+`: beside the previous dock (at the sides: beneath it) instead of as a tab; `_`: always beneath it; `!`: the front tab.
  const char* modes;
  /// Creates the widget. It updates its texts on QEvent::LanguageChange; a slot `refreshNow()`, if present, updates it at once.
  QWidget* (*create)(const ViewContext& context, QWidget* parent);
};

/// All docks, in the order of view_list.inc.
const std::vector<const ViewRecord*>& allViews();

}  // namespace weft::app
