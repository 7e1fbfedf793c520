// weft-studio: the desktop IDE.
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QScreen>
#include <QTimer>
#include <cstdio>
#include <memory>

#include "commands/script_driver.h"
#include "commands/stall_watch.h"
#include "common/icons.h"
#include "common/theme.h"
#include "main_window/main_window.h"
#include "studio/canvas_bench.h"
#include "studio/experiments_bench.h"
#include "studio/live_bench.h"
#include "studio/options.h"
#include "studio/plots_bench.h"
#include "studio/projector_bench.h"
#include "studio/sheet_bench.h"
#include "studio/single_instance.h"
#include "studio/start_bench.h"
#include "studio/timeline_bench.h"

namespace weft::app {
namespace {

bool readScript(const QString& path, QString* text) {
  QFile file;
  if (path == QLatin1String("-")) {
    if (!file.open(stdin, QIODevice::ReadOnly)) return false;
  } else {
    file.setFileName(path);
    if (!file.open(QIODevice::ReadOnly)) return false;
  }
  *text = QString::fromUtf8(file.readAll());
  return true;
}

/// Sets the scale factor, which must be known before the application object is made. The environment and scripts override it.
void setScale(const StudioOptions& options) {
  if (!options.script.isEmpty() || !options.bench.isEmpty() || qEnvironmentVariableIsSet("QT_SCALE_FACTOR")) return;
  const int percent = Settings(Settings::Kind::User).get(QStringLiteral("ui/scale")).toInt();
  if (percent > 100 && percent <= 300) qputenv("QT_SCALE_FACTOR", QByteArray::number(percent / 100.0));
}

int runWindow(StudioApplication& application, const StudioOptions& options) {
  const bool scripted = !options.script.isEmpty();
  QStringList files;
  for (const QString& file : options.files) files << QFileInfo(file).absoluteFilePath();
  if (!scripted && !options.newWindow && SingleInstance::sendToRunning(files)) return 0;

  MainWindow window(scripted ? Settings::Kind::InMemory : Settings::Kind::User);
  if (!options.language.isEmpty() || scripted) window.setLanguage(options.language.isEmpty() ? QStringLiteral("en") : options.language);
  if (!options.theme.isEmpty() || scripted) window.setTheme(options.theme.isEmpty() ? QStringLiteral("light") : options.theme);
  const QByteArray geometry = window.workspace().settings().value(QStringLiteral("window/geometry")).toByteArray();
  if (options.size) window.resize(*options.size);
  else if (!geometry.isEmpty()) window.restoreGeometry(geometry);
  else window.resize(QSize(1440, 900).boundedTo(window.screen()->availableSize()));
  window.show();

  SingleInstance instance;
  if (!scripted && !options.newWindow) {
    instance.listen();
    QObject::connect(&instance, &SingleInstance::filesReceived, &window, [&window](const QStringList& received) {
      for (const QString& file : received) window.workspace().open(file);
      window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
      window.raise();
      window.activateWindow();
    });
  }
  for (const QString& file : files) window.workspace().open(file);
  if (!scripted && files.isEmpty() && !options.newWindow) window.begin();
  if (!scripted) return application.exec();

  QString text;
  if (!readScript(options.script, &text)) {
    std::fprintf(stderr, "weft-studio: %s: the script cannot be read\n", qPrintable(options.script));
    return 1;
  }
  ScriptDriver driver(window, options.script, text);
  application.ignore(&driver);
  application.setWatching(true);
  QTimer::singleShot(0, &driver, &ScriptDriver::start);
  return application.exec();
}

int run(int argc, char** argv) {
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  QString error;
  const StudioOptions options = readOptions(arguments, &error);
  if (!error.isEmpty()) {
    std::fprintf(stderr, "weft-studio: %s\n%s", qPrintable(error), qPrintable(usageText()));
    return 2;
  }
  if (options.help) {
    std::fputs(qPrintable(usageText()), stdout);
    return 0;
  }
  if (options.version) {
    std::printf(options.json ? "{\"name\":\"weft-studio\",\"version\":\"%s\",\"tensorflow\":\"1.15.5\"}\n" : "weft-studio %s\n", WEFT_VERSION);
    return 0;
  }
  QCoreApplication::setOrganizationName(QStringLiteral("weft"));
  QCoreApplication::setApplicationName(QStringLiteral("weft-studio"));
  QCoreApplication::setApplicationVersion(QStringLiteral(WEFT_VERSION));
  QGuiApplication::setDesktopFileName(QStringLiteral("weft-studio"));
  setScale(options);
  StudioApplication application(argc, argv);
  QApplication::setWindowIcon(widgets::icon(QStringLiteral("mark"), widgets::Role::Accent));
  if (options.bench == QLatin1String("start"))
    return runStartBench(application, options, [] { return std::make_unique<MainWindow>(Settings::Kind::InMemory); });
  if (options.bench == QLatin1String("live")) return runLiveBench(application, options, [] { return std::make_unique<MainWindow>(Settings::Kind::InMemory); });
  if (options.bench == QLatin1String("sheet"))
    return runSheetBench(application, options, [] { return std::make_unique<MainWindow>(Settings::Kind::InMemory); });
  if (!options.bench.isEmpty()) {
    widgets::Theme::apply(application, widgets::Theme::kindOf(options.theme));
    if (options.bench == QLatin1String("timeline")) return runTimelineBench(options);
    if (options.bench == QLatin1String("experiments")) return runExperimentsBench(options);
    if (options.bench == QLatin1String("projector")) return runProjectorBench(options);
    return options.bench == QLatin1String("plots") ? runPlotsBench(options) : runBench(options);
  }
  return runWindow(application, options);
}

}  // namespace
}  // namespace weft::app

int main(int argc, char** argv) { return weft::app::run(argc, argv); }
