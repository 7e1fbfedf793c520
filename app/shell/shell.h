#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>

class QWidget;

namespace weft::widgets {
class GraphView;
}

namespace weft::app {

/// A message in the bar above the canvas, with possible actions.
struct Message {
  enum class Kind { Note, Warning, Error };
  struct Button {
    QString text;  ///< translated
    std::function<void()> clicked;
  };
  Kind kind = Kind::Note;
  QString key;   ///< A later message with the same key takes its place; empty: errors replace errors.
  QString text;  ///< translated
  QVector<Button> buttons = {};
  std::function<Message()> again = {};  ///< Makes the message in the present language; empty: it is never retranslated. See Shell::tell().
};

/// The window's interface for commands and views. GUI thread.
class Shell {
 public:
  virtual ~Shell() = default;

  virtual QWidget* window() = 0;
  /// The canvas of the current document; null on the start page.
  virtual widgets::GraphView* canvas() = 0;

  /// Docks, in the order of view_list.inc.
  virtual QStringList viewIds() const = 0;
  /// Whether the dock is on screen: open, and not behind another tab.
  virtual bool isViewVisible(const QString& id) const = 0;
  /// Whether the dock is open at all.
  virtual bool isViewOpen(const QString& id) const = 0;
  virtual void showView(const QString& id, bool show = true) = 0;
  virtual QWidget* viewWidget(const QString& id) const = 0;
  /// A short number in the dock's tab; empty: none.
  virtual void setViewBadge(const QString& id, const QString& badge) = 0;

  virtual bool isViewFloating(const QString& id) const = 0;
  /// Detaches a dock, or docks it again.
  virtual void setViewFloating(const QString& id, bool floating) = 0;

  /// The modes: compose, train, debug, profile, inspect. Each remembers its last arrangement of docks.
  virtual QStringList layouts() const = 0;
  virtual QString layout() const = 0;
  virtual void useLayout(const QString& mode) = 0;
  virtual void resetLayout() = 0;
  /// Named arrangements, sorted.
  virtual QStringList namedLayouts() const = 0;
  /// Stores the present arrangement under a name, replacing an existing one.
  virtual void saveLayout(const QString& name) = 0;
  /// False if there is none of that name.
  virtual bool useNamedLayout(const QString& name) = 0;
  virtual void removeLayout(const QString& name) = 0;

  /// Moves the focus to the next (1) or previous (-1) pane: canvas, docks, run bar.
  virtual void focusPane(int step) = 0;

  virtual void showStartPage() = 0;
  virtual bool isStartPageShown() const = 0;
  virtual void showError(const QString& message) = 0;
  /// Shows a message above the canvas until it is closed, answered or withdrawn.
  virtual void showMessage(const Message& message) = 0;
  /// Shows the message from `say`, and calls it again when the language changes.
  void tell(const std::function<Message()>& say) {
    Message message = say();
    message.again = say;
    showMessage(message);
  }
  virtual void withdrawMessage(const QString& key) = 0;
  /// Shows a short text in the status bar for some seconds.
  virtual void notify(const QString& text) = 0;
  /// A page of the help: "first-steps", "actions".
  virtual void showHelp(const QString& page) = 0;

  /// "en", "zh_CN" or "system"; "light", "dark" or "system".
  virtual QString language() const = 0;
  virtual void setLanguage(const QString& language) = 0;
  virtual QString theme() const = 0;
  virtual void setTheme(const QString& theme) = 0;
};

}  // namespace weft::app
