#include "common/plot_card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr int kFootFrom = 168;              // minimum card height for a footer, in pixels
constexpr double kButtons = 92, kPin = 28;  // with their spacing
}  // namespace

PlotCard::PlotCard(const QString& title, QWidget* body, QWidget* parent) : QFrame(parent), full_(title), body_(body) {
  setProperty("kind", "card");
  setAccessibleName(title);
  title_ = new QLabel(this);
  title_->setToolTip(title);
  chip_ = new QLabel(this);
  chip_->setProperty("kind", "chip");
  chip_->hide();
  legend_ = new CardLegend(this);
  foot_ = new CardFoot(this);
  maximize_ = new QToolButton(this);
  maximize_->setIcon(icon(QStringLiteral("expand")));
  more_ = new QToolButton(this);
  more_->setIcon(icon(QStringLiteral("menu-dots")));
  more_->setPopupMode(QToolButton::InstantPopup);
  menu_ = new QMenu(more_);
  more_->setMenu(menu_);
  for (QToolButton* button : {maximize_, more_}) {
    button->setProperty("kind", "flat");
    button->setIconSize({16, 16});
  }
  connect(maximize_, &QToolButton::clicked, this, &PlotCard::maximizeRequested);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 4, 4, 0);
  head->setSpacing(6);
  head->addWidget(title_);
  head->addWidget(chip_, 0, Qt::AlignVCenter);
  head->addSpacing(4);
  head->addWidget(legend_, 1);
  head->addWidget(maximize_);
  head->addWidget(more_);
  line_ = new QFrame(this);
  line_->setFrameShape(QFrame::HLine);
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(12, 3, 12, 5);
  bottom->addWidget(foot_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(body_, 1);
  column->addWidget(line_);
  column->addLayout(bottom);
  retranslate();
}

void PlotCard::retranslate() {
  maximize_->setToolTip(tr("Maximize"));
  more_->setToolTip(tr("More"));
  for (QToolButton* button : {maximize_, more_}) button->setAccessibleName(button->toolTip());
  if (pin_) setPinned(pin_->isChecked());
  fit();
}

void PlotCard::setPinned(bool pinned) {
  if (!pin_) {
    pin_ = new QToolButton(this);
    pin_->setObjectName(QStringLiteral("pin_card"));
    pin_->setCheckable(true);
    pin_->setProperty("kind", "flat");
    pin_->setIcon(icon(QStringLiteral("pin")));
    pin_->setIconSize({16, 16});
    auto* head = static_cast<QHBoxLayout*>(static_cast<QVBoxLayout*>(layout())->itemAt(0)->layout());
    head->insertWidget(head->indexOf(maximize_), pin_);
    connect(pin_, &QToolButton::clicked, this, &PlotCard::pinToggled);
    fit();
  }
  pin_->setChecked(pinned);
  pin_->setToolTip(pinned ? tr("Unpin from overview") : tr("Pin to overview"));
  pin_->setAccessibleName(pin_->toolTip());
}

void PlotCard::setTitle(const QString& title) {
  full_ = title;
  title_->setToolTip(title);
  setAccessibleName(title);
  body_->setAccessibleName(title);
  fit();
}

void PlotCard::setChip(const QString& text) {
  if (chip_->text() == text) return;
  chip_->setText(text);
  chip_->setVisible(!text.isEmpty());
  fit();
}

void PlotCard::setLegend(const QVector<CardLegend::Entry>& entries) { legend_->setEntries(entries); }

void PlotCard::setFoot(const QString& left, const QString& right) { foot_->setTexts(left, right); }

void PlotCard::fit() {
  const Theme& theme = Theme::current();
  QFont bold = theme.uiFont();
  bold.setWeight(QFont::DemiBold);
  title_->setFont(bold);
  const QFontMetricsF metrics(bold);
  const double room = width() - 12 - kButtons - (pin_ ? kPin : 0) - (chip_->text().isEmpty() ? 0 : chip_->sizeHint().width() + 6);
  title_->setText(elideName(full_, metrics, room));
}

void PlotCard::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  // In a low card the chart uses the footer's space.
  const bool high = height() >= kFootFrom;
  foot_->setVisible(high);
  line_->setVisible(high);
  fit();
}

void PlotCard::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange) fit();
}

}  // namespace weft::widgets
