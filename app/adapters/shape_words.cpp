#include "adapters/shape_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace weft::app {
namespace {

struct ShapeSentences {
  Q_DECLARE_TR_FUNCTIONS(ShapeWords)
};

/// Formats "50,784" and "(50, 784)" as 50×784.
QString dimsText(QString dims) {
  dims.remove(u' ');
  dims.replace(QLatin1String("None"), QLatin1String("?"));
  if (dims.endsWith(u',')) dims.chop(1);
  return dims.isEmpty() ? ShapeSentences::tr("a scalar") : dims.split(u',').join(QStringLiteral("×"));
}

struct Shapes {
  QStringList texts;  ///< 50×784, for display
  QList<int> ranks;   ///< -1: unknown

  void add(const QString& dims, bool known) {
    texts << (known ? dimsText(dims) : QStringLiteral("?"));
    ranks << (!known ? -1 : dims.trimmed().isEmpty() ? 0 : int(dims.count(u',')) + (dims.endsWith(u',') ? 0 : 1));
  }
  qsizetype withRank(int rank) const { return ranks.indexOf(rank); }
};

/// The message without " for 'NAME' (op: 'OP') with input shapes: …", whose shapes go to `shapes`.
QString withoutSignature(const QString& message, Shapes* shapes) {
  static const QRegularExpression tail(QStringLiteral(R"( for '[^']*' \(op: '[^']*'\) with input shapes: )"));
  const QRegularExpressionMatch found = tail.match(message);
  if (!found.hasMatch()) return message;
  QString list = message.mid(found.capturedEnd());
  if (const qsizetype more = list.indexOf(QLatin1String(" and with ")); more >= 0) list.truncate(more);
  static const QRegularExpression shape(QStringLiteral(R"(\[([^\]]*)\]|<unknown>|\?)"));
  for (auto it = shape.globalMatch(list); it.hasNext();) {
    const QRegularExpressionMatch m = it.next();
    shapes->add(m.captured(1), m.captured(0).startsWith(u'['));
  }
  return message.left(found.capturedStart());
}

/// "1 dimension", "4 dimensions".
QString dimensions(int n) {
  return n == 0 ? ShapeSentences::tr("a scalar") : n == 1 ? ShapeSentences::tr("1 dimension") : ShapeSentences::tr("%1 dimensions").arg(n);
}

class MessageReader {
 public:
  MessageReader(const QString& who, const QString& message, const QStringList& sources)
      : who_(who), sources_(sources), said_(withoutSignature(message, &shapes_)) {}

  QString sentence() {
    if (const QString s = rank(); !s.isEmpty()) return s;
    if (const QString s = layerRank(); !s.isEmpty()) return s;
    if (const QString s = bothShapes(); !s.isEmpty()) return s;
    if (const QString s = sizes(); !s.isEmpty()) return s;
    if (take(R"(^Negative dimension size caused by subtracting (\d+) from (\d+))"))
      return ShapeSentences::tr("%1 needs a size of at least %2, but the input has %3%4.").arg(who_, word(1), word(2), from(0));
    if (take(R"(^Cannot reshape a tensor with (\d+) elements to shape \[([^\]]*)\] \((\d+) elements\))"))
      return ShapeSentences::tr("%1: %2 values do not fit %3, which holds %4%5.").arg(who_, word(1), dimsText(word(2)), word(3), from(0));
    if (take("^The (last|channel) dimension of the inputs to `\\w+` should be defined"))
      return ShapeSentences::tr("%1 requires a known size of the %2 dimension.")
          .arg(who_, word(1) == QLatin1String("last") ? ShapeSentences::tr("last") : ShapeSentences::tr("channel"));
    if (take("its rank is undefined, but the layer requires a defined rank")) return ShapeSentences::tr("%1 requires an input of known rank.").arg(who_);
    return said_.startsWith(who_) ? said_ : ShapeSentences::tr("%1: %2").arg(who_, said_);
  }

 private:
  bool take(const char* pattern) {
    match_ = QRegularExpression(QLatin1String(pattern)).match(said_);
    return match_.hasMatch();
  }
  QString word(int n) const { return match_.captured(n); }
  int number(int n) const { return match_.captured(n).toInt(); }
  QString from(qsizetype input) const {
    const QString source = sources_.value(input);
    return source.isEmpty() ? QString() : ShapeSentences::tr(" (from %1)").arg(source);
  }

  /// A sentence that `wanted` dimensions are expected where input `at` (-1: unknown) has `given`.
  QString wants(const QString& limit, int wanted, int given, const QString& shape, qsizetype at) const {
    const QString want = limit == QLatin1String("at least")  ? ShapeSentences::tr("%1 expects at least %2").arg(who_, dimensions(wanted))
                         : limit == QLatin1String("at most") ? ShapeSentences::tr("%1 expects at most %2").arg(who_, dimensions(wanted))
                                                             : ShapeSentences::tr("%1 expects %2").arg(who_, dimensions(wanted));
    if (shape.isEmpty() || given == 0) return ShapeSentences::tr("%1, got %2%3.").arg(want, dimensions(given), from(at));
    return ShapeSentences::tr("%1, but %2 has %3%4.").arg(want, shape).arg(given).arg(from(at));
  }

  QString rank() {
    if (!take("^Shape must be (at least |at most |)rank (\\d+) but is rank (\\d+)")) return {};
    const qsizetype at = shapes_.withRank(number(3));
    return wants(word(1).trimmed(), number(2), number(3), shapes_.texts.value(at), at);
  }

  QString layerRank() {
    if (!take(R"(expected (min_|)ndim=(\d+), found ndim=(\d+)\. Full shape received: [\[(]([^\])]*)[\])])")) return {};
    return wants(word(1).isEmpty() ? QString() : QStringLiteral("at least"), number(2), number(3), dimsText(word(4)), 0);
  }

  /// Losses and metrics: names the network's output first, though the labels are the first input.
  QString bothShapes() {
    if (!take(R"(^Shapes \(([^)]*)\) and \(([^)]*)\) are incompatible)")) return {};
    return ShapeSentences::tr("%1 expects inputs of the same shape, got %2%3 and %4%5.").arg(who_, dimsText(word(2)), from(0), dimsText(word(1)), from(1));
  }

  QString sizes() {
    const bool axis = take("^Dimension (-?\\d+) in both shapes must be equal, but are (\\d+) and (\\d+)");
    if (!axis && !take("^Dimensions must be equal, but are()(\\s*\\d+) and (\\d+)")) {
      if (!take("^Shapes must be equal rank, but are (\\d+) and (\\d+)")) return {};
      return ShapeSentences::tr("%1 expects inputs of the same rank, got %2 and %3%4.").arg(who_, word(1), word(2), both());
    }
    const QString a = word(2).trimmed(), b = word(3);
    return axis ? ShapeSentences::tr("%1 expects inputs of the same size in dimension %2, got %3 and %4%5.").arg(who_, word(1), a, b, both())
                : ShapeSentences::tr("%1: the sizes %2 and %3 must be equal%4.").arg(who_, a, b, both());
  }

  QString both() const {
    QStringList parts;
    for (qsizetype i = 0; i < shapes_.texts.size() && parts.size() < 2; ++i)
      if (shapes_.ranks[i] > 0) parts << (sources_.value(i).isEmpty() ? shapes_.texts[i] : sources_[i] + u' ' + shapes_.texts[i]);
    return parts.size() < 2 ? QString() : ShapeSentences::tr(" (%1 and %2)").arg(parts[0], parts[1]);
  }

  QString who_;
  QStringList sources_;
  Shapes shapes_;
  QString said_;
  QRegularExpressionMatch match_;
};

}  // namespace

QString shapeWords(const QString& who, const QString& message, const QStringList& sources) { return MessageReader(who, message, sources).sentence(); }

}  // namespace weft::app
