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

class Document;

/// A field over the window that finds nodes and scopes by parts of their names or by their op, and goes there.
class FindPopup : public QFrame {
  Q_OBJECT

 public:
  /// Opens it over `window`; it deletes itself when it is closed. One at a time.
  static void open(Document& document, widgets::GraphView& canvas, QWidget* window, const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  FindPopup(Document& document, widgets::GraphView& canvas, QWidget* window);
  void search(const QString& text);
  void accept();

  QPointer<Document> document_;
  QPointer<widgets::GraphView> canvas_;
  QLineEdit* field_;
  QTreeWidget* list_;
  QLabel* foot_;
  GraphContentsPtr outputsOf_;  // whose outputs these are
  QMultiHash<int, QString> outputs_;
};

}  // namespace weft::app
