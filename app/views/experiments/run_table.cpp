#include "views/experiments/run_table.h"

#include <QBrush>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {

using Status_ = ExperimentPage::Run::Status;

void RunTable::setPage(ExperimentPagePtr page) {
  const bool sameShape =
      page->rows.size() == page_->rows.size() && page->columns.size() == page_->columns.size() && page->groups.empty() && page_->groups.empty();
  const bool sameRows = sameShape && page->rows == page_->rows && page->runs.size() == page_->runs.size();
  if (sameRows) {  // only values changed: the view keeps its selection and its place
    page_ = std::move(page);
    if (!entries_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  page_ = std::move(page);
  entries_.clear();
  rowOfRun_.assign(page_->runs.size(), -1);
  size_t next = 0;
  const auto addRuns = [&](size_t count) {
    for (size_t i = 0; i < count && next < page_->rows.size(); ++i, ++next) {
      rowOfRun_[size_t(page_->rows[next])] = int(entries_.size());
      entries_.push_back({page_->rows[next], -1});
    }
  };
  for (size_t g = 0; g < page_->groups.size(); ++g) {
    entries_.push_back({-1, int(g)});
    addRuns(size_t(page_->groups[g].runs));
  }
  addRuns(page_->rows.size());
  endResetModel();
}

QString RunTable::sortName(int column) const {
  if (column == Run) return QStringLiteral("number");
  if (column == Status) return QStringLiteral("status");
  return size_t(column - FirstValue) < page_->columns.size() ? page_->columns[size_t(column - FirstValue)]->name : QString();
}

QString RunTable::statusText(ExperimentPage::Run::Status status) {
  switch (status) {
    case Status_::Waiting: return tr("waiting");
    case Status_::Running: return tr("running");
    case Status_::Finished: return tr("finished");
    case Status_::StoppedEarly: return tr("stopped early");
    case Status_::Interrupted: return tr("interrupted");
    case Status_::Failed: return tr("failed");
  }
  return {};
}

void RunTable::retranslate() {
  if (columnCount() > 0) emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
  if (!entries_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

Qt::ItemFlags RunTable::flags(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  return entries_[size_t(index.row())].run < 0 ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

QVariant RunTable::headData(const ExperimentPage::Group& g, int column, int role) const {
  const widgets::Theme& theme = widgets::Theme::current();
  if (role == Qt::BackgroundRole) return QBrush(theme.color(widgets::Role::Surface3));
  if (role == Qt::FontRole) {
    QFont font;
    font.setBold(true);
    return font;
  }
  const auto* sweep = page_->sweep();
  const bool isMetric = column >= FirstValue && sweep && page_->columns[size_t(column - FirstValue)]->name == sweep->metric;
  if (role == Qt::TextAlignmentRole && isMetric) return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (column == Run) {
    const QString value = QStringLiteral("%1 = %2").arg(page_->request.group, g.value.isEmpty() ? QStringLiteral("—") : g.value);
    return value + QStringLiteral(" · ") + tr("%n run(s)", nullptr, int(g.runs));
  }
  if (column == Status) return {};
  if (!isMetric || g.measured == 0) return {};
  if (role == Qt::ToolTipRole)
    return tr("Mean %1, deviation %2, from %3 to %4")
        .arg(widgets::formatValue(g.mean), widgets::formatValue(g.deviation), widgets::formatValue(g.least), widgets::formatValue(g.most));
  return QStringLiteral("%1 ± %2").arg(widgets::formatValue(g.mean), widgets::formatValue(g.deviation, 2));
}

QVariant RunTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Entry& entry = entries_[size_t(index.row())];
  if (entry.run < 0) return headData(page_->groups[size_t(entry.group)], index.column(), role);
  const ExperimentPage::Run& run = page_->runs[size_t(entry.run)];
  const widgets::Theme& theme = widgets::Theme::current();
  const bool best = entry.run == page_->best;
  if (role == Qt::FontRole && best) {
    QFont font = index.column() >= FirstValue ? theme.monoFont() : QFont();
    font.setBold(true);
    return font;
  }
  if (index.column() < FirstValue) {
    if (role == Qt::ToolTipRole && !run.error.isEmpty()) return run.error;
    if (role == Qt::ForegroundRole && index.column() == Status && run.status == Status_::Failed) return QBrush(theme.color(widgets::Role::Error));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (index.column() == Run) return best ? QStringLiteral("★ ") + run.name : run.name;
    if (run.status == Status_::Running && run.totalSteps > 0) return tr("running, %1 %").arg(100 * run.step / run.totalSteps);
    return statusText(run.status);
  }
  const ExperimentPage::Column& column = *page_->columns[size_t(index.column() - FirstValue)];
  const double number = column.numbers[size_t(entry.run)];
  const bool isNumber = column.isMetric || !std::isnan(number);
  if (role == Qt::TextAlignmentRole) return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::FontRole) return theme.monoFont();
  if (role == Qt::ToolTipRole) return column.text(entry.run);
  if (role != Qt::DisplayRole) return {};
  const QString text = column.text(entry.run);
  return text.isEmpty() ? QStringLiteral("—") : isNumber ? widgets::formatValue(number, 5) : text;
}

QVariant RunTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (section < FirstValue) return role == Qt::DisplayRole ? QVariant(section == Run ? tr("Run") : tr("Status")) : QVariant();
  if (size_t(section - FirstValue) >= page_->columns.size()) return {};
  const ExperimentPage::Column& column = *page_->columns[size_t(section - FirstValue)];
  if (role == Qt::DisplayRole) return column.name;
  if (role == Qt::ToolTipRole) return column.isMetric ? tr("Metric %1: its last value").arg(column.name) : tr("Parameter %1").arg(column.name);
  return {};
}

}  // namespace weft::app
