#pragma once

#include <QDialog>
#include <QPointer>

#include "adapters/fold_facts.h"

class QLabel;
class QPushButton;
class QTreeWidget;

namespace weft::app {

class ActionRegistry;
class Document;

/// What can be folded into layers and groups, with what stays and why. The current row is shown on the canvas; the checked ones are folded. Not modal.
class FoldDialog : public QDialog {
  Q_OBJECT

 public:
  FoldDialog(Document& document, ActionRegistry& actions, const FoldOffers& offers, QWidget* parent);

 private:
  void fill(const FoldOffers& offers);
  void showOffer(int row);
  void count();
  void foldChecked();
  QStringList checked() const;

  QPointer<Document> document_;
  ActionRegistry& actions_;
  QVector<FoldOffer> offers_;  // parallel to the rows
  QTreeWidget *table_, *left_;
  QLabel *chosen_, *problem_;
  QPushButton* fold_;
};

}  // namespace weft::app
