#include "main_window/start_cards.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <utility>

#include "adapters/file_kinds.h"
#include "adapters/machine.h"
#include "common/theme.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kCardRow = 19;  // pixels; makes rows of Chinese and Latin text equally high
constexpr int kBesideEachOther = 680;

struct StartCards {
  Q_DECLARE_TR_FUNCTIONS(StartCards)
};

/// The files that can be dropped, in a dashed frame.
class DropFrame : public QFrame {
 public:
  using QFrame::QFrame;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::current().color(Role::BorderStrong), 1, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  }
};

QLabel* keyCap(QWidget* parent, const QString& text) {
  QLabel* l = startLabel(parent, text, "chip");
  l->setFont(Theme::current().monoSmallFont());
  return l;
}

QGridLayout* addFactCard(QBoxLayout* row, const QString& title, int stretch) {
  auto* frame = new QFrame(row->parentWidget());
  frame->setProperty("kind", QStringLiteral("card"));
  auto* grid = new QGridLayout(frame);
  grid->setContentsMargins(14, 12, 14, 12);
  grid->setHorizontalSpacing(16);
  grid->setVerticalSpacing(7);
  grid->setColumnStretch(1, 1);
  grid->addWidget(startHeading(frame, title), 0, 0, 1, 2);
  row->addWidget(frame, stretch);
  return grid;
}

QString factName(int i) { return QStringLiteral("fact_%1").arg(i); }

}  // namespace

QLabel* startLabel(QWidget* parent, const QString& text, const char* kind) {
  auto* l = new QLabel(text, parent);
  l->setTextFormat(Qt::PlainText);
  if (kind) l->setProperty("kind", QLatin1String(kind));
  return l;
}

QLabel* startHeading(QWidget* parent, const QString& text) { return startLabel(parent, text, "strong"); }

QWidget* makeDropHint(QWidget* parent) {
  auto* drop = new DropFrame(parent);
  drop->setObjectName(QStringLiteral("start_drop"));
  auto* grid = new QGridLayout(drop);
  grid->setContentsMargins(14, 12, 14, 12);
  grid->setHorizontalSpacing(16);
  grid->setVerticalSpacing(5);
  grid->setColumnStretch(1, 1);
  grid->addWidget(startHeading(drop, StartCards::tr("Drop files anywhere")), 0, 0, 1, 2);
  const QPair<QString, QString> kinds[] = {
      {StartCards::tr("Weft document"), QStringLiteral(".weft .weft.pbtxt")},
      {StartCards::tr("TensorFlow graph"), QStringLiteral(".meta .pb .pbtxt")},
      {StartCards::tr("Checkpoint"), QStringLiteral(".index .data .ckpt")},
      {StartCards::tr("SavedModel"), StartCards::tr("its folder")},
      {StartCards::tr("Other models"), endingsOf(FileGroup::OtherModels).join(u' ')},
      {StartCards::tr("Training logs"), QStringLiteral("events.out.tfevents")},
      {StartCards::tr("Records, arrays"), (QStringList{QStringLiteral(".tfrecord")} + endingsOf(FileGroup::Arrays)).join(u' ')},
      {StartCards::tr("Pictures, sounds"), endingsOf(FileGroup::Media).join(u' ')}};
  int r = 1;
  for (const auto& [kind, endings] : kinds) {
    grid->addWidget(startLabel(drop, kind), r, 0);
    QLabel* ends = startLabel(drop, endings, "muted");
    ends->setFont(Theme::current().monoSmallFont());
    ends->setWordWrap(true);
    grid->setRowMinimumHeight(r, kCardRow);
    grid->addWidget(ends, r++, 1);
  }
  return drop;
}

QWidget* makeStartFacts(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* row = new QBoxLayout(QBoxLayout::LeftToRight, box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(16);
  QGridLayout* keys = addFactCard(row, StartCards::tr("Useful keys"), 3);
  const QPair<QString, QString> rows[] = {{QStringLiteral("A"), StartCards::tr("on the canvas: the whole graph")},
                                          {StartCards::tr("double-click"), StartCards::tr("open or close a scope")},
                                          {QStringLiteral("Ctrl+K"), StartCards::tr("find anything: commands, nodes, help")},
                                          {QStringLiteral("F5"), StartCards::tr("train")}};
  int r = 1;
  for (const auto& [key, what] : rows) {
    keys->setRowMinimumHeight(r, kCardRow);
    keys->addWidget(keyCap(keys->parentWidget(), key), r, 0, Qt::AlignLeft);
    keys->addWidget(startLabel(keys->parentWidget(), what), r++, 1);
  }
  keys->setRowStretch(r, 1);
  QGridLayout* machine = addFactCard(row, StartCards::tr("This machine"), 2);
  r = 1;
  for (const auto& [name, value] : machineFacts()) {
    machine->addWidget(startLabel(machine->parentWidget(), name), r, 0);
    QLabel* v = startLabel(machine->parentWidget(), value);
    v->setObjectName(factName(r - 1));
    v->setFont(Theme::current().monoSmallFont());
    v->setWordWrap(true);  // why there is no GPU may be long
    v->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    machine->setRowMinimumHeight(r, kCardRow);
    machine->addWidget(v, r++, 1);
  }
  machine->setRowStretch(r, 1);
  machine->setColumnStretch(1, 1);
  return box;
}

void arrangeStartFacts(QWidget* facts, int width) {
  if (auto* row = qobject_cast<QBoxLayout*>(facts->layout())) row->setDirection(width < kBesideEachOther ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void updateStartFacts(QWidget* facts) {
  int i = 0;
  for (const auto& [name, value] : machineFacts()) {
    if (auto* l = facts->findChild<QLabel*>(factName(i++))) l->setText(value);
  }
}

void StartSide::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::current().color(Role::Surface1));
  painter.fillRect(QRect(width() - 1, 0, 1, height()), Theme::current().color(Role::Border));
}

Card::Card(QWidget* parent) : QFrame(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
}

void Card::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool lit = hasFocus() || underMouse();
  painter.setPen(QPen(theme.color(hasFocus() ? Role::Focus : lit ? Role::BorderStrong : Role::Border), hasFocus() ? 2 : 1));
  painter.setBrush(theme.color(Role::Surface2));
  const double inset = hasFocus() ? 1 : 0.5;
  painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), theme.metrics().radius, theme.metrics().radius);
}

void Card::mousePressEvent(QMouseEvent* event) { pressed_ = event->button() == Qt::LeftButton; }

/// The first click already opened it; a second one would open it again.
void Card::mouseDoubleClickEvent(QMouseEvent*) { pressed_ = false; }

void Card::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && std::exchange(pressed_, false) && rect().contains(event->pos())) emit clicked();
}
void Card::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) emit clicked();
  else QFrame::keyPressEvent(event);
}
void Card::enterEvent(QEnterEvent*) { update(); }
void Card::leaveEvent(QEvent*) { update(); }
void Card::focusInEvent(QFocusEvent*) { update(); }
void Card::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace weft::app
