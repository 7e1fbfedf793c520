#include "plot/run_list.h"

#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
enum Data { kRun = Qt::UserRole, kHue, kProblem };
}

RunList::RunList(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 0);
  column->setSpacing(4);
  search_ = new QLineEdit(this);
  search_->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
  search_->setClearButtonEnabled(true);
  column->addWidget(search_);
  tree_ = new QTreeWidget(this);
  tree_->setHeaderHidden(true);
  tree_->setRootIsDecorated(false);
  tree_->setUniformRowHeights(true);
  tree_->setFrameShape(QFrame::NoFrame);
  elideNames(tree_);
  tree_->setIconSize({12, 12});
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  column->addWidget(tree_, 1);
  connect(search_, &QLineEdit::textChanged, this, &RunList::filter);
  connect(tree_, &QTreeWidget::itemChanged, this,
          [this](QTreeWidgetItem* item) { emit visibilityRequested(item->data(0, kRun).toInt(), item->checkState(0) == Qt::Checked); });
  connect(tree_, &QTreeWidget::customContextMenuRequested, this, &RunList::showMenu);
  retranslate();
}

QTreeWidgetItem* RunList::find(int run) const {
  for (int i = 0; i < tree_->topLevelItemCount(); ++i)
    if (tree_->topLevelItem(i)->data(0, kRun).toInt() == run) return tree_->topLevelItem(i);
  return nullptr;
}

void RunList::paintItem(QTreeWidgetItem* item) {
  const QColor hue = Theme::current().categorical(item->data(0, kHue).toInt());
  QPixmap swatch(24, 24);
  swatch.fill(hue);
  swatch.setDevicePixelRatio(2);
  const QString problem = item->data(0, kProblem).toString();
  item->setIcon(0, problem.isEmpty() ? QIcon(swatch) : icon(QStringLiteral("warning"), Role::Warning));
  item->setToolTip(0, problem.isEmpty() ? item->text(0) : QStringLiteral("%1\n%2").arg(item->text(0), problem));
}

void RunList::setRun(int run, const QString& name, int hue, bool visible, const QString& problem) {
  const QSignalBlocker quiet(tree_);
  QTreeWidgetItem* item = find(run);
  if (!item) item = new QTreeWidgetItem(tree_);
  item->setData(0, kRun, run);
  item->setData(0, kHue, hue);
  item->setData(0, kProblem, problem);
  item->setText(0, name);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
  item->setCheckState(0, visible ? Qt::Checked : Qt::Unchecked);
  paintItem(item);
  filter();
}

void RunList::removeRun(int run) { delete find(run); }

void RunList::clear() { tree_->clear(); }

int RunList::count() const { return tree_->topLevelItemCount(); }

QStringList RunList::names() const {
  QStringList list;
  for (int i = 0; i < count(); ++i) list << tree_->topLevelItem(i)->text(0);
  return list;
}

void RunList::setFilter(const QString& regex) { search_->setText(regex); }

QString RunList::groupOf(int run) const {
  const QTreeWidgetItem* item = find(run);
  return item && expression_.captureCount() > 0 ? expression_.match(item->text(0)).captured(1) : QString();
}

void RunList::filter() {
  const QRegularExpression expression(search_->text(), QRegularExpression::CaseInsensitiveOption);
  search_->setToolTip(expression.isValid() ? tr("A regular expression; (groups) in it name groups of runs, each with its own mean.")
                                           : expression.errorString());
  if (!expression.isValid()) return;
  const bool grouped = expression.captureCount() > 0 || expression_.captureCount() > 0;
  expression_ = expression;
  for (int i = 0; i < count(); ++i) {
    QTreeWidgetItem* item = tree_->topLevelItem(i);
    item->setHidden(!expression.match(item->text(0)).hasMatch());
  }
  if (grouped) emit groupsChanged();
}

void RunList::showMenu(QPoint at) {
  QTreeWidgetItem* item = tree_->itemAt(at);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto showAll = [this](bool visible, const QList<QTreeWidgetItem*>& except) {
    for (int i = 0; i < count(); ++i) {
      QTreeWidgetItem* other = tree_->topLevelItem(i);
      if (!other->isHidden()) other->setCheckState(0, visible != except.contains(other) ? Qt::Checked : Qt::Unchecked);
    }
  };
  if (item) menu->addAction(tr("Only these"), this, [=, this] { showAll(false, tree_->selectedItems()); });
  menu->addAction(tr("Show all"), this, [=] { showAll(true, {}); });
  menu->addAction(tr("Hide all"), this, [=] { showAll(false, {}); });
  if (item) {
    menu->addSeparator();
    menu->addAction(icon(QStringLiteral("trash")), tr("Remove from the panels"), this, [this] {
      QList<int> runs;
      for (QTreeWidgetItem* i : tree_->selectedItems()) runs << i->data(0, kRun).toInt();
      for (const int run : runs) emit removalRequested(run);
    });
  }
  menu->popup(tree_->viewport()->mapToGlobal(at));
}

void RunList::retranslate() {
  search_->setPlaceholderText(tr("Filter runs"));
  search_->setAccessibleName(tr("Run filter"));
  tree_->setAccessibleName(tr("Runs"));
}

void RunList::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange) {
    const QSignalBlocker quiet(tree_);
    for (int i = 0; i < count(); ++i) paintItem(tree_->topLevelItem(i));
  }
}

}  // namespace weft::widgets
