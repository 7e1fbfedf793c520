#include "views/advisor/advisor_view.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/dock_parts.h"

namespace weft::app {
namespace {

using widgets::formatSeconds;
using widgets::Role;
using widgets::Theme;

constexpr int kLinkHeight = 24;

/// A label that elides its text in the middle instead of asking for more width.
class NameLabel : public QLabel {
 public:
  explicit NameLabel(const QString& text) : full_(text) {
    setToolTip(text);
    setFont(Theme::current().monoFont());
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    setText(widgets::elideName(full_, QFontMetricsF(font()), width()));
  }

 private:
  QString full_;
};

}  // namespace

AdvisorView::AdvisorView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(ProfileStore::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("clock"), {}, {}, stack_);
  auto* scroll = makeColumnArea(stack_);
  auto* page = new QWidget(scroll);
  page->setMinimumWidth(1);  // as wide as the dock, however long the names in it are
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(10, 10, 10, 10);
  inside->setSpacing(0);
  adviceBox_ = new QVBoxLayout;
  sliceBox_ = new QVBoxLayout;
  inside->addLayout(sliceBox_);
  inside->addLayout(adviceBox_);
  inside->addStretch(1);
  scroll->setWidget(page);
  stack_->addWidget(empty_);
  stack_->addWidget(scroll);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  connect(&store_, &ProfileStore::currentChanged, this, &AdvisorView::refill);
  connect(&store_, &ProfileStore::sliceSelected, this, &AdvisorView::fillSlice);
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("profile.trace"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  retranslate();
  refill();
}

void AdvisorView::refill() {
  stack_->setCurrentIndex(store_.current() ? 1 : 0);
  fillAdvice();
  fillSlice();
}

void AdvisorView::fillAdvice() {
  if (advice_) {
    advice_->hide();
    advice_->deleteLater();
  }
  advice_ = new QWidget;
  adviceBox_->addWidget(advice_);
  auto* box = new QVBoxLayout(advice_);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(10);
  const ProfilePtr& profile = store_.current();
  context_.shell.setViewBadge(QStringLiteral("advisor"), profile && !profile->advice.isEmpty() ? QString::number(profile->advice.size()) : QString());
  if (!profile) return;
  for (const QString& problem : profile->problems) box->addWidget(wrapped(tr("About the trace: %1.").arg(problem)));
  if (profile->advice.isEmpty()) {
    box->addWidget(wrapped(profile->slices > 300000 ? tr("Traces of more than 300,000 slices get no advice.") : tr("Nothing stands out in this trace.")));
  }
  for (const ProfileAdvice& a : profile->advice) {
    auto* card = new QFrame(advice_);
    card->setObjectName(QStringLiteral("advice"));
    card->setStyleSheet(QStringLiteral("#advice { border: 1px solid %1; border-radius: 6px; background: %2; }")
                            .arg(Theme::current().color(a.warning ? Role::Warning : Role::Border).name(), Theme::current().color(Role::Surface2).name()));
    auto* inside = new QGridLayout(card);
    inside->setContentsMargins(10, 8, 10, 10);
    inside->setHorizontalSpacing(8);
    inside->setVerticalSpacing(6);
    inside->setColumnStretch(1, 1);
    auto* icon = new QLabel(card);
    icon->setPixmap(widgets::icon(a.warning ? QStringLiteral("warning") : QStringLiteral("info"), a.warning ? Role::Warning : Role::Info).pixmap(16, 16));
    icon->setAlignment(Qt::AlignTop);
    // Names of nodes are long, and their middle tells least.
    QLabel* title = wrapped(breakable(a.title));
    title->setProperty("kind", "strong");
    QLabel* detail = wrapped(breakable(a.detail));
    inside->addWidget(icon, 0, 0, Qt::AlignTop);
    inside->addWidget(title, 0, 1);
    inside->addWidget(detail, 1, 1);
    auto* row = new QHBoxLayout;
    if (!a.nodes.isEmpty()) {
      auto* show = new QPushButton(a.nodes.size() == 1 ? tr("Show node") : tr("Show %n nodes", nullptr, int(a.nodes.size())), card);
      show->setToolTip(a.nodes.mid(0, 12).join(u'\n'));
      connect(show, &QPushButton::clicked, this, [this, number = &a - profile->advice.data()] {
        const CommandResult result = context_.actions.run(QStringLiteral("profile.show-advice"), {QString::number(number + 1)});
        if (!result.ok) emit context_.actions.failed(result.message);
      });
      row->addWidget(show);
    }
    if (a.gainNs > 0) {
      QLabel* gain = wrapped(tr("saves up to %1 per step").arg(formatSeconds(a.gainNs / 1e9)));
      gain->setProperty("kind", "muted");
      inside->addWidget(gain, 2, 1);
    }
    if (row->count() > 0) {
      row->addStretch(1);
      inside->addLayout(row, 3, 1);
    } else {
      delete row;
    }
    box->addWidget(card);
  }
}

QString AdvisorView::report() const {
  QJsonArray list;
  if (store_.current()) {
    for (const ProfileAdvice& a : store_.current()->advice) {
      list << QJsonObject{{QStringLiteral("title"), a.title},
                          {QStringLiteral("detail"), a.detail},
                          {QStringLiteral("warning"), a.warning},
                          {QStringLiteral("gain_ns"), a.gainNs},
                          {QStringLiteral("nodes"), QJsonArray::fromStringList(a.nodes)}};
    }
  }
  return QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
}

void AdvisorView::fillSlice() {
  // Deleted later, because one of its buttons may be the sender.
  if (slice_) {
    slice_->hide();
    slice_->deleteLater();
  }
  slice_ = nullptr;
  const ProfilePtr& profile = store_.current();
  if (!profile || store_.selectedSlice() < 0) return;
  const SliceFacts f = sliceFacts(*profile, store_.selectedSlice());
  slice_ = new QWidget;
  sliceBox_->addWidget(slice_);
  auto* grid = new QGridLayout(slice_);
  grid->setContentsMargins(0, 0, 0, 14);
  grid->setVerticalSpacing(4);
  grid->setHorizontalSpacing(12);
  grid->setColumnStretch(1, 1);
  int line = 0;
  auto* heading = new QLabel(f.op.isEmpty() ? f.node : f.op, slice_);
  heading->setProperty("kind", "strong");
  auto* of = new QLabel(tr("%1 of %2").arg(f.number).arg(f.of), slice_);
  of->setProperty("kind", "muted");
  of->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  grid->addWidget(heading, line, 0);
  grid->addWidget(of, line++, 1);
  grid->addWidget(new NameLabel(f.node), line++, 0, 1, 2);
  const auto add = [&](const QString& what, const QString& value) {
    if (value.isEmpty()) return;
    auto* name = new QLabel(what, slice_);
    auto* number = new QLabel(value, slice_);
    number->setFont(Theme::current().monoFont());
    number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    number->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid->addWidget(name, line, 0);
    grid->addWidget(number, line++, 1);
  };
  add(tr("start"), formatSeconds(f.startNs / 1e9, 6));
  add(tr("self"), formatSeconds(f.selfNs / 1e9));
  add(tr("span"), formatSeconds(f.durationNs / 1e9));
  if (f.waitNs > 0) add(tr("waited"), formatSeconds(f.waitNs / 1e9));
  if (profile->steps > 1) add(tr("step"), widgets::formatCount(f.step));
  add(tr("thread"), f.thread);
  if (f.flops > 0) {
    add(tr("work"), QStringLiteral("%1 · %2").arg(widgets::formatSi(f.flops, QStringLiteral("FLOP")), widgets::formatBytes(qint64(f.movedBytes))));
    if (f.selfNs > 0)
      add(tr("rate"), QStringLiteral("%1 · %2").arg(widgets::formatSi(f.flops / f.selfNs * 1e9, QStringLiteral("FLOP/s")),
                                                    widgets::formatSi(f.movedBytes / f.selfNs * 1e9, QStringLiteral("B/s"))));
  }
  const int transfer = profile->transferOf.value(store_.selectedSlice(), -1);
  if (transfer >= 0) {
    const ProfileTransfer& t = profile->transfers[transfer];
    const QString most = t.latest ? QStringLiteral("≤ ") : QString();
    add(tr("tensor"), widgets::elideName(t.tensor, QFontMetricsF(Theme::current().monoFont()), 200));
    add(tr("from"), t.sender);
    add(tr("to"), t.receiver);
    if (t.bytes >= 0) add(tr("size"), widgets::formatBytes(t.bytes));
    if (t.sentNs >= 0 && t.receivedNs >= 0) add(tr("in transit"), most + formatSeconds(t.transitNs / 1e9));
    if (t.waitNs > 0) add(tr("receiver waited"), most + formatSeconds(t.waitNs / 1e9));
  } else if (f.bytes > 0) {
    add(tr("output"), widgets::formatBytes(f.bytes));
  }
  if (!f.inputs.isEmpty()) {
    auto* name = new QLabel(tr("reads"), slice_);
    name->setFixedHeight(kLinkHeight);  // beside the first of the links
    grid->addWidget(name, line, 0, Qt::AlignTop);
    auto* list = new QVBoxLayout;
    list->setSpacing(0);
    for (const QString& input : f.inputs.mid(0, 6)) {
      auto* link = new QPushButton(widgets::elideName(input, QFontMetricsF(Theme::current().monoFont()), 200), slice_);
      link->setProperty("kind", "link");
      link->setFont(Theme::current().monoFont());
      link->setFixedHeight(kLinkHeight);
      link->setToolTip(input);
      link->setAccessibleName(input);
      connect(link, &QPushButton::clicked, this, [this, input] { store_.selectNode(input); });
      list->addWidget(link, 0, Qt::AlignRight);
    }
    grid->addLayout(list, line++, 1);
  }
}

void AdvisorView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

void AdvisorView::retranslate() {
  for (QScrollArea* area : stack_->findChildren<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly))
    area->setAccessibleName(QCoreApplication::translate("Views", "Advisor"));
  empty_->setTitle(tr("No trace yet"));
  empty_->setText(tr("Suggestions to shorten a step appear here, with measurements and the nodes concerned."));
  empty_->setButton(tr("Trace 10 steps"), QStringLiteral("record"));
}

const ViewRecord advisorView = {"advisor",
                                QT_TRANSLATE_NOOP("Views", "Advisor"),
                                QT_TRANSLATE_NOOP("Views", "Suggestions to speed up a traced step, and the selected slice"),
                                "clock",
                                Qt::RightDockWidgetArea,
                                "profile!",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new AdvisorView(context, parent); }};

}  // namespace weft::app
