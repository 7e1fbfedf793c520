#pragma once

#include <QWidget>

#include "adapters/profile_contents.h"
#include "shell/view.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTabBar;
class QTreeView;
class QTreeWidget;

namespace weft::widgets {
class ElidedLabel;
class EmptyState;
class RooflinePlot;
class TimelineView;
}  // namespace weft::widgets

namespace weft::app {

class ComparePage;
class DevicesPage;
class IdlePage;
class PlanPage;
class ProfileStore;
class ProfileTable;
class WhatIfPage;

/// Tables of the current trace.
class ProfileView : public QWidget {
  Q_OBJECT
  /// {"title", "steps": [numbers], "step_ns", "problems", "nodes": [{"name", "op", "self_ns", "share"}] by self time, "peaks": [{"device", "bytes",
  /// "owners": [{"node", "bytes"}]}], "roof": {"gflops", "gigabytes", "points"}, "comparison", "idle", "what_if",
  /// "plan", "devices": see report() of the pages}, for scripts.
  Q_PROPERTY(QString report READ report)

 public:
  ProfileView(const ViewContext& context, QWidget* parent);
  QString report() const;

 public slots:
  /// `operations`, `memory`, `plan`, `roofline`, `compare`, `idle`, `what-if`, `devices`; `type`, `node`, `scope`, `inputs`, `code`; those of PlanPage::setOption()
  /// and ComparePage::setOption().
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum Tab { Operations, Memory, Plan, Roofline, Compare, Idle, WhatIfTab, Devices, kTabs };
  QWidget* buildOperations();
  void retranslate();
  void refill();
  void fillOperations();
  QHash<QString, QString> fusedWith(const ProfileContents& profile) const;
  void fillMemory();
  QWidget* buildRoofline();
  void fillRoofline();
  void followTimeline();
  void selectSlice(int slice);
  void copyTable();
  void fitNameColumn();

  ViewContext context_;
  ProfileStore& store_;
  QStackedWidget *stack_, *pages_, *lines_;
  widgets::EmptyState *empty_, *noLines_;
  QTabBar* tabs_;
  QButtonGroup* kinds_;
  QLineEdit* filter_;
  widgets::ElidedLabel* summary_;
  QPushButton* copy_;
  ProfileTable* table_;
  QSortFilterProxyModel* sorted_;
  QTreeView* tree_;
  QTreeWidget* memory_;
  PlanPage* plan_;
  ComparePage* compare_;
  IdlePage* idle_;
  WhatIfPage* whatIf_;
  DevicesPage* devices_;
  widgets::RooflinePlot* roofline_;
  QLabel *roofText_ = nullptr, *roofLegend_ = nullptr;
  int kind_ = ByOp;
  qint64 from_ = 0, to_ = 0;  // the measured range; from >= to: none
  widgets::TimelineView* timeline_ = nullptr;
  bool selecting_ = false;
};

extern const ViewRecord profileView;

}  // namespace weft::app
