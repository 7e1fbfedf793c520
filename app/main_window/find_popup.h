#pragma once

#include <QFrame>
#include <QMultiHash>
#include <QPointer>

#include "adapters/graph_contents.h"

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace weft::widgets {
class GraphView;
}

namespace weft::app {

class ActionRegistry;
class Document;

/// A field over the window that finds nodes and scopes by parts of their names or by op, and selects them.
class FindPopup : public QFrame {
  Q_OBJECT

 public:
  /// Opens it over `window`; it deletes itself when closed. One at a time. `replaces`: focus the field for the text that replaces the found one in all names.
  static void open(Document& document, widgets::GraphView& canvas, ActionRegistry& actions, QWidget* window, const QString& text, bool replaces = false);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  FindPopup(Document& document, widgets::GraphView& canvas, ActionRegistry& actions, QWidget* window);
  void search(const QString& text);
  void accept();
  void replaceAll();

  QPointer<Document> document_;
  QPointer<widgets::GraphView> canvas_;
  ActionRegistry& actions_;
  QLineEdit *field_, *with_;
  QTreeWidget* list_;
  QLabel* foot_;
  GraphContentsPtr outputsOf_;  // the contents that outputs_ belong to
  QMultiHash<int, QString> outputs_;
};

}  // namespace weft::app
