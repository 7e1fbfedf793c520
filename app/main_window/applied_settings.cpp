// Settings that the window applies: language, theme, keys, limits of runs.
#include <QApplication>

#include "common/theme.h"
#include "main_window/document_page.h"
#include "main_window/main_window.h"
#include "main_window/system_theme.h"

namespace weft::app {

void MainWindow::setLanguage(const QString& language) { workspace_.settings().setValue(QStringLiteral("ui/language"), language); }
void MainWindow::setTheme(const QString& theme) { workspace_.settings().setValue(QStringLiteral("ui/theme"), theme); }

void MainWindow::applyTheme() {
  const QString name = theme();
  const widgets::Theme::Kind kind = name != QLatin1String("system") ? widgets::Theme::kindOf(name)
                                    : systemTheme_->isDark()        ? widgets::Theme::Kind::Dark
                                                                    : widgets::Theme::Kind::Light;
  widgets::Theme::apply(*qApp, kind);
}

/// All changes of settings are applied here.
void MainWindow::applySetting(const QString& key) {
  const Settings& settings = workspace_.settings();
  if (key == QLatin1String("ui/language")) {
    const QString before = language_.code();
    language_.set(settings.get(key).toString());
    if (language_.code() != before) workspace_.retranslate();
  }
  if (key == QLatin1String("ui/theme")) applyTheme();
  if (key == QLatin1String("ui/motion")) {
    for (DocumentPage* page : std::as_const(pages_)) page->setMotion(settings.get(key).toBool());
  }
  if (key.startsWith(QLatin1String("run/"))) {
    workspace_.runs().setLimits(settings.get(QStringLiteral("run/threads")).toInt(), settings.get(QStringLiteral("run/memory-percent")).toDouble() / 100,
                                settings.get(QStringLiteral("run/step-memory")).toLongLong() << 20);
    workspace_.runs().setRecordBytes(settings.get(QStringLiteral("run/record-megabytes")).toLongLong() << 20);
    workspace_.runs().setDoctor(settings.get(QStringLiteral("run/doctor")).toBool());
    workspace_.program().setDoctor(settings.get(QStringLiteral("run/doctor")).toBool());
    workspace_.runs().setWatchNan(settings.get(QStringLiteral("run/watch-nan")).toBool());
  }
  if (key.startsWith(QLatin1String("keys/"))) applyKeys();
  actions_.refreshSoon();
}

void MainWindow::applyKeys() {
  const QStringList changed = workspace_.settings().keys(QStringLiteral("keys"));
  for (const QString& id : actions_.ids()) {
    QList<QKeySequence> keys = actions_.defaultShortcuts(id);
    if (changed.contains(id))
      keys = QKeySequence::listFromString(workspace_.settings().value(QStringLiteral("keys/") + id).toString(), QKeySequence::PortableText);
    if (keys != actions_.shortcuts(id)) actions_.setShortcuts(id, keys);
  }
}

}  // namespace weft::app
