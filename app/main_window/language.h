#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTranslator>

namespace weft::app {

/// The language of the program, which can change at run time. GUI thread.
class Language : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// "en", "zh_CN".
  static QStringList available();
  /// "en", "zh_CN", or "system": the language of the environment, or English if there is no translation.
  void set(const QString& choice);
  QString choice() const { return choice_; }
  /// The present one.
  QString code() const { return code_; }

 private:
  QString choice_ = QStringLiteral("system"), code_ = QStringLiteral("en");
  QTranslator own_, records_, qt_;
};

}  // namespace weft::app
