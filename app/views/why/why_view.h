#pragma once

#include <QPointF>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVector>
#include <QWidget>

#include "adapters/graph_contents.h"
#include "adapters/why_answers.h"
#include "shell/view.h"

class QComboBox;
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

class WhyStore;

/// Data role of a bar behind a number: −1 … 1.
inline constexpr int kBarRole = Qt::UserRole + 1;

/// Paints a number over a bar from the middle: to the right for what adds, to the left for what subtracts.
class BarDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The links of a path, one below the other.
class PathTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit PathTable(QWidget* parent);
  void setLinks(const QVector<WhyLink>& links);
  void retranslate();
};

/// What one link was computed from.
class PartTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit PartTable(QWidget* parent);
  void setLink(const WhyLink& link);
  void retranslate();
};

/// What each row of the batch contributes.
class RowTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit RowTable(QWidget* parent);
  void setRows(const WhyRows& rows);
  void retranslate();
};

/// Tensors that differ between two steps, or two trainings.
class DifferenceTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit DifferenceTable(QWidget* parent);
  /// `trainings`: of the same step of two trainings.
  void setDifference(const WhyDifference& difference, bool trainings);
  void retranslate();

 private:
  bool trainings_ = false;
};

/// A variable's element over the recorded steps.
class EarlierValues : public QWidget {
  Q_OBJECT

 public:
  explicit EarlierValues(QWidget* parent) : QWidget(parent) {}
  void setValues(const QVector<QPointF>& values);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QVector<QPointF> values_;
};

/// WhyView's property `report`.
QString reportOf(const WhyStore& store);
/// How a link follows from its parts, in one sentence.
QString sentenceOf(const WhyLink& link);
/// "after step 7", "step 8", "before the first step".
QString momentOf(const WhyPart& part);

/// Where a number of a training comes from, and what differs between two steps or two trainings.
class WhyView : public QWidget {
  Q_OBJECT
  /// {"question", "step", "seconds", "error", "links": [{"element", "value", "op", "rule", "parts"}], "rows": […], "causes": […], "differing",
  /// "other", "others"}, for scripts.
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
  QWidget* makeCompareBar(QWidget* parent);
  void fillOthers();
  void showKind();
  QString differenceText() const;
  void run(const QString& id, const QStringList& words);

  ViewContext context_;
  WhyStore& store_;
  QStackedWidget *stack_, *pages_;
  widgets::EmptyState* empty_;
  QTabBar* kinds_;
  QLineEdit* element_;
  QComboBox *with_, *setting_;
  QLineEdit* value_;
  QLabel *stepWord_, *equalsWord_, *compareWord_, *withWord_, *sentence_, *state_, *rowsWord_;
  QSpinBox *step_, *first_, *second_;
  QString kind_;                      ///< Of the comparison.
  const void* settingsOf_ = nullptr;  ///< The document whose settings are offered.
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
