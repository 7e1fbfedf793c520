#include "views/files/projector_page.h"

#include <QAbstractTableModel>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPixmap>
#include <QSplitter>
#include <QTableView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/format.h"
#include "common/padded_delegate.h"
#include "common/theme.h"
#include "document/file_tab.h"
#include "views/files/heading.h"

namespace weft::app {
namespace {

using widgets::Theme;

constexpr int kLargestPicture = 64;

/// Large pictures are made smaller, and tiny ones large enough to be recognised.
QSize shownSize(const QSize& picture) {
  constexpr int kSmallest = 24;
  const QSize shown = picture.scaled(kLargestPicture, kLargestPicture, Qt::KeepAspectRatio).boundedTo(picture);
  return shown.isEmpty() || shown.height() >= kSmallest ? shown : shown.scaled(kLargestPicture, kSmallest, Qt::KeepAspectRatio);
}

/// The rows of an embedding: number with its picture, then the columns of its metadata.
class LabelRows : public QAbstractTableModel {
 public:
  LabelRows(FileProjectorPtr projector, int tensor, QObject* parent)
      : QAbstractTableModel(parent), projector_(std::move(projector)), tensor_(projector_->tensors[tensor]) {
    rows_ = int(tensor_.labels.size());
    if (rows_ == 0 && !tensor_.sprite.isNull() && !tensor_.picture.isEmpty())
      rows_ = (tensor_.sprite.width() / tensor_.picture.width()) * (tensor_.sprite.height() / tensor_.picture.height());
  }
  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : rows_; }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : 1 + int(tensor_.labels.isEmpty() ? 0 : tensor_.columns.size());
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (index.column() == 0 && role == Qt::DecorationRole) {
      const QImage picture = tensor_.pictureOf(index.row());
      if (picture.isNull()) return {};
      const QSize shown = shownSize(picture.size());
      const bool smaller = shown.height() < picture.height();
      return QPixmap::fromImage(picture.scaled(shown, Qt::KeepAspectRatio, smaller ? Qt::SmoothTransformation : Qt::FastTransformation));
    }
    if (role == Qt::FontRole) return Theme::current().monoFont();
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (index.column() == 0) return QString::number(index.row());
    return index.row() < tensor_.labels.size() ? tensor_.labels[index.row()].value(index.column() - 1) : QString();
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return section == 0 ? ProjectorPage::tr("Row") : tensor_.columns.value(section - 1);
  }

 private:
  FileProjectorPtr projector_;  // keeps tensor_
  const ProjectedTensor& tensor_;
  int rows_ = 0;
};

void styleTable(QTableView* table, const char* name) {
  table->setObjectName(QLatin1String(name));
  table->setItemDelegate(new widgets::PaddedDelegate(table));
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setShowGrid(false);
  table->setFrameShape(QFrame::NoFrame);
  table->setWordWrap(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(Theme::current().metrics().rowHeight);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setStretchLastSection(true);
}

QString sourceText(ProjectedTensor::Source source) {
  switch (source) {
    case ProjectedTensor::Source::Checkpoint: return ProjectorPage::tr("checkpoint");
    case ProjectedTensor::Source::Table: return ProjectorPage::tr("table of numbers");
    case ProjectedTensor::Source::Bytes: return ProjectorPage::tr("float32 bytes");
    case ProjectedTensor::Source::Missing: break;
  }
  return ProjectorPage::tr("not found");
}

}  // namespace

ProjectorPage::ProjectorPage(FileTab* file, QWidget* parent) : QWidget(parent), projector_(file->contents()->projector) {
  problems_ = new QLabel(this);
  problems_->setObjectName(QStringLiteral("projector_problems"));
  problems_->setWordWrap(true);
  problems_->setTextFormat(Qt::PlainText);
  problems_->setContentsMargins(12, 6, 12, 6);
  problems_->setVisible(!projector_->problems.isEmpty());
  tensors_ = new QTableWidget(int(projector_->tensors.size()), 6, this);
  styleTable(tensors_, "projector_tensors");
  auto* below = new QWidget(this);
  auto* column = new QVBoxLayout(below);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  title_ = heading(below, 8);
  labels_ = new QTableView(below);
  styleTable(labels_, "projector_labels");
  column->addWidget(title_);
  column->addWidget(labels_, 1);
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->addWidget(tensors_);
  splitter->addWidget(below);
  splitter->setSizes({200, 500});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(problems_);
  layout->addWidget(splitter, 1);
  connect(tensors_, &QTableWidget::currentCellChanged, this, [this](int row, int, int before) {
    if (row != before) showLabels();
  });
  retranslate();
  if (!projector_->tensors.isEmpty()) tensors_->selectRow(0);
}

void ProjectorPage::showLabels() {
  const int row = tensors_->currentRow();
  if (row < 0 || row >= projector_->tensors.size()) return;
  const ProjectedTensor& tensor = projector_->tensors[row];
  QAbstractItemModel* before = labels_->model();
  auto* model = new LabelRows(projector_, row, this);
  labels_->setModel(model);
  delete before;
  const int rowHeight = Theme::current().metrics().rowHeight;
  const QSize picture = shownSize(tensor.picture);
  labels_->verticalHeader()->setDefaultSectionSize(tensor.sprite.isNull() ? rowHeight : std::max(rowHeight, picture.height() + 4));
  labels_->setIconSize(picture);
  labels_->setColumnWidth(0, 72 + (tensor.sprite.isNull() ? 0 : picture.width()));
  for (int c = 1; c < model->columnCount(); ++c) labels_->setColumnWidth(c, 160);
  title_->setText(
      tensor.labelRows > tensor.labels.size()
          ? tr("The first %1 of %2 labels of %3").arg(widgets::formatCount(tensor.labels.size()), widgets::formatCount(tensor.labelRows), tensor.name)
      : model->rowCount() == 0 ? tr("%1 has no labels and no pictures").arg(tensor.name)
                               : tr("Labels of %1").arg(tensor.name));
}

void ProjectorPage::retranslate() {
  problems_->setText(projector_->problems.join(u'\n'));
  tensors_->setAccessibleName(tr("Embeddings"));
  labels_->setAccessibleName(tr("Labels of the embedding"));
  tensors_->setHorizontalHeaderLabels({tr("Tensor"), tr("Shape"), tr("Values from"), tr("Labels"), tr("Pictures"), tr("Problems")});
  const int widths[] = {220, 100, 130, 150, 150};
  for (int c = 0; c < 5; ++c) tensors_->setColumnWidth(c, widths[c]);
  for (int i = 0; i < projector_->tensors.size(); ++i) {
    const ProjectedTensor& t = projector_->tensors[i];
    const QString none = QStringLiteral("—");
    const QString texts[] = {t.name,
                             t.shape.isEmpty() ? none : t.shape,
                             sourceText(t.source),
                             t.labelRows < 0 ? none : tr("%1 in %n column(s)", nullptr, int(t.columns.size())).arg(widgets::formatCount(t.labelRows)),
                             t.sprite.isNull() ? none : tr("%1×%2 each").arg(t.picture.width()).arg(t.picture.height()),
                             t.problems.join(QStringLiteral("; "))};
    for (int c = 0; c < 6; ++c) {
      auto* item = new QTableWidgetItem(texts[c]);
      item->setToolTip(texts[c]);
      if (c < 2) item->setFont(Theme::current().monoFont());
      if (c == 5) item->setForeground(Theme::current().color(widgets::Role::Error));
      tensors_->setItem(i, c, item);
    }
  }
  for (int c = 0; c < 6; ++c) tensors_->horizontalHeaderItem(c)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  showLabels();
}

void ProjectorPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
