#pragma once

#include <QDBusVariant>
#include <QObject>

namespace weft::app {

/// Whether the desktop prefers a dark look, read and followed through the settings portal (org.freedesktop.appearance color-scheme). Light where there is no
/// portal. Never blocks. GUI thread.
class SystemTheme : public QObject {
  Q_OBJECT

 public:
  explicit SystemTheme(QObject* parent = nullptr);
  bool isDark() const { return dark_; }

 signals:
  void changed();

 private slots:
  void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void setScheme(uint scheme);
  bool dark_ = false;
};

}  // namespace weft::app
