#pragma once

#include <QWidget>

#include "adapters/graph_contents.h"
#include "adapters/why_answers.h"
#include "shell/view.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTabBar;
class QTabWidget;
class QSplitter;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class DifferenceTable;
class EarlierValues;
class PartTable;
class PathTable;
class RowTable;
class WhyStore;

/// Where a number of a training comes from, and what differs between two steps.
class WhyView : public QWidget {
  Q_OBJECT
  /// {"question", "step", "seconds", "error", "links": [{"element", "value", "op", "rule", "parts"}], "rows": […], "causes": […], "differing"}, for scripts.
  Q_PROPERTY(QString report READ report)

 public:
  WhyView(const ViewContext& context, QWidget* parent);
  QString report() const;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeBar(QWidget* parent);
  void retranslate();
  void refill();
  void updateRange();
  void offerNames();
  void fillNames();
  void showLink(int link);
  void showRows();
  void askRows();
  bool hasPart(int link, int part) const;
  void light();
  void ask();
  void compare();
  void run(const QString& id, const QStringList& words);

  ViewContext context_;
  WhyStore& store_;
  QStackedWidget *stack_, *pages_;
  widgets::EmptyState* empty_;
  QTabBar* kinds_;
  QLineEdit* element_;
  QLabel *stepWord_, *compareWord_, *withWord_, *sentence_, *state_, *rowsWord_;
  QSpinBox *step_, *first_, *second_;
  QPushButton *ask_, *compare_;
  QWidget *askBar_, *compareBar_;
  QSplitter* splitter_;
  PathTable* path_;
  PartTable* parts_;
  QTabWidget* more_;
  RowTable* rows_;
  EarlierValues* earlier_;
  DifferenceTable* difference_;
  GraphContentsPtr completed_;  ///< Whose names the field completes.
  int link_ = -1;
  bool lit_ = false, named_ = false;
};

extern const ViewRecord whyView;

}  // namespace weft::app
