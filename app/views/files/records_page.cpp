#include "views/files/records_page.h"

#include <QAbstractTableModel>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPixmap>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTableWidget>
#include <QVBoxLayout>

#include "adapters/tasks.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/padded_delegate.h"
#include "common/theme.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "views/files/heading.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kPreview = 96;
constexpr qsizetype kListed = 1000;  // features with a row; each has a combo box

class RecordList : public QAbstractTableModel {
 public:
  RecordList(FileRecordsPtr records, QObject* parent) : QAbstractTableModel(parent), records_(std::move(records)) {}
  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(std::min<qint64>(records_->count(), INT_MAX)); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
  QVariant data(const QModelIndex& index, int role) const override {
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::FontRole) return Theme::current().monoFont();
    if (role != Qt::DisplayRole) return {};
    return index.column() == 0 ? QString::number(index.row()) : widgets::formatBytes(records_->bytesOf(index.row()));
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(section == 0 ? RecordsPage::tr("Record") : RecordsPage::tr("Bytes")) : QVariant();
  }

 private:
  FileRecordsPtr records_;
};

QTableWidget* table(QWidget* parent, const char* name, int columns) {
  auto* t = new QTableWidget(0, columns, parent);
  t->setObjectName(QLatin1String(name));
  t->setItemDelegate(new widgets::PaddedDelegate(t));
  t->verticalHeader()->hide();
  t->verticalHeader()->setDefaultSectionSize(28);
  t->setShowGrid(false);
  t->setFrameShape(QFrame::NoFrame);
  t->setSelectionBehavior(QAbstractItemView::SelectRows);
  t->setWordWrap(false);
  t->horizontalHeader()->setHighlightSections(false);
  t->horizontalHeader()->setStretchLastSection(true);
  return t;
}

QTableWidgetItem* cell(const QString& text, bool editable = false) {
  auto* item = new QTableWidgetItem(text);
  item->setFont(Theme::current().monoFont());
  item->setToolTip(text);
  if (!editable) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
  return item;
}

QString shapeText(const QVector<qint64>& shape) {
  QStringList dims;
  for (const qint64 d : shape) dims << QString::number(d);
  return QStringLiteral("[") + dims.join(QStringLiteral(", ")) + QStringLiteral("]");
}

/// Parses "[28, 28]", "28x28" or "28 28".
bool readShape(QString text, QVector<qint64>* shape) {
  text.remove(u'[').remove(u']');
  for (const QChar c : QStringLiteral("×x,*")) text.replace(c, u' ');
  QVector<qint64> dims;
  for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
    bool ok = false;
    const qint64 d = word.toLongLong(&ok);
    if (!ok || d < 1) return false;
    dims << d;
  }
  *shape = dims;
  return true;
}

}  // namespace

RecordsPage::RecordsPage(const ViewContext& context, FileTab* file, QWidget* parent) : QWidget(parent), context_(context), records_(file->contents()->records) {
  totals_ = new QLabel(this);
  totals_->setProperty("kind", QStringLiteral("muted"));
  totals_->setContentsMargins(12, 6, 12, 6);
  list_ = new QTableView(this);
  list_->setObjectName(QStringLiteral("record_list"));
  list_->setModel(new RecordList(records_, this));
  list_->setItemDelegate(new widgets::PaddedDelegate(list_));
  list_->setSelectionBehavior(QAbstractItemView::SelectRows);
  list_->setSelectionMode(QAbstractItemView::SingleSelection);
  list_->setShowGrid(false);
  list_->setFrameShape(QFrame::NoFrame);
  list_->verticalHeader()->hide();
  list_->verticalHeader()->setDefaultSectionSize(Theme::current().metrics().rowHeight);
  list_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  list_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  list_->horizontalHeader()->setHighlightSections(false);
  list_->setMinimumWidth(124);
  list_->setColumnWidth(0, 56);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  auto* right = new QWidget(this);
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  recordTitle_ = heading(right, 8);
  features_ = table(right, "record_features", 4);
  features_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  picture_ = new QLabel(right);
  picture_->setObjectName(QStringLiteral("record_picture"));
  picture_->setAlignment(Qt::AlignCenter);
  picture_->setMinimumWidth(kPreview + 24);
  hex_ = new QLabel(right);
  hex_->setWordWrap(true);
  hex_->setContentsMargins(12, 4, 12, 4);
  hex_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* recordRow = new QHBoxLayout;
  recordRow->setSpacing(0);
  recordRow->addWidget(features_, 1);
  recordRow->addWidget(picture_);
  specTitle_ = heading(right, 8);
  specs_ = table(right, "parse_specs", 5);
  // The file's contents and the result share the width, so that the result stays visible.
  for (const int c : {3, 4}) specs_->horizontalHeader()->setSectionResizeMode(c, QHeaderView::Stretch);
  specs_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  program_ = new QPlainTextEdit(right);
  program_->setObjectName(QStringLiteral("parse_program"));
  program_->setReadOnly(true);
  program_->setFrameShape(QFrame::NoFrame);
  program_->setLineWrapMode(QPlainTextEdit::NoWrap);
  program_->document()->setDocumentMargin(8);
  copy_ = new QPushButton(right);
  copy_->setObjectName(QStringLiteral("copy_parse_program"));
  auto* copyRow = new QHBoxLayout;
  copyRow->setContentsMargins(12, 4, 12, 8);
  copyRow->setSpacing(8);
  copyRow->addWidget(copy_);
  copyWriter_ = new QPushButton(right);
  copyWriter_->setIcon(widgets::icon(QStringLiteral("copy")));
  connect(copyWriter_, &QPushButton::clicked, context.actions.action(QStringLiteral("inspect.copy-writer")), &QAction::trigger);
  copyRow->addWidget(copyWriter_);
  copyRow->addStretch(1);
  column->addWidget(recordTitle_);
  column->addLayout(recordRow, 3);
  column->addWidget(hex_);
  column->addWidget(specTitle_);
  column->addWidget(specs_, 3);
  column->addWidget(program_, 2);
  column->addLayout(copyRow);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(list_);
  splitter->addWidget(right);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({132, 948});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(totals_);
  layout->addWidget(splitter, 1);

  for (const FeatureColumn& c : records_->columns()) parse_ << c.proposed;
  const bool examples = !records_->form().isEmpty();
  for (QWidget* w : {static_cast<QWidget*>(features_), static_cast<QWidget*>(specTitle_), static_cast<QWidget*>(specs_), static_cast<QWidget*>(program_),
                     static_cast<QWidget*>(copy_)})
    w->setVisible(examples);
  if (!examples) column->addStretch(1);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
    if (at.isValid()) read(at.row());
  });
  connect(specs_, &QTableWidget::cellChanged, this, [this](int row, int columnIndex) {
    if (!filling_ && columnIndex == 2) specEdited(row);
  });
  connect(features_, &QTableWidget::currentCellChanged, this, [this] { showRecord(); });
  connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(program_->toPlainText()); });
  retranslate();
}

RecordsPage::~RecordsPage() {
  if (task_) context_.workspace.tasks().cancel(task_);
}

void RecordsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (record_ < 0) list_->selectRow(0);
}

void RecordsPage::read(qint64 record) {
  Tasks& tasks = context_.workspace.tasks();
  if (task_) tasks.cancel(task_);
  auto view = std::make_shared<RecordView>();
  task_ = tasks.start(
      tr("Reading record %1").arg(record), [view, record, records = records_](TaskState&) { *view = records->read(record); },
      [this, view, record] {
        task_ = 0;
        view_ = *view;
        record_ = record;
        filling_ = true;
        features_->setRowCount(0);
        filling_ = false;
        showRecord();
        applySpecs();
      },
      [this] { task_ = 0; });
}

void RecordsPage::showRecord() {
  if (filling_ || record_ < 0) return;
  recordTitle_->setText(tr("Record %1 · %2").arg(record_).arg(widgets::formatBytes(view_.bytes)));
  hex_->setVisible(!view_.hex.isEmpty() || !view_.error.isEmpty());
  hex_->setFont(Theme::current().monoFont());
  hex_->setText(view_.error.isEmpty() ? view_.hex : view_.error);
  filling_ = true;
  if (const int rows = int(std::min(view_.features.size(), kListed)); features_->rowCount() != rows) {
    features_->setRowCount(rows);
    for (int i = 0; i < rows; ++i) {
      const RecordFeature& f = view_.features[i];
      const QString texts[] = {f.name, f.type, widgets::formatCount(f.count), f.values};
      for (int c = 0; c < 4; ++c) features_->setItem(i, c, cell(texts[c]));
    }
  }
  filling_ = false;
  // Shows the chosen feature's picture, else the first picture.
  QPixmap pixmap;
  const int chosen = features_->currentRow();
  for (int i = 0; i < view_.features.size() && pixmap.isNull(); ++i) {
    if (chosen >= 0 && i != chosen) continue;
    if (!view_.features[i].bytes.isEmpty()) pixmap.loadFromData(view_.features[i].bytes);
  }
  picture_->setVisible(!pixmap.isNull());
  if (!pixmap.isNull()) {
    picture_->setToolTip(tr("%1×%2 pixels").arg(pixmap.width()).arg(pixmap.height()));
    picture_->setPixmap(pixmap.scaled(kPreview, kPreview, Qt::KeepAspectRatio, pixmap.width() < kPreview ? Qt::FastTransformation : Qt::SmoothTransformation));
  }
}

void RecordsPage::fillSpecs() {
  filling_ = true;
  specs_->setRowCount(int(std::min(parse_.size(), kListed)));
  for (int i = 0; i < specs_->rowCount(); ++i) {
    const FeatureColumn& c = records_->columns()[i];
    QString inFile = c.type + QStringLiteral(" · ") + c.lengths;
    if (!c.content.isEmpty())
      inFile += QStringLiteral(" · ") + (c.content == QLatin1String("text")    ? tr("text")
                                         : c.content == QLatin1String("raw")   ? tr("raw")
                                         : c.content == QLatin1String("mixed") ? tr("mixed")
                                                                               : c.content);
    if (c.records < records_->sampled()) inFile += QStringLiteral(" · ") + tr("in %1 of %2").arg(c.records).arg(records_->sampled());
    if (c.mixed) inFile += QStringLiteral(" · ") + tr("types differ between records");
    specs_->setItem(i, 0, cell(c.name));
    auto* kind = new QComboBox(specs_);
    kind->addItems({QStringLiteral("FixedLen"), QStringLiteral("VarLen"), QStringLiteral("FixedLenSequence")});
    if (!parse_[i].indexKey.isEmpty()) {
      kind->addItem(QStringLiteral("Sparse"));
      kind->setItemData(int(ParseSpec::Kind::Sparse), tr("Together with its positions in %1").arg(parse_[i].indexKey), Qt::ToolTipRole);
    }
    kind->setCurrentIndex(int(parse_[i].kind));
    kind->setAccessibleName(tr("Parsing of %1").arg(c.name));
    connect(kind, &QComboBox::activated, this, [this, i](int index) {
      parse_[i].kind = ParseSpec::Kind(index);
      specEdited(i);
    });
    specs_->setCellWidget(i, 1, kind);
    specs_->setItem(i, 2, cell(shapeText(parse_[i].shape), true));
    specs_->setItem(i, 3, cell(inFile));
    specs_->setItem(i, 4, cell({}));
  }
  filling_ = false;
  applySpecs();
  showProgram();
}

void RecordsPage::specEdited(int row) {
  QVector<qint64> shape;
  const bool good = readShape(specs_->item(row, 2)->text(), &shape);
  if (good) parse_[row].shape = shape;
  applySpecs();
  showProgram();
  if (good) return;
  filling_ = true;
  specs_->item(row, 4)->setText(tr("A shape is a list of sizes: [28, 28]"));
  specs_->item(row, 4)->setForeground(Theme::current().color(Role::Error));
  filling_ = false;
}

void RecordsPage::applySpecs() {
  filling_ = true;
  for (int i = 0; i < specs_->rowCount() && record_ >= 0; ++i) {
    bool ok = false;
    const QString result = records_->applied(parse_[i], view_, &ok);
    QTableWidgetItem* item = specs_->item(i, 4);
    item->setText(result);
    item->setToolTip(result);
    item->setIcon(ok ? widgets::icon(QStringLiteral("check"), Role::Ok) : widgets::icon(QStringLiteral("error"), Role::Error));
    item->setForeground(Theme::current().color(ok ? Role::Text1 : Role::Error));
  }
  filling_ = false;
}

void RecordsPage::showProgram() {
  program_->setFont(Theme::current().monoFont());
  program_->setPlainText(records_->program(parse_));
}

void RecordsPage::retranslate() {
  const QString form = records_->form().isEmpty() ? tr("records of bytes") : tr("records of tf.train.%1").arg(records_->form());
  totals_->setText(tr("%1 %2").arg(widgets::formatCount(records_->count()), form) +
                   (records_->isComplete() ? QString() : QStringLiteral(" · ") + tr("the file holds more")));
  list_->setAccessibleName(tr("Records"));
  features_->setAccessibleName(tr("Features of the record"));
  specs_->setAccessibleName(tr("How the features are parsed"));
  program_->setAccessibleName(tr("Parse function"));
  features_->setHorizontalHeaderLabels({tr("Feature"), tr("Type"), tr("Values"), tr("First values")});
  specTitle_->setText(tr("Parsing spec, tried on this record") +
                      (parse_.size() > kListed ? QStringLiteral(" · ") + tr("the first %1 of %2 features are listed; the program has all")
                                                                             .arg(widgets::formatCount(kListed), widgets::formatCount(parse_.size()))
                                               : QString()));
  specs_->setHorizontalHeaderLabels({tr("Feature"), tr("Spec"), tr("Shape"), tr("In the file"), tr("Gives")});
  const int featureWidths[] = {180, 60, 60}, specWidths[] = {116, 126, 52};
  for (int c = 0; c < 3; ++c) features_->setColumnWidth(c, featureWidths[c]);
  for (int c = 0; c < 3; ++c) specs_->setColumnWidth(c, specWidths[c]);
  for (QTableWidget* t : {features_, specs_})
    for (int c = 0; c < t->columnCount(); ++c) t->horizontalHeaderItem(c)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  copy_->setText(tr("Copy the parse function"));
  copyWriter_->setText(tr("Copy a writer"));
  copyWriter_->setToolTip(tr("Copies Python code that writes records with these features"));
  copy_->setIcon(widgets::icon(QStringLiteral("copy")));
  fillSpecs();
  showRecord();
}

void RecordsPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
