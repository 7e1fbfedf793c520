#include "main_window/about.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "adapters/machine.h"
#include "adapters/versions.h"
#include "common/icons.h"
#include "common/theme.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {
struct AboutText {
  Q_DECLARE_TR_FUNCTIONS(AboutText)
};

QString licenceText() {
  QFile file(QStringLiteral(":/weft/LICENSE"));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
}  // namespace

QString versionsText() {
  QString text;
  for (const LibraryVersion& library : libraryVersions()) text += QStringLiteral("%1 %2 (%3)\n").arg(library.name, library.version, library.licence);
  for (const auto& [name, value] : machineFacts()) text += QStringLiteral("%1: %2\n").arg(name, value);
  return text + QSysInfo::prettyProductName() + QStringLiteral(", ") + QSysInfo::kernelType() + u' ' + QSysInfo::kernelVersion() + QStringLiteral(", ") +
         QGuiApplication::platformName() + u'\n';
}

void showAbout(QWidget* parent) {
  auto* box = new QDialog(parent);
  box->setObjectName(QStringLiteral("about_dialog"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(AboutText::tr("About Weft"));
  box->resize(600, 480);
  auto* layout = dialogColumn(box, 12);
  auto* head = new QHBoxLayout;
  head->setSpacing(14);
  auto* mark = new QLabel(box);
  mark->setPixmap(widgets::iconPixmap(QStringLiteral("mark"), 48, widgets::Theme::current().color(widgets::Role::Accent), parent->devicePixelRatioF()));
  auto* text = new QLabel(QStringLiteral("<b style=\"font-size:16px\">Weft %1</b><br>%2")
                              .arg(QCoreApplication::applicationVersion(),
                                   AboutText::tr("Free software under the GNU General Public License, version 3 or later, without any warranty.")),
                          box);
  text->setWordWrap(true);
  head->addWidget(mark);
  head->addWidget(text, 1);
  layout->addLayout(head);
  auto* tabs = new QTabWidget(box);
  tabs->setAccessibleName(AboutText::tr("Versions and licence"));
  auto* list = new QTreeWidget(tabs);
  list->setRootIsDecorated(false);
  list->setAccessibleName(AboutText::tr("Versions of the libraries"));
  list->setHeaderLabels({AboutText::tr("Library"), AboutText::tr("Version"), AboutText::tr("Licence")});
  for (const LibraryVersion& library : libraryVersions()) new QTreeWidgetItem(list, {library.name, library.version, library.licence});
  for (int column = 0; column < 3; ++column) list->resizeColumnToContents(column);
  tabs->addTab(list, AboutText::tr("Versions"));
  auto* licence = new QPlainTextEdit(licenceText(), tabs);
  licence->setReadOnly(true);
  licence->setAccessibleName(AboutText::tr("Licence"));
  licence->setFont(widgets::Theme::current().monoSmallFont());
  tabs->addTab(licence, AboutText::tr("Licence"));
  layout->addWidget(tabs, 1);
  auto* buttons = new QDialogButtonBox(box);
  QPushButton* copy = buttons->addButton(AboutText::tr("Copy versions"), QDialogButtonBox::ActionRole);
  QPushButton* close = buttons->addButton(AboutText::tr("Close"), QDialogButtonBox::AcceptRole);
  close->setDefault(true);
  QObject::connect(copy, &QPushButton::clicked, box, [] { QApplication::clipboard()->setText(versionsText()); });
  QObject::connect(close, &QPushButton::clicked, box, &QDialog::accept);
  layout->addWidget(buttons);
  box->show();
}

}  // namespace weft::app
