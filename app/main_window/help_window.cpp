#include "main_window/help_window.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFile>
#include <QKeySequence>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextFrame>
#include <QTextTable>
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

/// Shows pictures no wider than itself, and its text with more air than Markdown gets by default.
class HelpBrowser : public QTextBrowser {
 public:
  using QTextBrowser::QTextBrowser;

  void setPage(const QString& markdown) {
    setMarkdown(markdown);
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
      if (QTextCursor(block).currentTable()) continue;
      QTextBlockFormat format = block.blockFormat();
      format.setTopMargin(format.headingLevel() > 1 ? 18 : 4);
      format.setBottomMargin(6);
      QTextCursor(block).setBlockFormat(format);
    }
    for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
      auto* table = qobject_cast<QTextTable*>(frame);
      if (!table) continue;
      QTextTableFormat format = table->format();
      format.setBorder(0);
      format.setCellSpacing(0);
      format.setCellPadding(4);
      table->setFormat(format);
    }
    moveCursor(QTextCursor::Start);
  }

 protected:
  QVariant loadResource(int type, const QUrl& name) override {
    const QVariant resource = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource) return resource;
    QImage image = resource.canConvert<QImage>() ? resource.value<QImage>() : QImage();
    if (image.isNull()) image = QImage::fromData(resource.toByteArray());
    const int width = viewport()->width() - kMargin;
    return image.width() > width && width > 0 ? image.scaledToWidth(width, Qt::SmoothTransformation) : image;
  }

 private:
  static constexpr int kMargin = 28;
};

}  // namespace

HelpWindow::HelpWindow(ActionRegistry& actions, QWidget* parent) : QDialog(parent), actions_(actions), browser_(new HelpBrowser(this)) {
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
    const QString usage = QString::fromUtf8(record.usage);
    out += QStringLiteral("| %1 | %2 | `%3` | %4 |\n")
               .arg(ActionRegistry::plainText(record), key, usage.isEmpty() ? id : id + u' ' + QString(usage).replace(u'|', QStringLiteral("/")),
                    QCoreApplication::translate(record.context, record.toolTip));
  }
  return out;
}

void HelpWindow::showPage(const QString& page) {
  page_ = page;
  setWindowTitle(tr("Help"));
  show();
  raise();
  static_cast<HelpBrowser*>(browser_)->setPage(page == QLatin1String("actions") ? actionList(actions_) : pageText(page));
}

void HelpWindow::changeEvent(QEvent* event) {
  if ((event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) && !page_.isEmpty() && isVisible()) showPage(page_);
  QDialog::changeEvent(event);
}

}  // namespace weft::app
