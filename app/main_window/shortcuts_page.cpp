#include "main_window/shortcuts_page.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "document/settings.h"
#include "main_window/keys_overview.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {
[[maybe_unused]] constexpr const char* kWordsOfQt[] = {QT_TRANSLATE_NOOP("QKeySequenceEdit", "Press shortcut")};  // missing in Qt's own Chinese translation
}
namespace {
QString shownKeys(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& key : keys) texts << key.toString(QKeySequence::NativeText);
  return texts.join(QStringLiteral("   "));
}
}  // namespace

ShortcutsPage::ShortcutsPage(ActionRegistry& actions, Settings& settings, QWidget* parent) : QWidget(parent), actions_(actions), settings_(settings) {
  list_ = new QTreeWidget(this);
  list_->setColumnCount(3);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  label_ = new QLabel(this);
  edit_ = new QKeySequenceEdit(this);
  label_->setBuddy(edit_);
  set_ = new QPushButton(this);
  remove_ = new QPushButton(this);
  reset_ = new QPushButton(this);
  resetAll_ = new QPushButton(this);
  note_ = new QLabel(this);
  note_->setWordWrap(true);
  note_->setMinimumHeight(34);
  auto* row = new QHBoxLayout;
  row->addWidget(label_);
  row->addWidget(edit_, 1);
  for (QPushButton* button : {set_, remove_, reset_, resetAll_}) {
    button->setAutoDefault(false);
    row->addWidget(button);
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 12);
  layout->addWidget(list_, 1);
  layout->addLayout(row);
  layout->addWidget(note_);
  connect(list_, &QTreeWidget::currentItemChanged, this, &ShortcutsPage::choose);
  connect(edit_, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutsPage::showState);
  connect(set_, &QPushButton::clicked, this, &ShortcutsPage::apply);
  connect(remove_, &QPushButton::clicked, this, [this] { store(current(), {}); });
  connect(reset_, &QPushButton::clicked, this, [this] { settings_.remove(QStringLiteral("keys/") + current()); });
  connect(resetAll_, &QPushButton::clicked, this, [this] { actions_.run(QStringLiteral("settings.reset-keys")); });
  connect(&actions_, &ActionRegistry::shortcutsChanged, this, &ShortcutsPage::refill);
  retranslate();
}

void ShortcutsPage::retranslate() {
  list_->setHeaderLabels({tr("Command"), tr("Key"), tr("Name in scripts")});
  list_->setAccessibleName(tr("Commands and keys"));
  label_->setText(tr("&New key"));
  edit_->setAccessibleName(tr("New key"));
  remove_->setText(tr("No key"));
  reset_->setText(tr("Reset"));
  resetAll_->setText(tr("Reset all"));
  list_->clear();
  for (const QString& id : actions_.ids()) {
    const ActionRecord& record = actions_.record(id);
    auto* item = new QTreeWidgetItem(list_, {commandGroupTitle(id) + QStringLiteral(" · ") + ActionRegistry::plainText(record), {}, id});
    item->setToolTip(0, QCoreApplication::translate(record.context, record.toolTip));
  }
  refill();
  if (list_->topLevelItemCount() > 0 && !list_->currentItem()) list_->setCurrentItem(list_->topLevelItem(0));
  showState();
}

void ShortcutsPage::refill() {
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = list_->topLevelItem(i);
    const QString id = item->text(2);
    QFont font = item->font(1);
    font.setBold(actions_.hasOwnShortcut(id));
    item->setFont(1, font);
    item->setText(1, shownKeys(actions_.shortcuts(id)));
    item->setToolTip(1, actions_.whyNoShortcut(id));
  }
  choose();
}

int ShortcutsPage::narrow(const QString& text) {
  int shown = 0;
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = list_->topLevelItem(i);
    bool fits = true;
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts))
      fits = fits && (item->text(0) + u' ' + item->text(1) + u' ' + item->text(2)).contains(word, Qt::CaseInsensitive);
    item->setHidden(!fits);
    if (fits && ++shown == 1) list_->setCurrentItem(item);
  }
  return shown;
}

QString ShortcutsPage::current() const { return list_->currentItem() ? list_->currentItem()->text(2) : QString(); }

void ShortcutsPage::choose() {
  const QString id = current();
  const QList<QKeySequence> keys = id.isEmpty() ? QList<QKeySequence>() : actions_.shortcuts(id);
  const QSignalBlocker quiet(edit_);
  edit_->setKeySequence(keys.isEmpty() ? QKeySequence() : keys.first());
  showState();
}

void ShortcutsPage::showState() {
  const QString id = current();
  const bool any = !id.isEmpty();
  const QKeySequence key = edit_->keySequence();
  const QStringList others = any && !key.isEmpty() ? actions_.conflicts(id, {key}) : QStringList();
  edit_->setEnabled(any);
  set_->setEnabled(any && !key.isEmpty() && actions_.shortcuts(id) != QList<QKeySequence>{key});
  set_->setText(others.isEmpty() ? tr("Set") : tr("Replace"));
  remove_->setEnabled(any && !actions_.shortcuts(id).isEmpty());
  reset_->setEnabled(any && actions_.hasOwnShortcut(id));
  resetAll_->setEnabled(!settings_.keys(QStringLiteral("keys")).isEmpty());
  note_->setProperty("kind", others.isEmpty() ? QStringLiteral("muted") : QStringLiteral("error"));
  note_->setStyleSheet(note_->styleSheet());  // restyles it, because the property selects the rule
  if (!any) note_->clear();
  else if (!others.isEmpty())
    note_->setText(tr("%1 is already used by “%2”, which would lose it.")
                       .arg(key.toString(QKeySequence::NativeText), ActionRegistry::plainText(actions_.record(others.first()))));
  else if (actions_.shortcuts(id).isEmpty()) note_->setText(actions_.whyNoShortcut(id));
  else note_->setText(actions_.record(id).canvasKey ? tr("Active when the graph has the focus.") : tr("Active everywhere in the window."));
}

void ShortcutsPage::apply() {
  const QString id = current();
  const QKeySequence key = edit_->keySequence();
  if (id.isEmpty() || key.isEmpty()) return;
  for (const QString& other : actions_.conflicts(id, {key})) {
    QList<QKeySequence> rest = actions_.shortcuts(other);
    rest.removeAll(key);
    store(other, rest);
  }
  store(id, {key});
}

void ShortcutsPage::store(const QString& id, const QList<QKeySequence>& keys) {
  if (id.isEmpty()) return;
  if (keys == actions_.defaultShortcuts(id)) settings_.remove(QStringLiteral("keys/") + id);
  else settings_.setValue(QStringLiteral("keys/") + id, QKeySequence::listToString(keys, QKeySequence::PortableText));
}

}  // namespace weft::app
