#pragma once

#include <QWidget>
#include <array>

#include "shell/view.h"

class QComboBox;
class QLabel;

namespace weft::app {

class Document;
class RunField;

/// Settings of the next run in addition to the document's, and the precision of its products, which belongs to the document.
class NextRunBox : public QWidget {
  Q_OBJECT

 public:
  NextRunBox(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  enum Setting { kEpochs, kBatch, kSeed, kPatience, kSummary, kMemory, kSettings };
  struct Row {
    QLabel *label, *unit;
    RunField* field;
  };

  void retranslate();
  void refill();
  /// Applies a typed setting; returns an error, or empty. Empty or 0: use the document's value.
  QString take(Setting setting, const QString& text);

  void setPrecision(int index);

  ViewContext context_;
  QLabel* title_;
  std::array<Row, kSettings> rows_;
  QLabel* precisionLabel_;
  QComboBox* precision_;
  const Document* shown_ = nullptr;  ///< Only compared.
};

}  // namespace weft::app
