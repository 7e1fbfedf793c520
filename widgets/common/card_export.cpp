#include "common/card_export.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPixmap>
#include <QPointer>
#include <QSvgGenerator>
#include <QWidget>

#include "common/icons.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
struct CardExport {
  Q_DECLARE_TR_FUNCTIONS(CardExport)
};
}  // namespace

bool writePng(QWidget* widget, const QString& path) {
  QPixmap picture(widget->size() * 2);
  picture.setDevicePixelRatio(2);
  picture.fill(Theme::current().color(Role::Surface2));
  widget->render(&picture);
  return picture.save(path, "PNG");
}

bool writeSvg(QWidget* widget, const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return false;
  QSvgGenerator generator;
  generator.setOutputDevice(&file);
  generator.setSize(widget->size());
  generator.setViewBox(widget->rect());
  QPainter painter(&generator);
  painter.fillRect(widget->rect(), Theme::current().color(Role::Surface2));
  widget->render(&painter);
  return painter.end() && file.flush();
}

bool writeText(const QByteArray& text, const QString& path) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.flush();
}

QString exportCard(QWidget* card, const QString& path, const std::function<QByteArray()>& csv, const std::function<QByteArray()>& json) {
  const QString ending = QFileInfo(path).suffix().toLower();
  bool written = false;
  if (ending == QLatin1String("png")) written = writePng(card, path);
  else if (ending == QLatin1String("svg")) written = writeSvg(card, path);
  else if (ending == QLatin1String("csv")) written = writeText(csv(), path);
  else if (ending == QLatin1String("json")) written = writeText(json(), path);
  else return CardExport::tr("%1: expected a file name ending in .png, .svg, .csv or .json.").arg(path);
  return written ? QString() : CardExport::tr("%1 could not be written.").arg(path);
}

void addExportActions(QMenu* menu, QWidget* card, std::function<QString()> name, std::function<QByteArray()> csv, std::function<QByteArray()> json) {
  const auto add = [&](const char* iconName, const QString& text, const QString& ending) {
    menu->addAction(icon(QLatin1String(iconName)), text, card, [=] {
      const QPointer<QWidget> there(card);  // the card, and data that it owns, may be destroyed while the dialog is open
      const QString path = QFileDialog::getSaveFileName(card->window(), QString(text).remove(u'…'), name().replace(u'/', u'_') + u'.' + ending,
                                                        QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
      if (path.isEmpty() || !there) return;
      const QString error = exportCard(card, path, csv, json);
      if (!error.isEmpty()) QMessageBox::warning(card->window(), QStringLiteral("Weft"), error);
    });
  };
  add("image", CardExport::tr("Save as PNG…"), QStringLiteral("png"));
  add("image", CardExport::tr("Save as SVG…"), QStringLiteral("svg"));
  add("export", CardExport::tr("Save as CSV…"), QStringLiteral("csv"));
  add("export", CardExport::tr("Save as JSON…"), QStringLiteral("json"));
}

}  // namespace weft::widgets
