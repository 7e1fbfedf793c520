#include "views/profile/profile_table.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {

using widgets::formatBytes;
using widgets::formatSeconds;

void ProfileTable::setLines(QVector<ProfileLine> lines, QHash<QString, QString> fused) {
  beginResetModel();
  lines_ = std::move(lines);
  fused_ = std::move(fused);
  children_.assign(size_t(lines_.size()) + 1, {});
  rows_.assign(size_t(lines_.size()), 0);
  for (int i = 0; i < lines_.size(); ++i) {
    auto& list = children_[size_t(lines_[i].parent + 1)];
    rows_[size_t(i)] = int(list.size());
    list << i;
  }
  endResetModel();
}

/// The op type; the time of a kernel that does the work of several nodes is listed at one of them.
QString ProfileTable::typeOf(const ProfileLine& line) const {
  const QString with = line.isNode ? fused_.value(line.name) : QString();
  return with.isEmpty() ? line.op : tr("%1 with %2").arg(line.op, with);
}

QModelIndex ProfileTable::indexOf(const QString& name) const {
  for (int i = 0; i < lines_.size(); ++i) {
    if (lines_[i].name == name) return createIndex(rows_[size_t(i)], 0, quintptr(i));
  }
  return {};
}

QModelIndex ProfileTable::index(int row, int column, const QModelIndex& parent) const {
  const auto& list = children_[parent.isValid() ? size_t(parent.internalId()) + 1 : 0];
  if (row < 0 || row >= list.size() || column < 0 || column >= kColumns) return {};
  return createIndex(row, column, quintptr(list[row]));
}

QModelIndex ProfileTable::parent(const QModelIndex& child) const {
  if (!child.isValid()) return {};
  const int parent = lines_[int(child.internalId())].parent;
  return parent < 0 ? QModelIndex() : createIndex(rows_[size_t(parent)], 0, quintptr(parent));
}

int ProfileTable::rowCount(const QModelIndex& parent) const {
  if (children_.empty() || parent.column() > 0) return 0;
  return int(children_[parent.isValid() ? size_t(parent.internalId()) + 1 : 0].size());
}

int ProfileTable::columnCount(const QModelIndex&) const { return kColumns; }

QVariant ProfileTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ProfileLine& line = lines_[int(index.internalId())];
  const auto time = [](double ns) { return ns > 0 ? formatSeconds(ns / 1e9) : QStringLiteral("–"); };
  // Values below a thousandth are shown as a bound, which is as informative and shorter.
  const auto rate = [](double value) { return value <= 0 ? QStringLiteral("–") : value < 1e-3 ? QStringLiteral("<0.001") : widgets::formatValue(value, 3); };
  switch (role) {
    case Qt::DisplayRole:
      switch (Column(index.column())) {
        case Name:
          return line.parent >= 0 && !line.op.isEmpty() && !line.isNode ? line.name
                 : line.depth > 0 && line.name.contains(u'/')           ? widgets::lastPart(line.name)
                                                                        : line.name;
        case Type: return typeOf(line);
        case Self: return time(line.selfNs);
        case Share: return QStringLiteral("%1 %").arg(line.share * 100, 0, 'f', 1);
        case Total: return time(line.totalNs);
        case Count: return line.count == qRound64(line.count) ? widgets::formatCount(qint64(line.count)) : QString::number(line.count, 'f', 1);
        case Critical: return time(line.criticalNs);
        case Median: return time(line.p50Ns);
        case Percentile90: return time(line.p90Ns);
        case Percentile99: return time(line.p99Ns);
        case Slowest: return time(line.maxNs);
        case Rate: return rate(line.gflops);
        case Bandwidth: return rate(line.gigabytes);
        case Output: return line.outputBytes > 0 ? formatBytes(qint64(line.outputBytes)) : QStringLiteral("–");
        case Parameters: return line.parameters > 0 ? widgets::formatCount(line.parameters) : QStringLiteral("–");
        case kColumns: break;
      }
      return {};
    case SortRole:
      switch (Column(index.column())) {
        case Name: return line.name;
        case Type: return line.op;
        case Self: return line.selfNs;
        case Share:
        case Total: return line.totalNs;
        case Count: return line.count;
        case Critical: return line.criticalNs;
        case Median: return line.p50Ns;
        case Percentile90: return line.p90Ns;
        case Percentile99: return line.p99Ns;
        case Slowest: return line.maxNs;
        case Rate: return line.gflops;
        case Bandwidth: return line.gigabytes;
        case Output: return line.outputBytes;
        case Parameters: return line.parameters;
        case kColumns: break;
      }
      return {};
    case NodeRole: return line.name;
    case ShareRole: return line.share;
    case Qt::ToolTipRole: return index.column() == Name ? line.name : index.column() == Type ? typeOf(line) : QVariant();
    case Qt::TextAlignmentRole: return int((index.column() <= Type ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: return index.column() <= Type ? QVariant() : QVariant(widgets::Theme::current().monoSmallFont());
    default: return {};
  }
}

QVariant ProfileTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int((section <= Type ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  const bool tip = role == Qt::ToolTipRole;
  if (role != Qt::DisplayRole && !tip) return {};
  switch (Column(section)) {
    case Name: return tip ? tr("Node, scope, op type, or line of code") : tr("name");
    case Type: return tip ? tr("Op type") : tr("type");
    case Self: return tip ? tr("Time per step of the entry alone, without nested or child entries") : tr("self");
    case Share: return tip ? tr("Share of the total self time, including everything below the entry") : tr("share");
    case Total: return tip ? tr("Time per step including everything below the entry") : tr("total");
    case Count: return tip ? tr("Executions per step") : tr("calls");
    case Critical: return tip ? tr("The part of it on the critical path of the step") : tr("critical path");
    case Median: return tip ? tr("Median of the individual executions") : tr("median");
    case Percentile90: return tip ? tr("90 % of the executions took at most this long") : QStringLiteral("p90");
    case Percentile99: return tip ? tr("99 % of the executions took at most this long") : QStringLiteral("p99");
    case Slowest: return tip ? tr("The longest execution") : tr("slowest");
    case Rate: return tip ? tr("Floating-point operations per second, in units of 10⁹") : QStringLiteral("GFLOP/s");
    case Bandwidth: return tip ? tr("Bytes read and written per second, in units of 10⁹") : QStringLiteral("GB/s");
    case Output: return tip ? tr("Bytes of the outputs, per step") : tr("output");
    case Parameters: return tip ? tr("Elements of variables") : tr("parameters");
    case kColumns: break;
  }
  return {};
}

QString elideLayer(const QString& name, const QFontMetricsF& metrics, double width) {
  const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
  if (fits(name)) return name;
  const QStringList parts = name.split(u'/');
  // The layer is the first scope; for gradients, the one after theirs.
  qsizetype layer = 0;
  for (qsizetype i = 0; i + 2 < parts.size(); ++i)
    if (parts[i].startsWith(QLatin1String("gradients"))) layer = i + 1;
  if (parts.size() - layer < 2) return widgets::elideName(name, metrics, width);
  const QString front = layer > 0 ? QStringLiteral("…") : QString(), rest = QStringList(parts.mid(layer)).join(u'/');
  if (fits(front + rest)) return front + rest;
  const QString head = front + parts[layer] + (parts.size() - layer > 2 ? QStringLiteral("/…/") : QStringLiteral("/"));
  if (fits(head + parts.last())) return head + parts.last();
  const double left = width - metrics.horizontalAdvance(front + parts[layer] + u'/');
  const QString tail = widgets::elideName(parts.last(), metrics, left);
  return tail.size() < 5 ? widgets::elideName(name, metrics, width) : front + parts[layer] + u'/' + tail;
}

void LayerDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  option->textElideMode = option->text.contains(u' ') ? Qt::ElideRight : Qt::ElideLeft;
  constexpr int kMargins = 12;
  if (option->rect.width() > kMargins && !option->text.contains(u' '))
    option->text = elideLayer(option->text, QFontMetricsF(option->font), option->rect.width() - kMargins);
}

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyledItemDelegate::paint(painter, option, index);  // background and number, at the right
  const widgets::Theme& theme = widgets::Theme::current();
  const double share = qBound(0.0, index.data(ProfileTable::ShareRole).toDouble(), 1.0);
  const int label = 58;
  const QRect track(option.rect.left() + 6, option.rect.center().y() - 3, qMax(0, option.rect.width() - label - 10), 7);
  painter->fillRect(track, theme.color(widgets::Role::Surface3));
  painter->fillRect(QRect(track.left(), track.top(), int(track.width() * share), track.height()), theme.color(widgets::Role::Accent));
}

void ChangeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant share = index.data(ProfileTable::ShareRole);
  if (share.isValid() && !(option.state & QStyle::State_Selected)) {
    const QRectF area = QRectF(option.rect).adjusted(2, 3, -2, -3);
    const double length = share.toDouble() * area.width() / 2;
    const widgets::Theme& theme = widgets::Theme::current();
    const QColor color = widgets::mix(theme.diverging(length < 0 ? -0.8 : 0.8), theme.color(widgets::Role::Surface0), 0.45);
    painter->fillRect(QRectF(std::min(area.center().x(), area.center().x() + length), area.top(), std::fabs(length), area.height()), color);
  }
  QStyledItemDelegate::paint(painter, option, index);
}

void LifetimeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyledItemDelegate::paint(painter, option, index);
  const QVariantList lifetime = index.data(Lifetime).toList();
  if (lifetime.size() != 3) return;
  const widgets::Theme& theme = widgets::Theme::current();
  const QRectF track = QRectF(option.rect).adjusted(6, 0, -8, 0);
  const auto at = [&](int i) { return track.left() + qBound(0.0, lifetime[i].toDouble(), 1.0) * track.width(); };
  painter->save();
  const double middle = track.center().y();
  painter->fillRect(QRectF(track.left(), middle - 3, track.width(), 7), theme.color(widgets::Role::Surface3));
  painter->fillRect(QRectF(at(0), middle - 3, qMax(2.0, at(1) - at(0)), 7), theme.color(widgets::Role::Accent));
  painter->fillRect(QRectF(at(2) - 0.5, option.rect.top() + 2, 1, option.rect.height() - 4), theme.color(widgets::Role::Error));
  painter->restore();
}

}  // namespace weft::app
