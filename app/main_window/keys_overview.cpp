#include "main_window/keys_overview.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTimer>
#include <QVBoxLayout>
#include <map>

#include "common/icons.h"
#include "common/theme.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

constexpr int kColumns = 3;

constexpr std::pair<const char*, const char*> kGroups[] = {{"file", QT_TRANSLATE_NOOP("Groups", "Files")},
                                                           {"edit", QT_TRANSLATE_NOOP("Groups", "Editing")},
                                                           {"graph", QT_TRANSLATE_NOOP("Groups", "Graph")},
                                                           {"run", QT_TRANSLATE_NOOP("Groups", "Training")},
                                                           {"debug", QT_TRANSLATE_NOOP("Groups", "Debugger")},
                                                           {"profile", QT_TRANSLATE_NOOP("Groups", "Profiler")},
                                                           {"layout", QT_TRANSLATE_NOOP("Groups", "Layouts")},
                                                           {"view", QT_TRANSLATE_NOOP("Groups", "View")},
                                                           {"window", QT_TRANSLATE_NOOP("Groups", "Window")},
                                                           {"find", QT_TRANSLATE_NOOP("Groups", "Finding")},
                                                           {"settings", QT_TRANSLATE_NOOP("Groups", "Settings")},
                                                           {"help", QT_TRANSLATE_NOOP("Groups", "Help")},
                                                           {"inspect", QT_TRANSLATE_NOOP("Groups", "Inspector")},
                                                           {"panels", QT_TRANSLATE_NOOP("Groups", "Panels")},
                                                           {"problems", QT_TRANSLATE_NOOP("Groups", "Problems")},
                                                           {"session", QT_TRANSLATE_NOOP("Groups", "Session")},
                                                           {"message", QT_TRANSLATE_NOOP("Groups", "Messages")},
                                                           {"trace", QT_TRANSLATE_NOOP("Groups", "Profiler")},
                                                           {"program", QT_TRANSLATE_NOOP("Groups", "Python program")},
                                                           {"console", QT_TRANSLATE_NOOP("Groups", "Python console")}};

}  // namespace

QString commandGroupTitle(const QString& id) {
  const QString group = id.section(u'.', 0, 0);
  for (const auto& [name, title] : kGroups) {
    if (group == QLatin1String(name)) return QCoreApplication::translate("Groups", title);
  }
  return group;
}

void KeysOverview::open(ActionRegistry& actions, QWidget* window, const QString& text) {
  auto* dialog = window->findChild<KeysOverview*>();
  if (!dialog) dialog = new KeysOverview(actions, window);
  dialog->search_->setText(text);
  dialog->fill();
  dialog->show();
  dialog->raise();
  dialog->search_->setFocus();
}

KeysOverview::KeysOverview(ActionRegistry& actions, QWidget* window) : QDialog(window), actions_(actions) {
  setObjectName(QStringLiteral("keys_overview"));
  resize(1000, 640);
  search_ = new QLineEdit(this);
  search_->setClearButtonEnabled(true);
  search_->addAction(widgets::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  page_ = new QTextBrowser(this);
  page_->setOpenLinks(false);
  page_->setStyleSheet(QStringLiteral("QTextBrowser { border: none; padding: 4px 8px; }"));
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(search_);
  layout->addWidget(page_, 1);
  connect(search_, &QLineEdit::textChanged, this, &KeysOverview::fill);
  connect(page_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { actions_.action(url.path())->trigger(); });
  connect(&actions_, &ActionRegistry::shortcutsChanged, this, [this] {
    if (isVisible()) fill();
  });
}

void KeysOverview::fill() {
  setWindowTitle(tr("Keys"));
  search_->setPlaceholderText(tr("Part of a command or a key"));
  search_->setAccessibleName(tr("Search the keys"));
  page_->setAccessibleName(tr("All keys"));
  struct Group {
    QString html;
    int rows = 0;
  };
  std::map<QString, Group> groups;
  QStringList order;
  int rows = 0;
  const widgets::Theme& theme = widgets::Theme::current();
  const QString chip = QStringLiteral("<span style=\"font-family:'%1'; font-size:12px; color:%2; background-color:%3\">&nbsp;%4&nbsp;</span>");
  for (const QString& id : actions_.ids()) {
    const QList<QKeySequence> keys = actions_.shortcuts(id);
    if (keys.isEmpty()) continue;
    const QString text = ActionRegistry::plainText(actions_.record(id));
    QStringList shown;
    for (const QKeySequence& key : keys) shown << key.toString(QKeySequence::NativeText);
    const QString needle = search_->text().trimmed();
    if (!needle.isEmpty() && !text.contains(needle, Qt::CaseInsensitive) && !shown.join(u' ').contains(needle, Qt::CaseInsensitive)) continue;
    const QString title = commandGroupTitle(id);
    if (!groups.count(title)) order << title;
    Group& group = groups[title];
    QStringList chips;
    for (const QString& key : shown)
      chips << chip.arg(theme.monoFont().family(), theme.color(widgets::Role::Text1).name(), theme.color(widgets::Role::Surface3).name(), key.toHtmlEscaped());
    group.html +=
        QStringLiteral(
            "<tr><td style=\"padding:2px 10px 2px 0; vertical-align:middle\">%1</td><td style=\"padding:2px 0; vertical-align:middle\"><a href=\"command:%2\" style=\"color:%3; text-decoration:none\">%4</a></td></tr>")
            .arg(chips.join(u' '), id, theme.color(widgets::Role::Text1).name(), text.toHtmlEscaped());
    ++group.rows;
    ++rows;
  }
  // The groups in order, in columns of about equal height.
  QString columns[kColumns];
  const int perColumn = (rows + 3 * int(order.size())) / kColumns + 1;
  int column = 0, filled = 0;
  for (const QString& title : order) {
    const Group& group = groups[title];
    if (filled > 0 && filled + group.rows / 2 > perColumn && column + 1 < kColumns) ++column, filled = 0;
    columns[column] += QStringLiteral("<p style=\"font-weight:600; margin:10px 0 4px 0; color:%1\">%2</p><table cellspacing=\"0\">%3</table>")
                           .arg(theme.color(widgets::Role::Text2).name(), title.toHtmlEscaped(), group.html);
    filled += group.rows + 3;
  }
  QString html = QStringLiteral("<table width=\"100%\"><tr>");
  for (const QString& c : columns) html += QStringLiteral("<td width=\"33%\" valign=\"top\" style=\"padding-right:18px\">%1</td>").arg(c);
  page_->setHtml(order.isEmpty() ? tr("No matching command.") : html + QStringLiteral("</tr></table>"));
}

/// Merges all events of a theme or language change into one update.
void KeysOverview::changeEvent(QEvent* event) {
  if ((event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) && isVisible() && !fillQueued_) {
    fillQueued_ = true;
    QTimer::singleShot(0, this, [this] {
      fillQueued_ = false;
      const int scrolled = page_->verticalScrollBar()->value();
      fill();
      page_->verticalScrollBar()->setValue(scrolled);
    });
  }
  QDialog::changeEvent(event);
}

}  // namespace weft::app
