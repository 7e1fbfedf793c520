#include "question_pages.h"  // lupdate does not find it by its whole path

#include <QEvent>
#include <QHBoxLayout>
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
#include "common/theme.h"
#include "document/profile_store.h"
#include "document/trace_questions.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "views/profile/profile_table.h"
#include "views/profile/text_table.h"

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
class IdleTable final : public SortedTextTable {
 public:
  enum Column { Reason, Cause, Type, Time, Share, Gaps, Longest, kColumns };
  explicit IdleTable(QObject* parent) : SortedTextTable(Time, parent) {}

  void show(IdleTimesPtr times) {
    times_ = std::move(times);
    arrange();
  }

 protected:
  int columns() const override { return kColumns; }
  bool isNumber(int column) const override { return column > Type; }
  Heading heading(int column) const override {
    switch (Column(column)) {
      case Reason: return {IdlePage::tr("reason"), {}};
      case Cause: return {IdlePage::tr("waited for"), IdlePage::tr("The op that was waited for; where none was, the thread that was idle")};
      case Type: return {IdlePage::tr("type"), {}};
      case Time: return {IdlePage::tr("per step"), {}};
      case Share: return {IdlePage::tr("share"), IdlePage::tr("Of all idle time")};
      case Gaps: return {IdlePage::tr("gaps"), IdlePage::tr("In the whole trace")};
      case Longest: return {IdlePage::tr("longest"), {}};
      case kColumns: break;
    }
    return {};
  }
  QString text(int row, int column) const override {
    const IdleCause& c = times_->causes[itemAt(row)];
    switch (Column(column)) {
      case Reason: return idleReasonText(c.reason);
      case Cause: return nameOf(c);
      case Type: return c.op;
      case Time: return formatSeconds(c.ns / 1e9);
      case Share: return QStringLiteral("%1 %").arg(share(c) * 100, 0, 'f', 1);
      case Gaps: return widgets::formatCount(c.count);
      case Longest: return formatSeconds(longestNs(c) / 1e9);
      case kColumns: break;
    }
    return {};
  }
  QVariant look(int row, int column, int role) const override {
    const IdleCause& c = times_->causes[itemAt(row)];
    if (role == Qt::DecorationRole && column == Reason) return reasonColor(*times_, c.reason);
    if (role == ProfileTable::ShareRole && column == Share) return share(c);
    return role == Qt::ToolTipRole && column <= Cause ? QVariant(nameOf(c)) : QVariant();
  }
  std::vector<int> items() const override {
    std::vector<int> out(times_ ? size_t(times_->causes.size()) : 0);
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  QString wordOf(int item, int column) const override {
    const IdleCause& c = times_->causes[item];
    return column == Reason ? QString::number(int(c.reason)) : column == Type ? c.op : nameOf(c);
  }
  double numberOf(int item, int column) const override {
    const IdleCause& c = times_->causes[item];
    return column == Gaps ? double(c.count) : column == Longest ? longestNs(c) : c.ns;
  }

 private:
  static QString nameOf(const IdleCause& c) { return c.node.isEmpty() ? c.track : c.node; }
  double longestNs(const IdleCause& c) const { return double(times_->gaps[size_t(c.gaps.front())].durationNs); }
  double share(const IdleCause& c) const {
    const double all = std::accumulate(times_->byReason.begin(), times_->byReason.end(), 0.0);
    return all > 0 ? c.ns / all : 0;
  }

  IdleTimesPtr times_;
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
  listSortedRows(view_, table_, IdleTable::Time);
  view_->setItemDelegateForColumn(IdleTable::Share, new ShareDelegate(view_));
  setColumnWidths(view_, {200, 0, 160, 90, 110, 70, 90});
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
    if (index.isValid()) run(QStringLiteral("profile.show-idle"), {QString::number(table_->itemAt(index.row()) + 1)});
  };
  connect(view_, &QTreeView::clicked, this, [this, show](const QModelIndex& index) {
    // A click on the row of the shown gap keeps it.
    const IdleTimesPtr& times = questions_.idleTimes();
    if (times && questions_.selectedGap() >= 0 && times->causeOf[size_t(questions_.selectedGap())] == table_->itemAt(index.row())) return;
    show(index);
  });
  connect(view_, &QTreeView::activated, this, show);
  connect(next_, &QToolButton::clicked, this, [this, show] { show(view_->currentIndex()); });
  connect(before_, &QToolButton::clicked, this, [this] {
    if (view_->currentIndex().isValid())
      run(QStringLiteral("profile.show-idle"), {QString::number(table_->itemAt(view_->currentIndex().row()) + 1), QStringLiteral("back")});
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
  const int row = table_->rowOfItem(times->causeOf[size_t(gap)]);
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
