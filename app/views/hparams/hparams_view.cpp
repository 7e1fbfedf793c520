#include "views/hparams/hparams_view.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/card_export.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/sort_header.h"
#include "common/theme.h"
#include "document/workspace.h"
#include "plot/parallel_axes.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

enum { kRun, kStatus, kFirst };  // columns
constexpr int kRunRole = Qt::UserRole, kValueRole = Qt::UserRole + 1;
constexpr int kRefreshMs = 300;
constexpr int kSwatchSize = 10;
constexpr qsizetype kMostMetrics = 40;  // columns of the list; files contain all
constexpr qsizetype kMostAxes = 12;

QIcon runSwatch(int hue) {
  QPixmap dot(kSwatchSize, kSwatchSize);
  dot.fill(widgets::Theme::current().categorical(hue));
  QIcon icon(dot);
  icon.addPixmap(dot, QIcon::Selected);  // else it would be tinted, unlike the charts
  return icon;
}

QString cellText(const QVariant& value) {
  if (!value.isValid()) return QStringLiteral("—");
  if (value.typeId() == QMetaType::Double) return widgets::formatValue(value.toDouble(), 5);
  return value.toString();
}

/// Whether a cell has a place in an order: NaN has none.
bool isOrdered(const QVariant& value) { return value.isValid() && !(value.typeId() == QMetaType::Double && std::isnan(value.toDouble())); }

/// Sorts numbers as numbers and before words; missing values and NaN come last when sorted upwards.
class SessionItem : public QTreeWidgetItem {
 public:
  using QTreeWidgetItem::QTreeWidgetItem;
  bool operator<(const QTreeWidgetItem& other) const override {
    const int column = treeWidget() ? treeWidget()->sortColumn() : 0;
    const QVariant a = data(column, kValueRole), b = other.data(column, kValueRole);
    if (!isOrdered(a) || !isOrdered(b)) return isOrdered(a) && !isOrdered(b);
    const bool isNumber = a.typeId() == QMetaType::Double;
    if (isNumber != (b.typeId() == QMetaType::Double)) return isNumber;
    if (isNumber) return a.toDouble() < b.toDouble();
    return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
  }
};

/// The axis of a column over the rows, with the place of each row on it. Numbers that are not finite have no place.
widgets::ParallelAxes::Axis axisOf(const HParamsTable& table, qsizetype column, std::vector<widgets::ParallelAxes::Line>& lines) {
  widgets::ParallelAxes::Axis axis;
  axis.title = table.columns[column].title;
  const bool numbers = std::all_of(table.rows.begin(), table.rows.end(),
                                   [&](const auto& row) { return !row.cells[column].isValid() || row.cells[column].typeId() == QMetaType::Double; });
  bool any = false;
  for (const auto& row : table.rows) {
    const QVariant& cell = row.cells[column];
    if (!cell.isValid()) continue;
    if (!numbers) {
      if (!axis.words.contains(cell.toString())) axis.words << cell.toString();
      continue;
    }
    const double v = cell.toDouble();
    if (!std::isfinite(v)) continue;
    axis.low = any ? std::min(axis.low, v) : v;
    axis.high = any ? std::max(axis.high, v) : v;
    any = true;
  }
  axis.words.sort();
  for (size_t i = 0; i < lines.size(); ++i) {
    const QVariant& cell = table.rows[qsizetype(i)].cells[column];
    std::optional<double> value;
    if (cell.isValid()) value = numbers ? cell.toDouble() : double(axis.words.indexOf(cell.toString()));
    if (value && !std::isfinite(*value)) value.reset();
    lines[i].values.push_back(value);
  }
  return axis;
}

}  // namespace

HParamsView::HParamsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("panels"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  about_ = new QLabel(page);
  about_->setProperty("kind", QStringLiteral("muted"));
  about_->setTextFormat(Qt::PlainText);
  about_->setContentsMargins(12, 4, 12, 4);
  about_->setMinimumWidth(1);
  auto* beside = new QSplitter(Qt::Horizontal, page);
  beside->setChildrenCollapsible(false);
  list_ = new QTreeWidget(beside);
  list_->setObjectName(QStringLiteral("hparams_table"));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setHeader(new widgets::SortHeader(list_));
  list_->header()->setSectionsClickable(true);
  list_->setSortingEnabled(true);
  list_->sortByColumn(kRun, Qt::AscendingOrder);
  list_->header()->setStretchLastSection(false);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  picture_ = new widgets::ParallelAxes(beside);
  picture_->setObjectName(QStringLiteral("hparams_axes"));
  beside->addWidget(list_);
  beside->addWidget(picture_);
  beside->setSizes({600, 500});
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(about_);
  column->addWidget(beside, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, [this] {
    if (isVisible()) refreshNow();
  });
  Summaries& summaries = context.workspace.summaries();
  for (const auto signal : {&Summaries::runAdded, &Summaries::runRenamed, &Summaries::runChanged, &Summaries::runRestarted, &Summaries::runRemoved})
    connect(&summaries, signal, this, &HParamsView::soon);
  connect(&summaries, &Summaries::grown, this, [this](int, SummaryKind kind) {
    if (kind == SummaryKind::HParams || (kind == SummaryKind::Scalar && !table_.rows.isEmpty())) soon();
  });
  connect(list_, &QTreeWidget::itemChanged, this, [this, &summaries](const QTreeWidgetItem* item, int) {
    summaries.setRunVisible(item->data(kRun, kRunRole).toInt(), item->checkState(kRun) == Qt::Checked);
  });
  connect(list_, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) { picture_->setChosen(rowOf(item)); });
  connect(picture_, &widgets::ParallelAxes::lineClicked, this, &HParamsView::choose);
  connect(list_, &QWidget::customContextMenuRequested, this, &HParamsView::showMenu);
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("panels.open-logdir"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  retranslate();
}

void HParamsView::soon() {
  if (!soon_.isActive()) soon_.start(kRefreshMs);
}

QString HParamsView::statusText(HParamsEntry::Status status) {
  switch (status) {
    case HParamsEntry::Status::Success: return tr("finished");
    case HParamsEntry::Status::Failure: return tr("failed");
    case HParamsEntry::Status::Running: return tr("running");
    case HParamsEntry::Status::Unknown: break;
  }
  return tr("unknown");
}

void HParamsView::refreshNow() {
  table_ = HParamsTable::of(context_.workspace.summaries(), kMostMetrics);
  stack_->setCurrentIndex(table_.rows.isEmpty() ? 0 : 1);
  QStringList about;
  if (!table_.description.isEmpty()) about << table_.description.simplified();
  about << tr("%n session(s)", nullptr, int(table_.rows.size()));
  if (table_.leftOut > 0) about << tr("%n more metric(s) not shown", nullptr, table_.leftOut);
  if (table_.columns.size() > kMostAxes) about << tr("%n column(s) without an axis", nullptr, int(table_.columns.size() - kMostAxes));
  about_->setText(about.join(QStringLiteral(" · ")));
  about_->setToolTip(table_.description);
  const QSignalBlocker quiet(list_);
  const int sorted = list_->sortColumn();
  const Qt::SortOrder order = list_->header()->sortIndicatorOrder();
  QStringList titles{tr("Run"), tr("Status")};
  for (const auto& column : std::as_const(table_.columns)) titles << column.title;
  const bool anew = titles.size() != list_->columnCount();
  list_->setSortingEnabled(false);
  // Items of runs that are still there are kept, and with them the current row and the scroll position.
  QHash<int, QTreeWidgetItem*> before;
  for (int i = 0; i < list_->topLevelItemCount(); ++i) before.insert(list_->topLevelItem(i)->data(kRun, kRunRole).toInt(), list_->topLevelItem(i));
  list_->setColumnCount(int(titles.size()));
  list_->setHeaderLabels(titles);
  const widgets::Theme& theme = widgets::Theme::current();
  for (int i = 0; i < int(table_.columns.size()); ++i) {
    const auto& column = table_.columns[i];
    list_->headerItem()->setToolTip(
        kFirst + i, column.isMetric ? tr("Metric %1: its last value").arg(column.group.isEmpty() ? column.key : column.group + u'/' + column.key)
                                    : tr("Hyperparameter %1").arg(column.key));
  }
  for (int i = 0; i < int(table_.rows.size()); ++i) {
    const HParamsTable::Row& row = table_.rows[i];
    QTreeWidgetItem* item = before.take(row.run);
    if (!item) item = new SessionItem(list_);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setText(kRun, row.name);
    item->setToolTip(kRun, row.name);
    item->setIcon(kRun, runSwatch(row.hue));
    item->setData(kRun, kRunRole, row.run);
    item->setData(kRun, kValueRole, row.name);
    item->setCheckState(kRun, row.visible ? Qt::Checked : Qt::Unchecked);
    item->setText(kStatus, statusText(row.status));
    item->setData(kStatus, kValueRole, statusText(row.status));
    item->setData(kStatus, Qt::ForegroundRole, row.status == HParamsEntry::Status::Failure ? QVariant(QBrush(theme.color(widgets::Role::Error))) : QVariant());
    for (int k = 0; k < int(row.cells.size()); ++k) {
      item->setText(kFirst + k, cellText(row.cells[k]));
      item->setToolTip(kFirst + k, row.cells[k].toString());
      item->setData(kFirst + k, kValueRole, row.cells[k]);
      item->setFont(kFirst + k, theme.monoFont());
      item->setTextAlignment(kFirst + k, (row.cells[k].typeId() == QMetaType::Double ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
  }
  if (list_->currentItem() && before.values().contains(list_->currentItem())) list_->setCurrentItem(nullptr);  // else a neighbour becomes the current row
  qDeleteAll(before);
  list_->setSortingEnabled(true);
  list_->sortByColumn(sorted >= 0 && sorted < titles.size() ? sorted : kRun, order);
  if (anew)
    for (int i = 0; i < int(titles.size()); ++i) list_->resizeColumnToContents(i);
  showPicture();
  picture_->setChosen(rowOf(list_->currentItem()));
}

void HParamsView::showPicture() {
  std::vector<widgets::ParallelAxes::Line> lines;
  for (const auto& row : std::as_const(table_.rows)) lines.push_back({row.name, widgets::Theme::current().categorical(row.hue), {}});
  std::vector<widgets::ParallelAxes::Axis> axes;
  for (qsizetype i = 0; i < std::min(table_.columns.size(), kMostAxes); ++i) axes.push_back(axisOf(table_, i, lines));
  picture_->setContents(std::move(axes), std::move(lines));
}

int HParamsView::rowOf(const QTreeWidgetItem* item) const {
  const int run = item ? item->data(kRun, kRunRole).toInt() : -1;
  for (int i = 0; item && i < int(table_.rows.size()); ++i)
    if (table_.rows[i].run == run) return i;
  return -1;
}

void HParamsView::choose(int row) {
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    if (rowOf(list_->topLevelItem(i)) == row) list_->setCurrentItem(list_->topLevelItem(i));
}

QByteArray HParamsView::csv() const { return HParamsTable::of(context_.workspace.summaries()).toCsv(statusText); }

QByteArray HParamsView::json() const { return HParamsTable::of(context_.workspace.summaries()).toJson(statusText); }

void HParamsView::showMenu(QPoint at) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  connect(menu->addAction(widgets::icon(QStringLiteral("copy")), tr("Copy the table as CSV")), &QAction::triggered, this,
          [this] { QGuiApplication::clipboard()->setText(QString::fromUtf8(csv())); });
  widgets::addExportActions(
      menu, this, [] { return QStringLiteral("hparams"); }, [this] { return csv(); }, [this] { return json(); });
  menu->popup(list_->viewport()->mapToGlobal(at));
}

QString HParamsView::exportTag(const QString&, const QString& path) {
  refreshNow();
  if (table_.rows.isEmpty()) return tr("No run has hyperparameters.");
  return widgets::exportCard(
      this, path, [this] { return csv(); }, [this] { return json(); });
}

bool HParamsView::setOption(const QString& option) {
  if (!option.startsWith(QLatin1String("sort "))) return false;
  refreshNow();
  QString title = option.mid(5);
  const bool down = title.endsWith(QLatin1String(" down"));
  if (down) title.chop(5);
  for (int i = 0; i < list_->columnCount(); ++i) {
    if (list_->headerItem()->text(i) != title) continue;
    list_->sortByColumn(i, down ? Qt::DescendingOrder : Qt::AscendingOrder);
    return true;
  }
  return false;
}

void HParamsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refreshNow();
}

void HParamsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange) soon();
  QWidget::changeEvent(event);
}

void HParamsView::retranslate() {
  empty_->setTitle(tr("No hyperparameters yet"));
  empty_->setText(tr("Sessions of the hparams summaries in event files appear here, with their hyperparameters and metrics."));
  empty_->setButton(tr("Open event files…"), QStringLiteral("folder"));
  list_->setAccessibleName(tr("Sessions"));
  picture_->setAccessibleName(tr("Parallel coordinates of the sessions"));
  refreshNow();
}

const ViewRecord hparamsView = {"hparams",
                                QT_TRANSLATE_NOOP("Views", "Hyperparameters"),
                                QT_TRANSLATE_NOOP("Views", "Runs with their hyperparameters and metrics"),
                                "layers",
                                Qt::BottomDockWidgetArea,
                                "",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new HParamsView(context, parent); }};

}  // namespace weft::app
