#include "question_pages.h"  // lupdate does not find it by its whole path

#include <QButtonGroup>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/empty_state.h"
#include "common/format.h"
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

constexpr int kMostRunsInMenu = 20;

QString signedTime(double ns) { return (ns > 0 ? QStringLiteral("+") : ns < 0 ? QStringLiteral("−") : QString()) + formatSeconds(std::fabs(ns) / 1e9); }

}  // namespace

/// The lines of a comparison by one key, filtered and sorted.
class ComparisonTable final : public SortedTextTable {
 public:
  enum Column { Name, Type, Before, Now, Change, Interval, Share, Count, kColumns };
  explicit ComparisonTable(QObject* parent) : SortedTextTable(Change, parent) {}

  void show(TraceComparisonPtr comparison, DifferenceKey key) {
    comparison_ = std::move(comparison);
    key_ = key;
    most_ = 0;
    for (const TraceChange& l : lines()) most_ = std::max(most_, std::fabs(l.deltaNs()));
    arrange();
  }
  void filter(const QString& text, bool certain) {
    text_ = text.trimmed();
    certain_ = certain;
    arrange();
  }
  DifferenceKey key() const { return key_; }
  const TraceChange& line(int row) const { return lines()[itemAt(row)]; }
  int rowOf(const QString& name) const {
    for (int r = 0; r < rowCount(); ++r)
      if (line(r).name == name) return r;
    return -1;
  }

 protected:
  int columns() const override { return kColumns; }
  bool isNumber(int column) const override { return column > Type; }
  Heading heading(int column) const override {
    switch (Column(column)) {
      case Name: return {ComparePage::tr("name"), {}};
      case Type: return {ComparePage::tr("type"), {}};
      case Before: return {ComparePage::tr("before"), ComparePage::tr("Self time per step in the trace compared with")};
      case Now: return {ComparePage::tr("now"), ComparePage::tr("Self time per step in the current trace")};
      case Change:
        return {ComparePage::tr("change"),
                ComparePage::tr("▲ takes longer, ▼ takes less, ≈ the interval includes no change. Sorted by it, certain changes come first")};
      case Interval:
        return {ComparePage::tr("95 % interval"), ComparePage::tr("The change of the mean lies in it with 95 % confidence, if steps vary independently")};
      case Share: return {ComparePage::tr("of the step"), ComparePage::tr("The change as a share of the step before")};
      case Count: return {ComparePage::tr("executions"), ComparePage::tr("Executions per step, before and now")};
      case kColumns: break;
    }
    return {};
  }
  QString text(int row, int column) const override {
    const TraceChange& l = line(row);
    const auto time = [](double ns, double count) { return count > 0 ? formatSeconds(ns / 1e9) : QStringLiteral("–"); };
    const auto count = [](double n) { return n == std::round(n) ? widgets::formatCount(qint64(n)) : QString::number(n, 'f', 1); };
    switch (Column(column)) {
      case Name: return l.name;
      case Type: return l.op;
      case Before: return time(l.beforeNs, l.beforeCount);
      case Now: return time(l.afterNs, l.afterCount);
      case Change:
        return (isNoise(l)        ? QStringLiteral("≈ ")
                : l.deltaNs() > 0 ? QStringLiteral("▲ ")
                : l.deltaNs() < 0 ? QStringLiteral("▼ ")
                                  : QString()) +
               signedTime(l.deltaNs());
      case Interval: return l.hasInterval() ? QStringLiteral("%1 … %2").arg(signedTime(l.lowNs), signedTime(l.highNs)) : ComparePage::tr("one step only");
      case Share:
        return comparison_->step.beforeNs > 0 ? QStringLiteral("%1%2 %")
                                                    .arg(l.deltaNs() > 0 ? QStringLiteral("+") : QString())
                                                    .arg(l.deltaNs() / comparison_->step.beforeNs * 100, 0, 'f', 1)
                                                    .replace(u'-', u'−')
                                              : QStringLiteral("–");
      case Count:
        return l.in == TraceChange::In::BeforeOnly  ? ComparePage::tr("before only")
               : l.in == TraceChange::In::AfterOnly ? ComparePage::tr("now only")
               : l.beforeCount == l.afterCount      ? count(l.afterCount)
                                                    : QStringLiteral("%1 → %2").arg(count(l.beforeCount), count(l.afterCount));
      case kColumns: break;
    }
    return {};
  }
  QVariant look(int row, int column, int role) const override {
    const TraceChange& l = line(row);
    if (role == Qt::ForegroundRole && isNoise(l) && column >= Change) return widgets::Theme::current().color(widgets::Role::Text2);
    if (role == ProfileTable::ShareRole && column == Change && !isNoise(l) && most_ > 0) return l.deltaNs() / most_;
    return role == Qt::ToolTipRole ? QVariant(tip(l, column)) : QVariant();
  }
  std::vector<int> items() const override {
    std::vector<int> out;
    for (int i = 0; i < int(lines().size()); ++i) {
      const TraceChange& l = lines()[i];
      if (certain_ && isNoise(l)) continue;
      if (text_.isEmpty() || l.name.contains(text_, Qt::CaseInsensitive) || l.op.contains(text_, Qt::CaseInsensitive)) out.push_back(i);
    }
    return out;
  }
  QString wordOf(int item, int column) const override { return column == Name ? lines()[item].name : lines()[item].op; }
  double numberOf(int item, int column) const override {
    const TraceChange& l = lines()[item];
    switch (Column(column)) {
      case Before: return l.beforeNs;
      case Now: return l.afterNs;
      case Interval: return l.hasInterval() ? l.highNs - l.lowNs : -1;
      case Count: return l.afterCount;
      case Share: return l.deltaNs();
      default: return std::fabs(l.deltaNs()) + (l.hasInterval() && l.isCertain() ? 1e15 : 0);
    }
  }

 private:
  static bool isNoise(const TraceChange& l) { return l.hasInterval() && !l.isCertain(); }
  static QString tip(const TraceChange& l, int column) {
    if (column == Name) return l.name;
    if (column < Change) return {};
    return isNoise(l)         ? ComparePage::tr("Steps vary so much that this may be no change at all.")
           : !l.hasInterval() ? ComparePage::tr("With a single step in one of the traces, chance cannot be told from change.")
                              : QString();
  }
  const QVector<TraceChange>& lines() const {
    static const QVector<TraceChange> kNone;
    return comparison_ ? comparison_->lines[size_t(key_)] : kNone;
  }

  TraceComparisonPtr comparison_;
  DifferenceKey key_ = DifferenceKey::Op;
  double most_ = 0;
  QString text_;
  bool certain_ = false;
};

ComparePage::ComparePage(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), store_(ProfileStore::of(context.workspace)), questions_(TraceQuestions::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  headline_ = new QLabel(page);
  headline_->setTextFormat(Qt::RichText);
  headline_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  matches_ = new QLabel(page);
  matches_->setProperty("kind", QStringLiteral("muted"));
  for (QLabel* label : {headline_, matches_}) {
    label->setMinimumWidth(1);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setContentsMargins(12, 0, 12, 0);
  }
  table_ = new ComparisonTable(this);
  view_ = new QTreeView(page);
  view_->setObjectName(QStringLiteral("comparison"));
  listSortedRows(view_, table_, ComparisonTable::Change);
  view_->setItemDelegateForColumn(ComparisonTable::Change, new ChangeDelegate(view_));
  setColumnWidths(view_, {0, 160, 76, 76, 130, 168, 84, 100});
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(2);
  inside->addWidget(makeBar(page));
  inside->addWidget(headline_);
  inside->addWidget(matches_);
  inside->addWidget(view_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(&store_, &ProfileStore::comparisonChanged, this, &ComparePage::refill);
  connect(&store_, &ProfileStore::busyChanged, this, [this] {
    if (!store_.comparison()) refill();
  });
  connect(&store_, &ProfileStore::runsFound, this, &ComparePage::chooseRun);
  connect(&questions_, &TraceQuestions::earlierChanged, this, &ComparePage::refill);
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    if (!questions_.earlier().isEmpty()) context_.actions.runChosen(QStringLiteral("profile.compare-earlier"), {QStringLiteral("1")});
    else context_.actions.action(QStringLiteral("profile.compare"))->trigger();
  });
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (!following_ && index.isValid()) choose(index.row());
  });
  connect(view_, &QTreeView::clicked, this, [this](const QModelIndex& index) { choose(index.row()); });
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, &ComparePage::followDocument);
  retranslate();
  refill();
}

QWidget* ComparePage::makeBar(QWidget* parent) {
  auto* bar = new QWidget(parent);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 4, 8, 2);
  row->setSpacing(8);
  kinds_ = new QButtonGroup(this);
  auto* kinds = new QHBoxLayout;
  kinds->setSpacing(0);
  for (const DifferenceKey key : {DifferenceKey::Op, DifferenceKey::Node, DifferenceKey::Scope}) {
    auto* button = new QToolButton(bar);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    kinds_->addButton(button, int(key));
    kinds->addWidget(button);
  }
  kinds_->button(int(DifferenceKey::Op))->setChecked(true);
  filter_ = new QLineEdit(bar);
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(220);
  certain_ = new QCheckBox(bar);
  const auto tool = [bar](const char* name) {
    auto* button = new QToolButton(bar);
    button->setObjectName(QLatin1String(name));
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    return button;
  };
  canvas_ = tool("compare_canvas");
  timeline_ = tool("compare_timeline");
  with_ = tool("compare_with");
  with_->setPopupMode(QToolButton::InstantPopup);
  with_->setMenu(new QMenu(with_));
  row->addLayout(kinds);
  row->addWidget(filter_, 1);
  row->addWidget(certain_);
  row->addStretch(1);
  for (QWidget* w : {canvas_, timeline_, with_}) row->addWidget(w);
  connect(kinds_, &QButtonGroup::idClicked, this, &ComparePage::refill);
  connect(filter_, &QLineEdit::textChanged, this, [this] { table_->filter(filter_->text(), certain_->isChecked()); });
  connect(certain_, &QCheckBox::toggled, this, [this] { table_->filter(filter_->text(), certain_->isChecked()); });
  connect(canvas_, &QToolButton::clicked, this, [this] { context_.actions.runChosen(QStringLiteral("profile.color-difference"), {}); });
  connect(timeline_, &QToolButton::clicked, this, [this] {
    const bool on = store_.colors() == SliceColors::Difference;
    context_.actions.runChosen(QStringLiteral("profile.color-slices"), {on ? QStringLiteral("category") : QStringLiteral("difference")});
  });
  connect(with_->menu(), &QMenu::aboutToShow, this, &ComparePage::fillSources);
  return bar;
}

void ComparePage::fillSources() {
  QMenu* menu = with_->menu();
  menu->clear();
  int number = 0;
  for (const EarlierTrace& e : questions_.earlier()) {
    const QString text =
        QStringLiteral("%1 · %2 · %3").arg(e.profile->title, e.time.toString(QStringLiteral("hh:mm:ss")), formatSeconds(e.profile->p50StepNs / 1e9));
    connect(menu->addAction(QString(text).replace(u'&', QStringLiteral("&&"))), &QAction::triggered, this,
            [this, word = QString::number(++number)] { context_.actions.runChosen(QStringLiteral("profile.compare-earlier"), {word}); });
  }
  if (number == 0) menu->addAction(tr("No earlier trace in this session"))->setEnabled(false);
  menu->addSeparator();
  for (const char* id : {"profile.compare", "profile.compare-clear"}) menu->addAction(context_.actions.action(QLatin1String(id)));
}

/// The runs of event files, to choose from.
void ComparePage::chooseRun(const QString& path, const QStringList& tags) {
  if (!isVisible()) return;  // a script: the error names them
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addSection(tr("Session run to compare with"));
  for (qsizetype i = std::max<qsizetype>(0, tags.size() - kMostRunsInMenu); i < tags.size(); ++i)
    connect(menu->addAction(QString(tags[i]).replace(u'&', QStringLiteral("&&"))), &QAction::triggered, this, [this, path, tag = tags[i]] {
      context_.actions.runChosen(QStringLiteral("profile.compare"), {path, QStringLiteral("--run"), tag});
    });
  menu->popup(with_->mapToGlobal(QPoint(0, with_->height())));
}

void ComparePage::choose(int row) {
  const TraceChange line = table_->line(row);
  following_ = true;
  switch (table_->key()) {
    case DifferenceKey::Node: store_.selectNode(line.name); break;
    case DifferenceKey::Scope: store_.selectOnCanvas({line.name.chopped(1)}); break;
    case DifferenceKey::Op: {
      QStringList nodes;
      if (const Document* document = context_.workspace.current())
        for (const auto& node : document->contents()->arrays.nodes)
          if (node.op == line.name) nodes << node.name;
      store_.selectNodes(nodes);
      break;
    }
  }
  following_ = false;
}

void ComparePage::followDocument() {
  const Document* document = context_.workspace.current();
  if (following_ || !isVisible() || !document || table_->key() != DifferenceKey::Node || document->selection().size() != 1) return;
  const int row = table_->rowOf(document->selection().first());
  if (row < 0) return;
  following_ = true;
  view_->setCurrentIndex(table_->index(row, 0));
  following_ = false;
}

QString ComparePage::headline(const TraceComparison& c) const {
  const QString delta = signedTime(c.step.deltaNs());
  QString change = !c.step.hasInterval() ? tr("%1; one of the traces has a single step, so chance is not known").arg(delta)
                   : c.step.isCertain()
                       ? tr("%1, with 95 % confidence between %2 and %3").arg(delta, signedTime(c.step.lowNs), signedTime(c.step.highNs))
                       : tr("%1, which may be chance: the interval is %2 to %3").arg(delta, signedTime(c.step.lowNs), signedTime(c.step.highNs));
  return tr("Step: %1 → %2").arg(formatSeconds(c.step.beforeNs / 1e9), QStringLiteral("<b>%1</b>").arg(formatSeconds(c.step.afterNs / 1e9))) +
         QStringLiteral(" · ") + change.toHtmlEscaped();
}

QString ComparePage::matches(const TraceComparison& c) const {
  const QString titles = tr("before: %1 · now: %2")
                             .arg(QStringLiteral("%1 (%2)").arg(c.beforeTitle, tr("%n step(s)", nullptr, c.beforeSteps)),
                                  QStringLiteral("%1 (%2)").arg(c.afterTitle, tr("%n step(s)", nullptr, c.afterSteps)));
  QString fit;
  if (c.matched == 0) fit = tr("No node is in both traces: they are of different graphs. By type they can still be compared.");
  else if (c.beforeOnly + c.afterOnly == 0) fit = tr("All %n node(s) are in both.", nullptr, int(c.matched));
  else
    fit = tr("%1 nodes are in both, %2 only in the one before, %3 only in the present one; those in both make up %4 % of the time.")
              .arg(widgets::formatCount(c.matched), widgets::formatCount(c.beforeOnly), widgets::formatCount(c.afterOnly))
              .arg(c.matchedShare * 100, 0, 'f', c.matchedShare > 0.99 ? 1 : 0);
  return titles + QStringLiteral(" · ") + fit;
}

void ComparePage::refill() {
  const TraceComparisonPtr& comparison = store_.comparison();
  stack_->setCurrentIndex(comparison ? 1 : 0);
  following_ = true;
  table_->show(comparison, DifferenceKey(kinds_->checkedId()));
  following_ = false;
  view_->setColumnHidden(ComparisonTable::Type, kinds_->checkedId() != int(DifferenceKey::Node));
  const bool waits = store_.current() && store_.compared() && !comparison && store_.isBusy();
  empty_->setTitle(waits ? tr("Comparing…") : tr("Nothing to compare with"));
  empty_->setText(waits ? QString() : tr("Choose another trace to list what became slower or faster since then: one of this session, or a file."));
  empty_->setButton(waits                            ? QString()
                    : questions_.earlier().isEmpty() ? tr("Compare with a trace…")
                                                     : tr("Compare with the trace before"),
                    QStringLiteral("layers"));
  if (!comparison) return;
  headline_->setText(headline(*comparison));
  matches_->setText(matches(*comparison));
  matches_->setToolTip(matches_->text());
  QPalette colors = matches_->palette();
  colors.setColor(QPalette::WindowText, widgets::Theme::current().color(comparison->matched == 0 ? widgets::Role::Warning : widgets::Role::Text2));
  matches_->setPalette(colors);
  followDocument();
}

bool ComparePage::setOption(const QString& option) {
  static const QStringList kKinds = {QStringLiteral("by type"), QStringLiteral("by node"), QStringLiteral("by scope")};
  if (const qsizetype kind = kKinds.indexOf(option); kind >= 0) {
    kinds_->button(int(kind))->setChecked(true);
    refill();
    return true;
  }
  if (option != QLatin1String("certain") && option != QLatin1String("all")) return false;
  certain_->setChecked(option == QLatin1String("certain"));
  return true;
}

QJsonObject ComparePage::report() const {
  const TraceComparisonPtr& c = store_.comparison();
  if (!c) return {};
  const auto number = [](double v) { return std::isnan(v) ? QJsonValue() : QJsonValue(v); };
  const auto lineOf = [&](const TraceChange& l) {
    return QJsonObject{{QStringLiteral("name"), l.name},
                       {QStringLiteral("before_ns"), l.beforeNs},
                       {QStringLiteral("now_ns"), l.afterNs},
                       {QStringLiteral("low_ns"), number(l.lowNs)},
                       {QStringLiteral("high_ns"), number(l.highNs)},
                       {QStringLiteral("certain"), l.isCertain()}};
  };
  QJsonArray lines;
  for (int r = 0; r < std::min(table_->rowCount(), 5000); ++r) lines << lineOf(table_->line(r));
  return {{QStringLiteral("before"), c->beforeTitle}, {QStringLiteral("now"), c->afterTitle},         {QStringLiteral("step"), lineOf(c->step)},
          {QStringLiteral("matched"), c->matched},    {QStringLiteral("before_only"), c->beforeOnly}, {QStringLiteral("now_only"), c->afterOnly},
          {QStringLiteral("changes"), lines}};
}

void ComparePage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

void ComparePage::retranslate() {
  const std::pair<QString, QString> kinds[] = {
      {tr("type"), tr("One row per op type")}, {tr("node"), tr("One row per node")}, {tr("scope"), tr("One row per name scope")}};
  for (int k = 0; k < kDifferenceKeys; ++k) {
    kinds_->button(k)->setText(kinds[k].first);
    kinds_->button(k)->setToolTip(kinds[k].second);
    kinds_->button(k)->setAccessibleName(kinds[k].second);
  }
  filter_->setPlaceholderText(tr("Filter by name"));
  filter_->setAccessibleName(tr("Filter the changes"));
  certain_->setText(tr("certain only"));
  certain_->setToolTip(tr("Leaves out changes whose interval includes 0"));
  canvas_->setText(tr("Colour nodes"));
  canvas_->setToolTip(tr("Colours the canvas by the change: red takes longer, blue takes less"));
  timeline_->setText(tr("Colour slices"));
  timeline_->setToolTip(tr("Colours the timeline by the change; again: by category"));
  with_->setText(tr("Compare with"));
  with_->setToolTip(tr("Another trace of this session, or a file"));
  view_->setAccessibleName(tr("Changes between two traces"));
}

}  // namespace weft::app
