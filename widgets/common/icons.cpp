#include "common/icons.h"

#include <QDir>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <cmath>
#include <optional>

namespace weft::widgets {
namespace {

QString pathOf(const QString& name) { return QStringLiteral(":/weft/icons/%1.svg").arg(name); }

class ThemedIconEngine : public QIconEngine {
 public:
  ThemedIconEngine(QString name, std::optional<Role> role) : name_(std::move(name)), role_(role) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const double ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    const int side = std::min(rect.width(), rect.height());
    const QPixmap pixmap = iconPixmap(name_, side, colorFor(mode, state), ratio);
    painter->drawPixmap(QPointF(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0), pixmap);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override { return scaledPixmap(size, mode, state, 1.0); }

  // `size` is in device pixels here; the caller sets the ratio on the result.
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
    QPixmap result = iconPixmap(name_, std::min(size.width(), size.height()), colorFor(mode, state), 1.0);
    return result;
  }

  QIconEngine* clone() const override { return new ThemedIconEngine(name_, role_); }

 private:
  QColor colorFor(QIcon::Mode mode, QIcon::State state) const {
    const Theme& theme = Theme::current();
    if (mode == QIcon::Disabled) return theme.color(Role::TextDisabled);
    if (role_) return theme.color(*role_);
    return theme.color(state == QIcon::On ? Role::Accent : Role::Text2);
  }

  QString name_;
  std::optional<Role> role_;
};

QIcon make(const QString& name, std::optional<Role> role) {
  Theme::current();  // initializes the embedded resources
  return QFile::exists(pathOf(name)) ? QIcon(new ThemedIconEngine(name, role)) : QIcon();
}

}  // namespace

QIcon icon(const QString& name) { return make(name, std::nullopt); }
QIcon icon(const QString& name, Role role) { return make(name, role); }

QPixmap iconPixmap(const QString& name, int size, const QColor& color, double devicePixelRatio) {
  const QString key = QStringLiteral("weft-icon/%1/%2/%3/%4").arg(name).arg(size).arg(color.rgba()).arg(devicePixelRatio);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  Theme::current();
  QFile file(pathOf(name));
  if (size <= 0 || !file.open(QIODevice::ReadOnly)) return pixmap;
  const QByteArray svg = file.readAll().replace("currentColor", color.name().toLatin1());
  const int device = static_cast<int>(std::ceil(size * devicePixelRatio));
  pixmap = QPixmap(device, device);
  pixmap.fill(Qt::transparent);
  QSvgRenderer renderer(svg);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  renderer.render(&painter, QRectF(0, 0, device, device));
  painter.end();
  pixmap.setDevicePixelRatio(devicePixelRatio);
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

QStringList iconNames() {
  Theme::current();
  QStringList names = QDir(QStringLiteral(":/weft/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name);
  for (QString& name : names) name.chop(4);
  return names;
}

}  // namespace weft::widgets
