#pragma once

#include <QDialog>

#include "adapters/helper_rules.h"

class QLabel;
class QTableWidget;

namespace weft::app {

class Document;

/// The rules of a document for helpers: a pattern of names, where matching nodes are drawn, and their number. GUI thread.
class HelperRulesDialog : public QDialog {
  Q_OBJECT

 public:
  /// `proposed`: pattern of a new rule; empty: none.
  HelperRulesDialog(Document* document, const QString& proposed, QWidget* parent);

  QVector<HelperRule> rules() const;

 private:
  void addRow(const HelperRule& rule, bool edit);
  void removeRow();
  void moveRow(int step);
  void count(int row);
  void apply();
  void showHint();

  Document* document_;
  QTableWidget* table_;
  QLabel* hint_;
};

}  // namespace weft::app
