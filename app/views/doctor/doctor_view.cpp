#include "views/doctor/doctor_view.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/doctor_store.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/dock_parts.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kEvidenceHeight = 64, kMargin = 4;

/// A curve or bars, with the range of values below.
class EvidencePicture : public QWidget {
 public:
  EvidencePicture(const DoctorNote& note, QWidget* parent) : QWidget(parent), note_(note) {
    setFixedHeight(kEvidenceHeight + fontMetrics().height());
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::current();
    const QRectF area = QRectF(0, 0, width(), kEvidenceHeight).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    painter.fillRect(QRectF(0, 0, width(), kEvidenceHeight), theme.color(Role::Surface1));
    double low = 0, high = 0;
    bool any = false;
    for (const double v : note_.values) {
      if (!std::isfinite(v)) continue;
      low = any ? std::min(low, v) : v;
      high = any ? std::max(high, v) : v;
      any = true;
    }
    if (!any) return;
    const bool bars = note_.evidence == DoctorNote::Evidence::Bars;
    if (bars) low = 0;
    const double range = high > low ? high - low : 1;
    const auto y = [&](double v) { return area.bottom() - (v - low) / range * area.height(); };
    const qsizetype n = note_.values.size();
    if (bars) {
      const double each = area.width() / double(n);
      for (qsizetype i = 0; i < n; ++i)
        painter.fillRect(QRectF(area.left() + double(i) * each, y(note_.values[i]), std::max(1.0, each - 1), area.bottom() - y(note_.values[i])),
                         theme.color(Role::Accent));
    } else {
      QPolygonF line;
      for (qsizetype i = 0; i < n; ++i)
        if (std::isfinite(note_.values[i])) line << QPointF(area.left() + area.width() * double(i) / double(std::max<qsizetype>(1, n - 1)), y(note_.values[i]));
      painter.setPen(QPen(theme.color(Role::Accent), 1.5));
      painter.drawPolyline(line);
    }
    painter.setPen(theme.color(Role::Text2));
    const QRectF words(0, kEvidenceHeight, width(), fontMetrics().height());
    painter.drawText(words, Qt::AlignLeft,
                     bars ? widgets::formatValue(note_.from) : QStringLiteral("%1 … %2").arg(widgets::formatValue(low), widgets::formatValue(high)));
    painter.drawText(words, Qt::AlignRight, bars ? widgets::formatValue(note_.to) : QCoreApplication::translate("DoctorView", "step %1").arg(qint64(note_.to)));
  }

 private:
  const DoctorNote note_;
};

QString weightWord(DoctorNote::Weight w) {
  return w == DoctorNote::Weight::Error ? QStringLiteral("error") : w == DoctorNote::Weight::Warning ? QStringLiteral("warning") : QStringLiteral("note");
}

}  // namespace

DoctorView::DoctorView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(DoctorStore::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("check"), {}, {}, stack_);
  auto* scroll = makeColumnArea(stack_);
  auto* page = new QWidget(scroll);
  page->setMinimumWidth(1);
  summary_ = wrapped({}, page, "muted");
  again_ = new QPushButton(page);
  auto* bar = new QHBoxLayout;
  watch_ = new QCheckBox(page);
  bar->addWidget(summary_, 1);
  bar->addWidget(watch_);
  bar->addWidget(again_);
  box_ = new QVBoxLayout;
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(10, 8, 10, 10);
  inside->setSpacing(8);
  inside->addLayout(bar);
  inside->addLayout(box_);
  inside->addStretch(1);
  scroll->setWidget(page);
  stack_->addWidget(empty_);
  stack_->addWidget(scroll);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  connect(&store_, &DoctorStore::changed, this, &DoctorView::refill);
  connect(watch_, &QCheckBox::clicked, this,
          [this](bool on) { runAction(QStringLiteral("doctor.watch"), {on ? QStringLiteral("on") : QStringLiteral("off")}); });
  connect(&context_.workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String("run/doctor")) refill();
  });
  connect(again_, &QPushButton::clicked, this, [this] { runAction(QStringLiteral("doctor.examine")); });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { runAction(QStringLiteral("doctor.examine")); });
  retranslate();
  refill();
}

void DoctorView::runAction(const QString& id, const QStringList& words) {
  const CommandResult result = context_.actions.run(id, words);
  if (!result.ok) emit context_.actions.failed(result.message);
}

QWidget* DoctorView::makeCard(const DoctorNote& note, QWidget* parent) {
  const bool serious = note.weight != DoctorNote::Weight::Note;
  auto* card = new QFrame(parent);
  card->setObjectName(QStringLiteral("finding"));
  card->setStyleSheet(QStringLiteral("#finding { border: 1px solid %1; border-radius: 6px; background: %2; }")
                          .arg(Theme::current()
                                   .color(note.weight == DoctorNote::Weight::Error ? Role::Error
                                          : serious                                ? Role::Warning
                                                                                   : Role::Border)
                                   .name(),
                               Theme::current().color(Role::Surface2).name()));
  auto* inside = new QGridLayout(card);
  inside->setContentsMargins(10, 8, 10, 10);
  inside->setHorizontalSpacing(8);
  inside->setVerticalSpacing(6);
  inside->setColumnStretch(1, 1);
  auto* icon = new QLabel(card);
  const Role role = note.weight == DoctorNote::Weight::Error ? Role::Error : serious ? Role::Warning : Role::Info;
  icon->setPixmap(widgets::icon(serious ? QStringLiteral("warning") : QStringLiteral("info"), role).pixmap(16, 16));
  QLabel* title = wrapped(breakable(note.step > 0 ? tr("%1 (step %2)").arg(note.title).arg(note.step) : note.title), card);
  title->setProperty("kind", "strong");
  inside->addWidget(icon, 0, 0, Qt::AlignTop);
  inside->addWidget(title, 0, 1);
  int row = 1;
  inside->addWidget(wrapped(breakable(note.detail), card), row++, 1);
  if (note.evidence != DoctorNote::Evidence::None) inside->addWidget(new EvidencePicture(note, card), row++, 1);
  QLabel* advice = wrapped(breakable(note.advice), card);
  advice->setProperty("kind", "muted");
  inside->addWidget(advice, row++, 1);
  if (!note.fix.isEmpty()) inside->addWidget(wrapped(breakable(note.fix), card), row++, 1);
  auto* buttons = new QHBoxLayout;
  const Document* document = context_.workspace.current();
  if (document && !note.node.isEmpty() && (document->hasNode(note.node) || document->hasScope(note.node))) {
    auto* show = new QPushButton(tr("Show node"), card);
    show->setToolTip(note.node);
    connect(show, &QPushButton::clicked, this, [this, node = note.node] { runAction(QStringLiteral("graph.select"), {node}); });
    buttons->addWidget(show);
  }
  if (note.line > 0) {
    auto* show = new QPushButton(tr("Show line"), card);
    show->setToolTip(QStringLiteral("%1:%2").arg(note.file).arg(note.line));
    connect(show, &QPushButton::clicked, this, [this, note] { runAction(QStringLiteral("program.line"), {note.file, QString::number(note.line)}); });
    buttons->addWidget(show);
  }
  if (!note.setting.isEmpty()) {
    auto* use = new QPushButton(tr("Use %1 = %2").arg(note.setting, note.value), card);
    use->setToolTip(tr("Sets it for the next run"));
    connect(use, &QPushButton::clicked, this, [this, note] { runAction(QStringLiteral("run.set-live"), {note.setting, note.value}); });
    buttons->addWidget(use);
  }
  if (!note.command.isEmpty()) {
    auto* use = new QPushButton(tr("Use %1").arg(note.command.value(2)), card);
    use->setToolTip(note.command.join(u' '));
    connect(use, &QPushButton::clicked, this, [this, command = note.command] { runAction(command.value(0), command.mid(1)); });
    buttons->addWidget(use);
  }
  buttons->addStretch(1);
  inside->addLayout(buttons, row, 1);
  return card;
}

void DoctorView::refill() {
  const DoctorStore::Examination shown = store_.current();
  stack_->setCurrentIndex(shown.done || shown.watched ? 1 : 0);
  watch_->setChecked(context_.workspace.settings().get(QStringLiteral("run/doctor")).toBool());
  const QString why = store_.whyNot();
  again_->setEnabled(why.isEmpty());
  if (cards_) {
    cards_->hide();
    cards_->deleteLater();
    cards_ = nullptr;
  }
  int serious = 0;
  for (const auto* notes : {&shown.notes, &shown.during})
    for (const DoctorNote& n : *notes) serious += n.weight != DoctorNote::Weight::Note;
  context_.shell.setViewBadge(QStringLiteral("doctor"), serious > 0 ? QString::number(serious) : QString());
  if (!shown.done && !shown.watched) return;
  const Document* document = context_.workspace.current();
  const bool old = shown.done && document && document->contents() != shown.of;
  if (!shown.done && shown.program) summary_->setText(tr("A Python program trains this graph."));
  else if (!shown.done) summary_->setText(tr("The document was not examined before its first step."));
  else if (!shown.error.isEmpty()) summary_->setText(shown.error);
  else if (shown.notes.isEmpty()) summary_->setText(tr("Nothing was found: the graph, the data, the initial values, the first loss and one batch look right."));
  else summary_->setText(tr("%n finding(s) before the first step", nullptr, int(shown.notes.size())));
  if (shown.done && shown.error.isEmpty() && shown.onlyGraph) {
    summary_->setText(shown.notes.isEmpty() ? tr("Nothing was found in the graph. It has no training, so that nothing was run.")
                                            : summary_->text() + QStringLiteral(" ") + tr("The graph has no training, so that nothing was run."));
  }
  if (old) summary_->setText(summary_->text() + QStringLiteral(" ") + tr("The document has changed since."));
  cards_ = new QWidget;
  auto* box = new QVBoxLayout(cards_);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(10);
  for (const DoctorNote& n : shown.notes) box->addWidget(makeCard(n, cards_));
  if (shown.watched) {
    QLabel* word = wrapped(shown.program            ? tr("%n finding(s) while the program ran", nullptr, int(shown.during.size()))
                           : shown.during.isEmpty() ? tr("While it trained, nothing was found.")
                                                    : tr("%n finding(s) while it trained", nullptr, int(shown.during.size())),
                           cards_);
    word->setProperty("kind", "muted");
    box->addWidget(word);
    for (const DoctorNote& n : shown.during) box->addWidget(makeCard(n, cards_));
  }
  box_->addWidget(cards_);
}

QString DoctorView::report() const {
  const DoctorStore::Examination shown = store_.current();
  QJsonArray findings;
  for (const DoctorNote& n : shown.notes + shown.during) {
    QJsonArray values;
    for (const double v : n.values) values << v;
    findings << QJsonObject{{QStringLiteral("code"), n.code},
                            {QStringLiteral("weight"), weightWord(n.weight)},
                            {QStringLiteral("node"), n.node},
                            {QStringLiteral("step"), n.step},
                            {QStringLiteral("title"), n.title},
                            {QStringLiteral("detail"), n.detail},
                            {QStringLiteral("advice"), n.advice},
                            {QStringLiteral("values"), values},
                            {QStringLiteral("setting"), n.setting},
                            {QStringLiteral("value"), n.value},
                            {QStringLiteral("command"), QJsonArray::fromStringList(n.command)},
                            {QStringLiteral("file"), n.file},
                            {QStringLiteral("line"), n.line}};
  }
  return QString::fromUtf8(
      QJsonDocument(QJsonObject{{QStringLiteral("done"), shown.done}, {QStringLiteral("error"), shown.error}, {QStringLiteral("findings"), findings}})
          .toJson(QJsonDocument::Compact));
}

void DoctorView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

void DoctorView::retranslate() {
  for (QScrollArea* area : stack_->findChildren<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly))
    area->setAccessibleName(QCoreApplication::translate("Views", "Doctor"));
  empty_->setTitle(tr("Is this training sound?"));
  empty_->setText(tr("Looks for mistakes in the graph, the data, the initial values and the first steps, on a copy. Nothing is saved."));
  empty_->setButton(tr("Examine"), QStringLiteral("check"));
  watch_->setText(tr("Watch trainings"));
  watch_->setToolTip(tr("Looks for what goes wrong while the next trainings run; up to 3 % of the time"));
  again_->setText(tr("Examine again"));
  again_->setToolTip(tr("Examines the document as it is now"));
}

const ViewRecord doctorView = {"doctor",
                               QT_TRANSLATE_NOOP("Views", "Doctor"),
                               QT_TRANSLATE_NOOP("Views", "What is wrong with a training, before its first step"),
                               "check",
                               Qt::BottomDockWidgetArea,
                               "train",
                               [](const ViewContext& context, QWidget* parent) -> QWidget* { return new DoctorView(context, parent); }};

}  // namespace weft::app
