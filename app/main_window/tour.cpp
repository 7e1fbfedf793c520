#include "main_window/tour.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "common/discard.h"
#include "common/theme.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "shell/style.h"

namespace weft::app {
namespace {

constexpr int kTourWidth = 360, kFromPart = 10;

struct Step {
  const char* title;
  const char* text;
};
constexpr Step kTexts[Tour::kSteps] = {
    {QT_TRANSLATE_NOOP("Tour", "A graph is the document"),
     QT_TRANSLATE_NOOP(
         "Tour",
         "Each box is an op or a scope of ops, each wire a tensor with its shape. Double-click to open a scope, use the wheel to zoom, press A to show everything.")},
    {QT_TRANSLATE_NOOP("Tour", "Train it here"),
     QT_TRANSLATE_NOOP("Tour", "Train runs the graph on its data inside Weft. Pause after any step, single-step, or stop with a checkpoint.")},
    {QT_TRANSLATE_NOOP("Tour", "Five ways to look at it"),
     QT_TRANSLATE_NOOP("Tour",
                       "Compose, train, debug, profile, inspect: each arranges the docks around the same graph and remembers your changes. Ctrl+1 to Ctrl+5.")},
    {QT_TRANSLATE_NOOP("Tour", "Docks show details"),
     QT_TRANSLATE_NOOP(
         "Tour", "Curves, problems and the log are down here. Drag a tab to move a dock or to float it; View ▸ Layouts saves arrangements under a name.")},
    {QT_TRANSLATE_NOOP("Tour", "Find anything"),
     QT_TRANSLATE_NOOP(
         "Tour", "Ctrl+K finds nodes, tensors, ops, files and help; Ctrl+Shift+P any command. F1 shows help on the focused pane, ? lists all shortcuts.")},
};

/// A frame around the explained part; transparent to the mouse.
class Outline : public QWidget {
 public:
  explicit Outline(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const widgets::Theme& theme = widgets::Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(widgets::Role::Accent), 3));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), theme.metrics().radius, theme.metrics().radius);
  }
};

}  // namespace

void Tour::start(Workspace& workspace, ActionRegistry& actions, Shell& shell) {
  if (auto* before = shell.window()->findChild<Tour*>()) {
    before->setParent(nullptr);
    if (before->outline_) before->outline_->hide();
    widgets::discard(before);
  }
  auto* tour = new Tour(workspace, actions, shell);
  if (shell.canvas()) return tour->go(0);
  // It needs a graph: the smallest template.
  tour->hide();
  workspace.newFromTemplate(QStringLiteral("mlp"), [tour = QPointer<Tour>(tour)](const QString& error) {
    if (!tour) return;
    if (!error.isEmpty()) return tour->deleteLater();
    QTimer::singleShot(0, tour, [tour] { tour->go(0); });  // the docks get their places first
  });
}

Tour::Tour(Workspace& workspace, ActionRegistry& actions, Shell& shell) : QFrame(shell.window()), workspace_(workspace), actions_(actions), shell_(shell) {
  setObjectName(QStringLiteral("tour"));
  setFocusPolicy(Qt::StrongFocus);
  setFixedWidth(kTourWidth);
  outline_ = new Outline(shell.window());
  title_ = new QLabel(this);
  title_->setProperty("kind", QStringLiteral("title"));
  text_ = new QLabel(this);
  text_->setWordWrap(true);
  count_ = new QLabel(this);
  count_->setProperty("kind", QStringLiteral("muted"));
  end_ = new QPushButton(this);
  end_->setProperty("kind", QStringLiteral("flat"));
  back_ = new QPushButton(this);
  next_ = new QPushButton(this);
  next_->setProperty("kind", QStringLiteral("primary"));
  auto* row = new QHBoxLayout;
  row->addWidget(count_);
  row->addStretch(1);
  for (QPushButton* button : {end_, back_, next_}) row->addWidget(button);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 14, 16, 12);
  layout->setSpacing(8);
  layout->addWidget(title_);
  layout->addWidget(text_);
  layout->addLayout(row);
  connect(end_, &QPushButton::clicked, this, [this] { go(kSteps); });
  connect(back_, &QPushButton::clicked, this, [this] { go(step_ - 1); });
  connect(next_, &QPushButton::clicked, this, [this] { go(step_ + 1); });
  shell.window()->installEventFilter(this);
  connect(this, &QObject::destroyed, outline_, &QObject::deleteLater);
}

QWidget* Tour::targetOf(int step) const {
  QWidget* window = shell_.window();
  switch (step) {
    case 0: return shell_.canvas();
    case 1: return window->findChild<QWidget*>(QStringLiteral("run_bar"));
    case 2: return window->findChild<QWidget*>(QStringLiteral("mode_bar"));
    case 3: return shell_.viewWidget(QStringLiteral("scalars"));
    default: return window->findChild<QWidget*>(QStringLiteral("find_button"));
  }
}

void Tour::go(int step) {
  if (step < 0) return;
  if (step >= kSteps || !shell_.canvas()) {
    workspace_.settings().setValue(QStringLiteral("tour/seen"), true);
    if (shell_.canvas()) shell_.canvas()->setFocus();
    deleteLater();
    hide();
    if (outline_) outline_->hide();
    return;
  }
  step_ = step;
  if (step == 3) shell_.showView(QStringLiteral("scalars"));
  fill();
  show(targetOf(step));
}

void Tour::fill() {
  const widgets::Theme& theme = widgets::Theme::current();
  setSheet(this, QStringLiteral("#tour { background: %1; border: 1px solid %2; border-radius: 6px; }")
                     .arg(theme.color(widgets::Role::Surface2).name(), theme.color(widgets::Role::Accent).name()));
  title_->setText(QCoreApplication::translate("Tour", kTexts[step_].title));
  text_->setText(QCoreApplication::translate("Tour", kTexts[step_].text));
  count_->setText(tr("step %1 of %2").arg(step_ + 1).arg(kSteps));
  end_->setText(tr("End the tour"));
  back_->setText(tr("Back"));
  next_->setText(step_ + 1 < kSteps ? tr("Next") : tr("Done"));
  back_->setEnabled(step_ > 0);
  setAccessibleName(title_->text());
  setAccessibleDescription(text_->text());
}

/// Places it beside the part, where there is room: below, above, right, left, else in its middle.
void Tour::show(QWidget* target) {
  QWidget* window = shell_.window();
  target_ = target;
  text_->setFixedWidth(kTourWidth - 34);
  resize(kTourWidth, layout()->heightForWidth(kTourWidth) > 0 ? layout()->heightForWidth(kTourWidth) : sizeHint().height());
  adjustSize();
  if (!target) {
    outline_->hide();
    move((window->width() - width()) / 2, (window->height() - height()) / 2);
  } else {
    const QRect part(target->mapTo(window, QPoint(0, 0)), target->size());
    outline_->setGeometry(part.adjusted(-3, -3, 3, 3).intersected(window->rect()));
    outline_->show();
    outline_->raise();
    const QRect room = window->rect().adjusted(8, 8, -8, -8);
    QPoint at = part.center() - QPoint(width() / 2, height() / 2);
    const QPoint places[] = {{part.left() + 24, part.bottom() + kFromPart},
                             {part.left() + 24, part.top() - kFromPart - height()},
                             {part.right() + kFromPart, part.top() + 24},
                             {part.left() - kFromPart - width(), part.top() + 24}};
    for (const QPoint& place : places) {
      if (!room.contains(QRect(place, size()))) continue;
      at = place;
      break;
    }
    move(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - height())));
  }
  QFrame::show();
  raise();
  next_->setFocus(Qt::OtherFocusReason);
}

void Tour::changeEvent(QEvent* event) {
  if ((event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) && isVisible()) fill();
  QFrame::changeEvent(event);
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && isVisible()) QTimer::singleShot(0, this, [this] { show(targetOf(step_)); });
  return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Escape: return go(kSteps);
    case Qt::Key_Right:
    case Qt::Key_Return:
    case Qt::Key_Enter: return go(step_ + 1);
    case Qt::Key_Left: return go(step_ - 1);
    default: QFrame::keyPressEvent(event);
  }
}

}  // namespace weft::app
