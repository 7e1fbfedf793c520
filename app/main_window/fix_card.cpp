#include "main_window/fix_card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/discard.h"
#include "common/icons.h"
#include "common/theme.h"
#include "shell/style.h"

namespace weft::app {
namespace {

constexpr int kCardWidth = 340, kFromItem = 10, kRoomEdge = 6, kSignSize = 16;

QString sheet() {
  using widgets::Role;
  const widgets::Theme& theme = widgets::Theme::current();
  const auto name = [&](Role role) { return theme.color(role).name(); };
  return QStringLiteral(
             "#fix_card { background: %1; border: 1px solid %2; border-radius: 6px; }"
             "#fix_card QLabel { background: transparent; }"
             "#fix_card QPushButton { text-align: left; background: transparent; color: %3; border: none; border-top: 1px solid %4; border-radius: 0; padding: 5px 8px; }"
             "#fix_card QPushButton:hover { background: %5; }"
             "#fix_card QPushButton[first=\"true\"] { background: %6; color: %7; }"
             "#fix_card QToolButton { border: none; background: transparent; }"
             "#fix_card_keys { border-top: 1px solid %4; }")
      .arg(name(Role::Surface2), name(Role::BorderStrong), name(Role::Text1), name(Role::Border), name(Role::Surface3), name(Role::Selection),
           name(Role::SelectionText));
}

widgets::Role hueOf(Problem::Severity severity) {
  return severity == Problem::Severity::Error ? widgets::Role::Error : severity == Problem::Severity::Warning ? widgets::Role::Warning : widgets::Role::Info;
}

const char* iconOf(Problem::Severity severity) {
  return severity == Problem::Severity::Error ? "error" : severity == Problem::Severity::Warning ? "warning" : "info";
}

}  // namespace

FixCard::FixCard(QWidget* canvas) : QFrame(canvas) {
  setObjectName(QStringLiteral("fix_card"));
  setAccessibleName(tr("Problem and fixes"));
  setFocusPolicy(Qt::NoFocus);
  setCursor(Qt::ArrowCursor);
  setFixedWidth(kCardWidth);
  hide();
}

void FixCard::setNotes(const QVector<FixNote>& notes, const QString& applyKey, const QString& nextKey, bool searching) {
  notes_ = notes;
  applyKey_ = applyKey;
  nextKey_ = nextKey;
  searching_ = searching;
  fill();
}

void FixCard::fill() {
  shownIn_ = widgets::Theme::current().kind();
  setSheet(this, sheet());
  if (auto* old = findChild<QWidget*>(QStringLiteral("fix_card_body"), Qt::FindDirectChildrenOnly)) {
    old->setObjectName(QString());
    old->hide();
    delete layout();
    widgets::discard(old);
  }
  auto* body = new QWidget(this);
  body->setObjectName(QStringLiteral("fix_card_body"));
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  marked_ = false;
  for (const FixNote& note : std::as_const(notes_)) addNote(note, column);
  column->addWidget(footer());
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(1, 1, 1, 1);
  outer->addWidget(body);
  body->show();
  const int width = kCardWidth - 2;
  resize(kCardWidth, 2 + (body->layout()->hasHeightForWidth() ? body->layout()->totalHeightForWidth(width) : body->sizeHint().height()));
}

void FixCard::addNote(const FixNote& note, QVBoxLayout* column) {
  const widgets::Theme& theme = widgets::Theme::current();
  auto* head = new QWidget(this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(10, 8, 6, 8);
  row->setSpacing(8);
  auto* sign = new QLabel(head);
  sign->setPixmap(widgets::iconPixmap(QLatin1String(iconOf(note.severity)), kSignSize, theme.color(hueOf(note.severity)), devicePixelRatioF()));
  auto* title = new QLabel(note.title, head);
  title->setObjectName(QStringLiteral("fix_card_title"));
  title->setTextFormat(Qt::PlainText);
  title->setWordWrap(true);
  title->setToolTip(note.said.isEmpty() ? note.title : note.title + QStringLiteral("\n\n") + tr("TensorFlow says: %1").arg(note.said));
  row->addWidget(sign, 0, Qt::AlignTop);
  row->addWidget(title, 1);
  if (column->count() == 0) {
    auto* close = new QToolButton(head);
    close->setObjectName(QStringLiteral("fix_card_close"));
    close->setIcon(widgets::icon(QStringLiteral("close")));
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close"));
    close->setFocusPolicy(Qt::NoFocus);
    connect(close, &QToolButton::clicked, this, &FixCard::closeRequested);
    row->addWidget(close, 0, Qt::AlignTop);
  }
  column->addWidget(head);
  for (const FixNote::Fix& fix : note.fixes) {
    const bool first = !std::exchange(marked_, true);
    auto* button = new QPushButton(this);
    button->setObjectName(QStringLiteral("fix_button"));
    button->setProperty("first", first);
    button->setFlat(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setIcon(first ? widgets::icon(QStringLiteral("bulb"), widgets::Role::SelectionText)
                          : widgets::icon(QStringLiteral("bulb"), widgets::Role::Warning));
    const QString words = fix.result.isEmpty() ? fix.text : fix.text + QStringLiteral("   → ") + fix.result;
    button->setText(button->fontMetrics().elidedText(words, Qt::ElideRight, kCardWidth - 56).replace(u'&', QStringLiteral("&&")));
    button->setAccessibleName(words);
    button->setToolTip(first && !applyKey_.isEmpty() ? tr("%1 (%2)").arg(words, applyKey_) : words);
    connect(button, &QPushButton::clicked, this, [this, command = fix.command] { emit chosen(command); });
    column->addWidget(button);
  }
}

QWidget* FixCard::footer() {
  const bool any = std::any_of(notes_.begin(), notes_.end(), [](const FixNote& n) { return !n.fixes.isEmpty(); });
  QStringList words;
  if (any && !applyKey_.isEmpty()) words << tr("%1 apply", "key and what it does").arg(applyKey_);
  if (!any) words << (searching_ ? tr("Looking for a fix…") : tr("No fix is known."));
  if (!nextKey_.isEmpty()) words << tr("%1 next problem", "key and what it does").arg(nextKey_);
  auto* foot = new QLabel(words.join(QStringLiteral("   ·   ")), this);
  foot->setObjectName(QStringLiteral("fix_card_keys"));
  foot->setProperty("kind", QStringLiteral("muted"));
  foot->setFont(widgets::Theme::current().smallFont());
  foot->setContentsMargins(10, 4, 10, 4);
  return foot;
}

void FixCard::placeAt(const QRectF& item) {
  const QRectF room = QRectF(parentWidget()->rect()).adjusted(kRoomEdge, kRoomEdge, -kRoomEdge, -kRoomEdge);
  QPointF at(item.left(), item.bottom() + kFromItem);
  if (at.y() + height() > room.bottom() && item.top() - kFromItem - height() >= room.top()) at.setY(item.top() - kFromItem - height());
  // Neither above nor below fits: place it beside.
  if (at.y() + height() > room.bottom()) at = {item.right() + kFromItem, item.top()};
  at.setX(std::max(room.left(), std::min(at.x(), room.right() - width())));
  at.setY(std::max(room.top(), std::min(at.y(), room.bottom() - height())));
  if (pos() != at.toPoint()) move(at.toPoint());
}

void FixCard::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) {
    setAccessibleName(tr("Problem and fixes"));
    // Skipped if language and theme are unchanged: setting a style sheet also sends a PaletteChange.
    const bool other = event->type() == QEvent::LanguageChange || shownIn_ != widgets::Theme::current().kind();
    if (isVisible() && other) QMetaObject::invokeMethod(this, &FixCard::closeRequested, Qt::QueuedConnection);
  }
  QFrame::changeEvent(event);
}

}  // namespace weft::app
