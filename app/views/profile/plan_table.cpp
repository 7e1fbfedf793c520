#include "views/profile/plan_table.h"

#include <algorithm>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {

using widgets::formatSeconds;

namespace {

const QString kNothing = QStringLiteral("–");
constexpr qsizetype kNamed = 8, kListed = 30;  // nodes of a group: in its line, in its tooltip

double valueOf(const PlanFloor& f, int column) {
  switch (PlanTable::Column(column)) {
    case PlanTable::Time: return f.ns;
    case PlanTable::Floor: return f.floorNs;
    case PlanTable::Ratio: return f.ratio();
    case PlanTable::Gain: return f.gainNs();
    case PlanTable::Limit: return double(f.limit);
    case PlanTable::Flops: return f.flops;
    case PlanTable::Bytes: return f.bytes;
    case PlanTable::Why: return double(f.gap);
    default: return 0;
  }
}

QVariant fontOf(bool number) { return number ? QVariant(widgets::Theme::current().monoSmallFont()) : QVariant(); }

}  // namespace

QString PlanTable::whyText(PlanFloor::Gap gap) {
  switch (gap) {
    case PlanFloor::Gap::None: break;
    case PlanFloor::Gap::Short: return tr("too little work");
    case PlanFloor::Gap::OneThread: return tr("one thread");
    case PlanFloor::Gap::Double: return tr("double precision");
    case PlanFloor::Gap::Kernel: return tr("its kernel");
    case PlanFloor::Gap::NoFloor: return tr("no floor known");
  }
  return kNothing;
}

QString PlanTable::helpText(PlanFloor::Gap gap) {
  switch (gap) {
    case PlanFloor::Gap::None: return tr("It is at its floor. Less arithmetic or smaller tensors would make it faster.");
    case PlanFloor::Gap::Short: return tr("It does so little that the call itself takes the time. Larger batches, or fewer and larger ops, would help.");
    case PlanFloor::Gap::OneThread: return tr("It used one of several threads. Independent ops beside it, or a larger batch, would help.");
    case PlanFloor::Gap::Double: return tr("It computes in double precision; the floor is that of single precision. float32 would help.");
    case PlanFloor::Gap::Kernel: return tr("Its kernel does not reach the limits of this machine.");
    case PlanFloor::Gap::NoFloor: return tr("Neither arithmetic nor bytes are known for it.");
  }
  return {};
}

void PlanTable::setFloors(QVector<PlanFloor> floors) {
  beginResetModel();
  floors_ = std::move(floors);
  arrange();
  endResetModel();
}

QModelIndex PlanTable::indexOf(const QString& node) const {
  const auto at = rowOf_.constFind(node);
  return at == rowOf_.constEnd() ? QModelIndex() : index(*at, 0);
}

void PlanTable::arrange() {
  const bool down = order_ == Qt::DescendingOrder;
  std::stable_sort(floors_.begin(), floors_.end(), [&](const PlanFloor& a, const PlanFloor& b) {
    if (column_ == Name || column_ == Type) {
      const int way = QString::compare(column_ == Name ? a.node : a.op, column_ == Name ? b.node : b.op, Qt::CaseInsensitive);
      return down ? way > 0 : way < 0;
    }
    const double x = valueOf(a, column_), y = valueOf(b, column_);
    return down ? x > y : x < y;
  });
  rowOf_.clear();
  for (qsizetype i = 0; i < floors_.size(); ++i) rowOf_.insert(floors_[i].node, int(i));
}

void PlanTable::sort(int column, Qt::SortOrder order) {
  if (column < 0 || column >= kColumns) return;
  emit layoutAboutToBeChanged({}, VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  QStringList nodes;
  for (const QModelIndex& i : before) nodes << floors_[i.row()].node;
  column_ = column;
  order_ = order;
  arrange();
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) after << index(rowOf_.value(nodes[i]), before[i].column());
  changePersistentIndexList(before, after);
  emit layoutChanged({}, VerticalSortHint);
}

QString PlanTable::text(int row, int column) const {
  const PlanFloor& f = floors_[row];
  switch (Column(column)) {
    case Name: return f.node;
    case Type: return f.op;
    case Time: return formatSeconds(f.ns / 1e9);
    case Floor: return f.floorNs > 0 ? formatSeconds(f.floorNs / 1e9) : kNothing;
    case Ratio: return f.floorNs > 0 ? widgets::formatValue(f.ratio(), 3) : kNothing;
    case Gain: return f.floorNs > 0 ? formatSeconds(f.gainNs() / 1e9) : kNothing;
    case Limit: return f.limit == PlanFloor::Limit::Arithmetic ? tr("arithmetic") : f.limit == PlanFloor::Limit::Memory ? tr("memory") : kNothing;
    case Flops: return f.flops > 0 ? widgets::formatSi(f.flops, QStringLiteral("FLOP")) : kNothing;
    case Bytes: return f.bytes > 0 ? widgets::formatBytes(qint64(f.bytes)) : kNothing;
    case Why: return whyText(f.gap);
    case kColumns: break;
  }
  return {};
}

QVariant PlanTable::look(int row, int column, int role) const {
  const PlanFloor& f = floors_[row];
  if (role == Qt::FontRole) return fontOf(isNumber(column));
  if (role != Qt::ToolTipRole) return {};
  if (column == Why) return helpText(f.gap);
  if (column == Name || column == Type) return f.node + u'\n' + f.op;
  if (f.floorNs <= 0) return tr("Neither arithmetic nor bytes are known for it.");
  if (column == Ratio && f.ratio() < 1) return tr("Faster than the floor: its inputs were in a cache.");
  return {};
}

PlanTable::Heading PlanTable::heading(int column) const {
  switch (Column(column)) {
    case Name: return {tr("name"), tr("Node; one that represents a fused group includes the work of all of them")};
    case Type: return {tr("type"), tr("Op type")};
    case Time: return {tr("self"), tr("Time per step of the node alone")};
    case Floor: return {tr("floor"), tr("Minimum time on this machine: arithmetic at the best rate or bytes at the best bandwidth, whichever is longer")};
    case Ratio: return {tr("ratio"), tr("Time divided by floor; 1 is the optimum on this machine")};
    case Gain: return {tr("potential"), tr("Time above the floor, the most that a change could save")};
    case Limit: return {tr("bound by"), tr("Which limit sets the floor: arithmetic or memory")};
    case Flops: return {QStringLiteral("FLOP"), tr("Floating-point operations per step")};
    case Bytes: return {tr("bytes"), tr("Bytes read and written per step")};
    case Why: return {tr("because of"), tr("Why it takes longer than its floor; point at a line to see what would help")};
    case kColumns: break;
  }
  return {};
}

void PlanGroups::setPlan(ProfilePlanPtr plan) {
  beginResetModel();
  plan_ = std::move(plan);
  endResetModel();
}

QString PlanGroups::text(int row, int column) const {
  const PlanGroup& group = plan_->groups[row];
  switch (Column(column)) {
    case Node: return group.node;
    case Type: return group.op;
    case Count: return widgets::formatCount(group.merged.size());
    case Merged: return names(group, kNamed, QStringLiteral("  "));
    case Bytes: return group.bytes > 0 ? widgets::formatBytes(qint64(group.bytes)) : kNothing;
    case kColumns: break;
  }
  return {};
}

QVariant PlanGroups::look(int row, int column, int role) const {
  const PlanGroup& group = plan_->groups[row];
  if (role == Qt::FontRole) return fontOf(isNumber(column));
  if (role != Qt::ToolTipRole) return {};
  if (column == Bytes && group.bytes <= 0) return tr("The shapes are known only when it runs.");
  return QStringLiteral("%1 (%2)\n").arg(group.node, group.op) + tr("fused nodes") + u'\n' + names(group, kListed, QStringLiteral("\n"));
}

PlanGroups::Heading PlanGroups::heading(int column) const {
  switch (Column(column)) {
    case Node: return {tr("fused group"), tr("The node that represents the group in timings and errors")};
    case Type: return {tr("type"), tr("Op type")};
    case Count: return {tr("merged"), tr("Other nodes that the group computes")};
    case Merged: return {tr("fused nodes"), tr("Their names")};
    case Bytes: return {tr("bytes"), tr("Bytes that the group reads and writes; intermediate results need none")};
    case kColumns: break;
  }
  return {};
}

/// The first `most` nodes of a group, and how many more there are.
QString PlanGroups::names(const PlanGroup& group, qsizetype most, const QString& between) {
  QString out = group.merged.mid(0, most).join(between);
  if (group.merged.size() > most) out += between + tr("… %1 more").arg(group.merged.size() - most);
  return out;
}

}  // namespace weft::app
