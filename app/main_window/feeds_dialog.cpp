#include "main_window/feeds_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/icons.h"
#include "common/padded_delegate.h"
#include "common/theme.h"
#include "document/document.h"
#include "shell/dialog_parts.h"
#include "shell/file_dialogs.h"

namespace weft::app {
namespace {

enum FeedColumn { kFeedTensor, kFeedType, kFeedSource, kFeedText, kFeedColumns };
constexpr int kMostRowsShown = 6, kBoldExtra = 28;  // the default button is bold

/// The feed word of a source: `random[2,64]`.
const char* const kSourceWords[] = {"", "zeros", "ones", "random", "normal", "sample", ""};

}  // namespace

FeedsDialog::FeedsDialog(Document* document, const DebugController::RunInputs& runInputs, const Settings& settings, QWidget* parent)
    : QDialog(parent), document_(document), settings_(settings) {
  connect(document, &QObject::destroyed, this, &QDialog::reject);  // a program or a changed file may replace it
  setObjectName(QStringLiteral("feeds_dialog"));
  setWindowTitle(tr("Values to feed"));
  setAttribute(Qt::WA_DeleteOnClose);
  for (const QString& feed : runInputs.feeds) {
    QString tensor = feed.section(u'=', 0, 0);
    if (!tensor.contains(u':')) tensor += QStringLiteral(":0");
    known_.insert(tensor, feed.section(u'=', 1));
  }
  auto* layout = dialogColumn(this);
  auto* compute = new QHBoxLayout;
  auto* label = new QLabel(tr("&Compute"), this);
  fetches_ = new QLineEdit(runInputs.fetches.join(QStringLiteral(", ")), this);
  fetches_->setFont(widgets::Theme::current().monoFont());
  fetches_->setPlaceholderText(tr("tensors, e.g. loss:0; empty: all outputs without consumers"));
  fetches_->setAccessibleName(tr("Tensors to compute"));
  label->setBuddy(fetches_);
  compute->addWidget(label);
  compute->addWidget(fetches_, 1);
  layout->addLayout(compute);
  hint_ = new QLabel(this);
  hint_->setProperty("kind", QStringLiteral("muted"));
  hint_->setWordWrap(true);
  layout->addWidget(hint_);
  table_ = new QTableWidget(0, kFeedColumns, this);
  table_->setItemDelegate(new widgets::PaddedDelegate(table_));
  table_->setHorizontalHeaderLabels({tr("Placeholder"), tr("Type and shape"), tr("Fed with"), tr("Value, shape or file")});
  table_->setAccessibleName(tr("Placeholders"));
  table_->verticalHeader()->hide();
  table_->setSelectionMode(QAbstractItemView::NoSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setFocusPolicy(Qt::NoFocus);
  table_->setTextElideMode(Qt::ElideLeft);
  QHeaderView* header = table_->horizontalHeader();
  header->setSectionResizeMode(kFeedText, QHeaderView::Stretch);
  header->resizeSection(kFeedTensor, 150);
  header->resizeSection(kFeedType, 150);
  header->resizeSection(kFeedSource, 170);
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  layout->addWidget(table_, 1);
  error_ = addRedText(layout);
  auto* buttons = new QDialogButtonBox(this);
  start_ = buttons->addButton(tr("&Start debugging"), QDialogButtonBox::AcceptRole);
  start_->setDefault(true);
  start_->setMinimumWidth(start_->sizeHint().width() + kBoldExtra);
  buttons->addButton(tr("&Cancel"), QDialogButtonBox::RejectRole);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    check();
    if (start_->isEnabled()) accept();
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(fetches_, &QLineEdit::editingFinished, this, &FeedsDialog::fillRows);
  fillRows();
  fetches_->setFocus();
  fetches_->selectAll();
  resize(760, sizeHint().height());
}

QStringList FeedsDialog::fetches() const {
  QStringList names;
  for (QString name : fetches_->text().split(QRegularExpression(QStringLiteral("[,\\s]+")), Qt::SkipEmptyParts)) {
    if (!name.contains(u':')) name += QStringLiteral(":0");
    names << name;
  }
  return names;
}

void FeedsDialog::fillRows() {
  for (const Row& row : std::as_const(rows_)) known_.insert(row.slot.tensor, feedOf(row).section(u'=', 1));
  rows_.clear();
  table_->setRowCount(0);
  const QVector<FeedSlot> needed = feedSlots(*document_->contents(), fetches(), {});
  hint_->setText(needed.isEmpty() ? tr("Nothing needs to be fed.")
                                  : tr("The tensors to compute need these placeholders. Enter unknown sizes (?) with the value."));
  table_->setRowCount(int(needed.size()));
  for (int i = 0; i < int(needed.size()); ++i) {
    Row row;
    row.slot = needed[i];
    auto* name = new QTableWidgetItem(row.slot.tensor);
    name->setFont(widgets::Theme::current().monoFont());
    name->setToolTip(row.slot.tensor);
    table_->setItem(i, kFeedTensor, name);
    auto* type = new QTableWidgetItem(row.slot.dtype + u' ' + row.slot.shape);
    type->setFont(widgets::Theme::current().monoFont());
    type->setToolTip(type->text());
    table_->setItem(i, kFeedType, type);
    row.source = new QComboBox(table_);
    row.source->setAccessibleName(tr("Feed for %1").arg(row.slot.tensor));
    const auto add = [&](const QString& text, Source source) { row.source->addItem(text, int(source)); };
    if (!row.slot.data.isEmpty()) add(tr("rows of %1").arg(row.slot.data), Source::Sample);
    if (row.slot.isNumber) {
      add(tr("random, 0 to 1"), Source::Random);
      add(tr("random, normal"), Source::Normal);
      add(tr("zeros"), Source::Zeros);
      add(tr("ones"), Source::Ones);
    }
    add(tr("value"), Source::Value);
    add(tr("file (.npy)"), Source::File);
    auto* cell = new QWidget(table_);
    auto* line = new QHBoxLayout(cell);
    line->setContentsMargins(4, 0, 0, 0);
    line->setSpacing(4);
    row.text = new QLineEdit(cell);
    row.text->setFont(widgets::Theme::current().monoFont());
    row.browse = new QToolButton(cell);
    row.browse->setIcon(widgets::icon(QStringLiteral("folder")));
    row.browse->setToolTip(tr("Choose a file"));
    row.browse->setAccessibleName(row.browse->toolTip());
    line->addWidget(row.text, 1);
    line->addWidget(row.browse);
    row.source->setStyleSheet(QStringLiteral("QComboBox { margin: 5px 0; }"));  // as high as the field beside it, not as the row
    table_->setCellWidget(i, kFeedSource, row.source);
    table_->setCellWidget(i, kFeedText, cell);
    // The previous feed, or the best default: data, else random numbers.
    const QString word = known_.value(row.slot.tensor);
    Source source = Source(row.source->itemData(0).toInt());
    QString detail;
    if (!word.isEmpty()) {
      source = word.endsWith(QLatin1String(".npy")) ? Source::File : Source::Value;
      detail = word;
      for (const Source made : {Source::Zeros, Source::Ones, Source::Random, Source::Normal, Source::Sample}) {
        const QLatin1String begin(kSourceWords[int(made)]);
        if (!word.startsWith(begin)) continue;
        source = made;
        detail = word.mid(begin.size());
        if (made == Source::Sample) detail.remove(u':');
      }
    }
    row.source->setCurrentIndex(std::max(0, row.source->findData(int(source))));
    row.shown = Source(row.source->currentData().toInt());
    row.text->setText(detail);
    rows_ << row;
    connect(row.source, &QComboBox::activated, this, [this, i] {
      Row& row = rows_[i];
      const Source source = Source(row.source->currentData().toInt());
      if (source != row.shown) {
        QMap<Source, QString>& typed = typed_[row.slot.tensor];
        typed[row.shown] = row.text->text();
        row.shown = source;
        row.text->setText(typed.value(source));
      }
      showRow(i);
      rows_[i].text->setFocus();
      rows_[i].text->selectAll();
      check();
    });
    connect(row.text, &QLineEdit::textChanged, this, &FeedsDialog::check);
    connect(row.browse, &QToolButton::clicked, this, [this, i] { choose(i); });
    showRow(i);
  }
  for (int i = 0; i < table_->rowCount(); ++i) table_->setRowHeight(i, widgets::Theme::current().metrics().controlHeight + 10);
  table_->setMinimumHeight(table_->horizontalHeader()->sizeHint().height() + 6 +
                           std::min(kMostRowsShown, std::max(1, table_->rowCount())) * (widgets::Theme::current().metrics().controlHeight + 10));
  check();
}

void FeedsDialog::showRow(int i) {
  Row& row = rows_[i];
  const Source source = Source(row.source->currentData().toInt());
  row.browse->setVisible(source == Source::File);
  const bool made = source == Source::Zeros || source == Source::Ones || source == Source::Random || source == Source::Normal;
  if (made && row.text->text().isEmpty()) row.text->setText(row.slot.example);
  row.text->setPlaceholderText(source == Source::Sample ? tr("how many rows; empty: a batch")
                               : source == Source::File ? tr("path of a .npy file")
                               : made                   ? tr("shape, e.g. [2,64]")
                                                        : tr("one number for all, or [[1,2],[3,4]]"));
  row.text->setAccessibleName(row.text->placeholderText());
  row.text->setToolTip(row.text->placeholderText());
}

void FeedsDialog::choose(int row) {
  askForFile(this, settings_, tr("Choose a file"), document_->folder(), tr("NumPy arrays (*.npy)"), [this, row](const QString& path) {
    if (row < rows_.size()) rows_[row].text->setText(path);
  });
}

QString FeedsDialog::feedOf(const Row& row) const {
  const Source source = Source(row.source->currentData().toInt());
  const QString detail = row.text->text().trimmed();
  QString word = QLatin1String(kSourceWords[int(source)]);
  if (source == Source::Sample && !detail.isEmpty()) word += u':';
  return row.slot.tensor + u'=' + word + detail;
}

/// Shows the first invalid entry.
void FeedsDialog::check() {
  QString error;
  for (const QString& name : fetches()) {
    if (!document_->hasNode(name.section(u':', 0, 0)) && error.isEmpty()) error = tr("There is no node %1 in this graph.").arg(name.section(u':', 0, 0));
  }
  for (const Row& row : std::as_const(rows_)) {
    if (!error.isEmpty()) break;
    error = checkFeed(*document_->contents(), feedOf(row));
  }
  error_->setText(error);
  start_->setEnabled(error.isEmpty());
}

DebugController::RunInputs FeedsDialog::runInputs() const {
  DebugController::RunInputs out;
  out.fetches = fetches();
  for (const Row& row : rows_) out.feeds << feedOf(row);
  return out;
}

}  // namespace weft::app
