// The plan of a traced step, and lower bounds for the time of its nodes, as the Profile dock shows them.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

#include "adapters/profile_coloring.h"
#include "plot/memory_map.h"

namespace weft {
struct PlanReport;
}

namespace weft::app {

/// An optimization pass that changed the plan.
struct PlanPass {
  QString name;     ///< "constant_folding"
  QString did;      ///< "12 nodes", in the engine's words
  QString details;  ///< Any further lines; empty: none.
};
/// `did`, translated.
QString passEffect(const PlanPass& pass);
/// One sentence on what a pass does; empty: unknown.
QString passDescription(const QString& name);

/// A kernel call that does the work of several nodes.
struct PlanGroup {
  QString node, op;    ///< The node that stands for all.
  QStringList merged;  ///< The others.
  double bytes = 0;    ///< Read and written; 0: known only at run time.
  QStringList all() const { return QStringList{node} + merged; }
};

/// Immutable once made.
struct ProfilePlan {
  QVector<PlanPass> passes;  ///< In order.
  QVector<PlanGroup> groups;
  int calls = 0;                                         ///< Kernel calls per step.
  bool isDataflow = false;                               ///< Nodes run when their inputs arrive, so there is no fixed order and no memory map.
  std::shared_ptr<const widgets::MemoryMapData> memory;  ///< Null: not laid out.
  QHash<QString, QVector<int>> blocksOf;                 ///< By the node's name.
  QHash<QString, int> groupOf;                           ///< For every node of a group.
  std::shared_ptr<const PlanReport> report;              ///< Never null.
};
using ProfilePlanPtr = std::shared_ptr<const ProfilePlan>;

/// The profile's plan; null, with the reason in `why`, if it is unknown.
ProfilePlanPtr planOf(const ProfileContents& profile, QString* why);

/// A node's time and the lower bound for it on this machine, per step.
struct PlanFloor {
  /// Why it takes longer: it does too little for a call, used one thread, is in double precision, or its kernel is slower.
  enum class Gap : quint8 { None, Short, OneThread, Double, Kernel, NoFloor };
  enum class Limit : quint8 { Unknown, Arithmetic, Memory };
  QString node, op;
  double ns = 0, floorNs = 0;  ///< floorNs 0: no known costs.
  double flops = 0, bytes = 0;
  Limit limit = Limit::Unknown;
  Gap gap = Gap::None;
  double ratio() const { return floorNs > 0 ? ns / floorNs : 0; }
  double gainNs() const { return floorNs > 0 && ns > floorNs ? ns - floorNs : 0; }
};
/// For all nodes that took time. Any thread.
QVector<PlanFloor> floorsOf(const ProfileContents& profile, const ProfileRoof& roof);

}  // namespace weft::app
