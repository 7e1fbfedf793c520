#include "main_window/input_advice_window.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "code_editor/code_editor.h"

namespace weft::app {

InputAdviceWindow::InputAdviceWindow(std::function<void(const QString&)> insert, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("input_advice_window"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Input data pipeline"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(10);
  auto* row = new QHBoxLayout;
  auto* form = new QFormLayout;
  const auto number = [&](const QString& label, const QString& suffix, int most) {
    auto* box = new QSpinBox(this);
    box->setRange(1, most);
    box->setGroupSeparatorShown(true);
    box->setSuffix(suffix);
    form->addRow(label, box);
    connect(box, &QSpinBox::valueChanged, this, &InputAdviceWindow::advise);
    return box;
  };
  size_ = number(tr("&Size"), QStringLiteral(" MB"), 100'000'000);
  files_ = number(tr("&Files"), {}, 100'000'000);
  batch_ = number(tr("&Batch"), {}, 100'000);
  online_ = new QCheckBox(tr("New data arrives during training"), this);
  pictures_ = new QCheckBox(tr("Each file is an image"), this);
  form->addRow(QString(), online_);
  form->addRow(QString(), pictures_);
  for (QCheckBox* box : {online_, pictures_}) connect(box, &QCheckBox::toggled, this, &InputAdviceWindow::advise);
  auto* words = new QVBoxLayout;
  title_ = new QLabel(this);
  title_->setObjectName(QStringLiteral("advice_title"));
  QFont font = title_->font();
  font.setPixelSize(16);
  font.setBold(true);
  title_->setFont(font);
  reasons_ = new QLabel(this);
  reasons_->setWordWrap(true);
  reasons_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words->addWidget(title_);
  words->addWidget(reasons_);
  words->addStretch(1);
  row->addLayout(form);
  row->addSpacing(16);
  row->addLayout(words, 1);
  column->addLayout(row);
  auto* ways = new QHBoxLayout;
  way_ = new QComboBox(this);
  way_->setAccessibleName(tr("Code for"));
  for (const QString& name : {tr("in memory"), tr("files with tf.data"), tr("TFRecord files"), tr("queue")}) way_->addItem(name);
  way_->setToolTip(tr("Show the code of another pipeline"));
  copy_ = new QPushButton(tr("&Copy"), this);
  insert_ = new QPushButton(tr("&Insert into the program"), this);
  insert_->setObjectName(QStringLiteral("advice_insert"));
  insert_->setVisible(bool(insert));
  ways->addWidget(new QLabel(tr("Code:"), this));
  ways->addWidget(way_);
  ways->addStretch(1);
  ways->addWidget(copy_);
  ways->addWidget(insert_);
  column->addLayout(ways);
  program_ = new widgets::CodeEditor(widgets::CodeEditor::Language::Python, this);
  program_->setReadOnly(true);
  column->addWidget(program_, 1);
  connect(way_, &QComboBox::currentIndexChanged, this, [this] { program_->load(program()); });
  connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(program()); });
  connect(insert_, &QPushButton::clicked, this, [this, insert] {
    insert(program());
    close();
  });
  setFacts({});
}

void InputAdviceWindow::setFacts(const InputFacts& facts) {
  const QSignalBlocker quiet[] = {QSignalBlocker(size_), QSignalBlocker(files_), QSignalBlocker(batch_), QSignalBlocker(online_), QSignalBlocker(pictures_)};
  size_->setValue(int(facts.megabytes));
  files_->setValue(facts.files);
  batch_->setValue(facts.batch);
  online_->setChecked(facts.online);
  pictures_->setChecked(facts.pictures);
  advise();
}

InputFacts InputAdviceWindow::facts() const { return {double(size_->value()), files_->value(), online_->isChecked(), pictures_->isChecked(), batch_->value()}; }

QString InputAdviceWindow::program() const { return inputProgram(InputAdvice::Way(way_->currentIndex()), facts()); }

void InputAdviceWindow::advise() {
  advice_ = inputAdvice(facts());
  title_->setText(advice_.title);
  reasons_->setText(advice_.reasons.join(QStringLiteral("\n")));
  const QSignalBlocker quiet(way_);
  way_->setCurrentIndex(int(advice_.way));
  program_->load(program());
}

}  // namespace weft::app
