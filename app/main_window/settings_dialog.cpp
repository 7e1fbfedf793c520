#include "main_window/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "common/format.h"
#include "common/icons.h"
#include "document/workspace.h"
#include "main_window/shortcuts_page.h"

namespace weft::app {
namespace {
constexpr int kLabelWidth = 280, kEditorWidth = 200, kPagesWidth = 168;
QString words(const char* text) { return *text ? QCoreApplication::translate("Settings", text) : QString(); }
}  // namespace

void SettingsDialog::open(Workspace& workspace, ActionRegistry& actions, QWidget* window, const QString& text) {
  auto* dialog = window->findChild<SettingsDialog*>();
  if (!dialog) dialog = new SettingsDialog(workspace, actions, window);
  dialog->search_->setText(text);
  dialog->show();
  dialog->raise();
  dialog->search_->setFocus();
}

SettingsDialog::SettingsDialog(Workspace& workspace, ActionRegistry& actions, QWidget* window) : QDialog(window), settings_(workspace.settings()) {
  setObjectName(QStringLiteral("settings_dialog"));
  setProperty("helpPage", QStringLiteral("window"));
  resize(860, 600);
  search_ = new QLineEdit(this);
  search_->setClearButtonEnabled(true);
  search_->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  pages_ = new QListWidget(this);
  pages_->setFixedWidth(kPagesWidth);
  stack_ = new QStackedWidget(this);
  scroll_ = new QScrollArea(stack_);
  scroll_->setWidgetResizable(true);
  auto* form = new QWidget;
  auto* column = new QVBoxLayout(form);
  column->setContentsMargins(20, 12, 20, 12);
  column->setSpacing(4);
  for (const SettingRecord& record : settingRecords()) {
    if (sections_.isEmpty() || qstrcmp(sections_.last().page, record.page) != 0) {
      auto* heading = new QLabel(form);
      heading->setProperty("kind", QStringLiteral("title"));
      heading->setContentsMargins(0, sections_.isEmpty() ? 0 : 16, 0, 4);
      column->addWidget(heading);
      sections_ << Section{record.page, heading};
    }
    Row row{&record, new QWidget(form), nullptr, nullptr, nullptr};
    row.editor = makeEditor(record, row.box);
    row.label = new QLabel(row.box);
    row.label->setBuddy(row.editor);
    row.label->setMinimumWidth(kLabelWidth);
    row.toolTip = new QLabel(row.box);
    row.toolTip->setProperty("kind", QStringLiteral("muted"));
    row.toolTip->setWordWrap(true);
    auto* line = new QHBoxLayout;
    line->setSpacing(12);
    line->addWidget(row.label);
    line->addWidget(row.editor);
    line->addStretch(1);
    auto* both = new QVBoxLayout(row.box);
    both->setContentsMargins(0, 4, 0, 6);
    both->setSpacing(2);
    both->addLayout(line);
    both->addWidget(row.toolTip);
    column->addWidget(row.box);
    rows_ << row;
  }
  nothing_ = new QLabel(form);
  nothing_->setProperty("kind", QStringLiteral("muted"));
  column->addWidget(nothing_);
  column->addStretch(1);
  scroll_->setWidget(form);
  shortcuts_ = new ShortcutsPage(actions, settings_, stack_);
  stack_->addWidget(scroll_);
  stack_->addWidget(shortcuts_);
  auto* left = new QVBoxLayout;
  left->setContentsMargins(8, 8, 8, 8);
  left->addWidget(search_);
  left->addWidget(pages_, 1);
  search_->setFixedWidth(kPagesWidth);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(left);
  layout->addWidget(stack_, 1);
  connect(search_, &QLineEdit::textChanged, this, &SettingsDialog::narrow);
  connect(pages_, &QListWidget::currentRowChanged, this, &SettingsDialog::showPage);
  connect(&settings_, &Settings::changed, this, [this](const QString& key) {
    for (const Row& row : rows_) {
      if (key == QLatin1String(row.record->key)) showValue(row);
    }
  });
  retranslate();
  narrow({});
}

QWidget* SettingsDialog::makeEditor(const SettingRecord& record, QWidget* parent) {
  const QString key = QLatin1String(record.key);
  switch (record.kind) {
    case SettingRecord::Kind::Switch: {
      auto* box = new QCheckBox(parent);
      connect(box, &QCheckBox::toggled, this, [this, key](bool on) { settings_.setValue(key, on); });
      return box;
    }
    case SettingRecord::Kind::Number: {
      auto* box = new QSpinBox(parent);
      box->setRange(record.minimum, record.maximum);
      box->setSingleStep(record.step);
      box->setFixedWidth(kEditorWidth);
      box->setKeyboardTracking(false);
      connect(box, &QSpinBox::valueChanged, this, [this, key](int value) { settings_.setValue(key, value); });
      return box;
    }
    case SettingRecord::Kind::Choice: break;
  }
  auto* box = new QComboBox(parent);
  box->setFixedWidth(kEditorWidth);
  for (const SettingRecord::Option& option : record.options) box->addItem(QString(), QLatin1String(option.value));
  connect(box, &QComboBox::activated, this, [this, box, key](int index) { settings_.setValue(key, box->itemData(index)); });
  return box;
}

void SettingsDialog::showValue(const Row& row) {
  const QVariant value = settings_.get(QLatin1String(row.record->key));
  const QSignalBlocker quiet(row.editor);
  if (auto* check = qobject_cast<QCheckBox*>(row.editor)) check->setChecked(value.toBool());
  if (auto* spin = qobject_cast<QSpinBox*>(row.editor)) spin->setValue(value.toInt());
  if (auto* combo = qobject_cast<QComboBox*>(row.editor)) combo->setCurrentIndex(std::max(0, combo->findData(value.toString())));
}

void SettingsDialog::retranslate() {
  setWindowTitle(tr("Settings"));
  search_->setPlaceholderText(tr("Search"));
  search_->setAccessibleName(tr("Search the settings"));
  scroll_->setAccessibleName(tr("Settings"));
  pages_->setAccessibleName(tr("Pages of the settings"));
  nothing_->setText(tr("No setting contains these words; see the Keys page."));
  for (const Row& row : std::as_const(rows_)) {
    const SettingRecord& record = *row.record;
    row.label->setText(words(record.text));
    row.toolTip->setText(widgets::joinSentences({words(record.toolTip), record.atNextStart ? tr("Takes effect at the next start.") : QString()}));
    row.editor->setAccessibleName(words(record.text));
    row.editor->setAccessibleDescription(words(record.toolTip));
    row.editor->setToolTip(QLatin1String(record.key));
    if (auto* spin = qobject_cast<QSpinBox*>(row.editor)) {
      spin->setSuffix(words(record.unit));
      spin->setSpecialValueText(words(record.minimumText));
    }
    if (auto* combo = qobject_cast<QComboBox*>(row.editor)) {
      for (int i = 0; i < combo->count(); ++i) combo->setItemText(i, words(record.options[i].text));
    }
    showValue(row);
  }
  const int page = std::max(0, pages_->currentRow());
  const QSignalBlocker quiet(pages_);
  pages_->clear();
  for (const Section& section : std::as_const(sections_)) {
    section.heading->setText(words(section.page));
    pages_->addItem(words(section.page));
  }
  pages_->addItem(tr("Keys"));
  pages_->setCurrentRow(page);
  shortcuts_->retranslate();
}

void SettingsDialog::narrow(const QString& text) {
  const QStringList parts = text.split(u' ', Qt::SkipEmptyParts);
  int shown = 0;
  for (const Section& section : std::as_const(sections_)) {
    bool any = false;
    for (const Row& row : std::as_const(rows_)) {
      if (row.record->page != section.page) continue;
      const QString all = words(row.record->text) + u' ' + words(row.record->toolTip) + u' ' + words(row.record->page) + u' ' + QLatin1String(row.record->key);
      const bool fits = std::all_of(parts.begin(), parts.end(), [&](const QString& part) { return all.contains(part, Qt::CaseInsensitive); });
      row.box->setVisible(fits);
      any = any || fits;
      shown += fits;
    }
    section.heading->setVisible(any);
  }
  nothing_->setVisible(shown == 0);
  const int keys = shortcuts_->narrow(text);
  if (!parts.isEmpty()) pages_->setCurrentRow(shown == 0 && keys > 0 ? int(sections_.size()) : 0);
  if (!parts.isEmpty() && shown > 0) scroll_->ensureVisible(0, 0);
}

void SettingsDialog::showPage(int index) {
  const bool keys = index >= int(sections_.size());
  stack_->setCurrentIndex(keys ? 1 : 0);
  if (!keys && index >= 0) scroll_->verticalScrollBar()->setValue(index == 0 ? 0 : sections_[index].heading->y());
}

void SettingsDialog::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QDialog::changeEvent(event);
}

}  // namespace weft::app
