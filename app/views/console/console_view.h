#pragma once

#include <QWidget>

#include "document/console.h"
#include "shell/view.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace weft::app {

class ConsoleInput;

/// The interactive Python on a document: input and output so far, and a line for the next statement.
class ConsoleView : public QWidget {
  Q_OBJECT

 public:
  ConsoleView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {620, 240}; }

 public slots:
  void refreshNow();
  /// Runs a text as if it had been typed.
  void give(const QString& text);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  void showState();
  void print(Console::Kind kind, const QString& text);
  void append(Console::Kind kind, const QString& text);
  void refill();

  struct Piece {
    Console::Kind kind;
    QString text;
  };
  ViewContext context_;
  QPlainTextEdit* output_;
  ConsoleInput* input_;
  QLabel* prompt_;
  QLabel* state_;
  QLabel* help_;
  QPushButton* takeOver_;
  QList<QToolButton*> buttons_;
  QList<Piece> pieces_;  ///< Kept to be recoloured with another theme.
  qsizetype characters_ = 0;
  bool stale_ = false;
};

extern const ViewRecord consoleView;

}  // namespace weft::app
