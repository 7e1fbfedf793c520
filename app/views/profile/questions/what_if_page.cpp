#include "question_pages.h"  // lupdate does not find it by its whole path

#include <QComboBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStringListModel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/trace_questions.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "views/profile/profile_table.h"
#include "views/profile/text_table.h"

namespace weft::app {

using widgets::formatSeconds;

namespace {
constexpr qsizetype kMostNames = 20000;  // more would take longer to list than a handler may
constexpr int kListWidth = 290;
constexpr double kHonest = 9;  // per cent; see tests/bench/WHAT_IF.md
}  // namespace

/// The ops of the critical path, without and with the changes.
class PathTableModel final : public TextTable {
 public:
  enum Column { Name, Type, Before, After, Where, kColumns };
  using TextTable::TextTable;

  void show(std::shared_ptr<const PredictedStep> step) {
    beginResetModel();
    step_ = std::move(step);
    endResetModel();
  }
  const PathLine& line(int row) const { return step_->path[row]; }
  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() || !step_ ? 0 : int(step_->path.size()); }

 protected:
  int columns() const override { return kColumns; }
  bool isNumber(int column) const override { return column == Before || column == After; }
  Heading heading(int column) const override {
    const QString titles[] = {WhatIfPage::tr("critical path"), WhatIfPage::tr("type"), WhatIfPage::tr("now"), WhatIfPage::tr("then"),
                              WhatIfPage::tr("on the path")};
    return {titles[column], {}};
  }
  QString text(int row, int column) const override {
    const PathLine& l = line(row);
    const auto time = [](double ns) { return ns < 0 ? QStringLiteral("–") : formatSeconds(ns / 1e9); };
    switch (Column(column)) {
      case Name: return l.node;
      case Type: return l.op;
      case Before: return time(l.beforeNs);
      case After: return time(l.afterNs);
      case Where: return l.beforeNs < 0 ? WhatIfPage::tr("then only") : l.afterNs < 0 ? WhatIfPage::tr("now only") : QString();
      case kColumns: break;
    }
    return {};
  }
  QVariant look(int row, int column, int role) const override {
    const PathLine& l = line(row);
    if (role == Qt::ToolTipRole && column == Name) return l.node;
    if (role != Qt::FontRole || column != Where || (l.beforeNs >= 0 && l.afterNs >= 0)) return {};
    QFont strong;
    strong.setWeight(QFont::DemiBold);
    return strong;
  }

 private:
  std::shared_ptr<const PredictedStep> step_;
};

WhatIfPage::WhatIfPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), store_(ProfileStore::of(context.workspace)), questions_(TraceQuestions::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("timeline"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* splitter = new QSplitter(Qt::Horizontal, page);
  auto* left = new QWidget(splitter);
  changes_ = new QListWidget(left);
  changes_->setObjectName(QStringLiteral("imagined_changes"));
  changes_->installEventFilter(this);
  remove_ = new QToolButton(left);
  remove_->setAutoRaise(true);
  remove_->setIcon(widgets::icon(QStringLiteral("trash")));
  auto* column = new QHBoxLayout(left);
  column->setContentsMargins(8, 2, 4, 4);
  column->setSpacing(2);
  column->addWidget(changes_, 1);
  column->addWidget(remove_, 0, Qt::AlignTop);
  results_ = new QStackedWidget(splitter);
  noChange_ = new widgets::EmptyState(QStringLiteral("bulb"), {}, {}, results_);
  auto* right = new QWidget(results_);
  headline_ = new QLabel(right);
  headline_->setTextFormat(Qt::RichText);
  headline_->setObjectName(QStringLiteral("predicted"));
  accuracy_ = new QLabel(right);
  accuracy_->setProperty("kind", QStringLiteral("muted"));
  for (QLabel* label : {headline_, accuracy_}) {
    label->setWordWrap(true);
    label->setMinimumWidth(1);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  path_ = new PathTableModel(this);
  view_ = new QTreeView(right);
  view_->setObjectName(QStringLiteral("predicted_path"));
  view_->setModel(path_);
  view_->setMinimumHeight(48);
  listRows(view_);
  view_->setItemDelegateForColumn(PathTableModel::Name, new LayerDelegate(view_));
  setColumnWidths(view_, {0, 150, 90, 90, 100});
  auto* answer = new QVBoxLayout(right);
  answer->setContentsMargins(8, 2, 8, 0);
  answer->setSpacing(2);
  answer->addWidget(headline_);
  answer->addWidget(accuracy_);
  answer->addWidget(view_, 1);
  results_->addWidget(noChange_);
  results_->addWidget(right);
  splitter->addWidget(left);
  splitter->addWidget(results_);
  splitter->setChildrenCollapsible(false);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 4);
  splitter->setSizes({kListWidth, 2 * kListWidth});
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(0);
  inside->addWidget(makeForm(page));
  inside->addWidget(splitter, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(&questions_, &TraceQuestions::changesChanged, this, &WhatIfPage::refill);
  connect(&questions_, &TraceQuestions::predictionChanged, this, &WhatIfPage::refill);
  connect(&store_, &ProfileStore::currentChanged, this, [this] {
    fillNames();
    refill();
  });
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, &WhatIfPage::offerSelected);
  connect(remove_, &QToolButton::clicked, this, [this] { remove(changes_->currentRow()); });
  connect(changes_, &QListWidget::currentRowChanged, this, [this](int row) { remove_->setEnabled(row >= 0); });
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) store_.selectSlice(path_->line(index.row()).slice);
  });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.runChosen(QStringLiteral("profile.trace"), {}); });
  retranslate();
  refill();
}

QWidget* WhatIfPage::makeForm(QWidget* parent) {
  auto* form = new QWidget(parent);
  auto* row = new QHBoxLayout(form);
  row->setContentsMargins(8, 4, 8, 2);
  row->setSpacing(6);
  const auto combo = [form](const char* name, bool editable) {
    auto* box = new QComboBox(form);
    box->setObjectName(QLatin1String(name));
    box->setEditable(editable);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setMinimumContentsLength(editable ? 16 : 8);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    return box;
  };
  what_ = combo("what_if_what", true);
  auto* completer = new QCompleter(new QStringListModel(this), this);
  completer->setFilterMode(Qt::MatchContains);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  what_->setCompleter(completer);
  kind_ = combo("what_if_kind", false);
  kind_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (int k = 0; k < 4; ++k) kind_->addItem({});
  factor_ = new QDoubleSpinBox(form);
  factor_->setObjectName(QStringLiteral("what_if_factor"));
  factor_->setRange(0.01, 10000);
  factor_->setValue(2);
  factor_->setDecimals(2);
  factor_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  withWord_ = new QLabel(form);
  with_ = combo("what_if_with", true);
  deviceWord_ = new QLabel(form);
  device_ = combo("what_if_device", true);
  add_ = new QPushButton(form);
  add_->setObjectName(QStringLiteral("what_if_add"));
  row->addWidget(what_, 3);
  row->addWidget(kind_);
  row->addWidget(withWord_);
  row->addWidget(with_, 1);
  row->addWidget(deviceWord_);
  row->addWidget(device_, 1);
  row->addWidget(factor_);
  row->addWidget(add_);
  row->addStretch(1);
  connect(kind_, &QComboBox::currentIndexChanged, this, &WhatIfPage::fillKind);
  connect(what_->lineEdit(), &QLineEdit::textEdited, this, [this] { typed_ = true; });
  connect(what_->lineEdit(), &QLineEdit::returnPressed, this, &WhatIfPage::add);
  connect(add_, &QPushButton::clicked, this, &WhatIfPage::add);
  return form;
}

/// Op types by time, then scopes; the field completes nodes as well.
void WhatIfPage::fillNames() {
  const ProfilePtr& profile = store_.current();
  if (!isVisible() || !profile || named_ == profile) return;
  named_ = profile;
  const QString text = what_->currentText();
  QStringList types, scopes, all;
  for (const ProfileLine& l : profile->tables[ByOp].lines) types << l.name;
  for (const ProfileLine& l : profile->tables[ByScope].lines)
    if (!l.isNode && !l.name.isEmpty() && scopes.size() < kMostNames) scopes << l.name + u'/';
  all = types + scopes;
  if (profile->tables[ByNode].lines.size() <= kMostNames)
    for (const ProfileLine& l : profile->tables[ByNode].lines) all << l.name;
  what_->clear();
  what_->addItems(types);
  if (text.isEmpty()) what_->setCurrentIndex(types.isEmpty() ? -1 : 0);
  else what_->setEditText(text);
  static_cast<QStringListModel*>(what_->completer()->model())->setStringList(all);
  const QString device = device_->currentText(), with = with_->currentText();
  device_->clear();
  device_->addItems(devicesOf(*profile));
  if (!device.isEmpty()) device_->setEditText(device);
  else if (device_->count() > 1) device_->setCurrentIndex(1);
  with_->clear();
  with_->addItems(types);
  if (!with.isEmpty()) with_->setEditText(with);
}

void WhatIfPage::fillKind() {
  const auto kind = ImaginedChange::Kind(kind_->currentIndex());
  const bool fused = kind == ImaginedChange::Kind::Fused, moved = kind == ImaginedChange::Kind::Moved;
  withWord_->setVisible(fused);
  with_->setVisible(fused);
  deviceWord_->setVisible(moved);
  device_->setVisible(moved);
  factor_->setVisible(moved || kind == ImaginedChange::Kind::Faster);
}

/// The selected node stands in the field until the user writes something else.
void WhatIfPage::offerSelected() {
  const Document* document = context_.workspace.current();
  if (!document || !isVisible() || (typed_ && !what_->currentText().isEmpty()) || document->selection().size() != 1) return;
  typed_ = false;
  const QString name = document->selection().first();
  if (document->hasNode(name) && store_.current() && store_.current()->slicesOf.contains(name)) what_->setEditText(name);
  else if (document->hasScope(name)) what_->setEditText(name + u'/');
}

void WhatIfPage::add() {
  ImaginedChange change;
  change.what = what_->currentText().trimmed();
  if (change.what.isEmpty()) return;
  change.kind = ImaginedChange::Kind(kind_->currentIndex());
  change.factor = factor_->value();
  change.with = with_->currentText().trimmed();
  change.device = device_->currentText().trimmed();
  if (change.kind != ImaginedChange::Kind::Fused) change.with.clear();
  if (change.kind != ImaginedChange::Kind::Moved) change.device.clear();
  QVector<ImaginedChange> changes = questions_.changes();
  // Another change to the same op replaces the one before.
  changes.removeIf([&](const ImaginedChange& c) { return c.what == change.what && c.kind == change.kind; });
  give(changes << change);
  typed_ = false;
}

void WhatIfPage::remove(int at) {
  QVector<ImaginedChange> changes = questions_.changes();
  if (at < 0 || at >= changes.size()) return;
  changes.removeAt(at);
  give(changes);
}

void WhatIfPage::give(const QVector<ImaginedChange>& changes) {
  QStringList words;
  for (const ImaginedChange& c : changes) words << c.word();
  context_.actions.runChosen(QStringLiteral("profile.what-if"), words.isEmpty() ? QStringList{QStringLiteral("clear")} : words);
}

bool WhatIfPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == changes_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
      remove(changes_->currentRow());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void WhatIfPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fillNames();
  offerSelected();
}

QString WhatIfPage::accuracy(const PredictedStep& p) const {
  QStringList out;
  const double off = p.measuredNs > 0 ? (p.replayedNs / p.measuredNs - 1) * 100 : 0;
  out << tr("%n execution(s) per step change, which take %1.", nullptr, int(p.changed)).arg(formatSeconds(p.changedNs / 1e9));
  out << (std::fabs(off) < 0.5 ? tr("The model reproduces the measured step.")
                               : tr("The model's step without changes differs by %1 % from the measured one; the prediction is corrected by that.")
                                     .arg(QStringLiteral("%1%2").arg(off > 0 ? QStringLiteral("+") : QStringLiteral("−")).arg(std::fabs(off), 0, 'f', 1)));
  if (!p.moves && !p.fuses) out << tr("Where such predictions were checked by measuring, they were off by up to %1 %.").arg(kHonest);
  if (p.moves)
    out << tr(
        "How fast an op is on another device is your assumption; each value that crosses takes 10 µs and its bytes at 12 GB/s. This has not been checked by measuring.");
  if (p.fuses) out << tr("A fused op is taken to cost nothing of its own, which is the most that fusing can gain. This has not been checked by measuring.");
  out << tr("Threads keep their ops in their order; a real scheduler may do better.");
  return widgets::joinSentences(out);
}

void WhatIfPage::refill() {
  stack_->setCurrentIndex(store_.current() ? 1 : 0);
  const QVector<ImaginedChange>& changes = questions_.changes();
  const int row = changes_->currentRow();
  changes_->clear();
  for (const ImaginedChange& c : changes) {
    const QString number = QString::number(c.factor, 'g', 4);
    const QString text = c.kind == ImaginedChange::Kind::Faster
                             ? (c.factor >= 1 ? tr("%1: %2 times as fast").arg(c.what, number)
                                              : tr("%1: takes %2 times as long").arg(c.what, QString::number(1 / c.factor, 'g', 4)))
                         : c.kind == ImaginedChange::Kind::Gone  ? tr("%1: not executed").arg(c.what)
                         : c.kind == ImaginedChange::Kind::Fused ? tr("%1: fused with %2").arg(c.what, c.with)
                                                                 : tr("%1: on %2, %3 times as fast").arg(c.what, c.device, number);
    auto* item = new QListWidgetItem(text, changes_);
    item->setToolTip(QStringLiteral("--what-if %1").arg(c.word()));
  }
  changes_->setCurrentRow(std::min(row, int(changes.size()) - 1));
  remove_->setEnabled(changes_->currentRow() >= 0);
  const auto prediction = questions_.prediction();
  const bool failed = prediction && !prediction->error.isEmpty();
  results_->setCurrentIndex(prediction && !failed ? 1 : 0);
  path_->show(prediction && !failed ? prediction : nullptr);
  noChange_->setTitle(failed                      ? tr("No prediction")
                      : questions_.isPredicting() ? tr("Predicting…")
                      : changes.isEmpty()         ? tr("What if an op were faster?")
                                                  : tr("The prediction was cancelled"));
  noChange_->setText(failed              ? prediction->error
                     : changes.isEmpty() ? tr("Choose an op type, a scope or a node and what would change. The traced steps are replayed with it.")
                                         : QString());
  if (!prediction || failed) return;
  const PredictedStep& p = *prediction;
  const double times = p.predictedNs > 0 ? p.measuredNs / p.predictedNs : 0;
  const QString how = std::fabs(times - 1) < 0.005 ? tr("no gain: other ops decide when the step ends")
                      : times > 1                  ? tr("%1 times as fast").arg(widgets::formatValue(times, 3))
                                                   : tr("takes %1 times as long").arg(widgets::formatValue(1 / times, 3));
  headline_->setText(QStringLiteral("%1 → <b>%2</b> · %3").arg(formatSeconds(p.measuredNs / 1e9), formatSeconds(p.predictedNs / 1e9), how.toHtmlEscaped()) +
                     QStringLiteral(" · ") +
                     tr("critical path of step %1: %2 → %3")
                         .arg(QString::number(p.stepNumber), formatSeconds(p.pathBeforeNs / 1e9), formatSeconds(p.pathAfterNs / 1e9))
                         .toHtmlEscaped());
  accuracy_->setText(accuracy(p));
}

QJsonObject WhatIfPage::report() const {
  QJsonArray words, path;
  for (const ImaginedChange& c : questions_.changes()) words << c.word();
  QJsonObject out{{QStringLiteral("changes"), words}};
  const auto p = questions_.prediction();
  if (!p) return out;
  for (const PathLine& l : p->path)
    path << QJsonObject{{QStringLiteral("node"), l.node},
                        {QStringLiteral("before_ns"), l.beforeNs < 0 ? QJsonValue() : QJsonValue(l.beforeNs)},
                        {QStringLiteral("after_ns"), l.afterNs < 0 ? QJsonValue() : QJsonValue(l.afterNs)}};
  out[QStringLiteral("error")] = p->error;
  out[QStringLiteral("measured_ns")] = p->measuredNs;
  out[QStringLiteral("predicted_ns")] = p->predictedNs;
  out[QStringLiteral("replayed_ns")] = p->replayedNs;
  out[QStringLiteral("path")] = path;
  return out;
}

void WhatIfPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    refill();
  }
  QWidget::changeEvent(event);
}

void WhatIfPage::retranslate() {
  empty_->setTitle(tr("No trace yet"));
  empty_->setText(tr("From traced steps, Weft predicts how long a step would take if an op were faster, gone, fused, or on another device."));
  empty_->setButton(tr("Trace 10 steps"), QStringLiteral("record"));
  const QString kinds[] = {tr("is faster"), tr("is not executed"), tr("is fused with its input"), tr("runs on another device")};
  for (int k = 0; k < 4; ++k) kind_->setItemText(k, kinds[k]);
  what_->setAccessibleName(tr("What would change"));
  what_->setToolTip(tr("An op type such as MatMul, a scope such as conv1/, or a node"));
  what_->lineEdit()->setPlaceholderText(tr("op type, scope/ or node"));
  kind_->setAccessibleName(tr("How it would change"));
  kind_->setToolTip(kind_->accessibleName());
  factor_->setAccessibleName(tr("How many times as fast"));
  factor_->setToolTip(tr("How many times as fast; below 1, slower"));
  factor_->setSuffix(QStringLiteral(" ×"));
  withWord_->setText(tr("of type"));
  with_->setAccessibleName(tr("Type of the input"));
  with_->setToolTip(tr("The op type that computes the input: each op that reads one is computed with it"));
  deviceWord_->setText(tr("on"));
  device_->setAccessibleName(tr("Other device"));
  device_->setToolTip(tr("A device of the trace or of this machine; another name counts as a device of its own"));
  add_->setText(tr("Predict"));
  add_->setToolTip(tr("Adds this change and predicts the step (Enter)"));
  changes_->setAccessibleName(tr("Changes"));
  remove_->setToolTip(tr("Removes the selected change (Delete)"));
  remove_->setAccessibleName(remove_->toolTip());
  view_->setAccessibleName(tr("Critical path now and then"));
  headline_->setAccessibleName(tr("Predicted step"));
  fillKind();
}

}  // namespace weft::app
