#include "main_window/start_page.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "adapters/graph_files.h"
#include "commands/action_registry.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/device_search.h"
#include "document/workspace.h"
#include "main_window/graph_thumbnail.h"
#include "main_window/start_cards.h"
#include "main_window/start_recent.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kLeftWidth = 440, kLeastLeftWidth = 350;  // the left side gives way in small windows

int leftWidth(int width) { return std::clamp(width * 2 / 5, kLeastLeftWidth, kLeftWidth); }

}  // namespace

struct StartPage::Thumbnails {
  struct Entry {
    TemplateInfo info;
    GraphContentsPtr contents;
    QString error;
    QPixmap picture;
    const Theme* drawnIn = nullptr;  // whose colours the picture has
  };
  QVector<Entry> entries;
};

StartPage::StartPage(Workspace& workspace, ActionRegistry& actions, QWidget* parent)
    : QWidget(parent), workspace_(workspace), actions_(actions), thumbnails_(std::make_unique<Thumbnails>()), pictures_(!workspace.settings().isInMemory()) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  for (const TemplateInfo& info : templates()) thumbnails_->entries.push_back({info, {}, {}, {}});
  connect(&workspace, &Workspace::recentChanged, this, &StartPage::rebuild);
  rebuild();
}

StartPage::~StartPage() = default;

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (std::exchange(rebuildWhenShown_, false)) rebuild();
  if (!loadStarted_) {
    loadStarted_ = true;
    loadTemplates();
    searchDevices(workspace_.tasks(), this, [this] {
      if (machineFacts_) updateStartFacts(machineFacts_);
    });
  } else if (waiting_ == 0) {
    drawPictures();  // the theme may be another one now
  }
}

void StartPage::loadTemplates() {
  auto outcomes = std::make_shared<std::vector<OpenOutcome>>();
  QStringList names;
  for (const Thumbnails::Entry& entry : thumbnails_->entries) names << entry.info.name;
  waiting_ = 1;
  workspace_.tasks().start(
      tr("Drawing the templates"),
      [outcomes, names](TaskState& task) {
        for (const QString& name : names) {
          if (task.cancelled) return;
          outcomes->push_back(openTemplate(name));
          task.progress = double(outcomes->size()) / double(names.size());
        }
      },
      [this, outcomes] { take(*outcomes); }, [this] { waiting_ = 0; });
}

void StartPage::take(const std::vector<OpenOutcome>& outcomes) {
  for (size_t i = 0; i < outcomes.size(); ++i) {
    Thumbnails::Entry& entry = thumbnails_->entries[qsizetype(i)];
    entry.contents = outcomes[i].contents;
    entry.error = outcomes[i].error;
    fillCard(qsizetype(i));
  }
  drawPictures();
}

/// Begins to draw what has no picture in the present colours: one slice for each turn of the event loop, so that none of them is long.
void StartPage::drawPictures() {
  drawing_.reset();
  waiting_ = 1;
  QTimer::singleShot(0, this, &StartPage::drawSlice);
}

void StartPage::drawSlice() {
  const Theme* theme = &Theme::current();
  auto& entries = thumbnails_->entries;
  const auto it = std::find_if(entries.begin(), entries.end(), [theme](const Thumbnails::Entry& e) { return e.contents && e.drawnIn != theme; });
  if (it == entries.end() || !isVisible()) {
    drawing_.reset();
    waiting_ = 0;
    return;
  }
  if (!drawing_) {
    drawing_ = std::make_unique<ThumbnailDrawing>(*it->contents, devicePixelRatioF());
  } else if (drawing_->drawSlice()) {
    it->picture = drawing_->picture();
    it->drawnIn = theme;
    drawing_.reset();
    fillCard(it - entries.begin());
  }
  QTimer::singleShot(0, this, &StartPage::drawSlice);
}

void StartPage::fillCard(qsizetype index) {
  if (index >= cards_.size()) return;
  const Thumbnails::Entry& entry = thumbnails_->entries[index];
  if (entry.contents) {
    const GraphSummary& s = entry.contents->summary;
    facts_[index]->setText(tr("%n node(s)", nullptr, s.nodes) + QStringLiteral(" · ") + tr("%1 parameters").arg(widgets::formatCountShort(s.parameters)));
    if (auto* picture = cards_[index]->findChild<QWidget*>(QStringLiteral("picture"))) static_cast<GraphPicture*>(picture)->setPicture(entry.picture);
  } else if (!entry.error.isEmpty()) {
    facts_[index]->setProperty("kind", QStringLiteral("error"));
    facts_[index]->setText(entry.error);
  }
}

/// A piece in each turn of the event loop, so that none of them is long.
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
    facts_.clear();
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
  const int cards = int(thumbnails_->entries.size());
  constexpr int kPieces = 4;  // before the cards
  if (step == 0) makeLeft();
  else if (step == 1) makeRecent();
  else if (step == 2) left_->layout()->addWidget(makeDropHint(left_));
  else if (step == 3) makeRight();
  else if (step < kPieces + cards) makeCard(step - kPieces);
  if (step == kPieces + cards) {
    machineFacts_ = makeStartFacts(right_->parentWidget());
    right_->insertWidget(right_->count() - 1, machineFacts_);
    arrangeCards();
    building_ = false;
    return;
  }
  QTimer::singleShot(0, content_, [this, step, of = content_] {
    if (of == content_) build(step + 1);  // else another page is being built by now
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
  fresh->setToolTip(tr("An empty graph to draw in"));
  connect(fresh, &QPushButton::clicked, this, [this] { actions_.run(QStringLiteral("file.new"), {QStringLiteral("empty")}); });
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
  scroll->setAccessibleName(tr("Start from a graph that trains"));
  auto* right = new QWidget(scroll->viewport());
  right_ = new QVBoxLayout(right);
  right_->setContentsMargins(24, 32, 24, 24);
  right_->setSpacing(6);
  right_->addWidget(startLabel(right, tr("Start from a graph that trains"), "title"));
  auto* how = startLabel(right, tr("Each opens as an ordinary document with its data: handwritten digits, 8×8. Press Train and watch."));
  how->setWordWrap(true);
  right_->addWidget(how);
  right_->addSpacing(8);
  auto* box = new QWidget(right);
  cardGrid_ = new QGridLayout(box);
  cardGrid_->setContentsMargins(0, 0, 0, 0);
  cardGrid_->setSpacing(16);
  right_->addWidget(box);
  right_->addSpacing(16);
  right_->addStretch(1);
  scroll->setWidget(right);
  static_cast<QHBoxLayout*>(content_->layout())->addWidget(scroll, 1);
}

void StartPage::makeCard(int index) {
  const Thumbnails::Entry& entry = thumbnails_->entries[index];
  auto* card = new Card(cardGrid_->parentWidget());
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(1, 1, 1, 10);
  column->setSpacing(3);
  auto* picture = new GraphPicture(card);
  picture->setObjectName(QStringLiteral("picture"));
  column->addWidget(picture);
  auto* text = new QVBoxLayout;
  text->setContentsMargins(11, 7, 11, 0);
  text->setSpacing(3);
  text->addWidget(startHeading(card, entry.info.title));
  auto* about = startLabel(card, entry.info.description, "muted");
  about->setWordWrap(true);
  text->addWidget(about);
  facts_ << startLabel(card, {}, "muted");
  facts_.last()->setWordWrap(true);
  text->addWidget(facts_.last());
  column->addLayout(text);
  column->addStretch(1);
  card->setAccessibleName(entry.info.title);
  connect(card, &Card::clicked, this, [this, name = entry.info.name] { actions_.run(QStringLiteral("file.new"), {name}); });
  cards_ << card;
  fillCard(cards_.size() - 1);
  // After the last of them, for who wants to draw from nothing.
  if (index + 1 == thumbnails_->entries.size()) cards_ << makeEmptyCard(cardGrid_->parentWidget());
  arrangeCards();
}

Card* StartPage::makeEmptyCard(QWidget* box) {
  auto* card = new Card(box);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(1, 1, 1, 10);
  column->setSpacing(3);
  auto* picture = new GraphPicture(card);
  picture->setPicture(widgets::iconPixmap(QStringLiteral("plus"), 40, Theme::current().color(Role::Text3), devicePixelRatioF()));
  column->addWidget(picture);
  auto* text = new QVBoxLayout;
  text->setContentsMargins(11, 7, 11, 0);
  text->setSpacing(3);
  text->addWidget(startHeading(card, tr("Empty graph")));
  auto* about = startLabel(card, tr("Draw a network of your own: data, layers, a loss, then Add training."), "muted");
  about->setWordWrap(true);
  text->addWidget(about);
  column->addLayout(text);
  column->addStretch(1);
  card->setAccessibleName(tr("Empty graph"));
  connect(card, &Card::clicked, this, [this] { actions_.run(QStringLiteral("file.new"), {QStringLiteral("empty")}); });
  return card;
}

void StartPage::arrangeCards() {
  const int left = leftWidth(this->width());
  if (leftScroll_) leftScroll_->setFixedWidth(left);
  const int width = std::max(kThumbnailWidth, this->width() - left - 64);
  if (machineFacts_) arrangeStartFacts(machineFacts_, width);
  if (!cardGrid_) return;
  const int columns = std::clamp(width / (kThumbnailWidth + 16), 1, 4);
  for (qsizetype i = 0; i < cards_.size(); ++i) cardGrid_->addWidget(cards_[i], int(i) / columns, int(i) % columns);
  for (int c = 0; c < 4; ++c) cardGrid_->setColumnStretch(c, c < columns ? 1 : 0);
}

void StartPage::changeEvent(QEvent* event) {
  const bool otherTheme = event->type() == QEvent::PaletteChange && drawnIn_ != &Theme::current();
  if (event->type() == QEvent::LanguageChange || otherTheme) {
    const auto infos = templates();
    for (qsizetype i = 0; i < std::min(infos.size(), thumbnails_->entries.size()); ++i) thumbnails_->entries[i].info = infos[i];
    rebuild();
    if (otherTheme) drawPictures();
  }
  QWidget::changeEvent(event);
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrangeCards();
}

}  // namespace weft::app
