#include "main_window/data_columns_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include "common/theme.h"
#include "document/document.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {

constexpr int kWidth = 620, kMostHeight = 420, kLeastChoice = 240;

}  // namespace

DataColumnsDialog::DataColumnsDialog(Document* document, const QString& title, const DataColumns& columns, QWidget* parent)
    : QDialog(parent), columns_(columns) {
  connect(document, &QObject::destroyed, this, &QDialog::reject);  // a changed file may replace it
  setObjectName(QStringLiteral("data_columns_dialog"));
  setWindowTitle(tr("Data %1").arg(title));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* layout = dialogColumn(this);
  addSentence(layout, tr("Which column of %1 feeds each placeholder?").arg(title));
  auto* area = new QScrollArea(this);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  auto* rows = new QWidget(area);
  auto* grid = new QGridLayout(rows);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setVerticalSpacing(8);
  grid->setHorizontalSpacing(12);
  grid->setColumnStretch(2, 1);
  const QFont mono = widgets::Theme::current().monoFont();
  for (int i = 0; i < int(columns.placeholders.size()); ++i) {
    const DataColumns::Placeholder& p = columns.placeholders[i];
    const QString plain = p.tensor.section(u':', 0, 0);
    auto* name = new QLabel(plain, rows);
    name->setFont(mono);
    auto* type = new QLabel(p.type, rows);
    type->setFont(mono);
    type->setProperty("kind", QStringLiteral("muted"));
    auto* choice = new QComboBox(rows);
    choice->setObjectName(QStringLiteral("column_of_") + plain);
    choice->setAccessibleName(tr("Column that feeds %1").arg(plain));
    choice->setMinimumWidth(kLeastChoice);
    choice->addItem(tr("nothing"), QString());
    for (const DataColumns::Column& column : columns.columns)
      if (p.columns.contains(column.name)) choice->addItem(column.name + QStringLiteral(" · ") + column.type, column.name);
    choice->setCurrentIndex(std::max(0, choice->findData(p.proposed)));
    if (p.columns.isEmpty()) {
      choice->setEnabled(false);
      choice->setToolTip(tr("No column fits %1.").arg(p.type));
    }
    name->setBuddy(choice);
    grid->addWidget(name, i, 0);
    grid->addWidget(type, i, 1);
    grid->addWidget(choice, i, 2);
    choices_ << choice;
    connect(choice, &QComboBox::currentIndexChanged, this, &DataColumnsDialog::check);
  }
  grid->setRowStretch(int(columns.placeholders.size()), 1);
  area->setWidget(rows);
  area->setMinimumHeight(std::min(kMostHeight, rows->sizeHint().height() + 4));
  layout->addWidget(area, 1);
  hint_ = new QLabel(this);
  hint_->setProperty("kind", QStringLiteral("muted"));
  hint_->setWordWrap(true);
  layout->addWidget(hint_);
  auto* buttons = new QDialogButtonBox(this);
  use_ = buttons->addButton(tr("&Use these data"), QDialogButtonBox::AcceptRole);
  use_->setDefault(true);
  buttons->addButton(tr("&Cancel"), QDialogButtonBox::RejectRole);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  check();
  resize(std::max(kWidth, sizeHint().width()), sizeHint().height());
}

QStringList DataColumnsDialog::words() const {
  QStringList out;
  for (qsizetype i = 0; i < choices_.size(); ++i)
    if (const QString column = choices_[i]->currentData().toString(); !column.isEmpty()) out << columns_.placeholders[i].tensor + u'=' + column;
  return out;
}

void DataColumnsDialog::check() {
  QStringList left, unfed;
  for (const DataColumns::Column& column : std::as_const(columns_.columns)) left << column.name;
  for (qsizetype i = 0; i < choices_.size(); ++i) {
    const QString column = choices_[i]->currentData().toString();
    left.removeAll(column);
    if (column.isEmpty()) unfed << columns_.placeholders[i].tensor.section(u':', 0, 0);
  }
  QStringList lines;
  if (!unfed.isEmpty()) lines << tr("Nothing feeds %1.").arg(unfed.join(QStringLiteral(", ")));
  if (!left.isEmpty()) lines << tr("Columns that are not used: %1.").arg(left.join(QStringLiteral(", ")));
  hint_->setText(lines.join(u'\n'));
  hint_->setVisible(!lines.isEmpty());
  use_->setEnabled(!words().isEmpty());
}

}  // namespace weft::app
