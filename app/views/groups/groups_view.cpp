#include "views/groups/groups_view.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "common/empty_state.h"
#include "common/flow_layout.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/group_store.h"
#include "document/workspace.h"
#include "property_sheet/property_sheet.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/dock_parts.h"

namespace weft::app {
namespace {

constexpr int kNameRole = Qt::UserRole, kLibraryRole = Qt::UserRole + 1, kPollMs = 20;

}  // namespace

GroupsView::GroupsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(GroupStore::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, stack_);
  auto* split = new QSplitter(Qt::Vertical, stack_);
  split->setChildrenCollapsible(false);
  auto* top = new QWidget(split);
  auto* above = new QVBoxLayout(top);
  above->setContentsMargins(8, 8, 8, 4);
  above->setSpacing(6);
  auto* bar = new QWidget(top);
  auto* flow = new widgets::FlowLayout(bar, 0, 6);
  library_ = new QPushButton(bar);
  save_ = new QPushButton(bar);
  flow->addWidget(library_);
  flow->addWidget(save_);
  above->addWidget(bar);
  list_ = new QTreeWidget(top);
  list_->setObjectName(QStringLiteral("groups_list"));
  list_->setColumnCount(2);
  list_->setUniformRowHeights(true);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  list_->setMinimumHeight(90);
  above->addWidget(list_, 1);
  auto* scroll = makeColumnArea(split);
  details_ = new QWidget(scroll);
  details_->setMinimumWidth(1);
  auto* below = new QVBoxLayout(details_);
  below->setContentsMargins(10, 6, 10, 10);
  below->setSpacing(6);
  doc_ = new QLineEdit(details_);
  doc_->setObjectName(QStringLiteral("group_doc"));
  ports_ = wrapped({}, details_, "muted");
  heading_ = wrapped({}, details_, "strong");
  sheet_ = new widgets::PropertySheet(details_);
  sheet_->setObjectName(QStringLiteral("group_defaults"));
  follows_ = wrapped({}, details_, "muted");
  follows_->setObjectName(QStringLiteral("group_follows"));
  auto* line = new QHBoxLayout;
  line->setSpacing(6);
  parameter_ = new QLineEdit(details_);
  parameter_->setObjectName(QStringLiteral("group_parameter"));
  add_ = new QPushButton(details_);
  line->addWidget(parameter_, 1);
  line->addWidget(add_);
  problem_ = wrapped({}, details_, "error");
  problem_->setObjectName(QStringLiteral("group_problem_line"));
  auto* buttons = new QWidget(details_);
  auto* wraps = new widgets::FlowLayout(buttons, 0, 6);
  insert_ = new QPushButton(buttons);
  instances_ = new QPushButton(buttons);
  update_ = new QPushButton(buttons);
  for (QPushButton* b : {insert_, instances_, update_}) wraps->addWidget(b);
  below->addWidget(buttons);
  below->addWidget(doc_);
  below->addWidget(ports_);
  below->addWidget(heading_);
  below->addWidget(sheet_);
  below->addWidget(follows_);
  below->addLayout(line);
  below->addWidget(problem_);
  below->addStretch(1);
  scroll->setWidget(details_);
  split->addWidget(top);
  split->addWidget(scroll);
  split->setStretchFactor(1, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(split);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  connect(&store_, &GroupStore::changed, this, &GroupsView::refill);
  connect(list_, &QTreeWidget::currentItemChanged, this, [this] { showChosen(); });
  connect(list_, &QTreeWidget::itemActivated, this, [this] { insert_->click(); });
  connect(library_, &QPushButton::clicked, this, [this] { runAction(QStringLiteral("group.add-library"), {}); });
  connect(save_, &QPushButton::clicked, this, [this] { runAction(QStringLiteral("group.save-library"), {}); });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { runAction(QStringLiteral("group.make"), {}); });
  connect(insert_, &QPushButton::clicked, this, [this] {
    const GroupFacts* g = chosen();
    if (g) runAction(QStringLiteral("graph.add-here"), {groupItems({*g}).front().type});
  });
  connect(instances_, &QPushButton::clicked, this, [this] {
    if (const GroupFacts* g = chosen(); g && !g->instances.isEmpty()) runAction(QStringLiteral("graph.select"), g->instances);
  });
  connect(update_, &QPushButton::clicked, this, [this] { runAction(QStringLiteral("group.update"), {}); });
  connect(doc_, &QLineEdit::editingFinished, this, [this] {
    const GroupFacts* g = chosen();
    if (g && g->library.isEmpty() && doc_->text() != g->doc) runAction(QStringLiteral("group.default"), {g->name, QStringLiteral("doc=") + doc_->text()});
  });
  connect(sheet_, &widgets::PropertySheet::edited, this, [this](const QString& name, const QString& text) {
    if (const GroupFacts* g = chosen()) runAction(QStringLiteral("group.default"), {g->name, name + u'=' + text});
  });
  connect(parameter_, &QLineEdit::returnPressed, add_, &QPushButton::click);
  connect(add_, &QPushButton::clicked, this, [this] {
    const GroupFacts* g = chosen();
    const QString typed = parameter_->text().trimmed();
    if (!g || typed.isEmpty()) return parameter_->setFocus();
    runAction(QStringLiteral("group.declare"), {g->name, typed}, [this] { parameter_->clear(); });
  });
  retranslate();
}

void GroupsView::runAction(const QString& id, const QStringList& words, const std::function<void()>& done) {
  problem_->hide();
  const auto ended = [this, done](const CommandResult& result) {
    if (result.ok && done) done();
    if (result.ok) return;
    problem_->setText(result.message);
    problem_->show();
    if (stack_->currentIndex() == 0) emit context_.actions.failed(result.message);
  };
  const CommandResult result = context_.actions.run(id, words);
  if (!result.ok || !result.later) return ended(result);
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, [timer, poll = result.later, ended] {
    if (const auto answer = poll()) {
      timer->stop();
      timer->deleteLater();
      ended(*answer);
    }
  });
  timer->start(kPollMs);
}

const GroupFacts* GroupsView::chosen() const {
  const QTreeWidgetItem* item = list_->currentItem();
  const QString name = item ? item->data(0, kNameRole).toString() : QString(), library = item ? item->data(0, kLibraryRole).toString() : QString();
  if (name.isEmpty()) return nullptr;
  if (library.isEmpty()) {
    for (const GroupFacts& g : store_.groups())
      if (g.name == name) return &g;
    return nullptr;
  }
  for (const GroupLibrary& own : store_.libraries())
    for (const GroupFacts& g : own.groups)
      if (own.path == library && g.name == name) return &g;
  return nullptr;
}

void GroupsView::refill() {
  if (!isVisible()) {
    stale_ = true;  // a hidden dock does no work
    return;
  }
  stale_ = false;
  const GroupFacts* before = chosen();
  const QString name = before ? before->name : QString(), library = before ? before->library : QString();
  stack_->setCurrentIndex(store_.groups().isEmpty() && store_.libraries().isEmpty() ? 0 : 1);
  const QSignalBlocker blocked(list_);
  list_->clear();
  const auto add = [&](QTreeWidgetItem* parent, const GroupFacts& g) {
    auto* item = new QTreeWidgetItem(parent, {g.name, g.library.isEmpty() ? QString::number(g.instances.size()) : QString()});
    item->setData(0, kNameRole, g.name);
    item->setData(0, kLibraryRole, g.library);
    item->setToolTip(0, groupItems({g}).front().summary);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    if (g.name == name && g.library == library) list_->setCurrentItem(item);
  };
  const auto heading = [&](const QString& text, const QString& tip) {
    auto* item = new QTreeWidgetItem(list_, {text});
    item->setToolTip(0, tip);
    item->setFirstColumnSpanned(true);
    item->setExpanded(true);
    return item;
  };
  if (!store_.groups().isEmpty()) {
    QTreeWidgetItem* own = heading(tr("This document"), {});
    for (const GroupFacts& g : store_.groups()) add(own, g);
  }
  for (const GroupLibrary& l : store_.libraries()) {
    QTreeWidgetItem* own = heading(QFileInfo(l.path).fileName(), l.error.isEmpty() ? l.path : l.error);
    if (!l.error.isEmpty()) own->setForeground(0, widgets::Theme::current().color(widgets::Role::Error));
    for (const GroupFacts& g : l.groups) add(own, g);
  }
  if (!list_->currentItem() && list_->topLevelItemCount() > 0 && list_->topLevelItem(0)->childCount() > 0)
    list_->setCurrentItem(list_->topLevelItem(0)->child(0));
  showChosen();
}

void GroupsView::showChosen() {
  const GroupFacts* g = chosen();
  details_->setVisible(g != nullptr);
  problem_->hide();
  if (!g) return;
  const bool own = g->library.isEmpty();
  if (doc_->text() != g->doc) {
    doc_->setText(g->doc);
    doc_->setCursorPosition(0);  // a long text is read from its beginning
  }
  doc_->setReadOnly(!own);
  QStringList lines;
  for (const QString& p : g->inputs) lines << tr("in  %1").arg(p);
  for (const QString& p : g->outputs) lines << tr("out  %1").arg(p);
  ports_->setText(lines.join(u'\n'));
  heading_->setText(g->parameters.isEmpty() ? tr("It has no parameters.")
                    : own                   ? tr("Defaults: instances without a value of their own follow")
                                            : tr("Defaults"));
  QVector<widgets::Property> parameters = g->parameters;
  for (widgets::Property& p : parameters) {
    p.readOnly = !own;
    p.isDefault = true;
  }
  sheet_->setProperties(parameters);
  follows_->setText(g->follows.join(u'\n'));
  follows_->setVisible(!g->follows.isEmpty());
  parameter_->setVisible(own);
  add_->setVisible(own);
  instances_->setVisible(own);
  update_->setVisible(own);
  instances_->setEnabled(!g->instances.isEmpty());
  instances_->setText(tr("Select %n instance(s)", nullptr, int(g->instances.size())));
}

QString GroupsView::report() const {
  QJsonArray groups;
  const auto add = [&](const GroupFacts& g) {
    QJsonObject parameters;
    for (const widgets::Property& p : g.parameters) parameters.insert(p.name, p.value);
    groups << QJsonObject{{QStringLiteral("name"), g.name},
                          {QStringLiteral("library"), g.library},
                          {QStringLiteral("version"), g.version},
                          {QStringLiteral("inputs"), QJsonArray::fromStringList(g.inputs)},
                          {QStringLiteral("outputs"), QJsonArray::fromStringList(g.outputs)},
                          {QStringLiteral("parameters"), parameters},
                          {QStringLiteral("follows"), QJsonArray::fromStringList(g.follows)},
                          {QStringLiteral("instances"), QJsonArray::fromStringList(g.instances)}};
  };
  for (const GroupFacts& g : store_.groups()) add(g);
  for (const GroupLibrary& l : store_.libraries())
    for (const GroupFacts& g : l.groups) add(g);
  const GroupFacts* g = chosen();
  return QString::fromUtf8(
      QJsonDocument(QJsonObject{{QStringLiteral("groups"), groups}, {QStringLiteral("selected"), g ? g->name : QString()}}).toJson(QJsonDocument::Compact));
}

void GroupsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) refill();
}

void GroupsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

void GroupsView::retranslate() {
  empty_->setTitle(tr("No groups yet"));
  empty_->setText(
      tr("Select nodes, layers or a scope and make a group of them. It can then be added again anywhere, and all its instances follow when it changes."));
  empty_->setButton(tr("Make group function…"), QStringLiteral("layers"));
  list_->setHeaderLabels({tr("Group"), tr("Instances")});
  list_->setAccessibleName(QCoreApplication::translate("Views", "Groups"));
  for (QScrollArea* area : findChildren<QScrollArea*>()) area->setAccessibleName(tr("The chosen group"));
  library_->setText(tr("Add library…"));
  library_->setToolTip(tr("The palette offers the groups of this file in every document"));
  save_->setText(tr("Save to library…"));
  save_->setToolTip(tr("Writes the groups of this document to a file of their own"));
  insert_->setText(tr("Insert"));
  insert_->setToolTip(tr("Adds an instance to the graph, after the selected node"));
  instances_->setToolTip(tr("Selects all instances of this group"));
  update_->setText(tr("Update from selection"));
  update_->setToolTip(tr("Makes the inside of the selected instance the group's; all other instances follow in one step"));
  doc_->setPlaceholderText(tr("Description, for the palette"));
  doc_->setAccessibleName(doc_->placeholderText());
  parameter_->setPlaceholderText(tr("A further parameter: units=64"));
  parameter_->setAccessibleName(tr("A further parameter"));
  parameter_->setToolTip(tr("A parameter that expressions of fields inside can use: in an instance, let a field be =2*units, then update the group"));
  add_->setText(tr("Add"));
  add_->setToolTip(tr("Adds the parameter to the group"));
}

const ViewRecord groupsView = {"groups",
                               QT_TRANSLATE_NOOP("Views", "Groups"),
                               QT_TRANSLATE_NOOP("Views", "Reusable parts of graphs, and libraries of them"),
                               "layers",
                               Qt::LeftDockWidgetArea,
                               "",
                               [](const ViewContext& context, QWidget* parent) -> QWidget* { return new GroupsView(context, parent); }};

}  // namespace weft::app
