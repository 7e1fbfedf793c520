// What the plan of a traced step became, and what its nodes cost at least, as the Profile dock shows it.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

#include "adapters/profile_looks.h"
#include "plot/memory_map.h"

namespace weft::app {

/// A rewrite that changed the plan.
struct PlanPass {
  QString name;     ///< "constant_folding"
  QString did;      ///< "12 nodes", in the engine's words
  QString details;  ///< What follows in further lines; empty: nothing.
};
/// `did` in the user's language.
QString passDid(const PlanPass& pass);
/// One sentence on what a pass of that name does; empty: not known.
QString passMeaning(const QString& name);

/// A kernel call that does the work of several nodes.
struct PlanGroup {
  QString node, op;    ///< The one that stands for all.
  QStringList merged;  ///< The others.
  double bytes = 0;    ///< Read and written; 0: known only when it runs.
  QStringList all() const { return QStringList{node} + merged; }
};

/// Immutable once made.
struct ProfilePlan {
  QVector<PlanPass> passes;  ///< In order.
  QVector<PlanGroup> groups;
  int calls = 0;                                         ///< Of kernels, in a step.
  bool isDataflow = false;                               ///< Nodes run when their inputs have come; there is no order and no memory map.
  std::shared_ptr<const widgets::MemoryMapData> memory;  ///< Null: not laid out.
  QHash<QString, QVector<int>> blocksOf;                 ///< Of a node, by its name.
  QHash<QString, int> groupOf;                           ///< Of every node of a group.
};
using ProfilePlanPtr = std::shared_ptr<const ProfilePlan>;

/// Null if it is not known: `why` says why then.
ProfilePlanPtr planOf(const ProfileContents& profile, QString* why);

/// A node's time beside what the machine needs for it at least, per step.
struct PlanFloor {
  enum class Limit : quint8 { Unknown, Arithmetic, Memory };
  QString node, op;
  double ns = 0, floorNs = 0;  ///< floorNs 0: nothing that is counted.
  double flops = 0, bytes = 0;
  Limit limit = Limit::Unknown;
  double ratio() const { return floorNs > 0 ? ns / floorNs : 0; }
  double gainNs() const { return floorNs > 0 && ns > floorNs ? ns - floorNs : 0; }
};
/// Of all nodes that took time. Any thread.
QVector<PlanFloor> floorsOf(const ProfileContents& profile, const ProfileRoof& roof);

}  // namespace weft::app
