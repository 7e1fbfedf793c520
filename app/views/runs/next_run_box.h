#pragma once

#include <QWidget>
#include <array>

#include "shell/view.h"

class QLabel;

namespace weft::app {

class Document;
class RunField;

/// What the next run begins with, on top of what the document says.
class NextRunBox : public QWidget {
  Q_OBJECT

 public:
  NextRunBox(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  enum Setting { kEpochs, kBatch, kSeed, kPatience, kSummary, kSettings };
  struct Row {
    QLabel *label, *unit;
    RunField* field;
  };

  void retranslate();
  void refill();
  /// Takes what was typed for a setting; returns why not, or nothing. Empty and 0: as the document says.
  QString take(Setting setting, const QString& text);

  ViewContext context_;
  QLabel* title_;
  std::array<Row, kSettings> rows_;
  const Document* shown_ = nullptr;  ///< Only compared.
};

}  // namespace weft::app
