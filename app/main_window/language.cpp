#include "main_window/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace weft::app {

QStringList Language::available() { return {QStringLiteral("en"), QStringLiteral("zh_CN")}; }

void Language::set(const QString& choice) {
  choice_ = available().contains(choice) ? choice : QStringLiteral("system");
  code_ = choice_;
  if (choice_ == QLatin1String("system")) {
    code_ = QLocale::system().language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
  }
  QCoreApplication::removeTranslator(&own_);
  QCoreApplication::removeTranslator(&records_);
  QCoreApplication::removeTranslator(&qt_);
  // English is loaded too, for its plural forms ("1 node", "2 nodes").
  if (qt_.load(QStringLiteral("qtbase_") + code_, QLibraryInfo::path(QLibraryInfo::TranslationsPath))) QCoreApplication::installTranslator(&qt_);
  if (own_.load(QStringLiteral(":/i18n/weft_%1.qm").arg(code_))) QCoreApplication::installTranslator(&own_);
  // Translations of the engine's English texts on ops and layers.
  if (code_ != QLatin1String("en") && records_.load(QStringLiteral(":/i18n/records_%1.qm").arg(code_))) QCoreApplication::installTranslator(&records_);
}

}  // namespace weft::app
