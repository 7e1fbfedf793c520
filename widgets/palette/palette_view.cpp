#include "palette/palette_view.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include "common/icons.h"
#include "palette/palette_delegate.h"

namespace weft::widgets {

PaletteView::PaletteView(QWidget* parent)
    : QWidget(parent), model_(new PaletteModel(this)), field_(new QLineEdit(this)), tree_(new QTreeView(this)), nothing_(new QLabel(this)) {
  field_->setClearButtonEnabled(true);
  field_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  field_->setObjectName(QStringLiteral("palette_filter"));
  tree_->setObjectName(QStringLiteral("palette_tree"));
  tree_->setModel(model_);
  tree_->setItemDelegate(new PaletteDelegate(tree_));
  tree_->setHeaderHidden(true);
  tree_->setIndentation(14);
  tree_->setUniformRowHeights(true);
  tree_->setDragEnabled(true);
  tree_->setDragDropMode(QAbstractItemView::DragOnly);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  tree_->setExpandsOnDoubleClick(false);
  tree_->setMouseTracking(true);
  tree_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->setWordWrap(true);
  nothing_->setProperty("kind", QStringLiteral("muted"));
  nothing_->hide();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* top = new QVBoxLayout;
  top->setContentsMargins(8, 8, 8, 6);
  top->addWidget(field_);
  layout->addLayout(top);
  layout->addWidget(nothing_);
  layout->addWidget(tree_, 1);
  field_->installEventFilter(this);
  tree_->installEventFilter(this);
  connect(field_, &QLineEdit::textChanged, this, &PaletteView::filter);
  connect(tree_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    if (model_->itemAt(index) == nullptr) tree_->setExpanded(index, !tree_->isExpanded(index));
  });
  connect(tree_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
    if (const PaletteItem* item = model_->itemAt(index)) emit chosen(item->type, {});
  });
  connect(tree_, &QTreeView::customContextMenuRequested, this, &PaletteView::showMenu);
  const auto remember = [this] {
    if (model_->isFlat() || restoring_) return;
    open_ = openGroups();
    emit openGroupsChanged();
  };
  connect(tree_, &QTreeView::expanded, this, remember);
  connect(tree_, &QTreeView::collapsed, this, remember);
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    if (!model_->isFlat()) setOpenGroups(open_);
  });
  retranslate();
}

void PaletteView::retranslate() {
  field_->setPlaceholderText(tr("Filter"));
  field_->setAccessibleName(tr("Filter the palette"));
  tree_->setAccessibleName(tr("Palette"));
  nothing_->setText(tr("No matches. The search includes words of the documentation."));
}

void PaletteView::filter(const QString& text) {
  model_->setFilter(text);
  const bool none = model_->isFlat() && model_->shownCount() == 0;
  nothing_->setVisible(none);
  nothing_->setMinimumHeight(none ? 60 : 0);
  if (model_->isFlat() && model_->first().isValid()) tree_->setCurrentIndex(model_->first());
}

QStringList PaletteView::openGroups() const {
  if (model_->isFlat()) return open_;
  QStringList titles;
  for (int row = 0; row < model_->rowCount(); ++row)
    if (const QModelIndex index = model_->index(row, 0); tree_->isExpanded(index)) titles << index.data().toString();
  return titles;
}

void PaletteView::setOpenGroups(const QStringList& titles) {
  open_ = titles;
  if (model_->isFlat()) return;
  restoring_ = true;
  for (int row = 0; row < model_->rowCount(); ++row) {
    const QModelIndex index = model_->index(row, 0);
    tree_->setExpanded(index, titles.contains(index.data().toString()));
  }
  restoring_ = false;
}

QString PaletteView::current() const {
  const PaletteItem* item = model_->itemAt(tree_->currentIndex());
  return item != nullptr ? item->type : QString();
}

void PaletteView::showMenu(QPoint at) {
  const PaletteItem* item = model_->itemAt(tree_->indexAt(at));
  if (item == nullptr) return;
  const QString type = item->type;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  connect(menu->addAction(icon(QStringLiteral("plus")), tr("Add to the graph")), &QAction::triggered, this, [this, type] { emit chosen(type, {}); });
  const bool favourite = model_->favourites().contains(type);
  connect(menu->addAction(favourite ? tr("Remove from favourites") : tr("Add to favourites")), &QAction::triggered, this,
          [this, type] { emit favouriteToggled(type); });
  connect(menu->addAction(icon(QStringLiteral("help")), tr("Help")), &QAction::triggered, this, [this, type] { emit helpRequested(type); });
  menu->popup(tree_->viewport()->mapToGlobal(at));
}

bool PaletteView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (watched == field_) {
      if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up || key->key() == Qt::Key_PageDown || key->key() == Qt::Key_PageUp) {
        QKeyEvent copy(key->type(), key->key(), key->modifiers());
        if (!tree_->currentIndex().isValid()) tree_->setCurrentIndex(model_->first());
        QCoreApplication::sendEvent(tree_, &copy);
        return true;
      }
      if (key->key() == Qt::Key_Escape && !field_->text().isEmpty()) {
        field_->clear();
        return true;
      }
    }
    if (enter) {
      const QString type = current();
      if (!type.isEmpty()) emit chosen(type, watched == field_ ? model_->parameters() : QString());
      else if (watched == tree_ && tree_->currentIndex().isValid()) tree_->setExpanded(tree_->currentIndex(), !tree_->isExpanded(tree_->currentIndex()));
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void PaletteView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
