#include "main_window/checkpoint_copy_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

#include "adapters/tasks.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/file_tab.h"
#include "main_window/copy_table.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {

constexpr int kTypingPause = 200;  // milliseconds before the changes are checked
constexpr int kMostFiles = 99999;

}  // namespace

CheckpointCopyDialog::CheckpointCopyDialog(FileTab* file, Tasks& tasks, QWidget* parent)
    : QDialog(parent), tensors_(file->tensors()), tasks_(tasks), number_(std::make_shared<int>(0)) {
  connect(file, &QObject::destroyed, this, &QDialog::reject);
  setObjectName(QStringLiteral("checkpoint_copy_dialog"));
  setWindowTitle(tr("Save a copy of %1").arg(file->title()));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* layout = dialogColumn(this);
  model_ = new CopyTable(tensors_->entries(), this);
  shown_ = new QSortFilterProxyModel(this);
  shown_->setSourceModel(model_);
  shown_->setFilterKeyColumn(CopyTable::kName);
  shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  layout->addWidget(makeFilter());
  layout->addWidget(makeTable(), 1);
  layout->addWidget(makeRules());
  summary_ = new QLabel(this);
  summary_->setObjectName(QStringLiteral("copy_summary"));
  summary_->setTextFormat(Qt::PlainText);
  summary_->setWordWrap(true);
  layout->addWidget(summary_);
  auto* buttons = new QDialogButtonBox(this);
  save_ = buttons->addButton(tr("&Save as…"), QDialogButtonBox::AcceptRole);
  save_->setObjectName(QStringLiteral("save_copy"));
  save_->setDefault(true);
  save_->setToolTip(tr("Asks for a name and writes the checked variables; progress is in the status bar, where it can be cancelled"));
  buttons->addButton(tr("&Cancel"), QDialogButtonBox::RejectRole);
  layout->addWidget(buttons);
  connect(save_, &QPushButton::clicked, this, &CheckpointCopyDialog::saveRequested);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  wait_.setSingleShot(true);
  wait_.setInterval(kTypingPause);
  connect(&wait_, &QTimer::timeout, this, &CheckpointCopyDialog::plan);
  connect(model_, &QAbstractItemModel::dataChanged, this, [this] {
    if (!filling_) planSoon();
  });
  plan();
  resize(840, 600);
  filter_->setFocus();
}

CheckpointCopyDialog::~CheckpointCopyDialog() { ++*number_; }

QWidget* CheckpointCopyDialog::makeFilter() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  filter_ = new QLineEdit(bar);
  filter_->setObjectName(QStringLiteral("copy_filter"));
  filter_->setClearButtonEnabled(true);
  filter_->setPlaceholderText(tr("Show names with…"));
  filter_->setAccessibleName(tr("Filter of the names"));
  filter_->setToolTip(tr("Shows only variables whose names contain this text; the checks of the others stay"));
  connect(filter_, &QLineEdit::textChanged, shown_, &QSortFilterProxyModel::setFilterFixedString);
  row->addWidget(filter_, 1);
  const auto button = [&](const QString& text, const char* name, const QString& tip, bool on) {
    auto* made = new QPushButton(text, bar);
    made->setObjectName(QLatin1String(name));
    made->setAutoDefault(false);
    made->setToolTip(tip);
    connect(made, &QPushButton::clicked, this, [this, on] { checkShown(on); });
    row->addWidget(made);
  };
  button(tr("C&heck shown"), "check_shown", tr("Checks all variables in the table below"), true);
  button(tr("&Uncheck shown"), "uncheck_shown", tr("Unchecks all variables in the table below; they are not written"), false);
  return bar;
}

QWidget* CheckpointCopyDialog::makeTable() {
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("copy_table"));
  table_->setAccessibleName(tr("Variables to write"));
  table_->setModel(shown_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(26);
  table_->installEventFilter(this);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setStretchLastSection(true);
  header->resizeSection(CopyTable::kName, 270);
  header->resizeSection(CopyTable::kNewName, 250);
  header->resizeSection(CopyTable::kType, 150);
  return table_;
}

QWidget* CheckpointCopyDialog::makeRules() {
  auto* box = new QWidget(this);
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  const QFont mono = widgets::Theme::current().monoFont();
  auto* names = new QHBoxLayout;
  pattern_ = new QLineEdit(box);
  pattern_->setObjectName(QStringLiteral("copy_pattern"));
  pattern_->setFont(mono);
  pattern_->setPlaceholderText(QStringLiteral("^old/(.*)"));
  pattern_->setToolTip(tr("A regular expression that is searched for in the names; ^ and $ are the ends of a name. Every match is replaced."));
  replacement_ = new QLineEdit(box);
  replacement_->setObjectName(QStringLiteral("copy_replacement"));
  replacement_->setFont(mono);
  replacement_->setPlaceholderText(QStringLiteral("new/$1"));
  replacement_->setAccessibleName(tr("Replacement"));
  replacement_->setToolTip(tr("Takes the place of the match: $1 is the first group, $& the whole match, $$ a dollar sign"));
  auto* arrow = new QLabel(QStringLiteral("→"), box);
  names->addWidget(pattern_, 1);
  names->addWidget(arrow);
  names->addWidget(replacement_, 1);
  auto* rename = new QLabel(tr("&Rename"), box);
  rename->setBuddy(pattern_);
  form->addRow(rename, names);
  type_ = new QComboBox(box);
  type_->setObjectName(QStringLiteral("copy_type"));
  type_->addItem(tr("as they are"), QString());
  for (const char* type : {"float16", "bfloat16", "float32", "float64"}) type_->addItem(QLatin1String(type), QLatin1String(type));
  type_->setToolTip(tr("Type of all floating-point variables; integers and strings stay as they are. Numbers too large for float16 are reported."));
  form->addRow(tr("&Floating-point numbers"), type_);
  auto* files = new QHBoxLayout;
  version_ = new QComboBox(box);
  version_->setObjectName(QStringLiteral("copy_version"));
  version_->addItem(tr("V2 (index and data)"), 2);
  version_->addItem(tr("V1 (one file)"), 1);
  version_->setToolTip(tr("V2 is what TensorFlow 1.x writes; V1 is the older format, which lacks bfloat16"));
  shards_ = new QSpinBox(box);
  shards_->setObjectName(QStringLiteral("copy_shards"));
  shards_->setRange(1, kMostFiles);
  shards_->setToolTip(tr("Number of files that the values are divided into; at most one per variable"));
  auto* shardsLabel = new QLabel(tr("&Data files"), box);
  shardsLabel->setBuddy(shards_);
  files->addWidget(version_);
  files->addSpacing(16);
  files->addWidget(shardsLabel);
  files->addWidget(shards_);
  files->addStretch(1);
  auto* version = new QLabel(tr("&Version"), box);
  version->setBuddy(version_);
  form->addRow(version, files);
  for (QLineEdit* edit : {pattern_, replacement_}) connect(edit, &QLineEdit::textChanged, this, &CheckpointCopyDialog::planSoon);
  for (QComboBox* choice : {type_, version_}) connect(choice, &QComboBox::currentIndexChanged, this, &CheckpointCopyDialog::planSoon);
  connect(shards_, &QSpinBox::valueChanged, this, &CheckpointCopyDialog::planSoon);
  return box;
}

CheckpointCopy CheckpointCopyDialog::copy() const {
  CheckpointCopy out;
  out.omitted = model_->unchecked();
  out.pattern = pattern_->text();
  out.replacement = replacement_->text();
  out.type = type_->currentData().toString();
  out.version = version_->currentData().toInt();
  out.shards = shards_->value();
  return out;
}

void CheckpointCopyDialog::checkShown(bool on) {
  QVector<int> rows;
  for (int i = 0; i < shown_->rowCount(); ++i) rows << shown_->mapToSource(shown_->index(i, 0)).row();
  model_->check(rows, on);
}

/// Space toggles all selected rows, whichever column is current.
bool CheckpointCopyDialog::eventFilter(QObject* watched, QEvent* event) {
  if (watched != table_ || event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Space)
    return QDialog::eventFilter(watched, event);
  QVector<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows << shown_->mapToSource(index).row();
  if (!rows.isEmpty()) model_->check(rows, !model_->isChecked(rows.first()));
  return true;
}

void CheckpointCopyDialog::planSoon() {
  ++*number_;
  save_->setEnabled(false);
  wait_.start();
}

void CheckpointCopyDialog::plan() {
  const int mine = ++*number_;
  save_->setEnabled(false);
  auto result = std::make_shared<CopyPlan>();
  tasks_.start(
      tr("Checking the changes"), [tensors = tensors_, copy = copy(), result](TaskState&) { *result = planCopy(*tensors, copy); },
      [this, dialog = QPointer<CheckpointCopyDialog>(this), number = number_, mine, result] {
        if (dialog && *number == mine) showPlan(*result);
      });
}

void CheckpointCopyDialog::showPlan(const CopyPlan& plan) {
  filling_ = true;
  model_->showPlan(plan);
  filling_ = false;
  save_->setEnabled(plan.error.isEmpty());
  using widgets::Role;
  QStringList parts;
  if (plan.error.isEmpty()) {
    parts << tr("%n variable(s)", nullptr, int(plan.tensors.size())) << widgets::formatBytes(plan.bytes);
    if (plan.renamed) parts << tr("%n renamed", nullptr, plan.renamed);
    if (plan.converted) parts << tr("%n converted", nullptr, plan.converted);
  }
  QString text = plan.error.isEmpty() ? parts.join(QStringLiteral(" · ")) : plan.error;
  for (const QString& warning : plan.warnings) text += u'\n' + warning;
  summary_->setText(text);
  const Role role = !plan.error.isEmpty() ? Role::Error : plan.warnings.isEmpty() ? Role::Text2 : Role::Warning;
  summary_->setStyleSheet(QStringLiteral("color: %1").arg(widgets::Theme::current().color(role).name()));
}

}  // namespace weft::app
