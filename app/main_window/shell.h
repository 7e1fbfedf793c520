#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace weft::widgets {
class GraphView;
}

namespace weft::app {

/// What commands and views may ask of the window around them. GUI thread.
class Shell {
 public:
  virtual ~Shell() = default;

  virtual QWidget* window() = 0;
  /// The canvas of the current document; null on the start page.
  virtual widgets::GraphView* canvas() = 0;

  /// Docks, in the order of view_list.inc.
  virtual QStringList viewIds() const = 0;
  /// Whether it is on screen: open, and not behind another tab.
  virtual bool isViewVisible(const QString& id) const = 0;
  /// Whether the dock is open at all.
  virtual bool isViewOpen(const QString& id) const = 0;
  virtual void showView(const QString& id, bool show = true) = 0;
  virtual QWidget* viewWidget(const QString& id) const = 0;
  /// A short number in the dock's tab; empty: none.
  virtual void setViewBadge(const QString& id, const QString& badge) = 0;

  /// Named arrangements of the docks: "compose", "train".
  virtual QStringList layouts() const = 0;
  virtual QString layout() const = 0;
  virtual void useLayout(const QString& mode) = 0;
  virtual void resetLayout() = 0;

  /// Gives the keyboard to the next (1) or previous (-1) pane: canvas, docks, run bar.
  virtual void focusPane(int step) = 0;

  virtual void showStartPage() = 0;
  virtual bool isStartPageShown() const = 0;
  virtual void showError(const QString& message) = 0;
  /// A page of the help: "first-steps", "actions".
  virtual void showHelp(const QString& page) = 0;

  /// "en", "zh_CN" or "system"; "light", "dark" or "system".
  virtual QString language() const = 0;
  virtual void setLanguage(const QString& language) = 0;
  virtual QString theme() const = 0;
  virtual void setTheme(const QString& theme) = 0;
};

}  // namespace weft::app
