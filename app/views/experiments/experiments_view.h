#pragma once

#include <QTimer>
#include <QWidget>

#include "adapters/experiment_page.h"
#include "shell/view.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTabWidget;
class QTableView;
class QToolButton;

namespace weft::widgets {
class EmptyState;
class ImportanceBars;
class ParallelAxes;
class ScatterMatrix;
class SmallMultiples;
}  // namespace weft::widgets

namespace weft::app {

class Experiments;
class RunTable;
class SweepForm;

/// Sweeps of the document in front: their runs as a table and in pictures. Runs selected in one are selected in all.
class ExperimentsView : public QWidget {
  Q_OBJECT

 public:
  ExperimentsView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override;

 public slots:
  void refreshNow();
  /// Shows the page that begins a sweep.
  void showForm();
  /// Writes the table as .csv or .json, or the dock as a picture; `tag` is not used. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);
  /// `sort COLUMN [down]`, `filter WORDS`, `group [COLUMN]`, `sweep NAME`, `page form|curves|parallel|scatter|importance`.
  bool setOption(const QString& option);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum Page { Form, Curves, Parallel, Scatter, ImportancePage };
  void build();
  void connectAll();
  void showPage();
  void showChoices();
  void showProgress();
  void showPictures();
  void showSelection();
  void ask();
  void run(const QString& action, const QStringList& words = {});
  void selectShown(const std::vector<int>& items);
  void showMenu(QPoint at);
  QByteArray csv() const;
  QByteArray json() const;
  void retranslate();
  int shownRun(int item) const { return item >= 0 && size_t(item) < shown_.size() ? shown_[size_t(item)] : -1; }

  ViewContext context_;
  Experiments& experiments_;
  RunTable* model_;
  QComboBox *sweeps_, *group_;
  QLineEdit* filter_;
  QLabel *progress_, *note_;
  QToolButton *new_, *pause_, *stop_, *continue_, *promote_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTableView* table_;
  QTabWidget* tabs_;
  SweepForm* form_;
  widgets::SmallMultiples* curves_;
  widgets::ParallelAxes* parallel_;
  widgets::ScatterMatrix* scatter_;
  widgets::ImportanceBars* importance_;
  std::vector<int> shown_;  // runs in the pictures, in order
  bool selecting_ = false;  // the table follows the selection
  QTimer filterSoon_;
};

extern const ViewRecord experimentsView;

}  // namespace weft::app
