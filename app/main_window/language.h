#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTranslator>

namespace weft::app {

/// The language of the program, changed while it runs. GUI thread.
class Language : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// "en", "zh_CN".
  static QStringList available();
  /// "en", "zh_CN", or "system": what the environment asks for, English if there is no translation of it.
  void set(const QString& choice);
  QString choice() const { return choice_; }
  /// The one that is in use.
  QString code() const { return code_; }

 private:
  QString choice_ = QStringLiteral("system"), code_ = QStringLiteral("en");
  QTranslator own_, records_, qt_;
};

}  // namespace weft::app
