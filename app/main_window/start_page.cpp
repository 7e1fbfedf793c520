#include "main_window/start_page.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "adapters/graph_files.h"
#include "common/flow_layout.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/device_search.h"
#include "document/workspace.h"
#include "main_window/start_cards.h"
#include "main_window/start_recent.h"
#include "main_window/template_sketch.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kLeftWidth = 440, kLeastLeftWidth = 350;  // the left side shrinks in small windows

QVector<TemplateInfo> shownTemplates() {
  QVector<TemplateInfo> shown = templates();
  shown.removeIf([](const TemplateInfo& info) { return !info.shown; });
  return shown;
}

int leftWidth(int width) { return std::clamp(width * 2 / 5, kLeastLeftWidth, kLeftWidth); }

}  // namespace

StartPage::StartPage(Workspace& workspace, ActionRegistry& actions, QWidget* parent)
    : QWidget(parent), workspace_(workspace), actions_(actions), pictures_(!workspace.settings().isInMemory()) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  connect(&workspace, &Workspace::recentChanged, this, &StartPage::rebuild);
  rebuild();
}

StartPage::~StartPage() = default;

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (std::exchange(rebuildWhenShown_, false)) rebuild();
  if (searchStarted_) return;
  searchStarted_ = true;
  searchDevices(workspace_.tasks(), this, [this] {
    if (machineFacts_) updateStartFacts(machineFacts_);
  });
}

/// Builds one piece per turn of the event loop, so that each turn is short.
void StartPage::rebuild() {
  if (rebuildQueued_) return;
  rebuildQueued_ = true;
  QTimer::singleShot(0, this, [this] {
    rebuildQueued_ = false;
    drawnIn_ = &Theme::current();
    if (content_) {
      content_->hide();
      content_->deleteLater();
      layout()->removeWidget(content_);
    }
    cards_.clear();
    cardGrid_ = nullptr;
    machineFacts_ = nullptr;
    content_ = new QWidget(this);
    auto* row = new QHBoxLayout(content_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    layout()->addWidget(content_);
    content_->show();
    building_ = true;
    build(0);
  });
}

void StartPage::build(int step) {
  const int cards = int(shownTemplates().size());
  constexpr int kPieces = 4;  // before the cards
  if (step == 0) makeLeft();
  else if (step == 1) makeRecent();
  else if (step == 2) left_->layout()->addWidget(makeDropHint(left_));
  else if (step == 3) makeRight();
  else if (step < kPieces + cards) makeCard(step - kPieces);
  if (step == kPieces + cards) {
    right_->insertWidget(right_->count() - 1, makeSmallOnes(right_->parentWidget()));
    right_->insertSpacing(right_->count() - 1, 16);
    machineFacts_ = makeStartFacts(right_->parentWidget());
    right_->insertWidget(right_->count() - 1, machineFacts_);
    arrangeCards();
    building_ = false;
    return;
  }
  QTimer::singleShot(0, content_, [this, step, of = content_] {
    if (of == content_) build(step + 1);  // else another page is already being built
  });
}

void StartPage::makeLeft() {
  const Theme& theme = Theme::current();
  leftScroll_ = new QScrollArea(content_);
  leftScroll_->setWidgetResizable(true);
  leftScroll_->setFrameShape(QFrame::NoFrame);
  leftScroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  leftScroll_->setAccessibleName(tr("Recent"));
  auto* left = new StartSide(leftScroll_);
  left_ = left;
  left->setObjectName(QStringLiteral("start_left"));
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(24, 32, 24, 24);
  column->setSpacing(8);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  auto* mark = new QLabel(left);
  mark->setPixmap(widgets::iconPixmap(QStringLiteral("mark"), 40, theme.color(Role::Accent), devicePixelRatioF()));
  head->addWidget(mark);
  auto* titles = new QVBoxLayout;
  titles->setSpacing(2);
  titles->addWidget(startLabel(left, QStringLiteral("Weft"), "title"));
  auto* tagline = startLabel(left, tr("View, train and explore dataflow graphs"));
  tagline->setWordWrap(true);
  titles->addWidget(tagline);
  head->addLayout(titles, 1);
  column->addLayout(head);
  column->addSpacing(12);
  auto* fresh = new QPushButton(tr("New graph"), left);
  fresh->setProperty("kind", QStringLiteral("primary"));
  fresh->setIcon(widgets::icon(QStringLiteral("plus"), Role::AccentText));
  fresh->setToolTip(actions_.action(QStringLiteral("file.new-empty"))->toolTip());
  connect(fresh, &QPushButton::clicked, actions_.action(QStringLiteral("file.new-empty")), &QAction::trigger);
  auto* open = new QPushButton(tr("Open…"), left);
  open->setIcon(widgets::icon(QStringLiteral("open")));
  open->setToolTip(actions_.action(QStringLiteral("file.open"))->toolTip());
  connect(open, &QPushButton::clicked, actions_.action(QStringLiteral("file.open")), &QAction::trigger);
  auto* help = new QPushButton(tr("First steps"), left);
  help->setIcon(widgets::icon(QStringLiteral("help")));
  connect(help, &QPushButton::clicked, actions_.action(QStringLiteral("help.first-steps")), &QAction::trigger);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(fresh);
  buttons->addWidget(open);
  buttons->addWidget(help);
  buttons->addStretch(1);
  column->addLayout(buttons);
  column->addSpacing(16);
  leftScroll_->setWidget(left);
  content_->layout()->addWidget(leftScroll_);
  arrangeCards();
}

void StartPage::makeRecent() {
  auto* box = new QWidget(left_);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* head = new QHBoxLayout;
  head->addWidget(startHeading(box, tr("Recent")));
  head->addStretch(1);
  const QStringList files = workspace_.settings().recentFiles();
  if (!files.isEmpty()) {
    auto* clear = new QPushButton(tr("Clear"), box);
    clear->setProperty("kind", QStringLiteral("link"));
    connect(clear, &QPushButton::clicked, this, [this] {
      workspace_.settings().clearRecentFiles();
      rebuild();
    });
    head->addWidget(clear);
  }
  column->addLayout(head);
  column->addSpacing(4);
  if (files.isEmpty()) column->addWidget(startLabel(box, tr("Files that you open are listed here."), "muted"));
  for (const QString& file : files.mid(0, 7)) {
    Card* card = makeRecentCard(box, file, pictures_);
    connect(card, &Card::clicked, this, [this, file] { workspace_.open(file); });
    column->addWidget(card);
  }
  column->addStretch(1);
  static_cast<QVBoxLayout*>(left_->layout())->addWidget(box, 1);
}

void StartPage::makeRight() {
  auto* scroll = new QScrollArea(content_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setAccessibleName(tr("Start from a trainable graph"));
  auto* right = new QWidget(scroll->viewport());
  right_ = new QVBoxLayout(right);
  right_->setContentsMargins(24, 32, 24, 24);
  right_->setSpacing(6);
  right_->addWidget(startLabel(right, tr("Start from a trainable graph"), "title"));
  auto* how = startLabel(right, tr("Each opens as an ordinary document with its data. Press Train to start."));
  how->setWordWrap(true);
  right_->addWidget(how);
  right_->addSpacing(8);
  auto* box = new QWidget(right);
  cardGrid_ = new QGridLayout(box);
  cardGrid_->setContentsMargins(0, 0, 0, 0);
  cardGrid_->setSpacing(16);
  right_->addWidget(box);
  right_->addSpacing(8);
  right_->addStretch(1);
  scroll->setWidget(right);
  static_cast<QHBoxLayout*>(content_->layout())->addWidget(scroll, 1);
}

void StartPage::makeCard(int index) {
  const TemplateInfo info = shownTemplates()[index];
  auto* card = new Card(cardGrid_->parentWidget());
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(1, 1, 1, 10);
  column->setSpacing(3);
  column->addWidget(new TemplateSketch(info.name, card));
  auto* text = new QVBoxLayout;
  text->setContentsMargins(11, 7, 11, 0);
  text->setSpacing(3);
  text->addWidget(startHeading(card, info.title));
  auto* about = startLabel(card, info.description, "muted");
  about->setWordWrap(true);
  text->addWidget(about);
  auto* time = startLabel(card, tr("trains for about %1 min").arg(std::max(1, (info.seconds + 30) / 60)), "muted");
  time->setWordWrap(true);
  text->addWidget(time);
  column->addLayout(text);
  column->addStretch(1);
  card->setObjectName(QStringLiteral("template_") + info.name);
  card->setAccessibleName(info.title);
  card->setAccessibleDescription(info.description);
  connect(card, &Card::clicked, this, [this, name = info.name] { actions_.run(QStringLiteral("file.new"), {name}); });
  cards_ << card;
  arrangeCards();
}

/// Templates that train in seconds, as a row of links.
QWidget* StartPage::makeSmallOnes(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* row = new widgets::FlowLayout(box, 0, 8);
  row->addWidget(startLabel(box, tr("Smaller graphs, trained in seconds:"), "muted"));
  const auto link = [&](const QString& title, const QString& about, const QString& name) {
    auto* button = new QPushButton(title, box);
    button->setProperty("kind", QStringLiteral("link"));
    button->setToolTip(about);
    button->setAccessibleName(title);
    connect(button, &QPushButton::clicked, this, [this, name] { actions_.run(QStringLiteral("file.new"), {name}); });
    row->addWidget(button);
  };
  for (const TemplateInfo& info : templates())
    if (!info.shown) link(info.title, info.description, info.name);
  return box;
}

void StartPage::arrangeCards() {
  const int left = leftWidth(this->width());
  if (leftScroll_) leftScroll_->setFixedWidth(left);
  const int width = std::max(kSketchWidth, this->width() - left - 64);
  if (machineFacts_) arrangeStartFacts(machineFacts_, width);
  if (!cardGrid_) return;
  const int columns = std::clamp(width / (kSketchWidth + 16), 1, 4);
  for (qsizetype i = 0; i < cards_.size(); ++i) cardGrid_->addWidget(cards_[i], int(i) / columns, int(i) % columns);
  for (int c = 0; c < 4; ++c) cardGrid_->setColumnStretch(c, c < columns ? 1 : 0);
}

void StartPage::changeEvent(QEvent* event) {
  const bool otherTheme = event->type() == QEvent::PaletteChange && drawnIn_ != &Theme::current();
  if (event->type() == QEvent::LanguageChange || otherTheme) rebuild();
  QWidget::changeEvent(event);
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrangeCards();
}

}  // namespace weft::app
