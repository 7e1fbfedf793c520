#include "views/file_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/file_tab.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "shell/style.h"
#include "views/editor/program_page.h"
#include "views/files/file_actions.h"
#include "views/files/file_words.h"
#include "views/files/projector_page.h"
#include "views/files/records_page.h"
#include "views/files/report_page.h"
#include "views/files/tensors_page.h"

namespace weft::app {
namespace {

constexpr int kAroundWords = 44, kIconButton = 36;  // of a button: icon, padding and space; a button without text

/// The page of a file: its kind and actions, its problem, and its contents below.
class FilePage : public QWidget {
 public:
  FilePage(const ViewContext& context, FileTab* file, QWidget* parent) : QWidget(parent), file_(file) {
    const widgets::Theme& theme = widgets::Theme::current();
    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("file_bar"));
    bar->setFixedHeight(theme.metrics().breadcrumbBar);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    icon_ = new QLabel(bar);
    kind_ = new QLabel(bar);
    kind_->setProperty("kind", QStringLiteral("chip"));
    what_ = new QLabel(bar);
    what_->setProperty("kind", QStringLiteral("muted"));
    what_->setMinimumWidth(1);
    row->addWidget(icon_);
    row->addWidget(kind_, 0, Qt::AlignVCenter);
    row->addWidget(what_, 1);
    for (const FileAction& action : actionsOf(*file->contents())) row->addWidget(addButton(context, action, bar));
    problem_ = new QFrame(this);
    problem_->setObjectName(QStringLiteral("file_problem"));
    auto* problemRow = new QHBoxLayout(problem_);
    problemRow->setContentsMargins(12, 8, 12, 8);
    problemRow->setSpacing(8);
    problemIcon_ = new QLabel(problem_);
    problemText_ = new QLabel(problem_);
    problemText_->setObjectName(QStringLiteral("file_problem_text"));
    problemText_->setWordWrap(true);
    problemText_->setTextFormat(Qt::PlainText);
    problemText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    problemRow->addWidget(problemIcon_, 0, Qt::AlignTop);
    problemRow->addWidget(problemText_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(problem_);
    layout->addWidget(makeContent(context, file), 1);
    totals_ = findChild<QLabel*>(QStringLiteral("tensor_totals"));
    if (totals_) {
      row->insertWidget(3, totals_);
      totals_->installEventFilter(this);  // it grows when a comparison ends
    }
    retranslate();
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == totals_ && event->type() == QEvent::Resize) fitDescription();
    return QWidget::eventFilter(watched, event);
  }
  void resizeEvent(QResizeEvent* event) override {
    QWidget::resizeEvent(event);
    fitDescription();
  }
  void changeEvent(QEvent* event) override {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
    QWidget::changeEvent(event);
  }

 private:
  QToolButton* addButton(const ViewContext& context, const FileAction& action, QWidget* bar) {
    auto* button = new QToolButton(bar);
    button->setObjectName(QStringLiteral("file_action_") + action.id);
    button->setIcon(widgets::icon(QLatin1String(action.icon)));
    button->setProperty("kind", QStringLiteral("words"));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, [context, action] {
      const CommandResult result = context.actions.run(action.id, action.arguments);
      if (!result.ok) context.shell.showError(result.message);
    });
    buttons_ << button;
    return button;
  }

  QWidget* makeContent(const ViewContext& context, FileTab* file) {
    if (file->tensors()) return new TensorsPage(context, file, this);
    if (file->contents()->records) return new RecordsPage(context, file, this);
    if (file->contents()->projector) return new ProjectorPage(file, this);
    auto* page = new ReportPage(file, this);
    connect(page, &ReportPage::sessionRunWanted, this, [context](const QString& tag, const QString& folder) {
      const CommandResult result =
          context.actions.run(QStringLiteral("inspect.open-session-run"), folder.isEmpty() ? QStringList{tag} : QStringList{tag, folder});
      if (!result.ok) context.shell.showError(result.message);
    });
    return page;
  }

  /// Hides the description of the file's kind if it does not fit; the chip's tooltip has it too.
  void fitDescription() {
    int others = icon_->sizeHint().width() + kind_->sizeHint().width() + (totals_ ? totals_->sizeHint().width() : 0) + 56;
    int words = 0;
    for (const QToolButton* button : std::as_const(buttons_)) words += button->fontMetrics().horizontalAdvance(button->text()) + kAroundWords;
    const bool fits = others + words <= width();
    for (QToolButton* button : std::as_const(buttons_)) button->setToolButtonStyle(fits ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    others += fits ? words : int(buttons_.size()) * kIconButton;
    what_->setText(what_->fontMetrics().horizontalAdvance(description_) <= width() - others ? description_ : QString());
  }

  void retranslate() {
    using widgets::Role;
    const widgets::Theme& theme = widgets::Theme::current();
    const FileContents& contents = *file_->contents();
    setSheet(findChild<QFrame*>(QStringLiteral("file_bar")), QStringLiteral("#file_bar { background: %1; border: none; border-bottom: 1px solid %2; }")
                                                                 .arg(theme.color(Role::Surface1).name(), theme.color(Role::Border).name()));
    setSheet(problem_, QStringLiteral("#file_problem { background: %1; border: none; border-bottom: 1px solid %2; }")
                           .arg(theme.color(Role::WarningSoft).name(), theme.color(Role::Border).name()));
    icon_->setPixmap(widgets::iconPixmap(QStringLiteral("file"), 16, theme.color(Role::Text2), devicePixelRatioF()));
    problemIcon_->setPixmap(widgets::iconPixmap(QStringLiteral("warning"), 16, theme.color(Role::Warning), devicePixelRatioF()));
    kind_->setText(fileKindText(contents));
    description_ = fileKindDoc(contents);
    kind_->setToolTip(description_);
    const QVector<FileAction> actions = actionsOf(contents);
    for (qsizetype i = 0; i < std::min(actions.size(), buttons_.size()); ++i) {
      buttons_[i]->setText(actions[i].text);
      buttons_[i]->setToolTip(actions[i].toolTip);
      buttons_[i]->setAccessibleName(actions[i].text);
    }
    fitDescription();
    problem_->setVisible(!contents.problem.isEmpty());
    problemText_->setText(contents.problem);
  }

  FileTab* file_;
  QVector<QToolButton*> buttons_;  // parallel to actionsOf()
  QLabel *icon_, *kind_, *what_, *problemIcon_, *problemText_;
  QLabel* totals_ = nullptr;  // only on pages with tensors
  QString description_;
  QFrame* problem_;
};

}  // namespace

QWidget* makeFilePage(const ViewContext& context, FileTab* file, QWidget* parent) {
  if (file->text()) return new ProgramPage(context, file, parent);
  return new FilePage(context, file, parent);
}

}  // namespace weft::app
