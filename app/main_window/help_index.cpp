#include "main_window/help_index.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QWidget>
#include <algorithm>

#include "adapters/api_help.h"
#include "adapters/op_help.h"
#include "adapters/property_list.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

const QString kFirst = QStringLiteral("first-steps");

QStringList languages() { return {QCoreApplication::translate("HelpWindow", "en", "folder of the help pages in this language"), QStringLiteral("en")}; }

bool hasPage(const QString& page) { return QFile::exists(QStringLiteral(":/weft/help/en/%1.md").arg(page)); }

}  // namespace

QString helpText(const QString& page) {
  if (page.startsWith(QLatin1String("op/"))) return opHelpPage(page.mid(3));
  if (page.startsWith(QLatin1String("api/"))) return apiHelpPage(page.mid(4));
  for (const QString& language : languages()) {
    QFile file(QStringLiteral(":/weft/help/%1/%2.md").arg(language, page));
    if (file.open(QIODevice::ReadOnly)) return QString::fromUtf8(file.readAll());
  }
  return {};
}

QVector<HelpPage> helpPages() {
  QVector<HelpPage> pages;
  for (QString name : QDir(QStringLiteral(":/weft/help/en")).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
    name.chop(3);
    QString title = helpText(name).section(u'\n', 0, 0);
    while (title.startsWith(u'#') || title.startsWith(u' ')) title.remove(0, 1);
    pages << HelpPage{name, title.isEmpty() ? name : title};
  }
  std::sort(pages.begin(), pages.end(), [](const HelpPage& a, const HelpPage& b) {
    if ((a.id == kFirst) != (b.id == kFirst)) return a.id == kFirst;
    return a.title.localeAwareCompare(b.title) < 0;
  });
  return pages;
}

QString helpPageFor(const QWidget* focus, Workspace& workspace, Shell& shell) {
  for (const QWidget* widget = focus; widget; widget = widget->parentWidget()) {
    const QString page = widget->property("helpPage").toString();
    if (!page.isEmpty()) return page;
    if (widget->objectName() == QLatin1String("canvas") || widget->objectName() == QLatin1String("inspector")) {
      const Document* document = workspace.current();
      if (document && document->selection().size() == 1) {
        const int node = document->nodeIndex(document->selection().first());
        const QString op = node >= 0 ? document->model()->nodes[size_t(node)].op : QString();
        if (!opSummary(op).isEmpty()) return QStringLiteral("op/") + op;
        const QString layer = layerDetails(*document->contents(), document->selection().first()).kind;
        if (hasApiPage(layer)) return QStringLiteral("api/") + layer;
      }
    }
    if (!widget->objectName().isEmpty() && hasPage(widget->objectName())) return widget->objectName();
  }
  return shell.isStartPageShown() || !hasPage(QStringLiteral("window")) ? kFirst : QStringLiteral("window");
}

}  // namespace weft::app
