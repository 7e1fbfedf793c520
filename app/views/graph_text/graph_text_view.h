#pragma once

#include <QPointer>
#include <QTimer>

#include "adapters/graph_text.h"
#include "shell/view.h"

class QLabel;
class QStackedWidget;
class QToolButton;

namespace weft::widgets {
class CodeEditor;
class EmptyState;
class FindBar;
}  // namespace weft::widgets

namespace weft::app {

class Document;

/// The text of the graph in front. GUI thread.
class GraphTextView : public QWidget {
  Q_OBJECT

 public:
  GraphTextView(const ViewContext& context, QWidget* parent);
  ~GraphTextView() override;

  widgets::CodeEditor* editor() const { return editor_; }
  /// Of larger graphs only the selection is shown.
  static constexpr int kMostNodes = 3000;

 public slots:
  void refreshNow();
  /// Applies the typed text as a step of the history.
  void apply();
  /// Discards the typed text.
  void discard();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void follow();
  void show(const QString& text);
  void check();
  void showState();
  void selectAtCursor();
  void goToSelection();
  void retranslate();
  bool isEdited() const;
  QStringList wantedNames() const;

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  widgets::CodeEditor* editor_;
  widgets::FindBar* find_;
  QLabel *what_, *state_;
  QToolButton *apply_, *discard_;
  QTimer soon_;
  QPointer<Document> document_;  // the document of the text
  GraphContentsPtr contents_;    // the contents that the text was made from
  QStringList names_;
  QString before_;
  QVector<NodePlace> places_;
  TextCheck found_;
  int making_ = 0, checking_ = 0;  // tasks
  bool following_ = false, stale_ = true, applying_ = false;
};

extern const ViewRecord graph_textView;

}  // namespace weft::app
