#include "common/card_panel.h"

#include <QButtonGroup>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSlider>
#include <QStackedLayout>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/card_grid.h"
#include "common/empty_state.h"
#include "common/folding_bar.h"
#include "common/icons.h"
#include "common/plot_card.h"

namespace weft::widgets {
namespace {
const QString kLine = QStringLiteral("bar_line");
constexpr double kBarShare = 0.4;  // of the panel's height
}  // namespace

CardPanel::CardPanel(const QString& emptyIcon, QSize card, QWidget* parent) : QWidget(parent) {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  bar_ = new FoldingBar(kBarShare, this);
  search_ = new QLineEdit(bar_);
  search_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search_->setClearButtonEnabled(true);
  search_->setFixedWidth(184);
  addGroup()->addWidget(search_);
  outer->addWidget(bar_);
  auto* line = new QFrame(this);
  line->setObjectName(kLine);
  line->setFrameShape(QFrame::HLine);
  outer->addWidget(line);
  bar_->hide();
  line->hide();
  cards_ = new CardGrid(
      [this](const QString& key, QWidget* owner) {
        QWidget* made = makeCard(key, owner);
        if (auto* plot = qobject_cast<PlotCard*>(made)) {
          plot->menu()->addAction(tr("Show in the graph"), this, [this, plot] { emit nodeWanted(plot->title()); });
          connect(plot, &PlotCard::pinToggled, this, [this, plot](bool pinned) { emit pinRequested(plot->title(), pinned); });
          if (hasPins_) plot->setPinned(pins_.contains(plot->title()));
        }
        return made;
      },
      card, this);
  empty_ = new EmptyState(emptyIcon, {}, {}, this);
  auto* holder = new QWidget(this);
  stack_ = new QStackedLayout(holder);
  stack_->addWidget(empty_);
  stack_->addWidget(cards_);
  outer->addWidget(holder, 1);
  connect(cards_, &CardGrid::dropped, this, [this](const QString& key) { cardDropped(key); });
  connect(search_, &QLineEdit::textChanged, this, &CardPanel::setSearch);
  connect(empty_, &EmptyState::buttonClicked, this, &CardPanel::emptyButtonClicked);
}

void CardPanel::setPins(const QSet<QString>& tags) {
  pins_ = tags;
  hasPins_ = true;
  for (QWidget* card : cards_->cards())
    if (auto* plot = qobject_cast<PlotCard*>(card)) plot->setPinned(pins_.contains(plot->title()));
}

void CardPanel::setContent(QWidget* content) { stack_->addWidget(content); }

void CardPanel::showCards(bool any) {
  if (bar_->isHidden() == any) {  // no cards: hide the controls
    bar_->setVisible(any);
    findChild<QFrame*>(kLine, Qt::FindDirectChildrenOnly)->setVisible(any);
  }
  stack_->setCurrentIndex(any ? stack_->count() - 1 : 0);
}

QHBoxLayout* CardPanel::addGroup(int spacing) {
  auto* box = new QWidget(bar_);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 8, 0);
  row->setSpacing(spacing);
  bar_->add(box);
  return row;
}

void CardPanel::keepBarToOneLine() { bar_->setMostLines(1); }

QToolButton* CardPanel::addSwitch(QHBoxLayout* row) {
  auto* button = new QToolButton(bar_);
  button->setCheckable(true);
  row->addWidget(button);
  return button;
}

QButtonGroup* CardPanel::addChoice(int count) {
  auto* buttons = new QButtonGroup(this);
  QHBoxLayout* row = addGroup();
  for (int i = 0; i < count; ++i) buttons->addButton(addSwitch(row), i);
  buttons->button(0)->setChecked(true);
  return buttons;
}

QSlider* CardPanel::addSlider(QHBoxLayout* row, QLabel** label, int low, int high, int value, int width) {
  *label = new QLabel(bar_);
  (*label)->setProperty("kind", "muted");
  row->addWidget(*label);
  auto* slider = new QSlider(Qt::Horizontal, bar_);
  slider->setRange(low, high);
  slider->setValue(value);
  slider->setFixedWidth(width);
  row->addWidget(slider);
  return slider;
}

void CardPanel::name(QAbstractButton* button, const QString& text, const QString& tip) {
  if (!text.isEmpty()) button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
}

void CardPanel::name(QLabel* label, QSlider* slider, const QString& text, const QString& tip) {
  label->setText(text);
  slider->setAccessibleName(tip);
  slider->setToolTip(tip);
}

QString CardPanel::groupOf(const QString& tag) {
  const qsizetype slash = tag.indexOf(u'/');
  return slash > 0 ? tag.left(slash) : QString();
}

void CardPanel::setSearch(const QString& regex) {
  if (search_->text() != regex) {
    search_->setText(regex);  // emits textChanged, which calls this again
    return;
  }
  const QRegularExpression expression(regex, QRegularExpression::CaseInsensitiveOption);
  const bool valid = expression.isValid();
  search_->setProperty("invalid", !valid);
  search_->setToolTip(valid ? searchToolTip() : expression.errorString());
  search_->style()->unpolish(search_);
  search_->style()->polish(search_);
  if (!valid) return;  // incomplete expression: keep the previous result
  cards_->setFilter(expression);
  searched(expression);
}

int CardPanel::shownCount() const { return cards_->shownCount(); }

void CardPanel::setEmptyText(const QString& title, const QString& text, const QString& button, const QString& buttonIcon) {
  empty_->setTitle(title);
  empty_->setText(text);
  empty_->setButton(button, buttonIcon);
}

void CardPanel::retranslate() {
  search_->setPlaceholderText(tr("Filter tags"));
  search_->setToolTip(searchToolTip());
  search_->setAccessibleName(tr("Tag filter"));
}

void CardPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
