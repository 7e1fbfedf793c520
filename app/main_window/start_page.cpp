#include "main_window/start_page.h"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QThread>
#include <QTimer>
#include <QVBoxLayout>

#include "adapters/graph_files.h"
#include "adapters/machine.h"
#include "commands/action_registry.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kLeftWidth = 400;
constexpr int kPictureHeight = 132;
constexpr int kCardMinWidth = 220;
constexpr int kFrames = 4;

QLabel* label(const QString& text, const char* kind = nullptr) {
  auto* l = new QLabel(text);
  l->setTextFormat(Qt::PlainText);
  if (kind) l->setProperty("kind", QLatin1String(kind));
  return l;
}

QLabel* keyCap(const QString& text) {
  QLabel* l = label(text, "chip");
  l->setFont(Theme::current().monoSmallFont());
  return l;
}

/// A picture of a graph as our own canvas draws it; scaled down to the width of its card.
class GraphPicture : public QWidget {
 public:
  explicit GraphPicture(QWidget* parent = nullptr) : QWidget(parent) { setFixedHeight(kPictureHeight); }
  void setPicture(const QPixmap& picture) {
    picture_ = picture;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const Theme& theme = Theme::current();
    painter.fillRect(rect(), theme.color(Role::Surface0));
    if (!picture_.isNull()) {
      const QSizeF size = picture_.deviceIndependentSize();
      painter.drawPixmap(QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), picture_);
    }
    painter.fillRect(0, height() - 1, width(), 1, theme.color(Role::Border));
  }

 private:
  QPixmap picture_;
};

}  // namespace

/// Draws a graph as our canvas does, small and without the canvas's buttons; in slices of a few milliseconds.
class StartPage::Drawing {
 public:
  explicit Drawing(const GraphContents& contents, double ratio) : ratio_(ratio) {
    model_.nodes = contents.arrays.nodes;
    model_.scopes = contents.arrays.scopes;
    model_.edges = contents.arrays.edges;
    view_.setMotion(false);
    view_.setMinimapVisible(false);
    view_.setAttribute(Qt::WA_DontShowOnScreen);
    view_.resize(2 * kCardMinWidth, 2 * kPictureHeight);
  }
  /// True when the picture is complete.
  bool drawSlice() {
    if (view_.isLayoutPending()) return false;
    ++slice_;
    if (slice_ == 1) {
      view_.setModel(&model_);
      return false;
    }
    if (slice_ == 2) {
      view_.ensurePolished();
      view_.fitAll();
      shot_ = QPixmap(view_.size() * ratio_);
      shot_.setDevicePixelRatio(ratio_);
      return false;
    }
    // The canvas draws only so many tiles for one frame and shows the rest in the next ones.
    view_.render(&shot_, {}, {}, QWidget::DrawWindowBackground);  // without its children: the canvas's buttons
    return slice_ >= 2 + kFrames;
  }
  QPixmap picture() const {
    QPixmap shot = shot_;
    shot.setDevicePixelRatio(1);
    shot = shot.scaled(int(kCardMinWidth * ratio_), int(kPictureHeight * ratio_), Qt::KeepAspectRatio, Qt::SmoothTransformation);
    shot.setDevicePixelRatio(ratio_);
    return shot;
  }

 private:
  widgets::MemoryGraphModel model_;
  widgets::GraphView view_;
  QPixmap shot_;
  double ratio_;
  int slice_ = 0;
};

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

void Card::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit clicked();
}
void Card::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
    emit clicked();
  else
    QFrame::keyPressEvent(event);
}
void Card::enterEvent(QEnterEvent*) { update(); }
void Card::leaveEvent(QEvent*) { update(); }
void Card::focusInEvent(QFocusEvent*) { update(); }
void Card::focusOutEvent(QFocusEvent*) { update(); }

StartPage::StartPage(Workspace& workspace, ActionRegistry& actions, QWidget* parent)
    : QWidget(parent), workspace_(workspace), actions_(actions), thumbnails_(std::make_unique<Thumbnails>()) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  for (const TemplateInfo& info : templates()) thumbnails_->entries.push_back({info, {}, {}, {}});
  connect(&workspace, &Workspace::recentChanged, this, &StartPage::rebuild);
  rebuild();
}

StartPage::~StartPage() = default;

void StartPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!loadStarted_) {
    loadStarted_ = true;
    loadTemplates();
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
    drawing_ = std::make_unique<Drawing>(*it->contents, devicePixelRatioF());
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

/// In three turns of the event loop: left side, templates, facts.
void StartPage::rebuild() {
  if (rebuildQueued_) return;
  rebuildQueued_ = true;
  QTimer::singleShot(0, this, [this] {
    rebuildQueued_ = false;
    drawnIn_ = &Theme::current();
    delete content_;
    cards_.clear();
    facts_.clear();
    cardGrid_ = nullptr;
    content_ = new QWidget(this);
    auto* row = new QHBoxLayout(content_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(makeLeft());
    layout()->addWidget(content_);
    content_->show();
    QTimer::singleShot(0, content_, [this, row] { row->addWidget(makeRight(), 1); });
  });
}

QWidget* StartPage::makeLeft() {
  const Theme& theme = Theme::current();
  auto* left = new QFrame;
  left->setObjectName(QStringLiteral("start_left"));
  left->setFixedWidth(kLeftWidth);
  left->setStyleSheet(QStringLiteral("#start_left { background: %1; border: none; border-right: 1px solid %2; }")
                          .arg(theme.color(Role::Surface1).name(), theme.color(Role::Border).name()));
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(24, 32, 24, 24);
  column->setSpacing(8);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  auto* mark = new QLabel;
  mark->setPixmap(widgets::iconPixmap(QStringLiteral("mark"), 40, theme.color(Role::Accent), devicePixelRatioF()));
  head->addWidget(mark);
  auto* titles = new QVBoxLayout;
  titles->setSpacing(2);
  titles->addWidget(label(QStringLiteral("Weft"), "title"));
  auto* tagline = label(tr("View, train and explore dataflow graphs"));
  tagline->setWordWrap(true);
  titles->addWidget(tagline);
  head->addLayout(titles, 1);
  column->addLayout(head);
  column->addSpacing(12);
  auto* open = new QPushButton(tr("Open a file…"));
  open->setProperty("kind", QStringLiteral("primary"));
  open->setIcon(widgets::icon(QStringLiteral("open"), Role::AccentText));
  connect(open, &QPushButton::clicked, actions_.action(QStringLiteral("file.open")), &QAction::trigger);
  auto* help = new QPushButton(tr("First steps"));
  help->setIcon(widgets::icon(QStringLiteral("help")));
  connect(help, &QPushButton::clicked, actions_.action(QStringLiteral("help.first-steps")), &QAction::trigger);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(open);
  buttons->addWidget(help);
  buttons->addStretch(1);
  column->addLayout(buttons);
  column->addSpacing(16);
  column->addWidget(makeRecent(), 1);

  auto* drop = new QFrame;
  drop->setObjectName(QStringLiteral("start_drop"));
  drop->setStyleSheet(QStringLiteral("#start_drop { border: 1px dashed %1; border-radius: 6px; }").arg(theme.color(Role::BorderStrong).name()));
  auto* grid = new QGridLayout(drop);
  grid->setContentsMargins(14, 12, 14, 12);
  grid->setVerticalSpacing(6);
  grid->setColumnStretch(1, 1);
  auto* title = label(tr("Drop files anywhere"));
  title->setStyleSheet(QStringLiteral("font-weight: 600;"));
  grid->addWidget(title, 0, 0, 1, 2);
  const QPair<QString, QString> kinds[] = {{tr("Weft document"), QStringLiteral(".weft .weft.pbtxt")},
                                           {tr("MetaGraphDef"), QStringLiteral(".meta .pbtxt")},
                                           {tr("GraphDef"), QStringLiteral(".pb .pbtxt")}};
  int r = 1;
  for (const auto& [kind, endings] : kinds) {
    grid->addWidget(label(kind), r, 0);
    auto* ends = label(endings, "muted");
    ends->setFont(theme.monoSmallFont());
    grid->addWidget(ends, r++, 1);
  }
  column->addWidget(drop);
  return left;
}

QWidget* StartPage::makeRecent() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* head = new QHBoxLayout;
  auto* title = label(tr("Recent"));
  title->setStyleSheet(QStringLiteral("font-weight: 600;"));
  head->addWidget(title);
  head->addStretch(1);
  const QStringList files = workspace_.settings().recentFiles();
  if (!files.isEmpty()) {
    auto* clear = new QPushButton(tr("Clear"));
    clear->setProperty("kind", QStringLiteral("link"));
    connect(clear, &QPushButton::clicked, this, [this] {
      workspace_.settings().clearRecentFiles();
      rebuild();
    });
    head->addWidget(clear);
  }
  column->addLayout(head);
  column->addSpacing(4);
  if (files.isEmpty()) {
    auto* none = label(tr("Files that you open are listed here."), "muted");
    column->addWidget(none);
  }
  for (const QString& file : files.mid(0, 7)) {
    const QFileInfo info(file);
    auto* card = new Card;
    auto* row = new QVBoxLayout(card);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(0);
    auto* name = label(info.fileName());
    name->setStyleSheet(QStringLiteral("font-weight: 600;"));
    row->addWidget(name);
    row->addWidget(label(widgets::elideName(info.absolutePath(), fontMetrics(), kLeftWidth - 80), "muted"));
    card->setToolTip(file);
    connect(card, &Card::clicked, this, [this, file] { workspace_.open(file); });
    column->addWidget(card);
  }
  column->addStretch(1);
  return box;
}

QWidget* StartPage::makeRight() {
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* right = new QWidget;
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(24, 32, 24, 24);
  column->setSpacing(6);
  column->addWidget(label(tr("Start from a graph that trains"), "title"));
  auto* how = label(tr("Each opens as an ordinary document with its data: handwritten digits, 8×8. Press Train and watch."));
  how->setWordWrap(true);
  column->addWidget(how);
  column->addSpacing(8);
  column->addWidget(makeTemplates());
  column->addSpacing(16);
  column->addStretch(1);
  scroll->setWidget(right);
  QTimer::singleShot(0, right, [this, column] { column->insertWidget(column->count() - 1, makeFacts()); });
  return scroll;
}

QWidget* StartPage::makeTemplates() {
  auto* box = new QWidget;
  cardGrid_ = new QGridLayout(box);
  cardGrid_->setContentsMargins(0, 0, 0, 0);
  cardGrid_->setSpacing(16);
  for (const Thumbnails::Entry& entry : thumbnails_->entries) {
    auto* card = new Card(box);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(1, 1, 1, 10);
    column->setSpacing(3);
    auto* picture = new GraphPicture(card);
    picture->setObjectName(QStringLiteral("picture"));
    column->addWidget(picture);
    auto* text = new QVBoxLayout;
    text->setContentsMargins(11, 7, 11, 0);
    text->setSpacing(3);
    auto* title = label(entry.info.title);
    title->setStyleSheet(QStringLiteral("font-weight: 600;"));
    text->addWidget(title);
    auto* about = label(entry.info.description, "muted");
    about->setWordWrap(true);
    text->addWidget(about);
    facts_ << label({}, "muted");
    facts_.last()->setWordWrap(true);
    text->addWidget(facts_.last());
    column->addLayout(text);
    column->addStretch(1);
    card->setAccessibleName(entry.info.title);
    const QString name = entry.info.name;
    connect(card, &Card::clicked, this, [this, name] { actions_.run(QStringLiteral("file.new"), {name}); });
    cards_ << card;
    fillCard(cards_.size() - 1);
  }
  arrangeCards();
  return box;
}

void StartPage::arrangeCards() {
  if (!cardGrid_) return;
  const int width = std::max(kCardMinWidth, this->width() - kLeftWidth - 64);
  const int columns = std::clamp(width / (kCardMinWidth + 16), 1, 4);
  for (qsizetype i = 0; i < cards_.size(); ++i) cardGrid_->addWidget(cards_[i], int(i) / columns, int(i) % columns);
  for (int c = 0; c < 4; ++c) cardGrid_->setColumnStretch(c, c < columns ? 1 : 0);
}

QWidget* StartPage::makeFacts() {
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(16);
  const auto card = [&](const QString& title, int stretch) {
    auto* frame = new QFrame(box);
    frame->setProperty("kind", QStringLiteral("card"));
    auto* grid = new QGridLayout(frame);
    grid->setContentsMargins(14, 12, 14, 12);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(7);
    grid->setColumnStretch(1, 1);
    auto* head = label(title);
    head->setStyleSheet(QStringLiteral("font-weight: 600;"));
    grid->addWidget(head, 0, 0, 1, 2);
    row->addWidget(frame, stretch);
    return grid;
  };
  QGridLayout* keys = card(tr("Keys worth knowing"), 3);
  const QPair<QString, QString> rows[] = {{QStringLiteral("A"), tr("on the canvas: the whole graph")},
                                          {tr("double-click"), tr("open or close a scope")},
                                          {QStringLiteral("Ctrl+F"), tr("find a node by its name")},
                                          {QStringLiteral("F5"), tr("train")}};
  int r = 1;
  for (const auto& [key, what] : rows) {
    keys->addWidget(keyCap(key), r, 0, Qt::AlignLeft);
    keys->addWidget(label(what), r++, 1);
  }
  keys->setRowStretch(r, 1);
  QGridLayout* machine = card(tr("This machine"), 2);
  r = 1;
  for (const auto& [name, value] : machineFacts()) {
    machine->addWidget(label(name), r, 0);
    auto* v = label(value);
    v->setFont(Theme::current().monoSmallFont());
    machine->addWidget(v, r++, 1, Qt::AlignRight);
  }
  machine->setRowStretch(r, 1);
  return box;
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
