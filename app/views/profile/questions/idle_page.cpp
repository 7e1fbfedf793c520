#include "question_pages.h"  // lupdate does not find it by its whole path

#include <QAbstractTableModel>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QPixmap>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "common/elided_label.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/sort_header.h"
#include "common/theme.h"
#include "document/profile_store.h"
#include "document/trace_questions.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "views/profile/profile_table.h"

namespace weft::app {

using widgets::formatSeconds;

namespace {

QColor reasonColor(const IdleTimes& times, IdlePart::Reason reason) {
  const int hue = times.rows->categories[int(reason)].hue;
  const widgets::Theme& theme = widgets::Theme::current();
  return hue >= 0 ? theme.categorical(hue) : theme.color(widgets::Role::Text3);
}

}  // namespace

/// Causes of idle time.
class IdleTable final : public QAbstractTableModel {
 public:
  enum Column { Reason, Cause, Type, Time, Share, Gaps, Longest, kColumns };
  using QAbstractTableModel::QAbstractTableModel;

  void show(IdleTimesPtr times) {
    times_ = std::move(times);
    arrange();
  }
  int causeAt(int row) const { return order_[size_t(row)]; }
  int rowOf(int cause) const {
    const auto at = std::find(order_.begin(), order_.end(), cause);
    return at == order_.end() ? -1 : int(at - order_.begin());
  }

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(order_.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(kColumns); }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const IdleCause& c = times_->causes[order_[size_t(index.row())]];
    if (role == Qt::TextAlignmentRole) return int((index.column() <= Type ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::DecorationRole && index.column() == Reason) return reasonColor(*times_, c.reason);
    if (role == ProfileTable::ShareRole && index.column() == Share) return share(c);
    if (role == Qt::ToolTipRole && index.column() <= Cause) return c.node.isEmpty() ? c.track : c.node;
    if (role != Qt::DisplayRole) return {};
    switch (Column(index.column())) {
      case Reason: return idleReasonText(c.reason);
      case Cause: return c.node.isEmpty() ? c.track : c.node;
      case Type: return c.op;
      case Time: return formatSeconds(c.ns / 1e9);
      case Share: return QStringLiteral("%1 %").arg(share(c) * 100, 0, 'f', 1);
      case Gaps: return widgets::formatCount(c.count);
      case Longest: return formatSeconds(double(times_->gaps[size_t(c.gaps.front())].durationNs) / 1e9);
      case kColumns: break;
    }
    return {};
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((section <= Type ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const QString texts[] = {IdlePage::tr("reason"), IdlePage::tr("waited for"), IdlePage::tr("type"),   IdlePage::tr("per step"),
                             IdlePage::tr("share"),  IdlePage::tr("gaps"),       IdlePage::tr("longest")};
    if (role == Qt::DisplayRole) return texts[section];
    if (role != Qt::ToolTipRole) return {};
    if (section == Cause) return IdlePage::tr("The op that was waited for; where none was, the thread that was idle");
    if (section == Share) return IdlePage::tr("Of all idle time");
    return section == Gaps ? QVariant(IdlePage::tr("In the whole trace")) : QVariant();
  }
  void sort(int column, Qt::SortOrder order) override {
    column_ = column;
    sortOrder_ = order;
    arrange();
  }

 private:
  double share(const IdleCause& c) const {
    const double all = std::accumulate(times_->byReason.begin(), times_->byReason.end(), 0.0);
    return all > 0 ? c.ns / all : 0;
  }
  void arrange() {
    beginResetModel();
    order_.resize(times_ ? size_t(times_->causes.size()) : 0);
    std::iota(order_.begin(), order_.end(), 0);
    std::vector<double> numbers;
    std::vector<QString> words;
    for (size_t i = 0; i < order_.size(); ++i) {
      const IdleCause& c = times_->causes[qsizetype(i)];
      if (column_ > Type)
        numbers.push_back(column_ == Gaps ? double(c.count) : column_ == Longest ? double(times_->gaps[size_t(c.gaps.front())].durationNs) : c.ns);
      else words.push_back(column_ == Reason ? QString::number(int(c.reason)) : column_ == Type ? c.op : c.node.isEmpty() ? c.track : c.node);
    }
    const auto sortBy = [&](const auto& keys) {
      const bool up = sortOrder_ == Qt::AscendingOrder;
      std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return up ? keys[size_t(a)] < keys[size_t(b)] : keys[size_t(b)] < keys[size_t(a)]; });
    };
    if (column_ > Type) sortBy(numbers);
    else sortBy(words);
    endResetModel();
  }

  IdleTimesPtr times_;
  std::vector<int> order_;
  int column_ = Time;
  Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
};

IdlePage::IdlePage(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), store_(ProfileStore::of(context.workspace)), questions_(TraceQuestions::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("clock"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  summary_ = new widgets::ElidedLabel(page);
  const auto tool = [page](const char* name, const char* icon) {
    auto* button = new QToolButton(page);
    button->setObjectName(QLatin1String(name));
    button->setAutoRaise(true);
    if (*icon) button->setIcon(widgets::icon(QLatin1String(icon)));
    return button;
  };
  shown_ = tool("idle_shown", "");
  shown_->setCheckable(true);
  shown_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  before_ = tool("idle_before", "chevron-left");
  next_ = tool("idle_next", "chevron-right");
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(12, 4, 8, 2);
  bar->setSpacing(8);
  bar->addWidget(summary_, 1);
  bar->addWidget(shown_);
  bar->addWidget(before_);
  bar->addWidget(next_);
  gap_ = new QLabel(page);
  gap_->setTextFormat(Qt::PlainText);
  gap_->setWordWrap(true);
  gap_->setMinimumWidth(1);
  gap_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  gap_->setContentsMargins(12, 2, 12, 4);
  gap_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table_ = new IdleTable(this);
  view_ = new QTreeView(page);
  view_->setObjectName(QStringLiteral("idle_causes"));
  view_->setHeader(new widgets::SortHeader(view_));
  view_->setModel(table_);
  view_->setRootIsDecorated(false);
  view_->setUniformRowHeights(true);
  view_->setAllColumnsShowFocus(true);
  view_->setSortingEnabled(true);
  view_->sortByColumn(IdleTable::Time, Qt::DescendingOrder);
  widgets::elideNames(view_);
  view_->setItemDelegateForColumn(IdleTable::Share, new ShareDelegate(view_));
  view_->header()->setStretchLastSection(false);
  view_->header()->setMinimumSectionSize(48);
  view_->header()->setSectionResizeMode(IdleTable::Cause, QHeaderView::Stretch);
  static constexpr int kWidths[] = {200, 0, 160, 90, 110, 70, 90};
  static_assert(std::size(kWidths) == IdleTable::kColumns);
  for (const int c : {0, 2, 3, 4, 5, 6}) view_->header()->resizeSection(c, kWidths[c]);
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(0);
  inside->addLayout(bar);
  inside->addWidget(gap_);
  inside->addWidget(view_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(&questions_, &TraceQuestions::idleTimesChanged, this, &IdlePage::refill);
  connect(&store_, &ProfileStore::currentChanged, this, [this] {
    if (isVisible() && store_.current() && !questions_.isFindingIdleTimes()) questions_.findIdleTimes();
  });
  connect(&questions_, &TraceQuestions::gapSelected, this, &IdlePage::tellGap);
  connect(&questions_, &TraceQuestions::showsGapsChanged, this, [this] { shown_->setChecked(questions_.showsGaps()); });
  connect(shown_, &QToolButton::clicked, this,
          [this](bool on) { run(QStringLiteral("profile.idle-times"), {on ? QStringLiteral("on") : QStringLiteral("off")}); });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { run(QStringLiteral("profile.find-idle")); });
  const auto show = [this](const QModelIndex& index) {
    if (index.isValid()) run(QStringLiteral("profile.show-idle"), {QString::number(table_->causeAt(index.row()) + 1)});
  };
  connect(view_, &QTreeView::clicked, this, [this, show](const QModelIndex& index) {
    // A click on the row of the shown gap keeps it.
    const IdleTimesPtr& times = questions_.idleTimes();
    if (times && questions_.selectedGap() >= 0 && times->causeOf[size_t(questions_.selectedGap())] == table_->causeAt(index.row())) return;
    show(index);
  });
  connect(view_, &QTreeView::activated, this, show);
  connect(next_, &QToolButton::clicked, this, [this, show] { show(view_->currentIndex()); });
  connect(before_, &QToolButton::clicked, this, [this] {
    if (view_->currentIndex().isValid())
      run(QStringLiteral("profile.show-idle"), {QString::number(table_->causeAt(view_->currentIndex().row()) + 1), QStringLiteral("back")});
  });
  retranslate();
  refill();
}

void IdlePage::run(const QString& id, const QStringList& words) { context_.actions.runChosen(id, words); }

/// They are found when they are first looked at.
void IdlePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (store_.current() && !questions_.idleTimes()) questions_.findIdleTimes();
}

void IdlePage::refill() {
  const IdleTimesPtr& times = questions_.idleTimes();
  stack_->setCurrentIndex(times ? 1 : 0);
  table_->show(times);
  shown_->setChecked(questions_.showsGaps());
  const bool busy = questions_.isFindingIdleTimes();
  empty_->setTitle(busy ? tr("Finding idle times…") : tr("Why were threads idle?"));
  empty_->setText(busy ? QString() : tr("Between two ops, a thread or stream may have waited for an input, a copy, data, the host, or the scheduler."));
  empty_->setButton(busy || !store_.current() ? QString() : tr("Find idle times"), QStringLiteral("clock"));
  if (!times) return;
  double all = 0;
  int most = 0;
  for (int r = 0; r < kIdleReasons; ++r) {
    all += times->byReason[size_t(r)];
    if (times->byReason[size_t(r)] > times->byReason[size_t(most)]) most = r;
  }
  summary_->setFull(times->gaps.empty() ? tr("No thread was idle for a microsecond or more.")
                                        : tr("%1 idle per step on %n thread(s) and streams, %2 % of their time; most of it: %3, %4", nullptr, times->tracks)
                                              .arg(formatSeconds(all / 1e9), QString::number(times->shareOfTime * 100, 'f', 0),
                                                   idleReasonText(IdlePart::Reason(most)), formatSeconds(times->byReason[size_t(most)] / 1e9)));
  tellGap();
}

void IdlePage::tellGap() {
  const IdleTimesPtr& times = questions_.idleTimes();
  const int gap = times ? questions_.selectedGap() : -1;
  gap_->setVisible(gap >= 0);
  before_->setEnabled(gap >= 0);
  next_->setEnabled(gap >= 0);
  if (gap < 0) return;
  const IdlePart& part = times->gaps[size_t(gap)];
  const IdleCause& cause = times->causes[times->causeOf[size_t(gap)]];
  const auto place = std::find(cause.gaps.begin(), cause.gaps.end(), gap) - cause.gaps.begin() + 1;
  gap_->setText(widgets::joinSentences(
      {idlePartText(*store_.current(), part), tr("Gap %1 of %2 with this cause, by length.").arg(place).arg(widgets::formatCount(cause.count))}));
  const int row = table_->rowOf(times->causeOf[size_t(gap)]);
  if (row >= 0 && view_->currentIndex().row() != row) view_->setCurrentIndex(table_->index(row, 0));
}

QJsonObject IdlePage::report() const {
  const IdleTimesPtr& times = questions_.idleTimes();
  if (!times) return {};
  QJsonArray causes;
  for (const IdleCause& c : times->causes) {
    causes << QJsonObject{{QStringLiteral("reason"), idleReasonText(c.reason)},
                          {QStringLiteral("node"), c.node.isEmpty() ? c.track : c.node},
                          {QStringLiteral("ns"), c.ns},
                          {QStringLiteral("gaps"), c.count}};
    if (causes.size() >= 1000) break;
  }
  QJsonObject out{{QStringLiteral("shown"), questions_.showsGaps()},
                  {QStringLiteral("gaps"), qint64(times->gaps.size())},
                  {QStringLiteral("share"), times->shareOfTime},
                  {QStringLiteral("causes"), causes}};
  if (const int gap = questions_.selectedGap(); gap >= 0) {
    const IdlePart& part = times->gaps[size_t(gap)];
    out[QStringLiteral("selected")] = QJsonObject{{QStringLiteral("start_ns"), part.startNs},
                                                  {QStringLiteral("duration_ns"), part.durationNs},
                                                  {QStringLiteral("reason"), idleReasonText(part.reason)},
                                                  {QStringLiteral("cause"), times->causes[times->causeOf[size_t(gap)]].node},
                                                  {QStringLiteral("text"), idlePartText(*store_.current(), part)}};
  }
  return out;
}

void IdlePage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    refill();
  }
  QWidget::changeEvent(event);
}

void IdlePage::retranslate() {
  shown_->setText(tr("Show in the timeline"));
  shown_->setToolTip(tr("Hatches idle times in the timeline, coloured by their reason"));
  before_->setToolTip(tr("Shows the next longer gap with this cause"));
  next_->setToolTip(tr("Shows the next shorter gap with this cause (Enter)"));
  for (QToolButton* b : {before_, next_}) b->setAccessibleName(b->toolTip());
  view_->setAccessibleName(tr("Causes of idle time"));
  gap_->setAccessibleName(tr("Selected gap"));
}

}  // namespace weft::app
