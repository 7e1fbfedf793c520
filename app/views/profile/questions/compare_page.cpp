#include "question_pages.h"  // lupdate does not find it by its whole path

#include <QAbstractTableModel>
#include <QButtonGroup>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/name_delegate.h"
#include "common/sort_header.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/trace_questions.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "views/profile/profile_table.h"

namespace weft::app {

using widgets::formatSeconds;

namespace {

constexpr int kMostRunsInMenu = 20;

QString signedTime(double ns) { return (ns > 0 ? QStringLiteral("+") : ns < 0 ? QStringLiteral("−") : QString()) + formatSeconds(std::fabs(ns) / 1e9); }

/// Draws a change as a bar from the middle: to the right what takes longer, to the left what takes less; ProfileTable::ShareRole is -1 … 1.
class ChangeDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QVariant share = index.data(ProfileTable::ShareRole);
    if (share.isValid() && !(option.state & QStyle::State_Selected)) {
      const QRectF area = QRectF(option.rect).adjusted(2, 3, -2, -3);
      const double length = share.toDouble() * area.width() / 2;
      const widgets::Theme& theme = widgets::Theme::current();
      const QColor color = widgets::mix(theme.diverging(length < 0 ? -0.8 : 0.8), theme.color(widgets::Role::Surface0), 0.45);
      painter->fillRect(QRectF(std::min(area.center().x(), area.center().x() + length), area.top(), std::fabs(length), area.height()), color);
    }
    QStyledItemDelegate::paint(painter, option, index);
  }
};

}  // namespace

/// The lines of a comparison by one key, filtered and sorted.
class ComparisonTable final : public QAbstractTableModel {
 public:
  enum Column { Name, Type, Before, Now, Change, Interval, Share, Count, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  void show(TraceComparisonPtr comparison, DifferenceKey key) {
    comparison_ = std::move(comparison);
    key_ = key;
    arrange();
  }
  void filter(const QString& text, bool certain) {
    text_ = text.trimmed();
    certain_ = certain;
    arrange();
  }
  DifferenceKey key() const { return key_; }
  const TraceChange& line(int row) const { return comparison_->lines[size_t(key_)][order_[size_t(row)]]; }
  int rowOf(const QString& name) const {
    for (int r = 0; r < int(order_.size()); ++r)
      if (line(r).name == name) return r;
    return -1;
  }

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(order_.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(kColumns); }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const TraceChange& l = line(index.row());
    const bool noise = l.hasInterval() && !l.isCertain();
    if (role == Qt::TextAlignmentRole) return int((index.column() <= Type ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && noise && index.column() >= Change) return widgets::Theme::current().color(widgets::Role::Text2);
    if (role == ProfileTable::ShareRole && index.column() == Change && !noise && most_ > 0) return l.deltaNs() / most_;
    if (role == Qt::ToolTipRole) return tip(l, index.column());
    if (role != Qt::DisplayRole) return {};
    const auto time = [](double ns, double count) { return count > 0 ? formatSeconds(ns / 1e9) : QStringLiteral("–"); };
    const auto count = [](double n) { return n == std::round(n) ? widgets::formatCount(qint64(n)) : QString::number(n, 'f', 1); };
    switch (Column(index.column())) {
      case Name: return l.name;
      case Type: return l.op;
      case Before: return time(l.beforeNs, l.beforeCount);
      case Now: return time(l.afterNs, l.afterCount);
      case Change:
        return (noise             ? QStringLiteral("≈ ")
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
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((section <= Type ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const QString texts[] = {ComparePage::tr("name"),   ComparePage::tr("type"),          ComparePage::tr("before"),      ComparePage::tr("now"),
                             ComparePage::tr("change"), ComparePage::tr("95 % interval"), ComparePage::tr("of the step"), ComparePage::tr("executions")};
    const QString tips[] = {{},
                            {},
                            ComparePage::tr("Self time per step in the trace compared with"),
                            ComparePage::tr("Self time per step in the current trace"),
                            ComparePage::tr("▲ takes longer, ▼ takes less, ≈ the interval includes no change. Sorted by it, certain changes come first"),
                            ComparePage::tr("The change of the mean lies in it with 95 % confidence, if steps vary independently"),
                            ComparePage::tr("The change as a share of the step before"),
                            ComparePage::tr("Executions per step, before and now")};
    if (role == Qt::DisplayRole) return texts[section];
    return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
  }
  void sort(int column, Qt::SortOrder order) override {
    column_ = column;
    sortOrder_ = order;
    arrange();
  }

 private:
  static QString tip(const TraceChange& l, int column) {
    if (column == Name) return l.name;
    const bool noise = l.hasInterval() && !l.isCertain();
    if (column < Change) return {};
    return noise              ? ComparePage::tr("Steps vary so much that this may be no change at all.")
           : !l.hasInterval() ? ComparePage::tr("With a single step in one of the traces, chance cannot be told from change.")
                              : QString();
  }
  void arrange() {
    beginResetModel();
    order_.clear();
    most_ = 0;
    const QVector<TraceChange> none;
    const QVector<TraceChange>& lines = comparison_ ? comparison_->lines[size_t(key_)] : none;
    for (int i = 0; i < int(lines.size()); ++i) {
      most_ = std::max(most_, std::fabs(lines[i].deltaNs()));
      if (certain_ && lines[i].hasInterval() && !lines[i].isCertain()) continue;
      if (text_.isEmpty() || lines[i].name.contains(text_, Qt::CaseInsensitive) || lines[i].op.contains(text_, Qt::CaseInsensitive)) order_.push_back(i);
    }
    const auto number = [&](const TraceChange& l) {
      switch (Column(column_)) {
        case Before: return l.beforeNs;
        case Now: return l.afterNs;
        case Interval: return l.hasInterval() ? l.highNs - l.lowNs : -1;
        case Count: return l.afterCount;
        case Share: return l.deltaNs();
        default: return std::fabs(l.deltaNs()) + (l.hasInterval() && l.isCertain() ? 1e15 : 0);
      }
    };
    const bool up = sortOrder_ == Qt::AscendingOrder;
    if (column_ == Name || column_ == Type) {
      const auto word = [&](int i) -> const QString& { return column_ == Name ? lines[i].name : lines[i].op; };
      std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return up ? word(a) < word(b) : word(b) < word(a); });
    } else {
      std::vector<double> keys(size_t(lines.size()));
      for (const int i : order_) keys[size_t(i)] = number(lines[i]);
      std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return up ? keys[size_t(a)] < keys[size_t(b)] : keys[size_t(a)] > keys[size_t(b)]; });
    }
    endResetModel();
  }

  TraceComparisonPtr comparison_;
  DifferenceKey key_ = DifferenceKey::Op;
  std::vector<int> order_;
  double most_ = 0;
  QString text_;
  bool certain_ = false;
  int column_ = Change;
  Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
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
  view_->setHeader(new widgets::SortHeader(view_));
  view_->setModel(table_);
  view_->setRootIsDecorated(false);
  view_->setUniformRowHeights(true);
  view_->setAllColumnsShowFocus(true);
  view_->setSortingEnabled(true);
  view_->sortByColumn(ComparisonTable::Change, Qt::DescendingOrder);
  widgets::elideNames(view_);
  view_->setItemDelegateForColumn(ComparisonTable::Change, new ChangeDelegate(view_));
  view_->header()->setStretchLastSection(false);
  view_->header()->setMinimumSectionSize(48);
  view_->header()->setSectionResizeMode(ComparisonTable::Name, QHeaderView::Stretch);
  static constexpr int kWidths[] = {0, 160, 76, 76, 130, 168, 84, 100};
  static_assert(std::size(kWidths) == ComparisonTable::kColumns);
  for (int c = 1; c < ComparisonTable::kColumns; ++c) view_->header()->resizeSection(c, kWidths[c]);
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
