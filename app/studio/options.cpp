#include "studio/options.h"

#include <QRegularExpression>

namespace weft::app {

// Not translated: it is for terminals and scripts, and printed before the language is known.
QString usageText() {
  return QStringLiteral(
      "Usage: weft-studio [OPTION]... [FILE]...\n"
      "The desktop IDE for dataflow graphs. Opens .weft, .meta, .pb, .pbtxt and .onnx files.\n\n"
      "  --lang zh_CN|en          language of the window\n"
      "  --theme light|dark|highContrast|system\n"
      "  --size 1600x1000         size of the window\n"
      "  --new-window             do not hand the files to a window that is open\n"
      "  --script FILE            give the commands of FILE (- for standard input) to the window\n"
      "  --bench start            print the time to the first window and the memory of an idle one, then end\n"
      "  --bench canvas|timeline  measure the canvas or the timeline, then end; with\n"
      "    --open FILE | --items N  what to draw,  --json  one line of JSON\n"
      "  --bench live             measure how soon the panels show a step of a training (--items, 200,000) of --open\n"
      "                           TEMPLATE | FILE (mlp), and what of the processors that takes; with\n"
      "    --detail               by what it is spent\n"
      "  --bench plots            measure a scalar panel of N series (--items, 1,000) of 10,000 points\n"
      "  --bench projector        measure the view of N points (--items, 1,000,000)\n"
      "  --bench experiments      measure the pages of the store of runs --open\n"
      "  --bench sheet            measure the spreadsheet of a graph of N nodes (--items, 100,000)\n"
      "  --version                the version of Weft; with --json as one line of JSON\n"
      "  --help                   this text\n");
}

StudioOptions readOptions(const QStringList& arguments, QString* error) {
  StudioOptions options;
  const auto fail = [&](const QString& why) {
    if (error->isEmpty()) *error = why;
  };
  for (qsizetype i = 0; i < arguments.size(); ++i) {
    QString name = arguments[i], inlineValue;
    if (!name.startsWith(QLatin1String("--"))) {
      options.files << name;
      continue;
    }
    const qsizetype equals = name.indexOf(u'=');
    const bool hasInline = equals > 0;
    if (hasInline) {
      inlineValue = name.mid(equals + 1);
      name.truncate(equals);
    }
    const auto value = [&]() -> QString {
      if (hasInline) return inlineValue;
      if (i + 1 >= arguments.size()) {
        fail(QStringLiteral("%1 needs a value").arg(name));
        return {};
      }
      return arguments[++i];
    };
    const auto oneOf = [&](const QStringList& allowed) {
      const QString v = value();
      if (!v.isEmpty() && !allowed.contains(v)) fail(QStringLiteral("%1 takes %2, not %3").arg(name, allowed.join(QStringLiteral(" or ")), v));
      return v;
    };
    if (name == QLatin1String("--lang")) {
      options.language = oneOf({QStringLiteral("en"), QStringLiteral("zh_CN"), QStringLiteral("system")});
    } else if (name == QLatin1String("--theme")) {
      options.theme = oneOf({QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("highContrast"), QStringLiteral("system")});
    } else if (name == QLatin1String("--size")) {
      const QString v = value();
      const auto match = QRegularExpression(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$")).match(v);
      if (match.hasMatch()) options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
      else fail(QStringLiteral("--size takes WIDTHxHEIGHT, not %1").arg(v));
    } else if (name == QLatin1String("--script")) {
      options.script = value();
    } else if (name == QLatin1String("--bench")) {
      options.bench = oneOf({QStringLiteral("canvas"), QStringLiteral("timeline"), QStringLiteral("start"), QStringLiteral("plots"), QStringLiteral("live"),
                             QStringLiteral("projector"), QStringLiteral("experiments"), QStringLiteral("sheet")});
    } else if (name == QLatin1String("--open")) {
      options.benchFile = value();
    } else if (name == QLatin1String("--items")) {
      bool ok = false;
      const QString v = value();
      options.benchItems = v.toInt(&ok);
      if (!ok || options.benchItems <= 0) fail(QStringLiteral("--items takes a number above 0, not %1").arg(v));
    } else if (name == QLatin1String("--new-window")) {
      options.newWindow = true;
    } else if (name == QLatin1String("--detail")) {
      options.detail = true;
    } else if (name == QLatin1String("--json")) {
      options.json = true;
    } else if (name == QLatin1String("--help")) {
      options.help = true;
    } else if (name == QLatin1String("--version")) {
      options.version = true;
    } else {
      fail(QStringLiteral("unknown option %1").arg(name));
    }
  }
  return options;
}

}  // namespace weft::app
