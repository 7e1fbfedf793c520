#include "main_window/about.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include "adapters/graph_files.h"
#include "common/icons.h"
#include "common/theme.h"

namespace weft::app {
namespace {
struct AboutText {
  Q_DECLARE_TR_FUNCTIONS(AboutText)
};
}  // namespace

void showAbout(QWidget* parent) {
  auto* box = new QMessageBox(parent);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(AboutText::tr("About Weft"));
  box->setIconPixmap(
      widgets::iconPixmap(QStringLiteral("mark"), 48, widgets::Theme::current().color(widgets::Role::Accent), parent->devicePixelRatioF()));
  box->setText(QStringLiteral("<b>Weft %1</b>").arg(QCoreApplication::applicationVersion()));
  box->setInformativeText(AboutText::tr("Engine %1, Qt %2.\nFree software under the GNU General Public License, version 3 or later; without any warranty.")
                              .arg(engineVersionText(), QLatin1String(qVersion())));
  box->addButton(AboutText::tr("Close"), QMessageBox::AcceptRole);
  box->open();
}

}  // namespace weft::app
