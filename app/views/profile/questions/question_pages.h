// The pages of the Profile dock that answer questions: what changed since another trace, why threads were idle, what a step would take with changes.
#pragma once

#include <QJsonObject>
#include <QWidget>

#include "adapters/trace_answers.h"
#include "shell/view.h"

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace weft::widgets {
class ElidedLabel;
class EmptyState;
}  // namespace weft::widgets

namespace weft::app {

class ComparisonTable;
class IdleTable;
class PathTableModel;
class ProfileStore;
class TraceQuestions;

/// The current trace beside another one: op types, nodes or scopes with their change, its interval, and the traces to choose from.
class ComparePage : public QWidget {
  Q_OBJECT

 public:
  ComparePage(const ViewContext& context, QWidget* parent);
  /// {"before", "now", "step": LINE, "matched", "before_only", "now_only", "changes": [LINE]}, LINE = {"name", "before_ns", "now_ns", "low_ns", "high_ns",
  /// "certain"}, in the order shown.
  QJsonObject report() const;
  /// `by type`, `by node`, `by scope`, `certain`, `all`.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeBar(QWidget* parent);
  void retranslate();
  void refill();
  void fillSources();
  void chooseRun(const QString& path, const QStringList& tags);
  void choose(int row);
  void followDocument();
  QString headline(const TraceComparison& c) const;
  QString matches(const TraceComparison& c) const;

  ViewContext context_;
  ProfileStore& store_;
  TraceQuestions& questions_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLabel *headline_, *matches_;
  QButtonGroup* kinds_;
  QLineEdit* filter_;
  QCheckBox* certain_;
  QToolButton *with_, *canvas_, *timeline_;
  ComparisonTable* table_;
  QTreeView* view_;
  bool following_ = false;
};

/// Why threads and streams had nothing to run, by cause; a cause shows its gaps in the timeline.
class IdlePage : public QWidget {
  Q_OBJECT

 public:
  IdlePage(const ViewContext& context, QWidget* parent);
  /// {"shown", "gaps", "share", "causes": [{"reason", "node", "ns", "gaps"}], "selected": {"start_ns", "duration_ns", "reason", "cause", "text"}}.
  QJsonObject report() const;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  void refill();
  void tellGap();
  void run(const QString& id, const QStringList& words = {});

  ViewContext context_;
  ProfileStore& store_;
  TraceQuestions& questions_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  widgets::ElidedLabel* summary_;
  QToolButton *shown_, *before_, *next_;
  QLabel* gap_;
  IdleTable* table_;
  QTreeView* view_;
  bool following_ = false;
};

/// A step with imagined changes: its predicted time, and the critical path without and with them.
class WhatIfPage : public QWidget {
  Q_OBJECT

 public:
  WhatIfPage(const ViewContext& context, QWidget* parent);
  /// {"changes": [words], "error", "measured_ns", "predicted_ns", "replayed_ns", "path": [{"node", "before_ns", "after_ns"}]}.
  QJsonObject report() const;

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeForm(QWidget* parent);
  void retranslate();
  void refill();
  void fillNames();
  void fillKind();
  void offerSelected();
  void add();
  void remove(int at);
  void give(const QVector<ImaginedChange>& changes);
  QString accuracy(const PredictedStep& p) const;

  ViewContext context_;
  ProfileStore& store_;
  TraceQuestions& questions_;
  QStackedWidget *stack_, *results_;
  widgets::EmptyState *empty_, *noChange_;
  QComboBox *what_, *kind_, *with_, *device_;
  QDoubleSpinBox* factor_;
  QLabel *withWord_, *deviceWord_, *headline_, *accuracy_;
  QPushButton* add_;
  QListWidget* changes_;
  QToolButton* remove_;
  PathTableModel* path_;
  QTreeView* view_;
  ProfilePtr named_;  // whose names are offered
  bool typed_ = false;
};

}  // namespace weft::app
