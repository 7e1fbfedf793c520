#include "main_window/help_window.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFile>
#include <QKeySequence>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "commands/action_registry.h"

namespace weft::app {
namespace {

/// The text of a page in the first language that has it.
QString pageText(const QString& page) {
  for (const QString& language : {QCoreApplication::translate("HelpWindow", "en", "folder of the help pages in this language"), QStringLiteral("en")}) {
    QFile file(QStringLiteral(":/weft/help/%1/%2.md").arg(language, page));
    if (file.open(QIODevice::ReadOnly)) return QString::fromUtf8(file.readAll());
  }
  return {};
}

}  // namespace

HelpWindow::HelpWindow(ActionRegistry& actions, QWidget* parent) : QDialog(parent), actions_(actions), browser_(new QTextBrowser(this)) {
  setObjectName(QStringLiteral("help_window"));
  setModal(false);
  resize(860, 720);
  browser_->setOpenLinks(false);
  browser_->setSearchPaths({QStringLiteral(":/weft/help")});
  browser_->setStyleSheet(QStringLiteral("QTextBrowser { border: none; border-radius: 0; padding: 12px 20px; }"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(browser_);
  connect(browser_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
    if (url.scheme() == QLatin1String("command"))
      actions_.run(url.path());
    else
      showPage(url.path().section(u'.', 0, 0));
  });
}

QString HelpWindow::actionList(const ActionRegistry& actions) {
  QString out = QStringLiteral("# ") + tr("Commands and keys") + QStringLiteral("\n\n") +
                tr("Every command has a name. A script (`weft-studio --script FILE`) gives one command per line.") + QStringLiteral("\n\n");
  out += QStringLiteral("| %1 | %2 | %3 | %4 |\n|---|---|---|---|\n").arg(tr("Command"), tr("Key"), tr("Name in scripts"), tr("What it does"));
  for (const QString& id : actions.ids()) {
    const ActionRecord& record = actions.record(id);
    const QString key = QKeySequence(record.shortcut.section(QStringLiteral("; "), 0, 0)).toString(QKeySequence::NativeText);
    const QString usage = QLatin1String(record.usage);
    out += QStringLiteral("| %1 | %2 | `%3` | %4 |\n")
               .arg(ActionRegistry::plainText(record), key, usage.isEmpty() ? id : id + u' ' + QString(usage).replace(u'|', QStringLiteral("/")),
                    QCoreApplication::translate(record.context, record.toolTip));
  }
  return out;
}

void HelpWindow::showPage(const QString& page) {
  page_ = page;
  setWindowTitle(tr("Help"));
  browser_->setMarkdown(page == QLatin1String("actions") ? actionList(actions_) : pageText(page));
  show();
  raise();
}

void HelpWindow::changeEvent(QEvent* event) {
  if ((event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) && !page_.isEmpty() && isVisible()) showPage(page_);
  QDialog::changeEvent(event);
}

}  // namespace weft::app
