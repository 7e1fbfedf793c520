#include "adapters/record_writer.h"

namespace weft::app {
namespace {

QString quoted(QString name) {
  return u'\'' + name.replace(u'\\', QLatin1String("\\\\")).replace(u'\'', QLatin1String("\\'")).replace(u'\n', QLatin1String("\\n")) + u'\'';
}

QString helperOf(const QString& type) {
  return type == QLatin1String("int64") ? QStringLiteral("ints") : type == QLatin1String("float") ? QStringLiteral("floats") : QStringLiteral("strings");
}

/// One line of a feature dictionary. A feature that not every record has may also be missing in a sample; a feature of one value is a plain value in it.
QString entry(const FeatureColumn& c, qint64 sampled) {
  if (c.lengths == QLatin1String("0") && !c.isSequence) return QStringLiteral("# %1: always empty here\n").arg(quoted(c.name));
  const QString value = QStringLiteral("s[%1]").arg(quoted(c.name)), helper = helperOf(c.type);
  QString made = c.isSequence                      ? QStringLiteral("tf.train.FeatureList(feature=[%1(step) for step in %2])").arg(helper, value)
                 : c.lengths == QLatin1String("1") ? QStringLiteral("%1([%2])").arg(helper, value)
                                                   : QStringLiteral("%1(%2)").arg(helper, value);
  if (c.records < sampled) made += QStringLiteral(" if %1 in s else None").arg(quoted(c.name));
  QString note = c.isSequence || c.lengths == QLatin1String("1")
                     ? c.content
                     : c.lengths + QStringLiteral(" values") + (c.content.isEmpty() ? QString() : QStringLiteral(", ") + c.content);
  note.replace(u'\n', u' ');
  return QStringLiteral("%1: %2,%3\n").arg(quoted(c.name), made, note.isEmpty() ? QString() : QStringLiteral("  # ") + note);
}

}  // namespace

QString writerProgram(const FileRecords& records, bool compressed) {
  const QString options = compressed ? QStringLiteral(", tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)") : QString();
  QString out = QStringLiteral("import tensorflow as tf\n\n\ndef write(path, samples):\n");
  if (records.form().isEmpty()) {
    return out + QStringLiteral("  with tf.python_io.TFRecordWriter(path%1) as writer:\n    for s in samples:  # bytes\n      writer.write(s)\n").arg(options);
  }
  out += QStringLiteral(
             "  ints = lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v))\n"
             "  floats = lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v))\n"
             "  strings = lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v))\n"
             "  with tf.python_io.TFRecordWriter(path%1) as writer:\n    for s in samples:  # dicts\n")
             .arg(options);
  const bool sequence = records.form() == QLatin1String("SequenceExample");
  QString context, lists;
  for (const FeatureColumn& c : records.columns()) (c.isSequence ? lists : context) += QStringLiteral("          ") + entry(c, records.sampled());
  out += QStringLiteral("      features = {\n") + context + QStringLiteral("      }\n");
  if (sequence) out += QStringLiteral("      lists = {\n") + lists + QStringLiteral("      }\n");
  const QString there = QStringLiteral("{k: v for k, v in %1.items() if v is not None}");
  out += sequence ? QStringLiteral(
                        "      example = tf.train.SequenceExample(\n          context=tf.train.Features(feature=%1),\n"
                        "          feature_lists=tf.train.FeatureLists(feature_list=%2))\n")
                        .arg(there.arg(QStringLiteral("features")), there.arg(QStringLiteral("lists")))
                  : QStringLiteral("      example = tf.train.Example(features=tf.train.Features(feature=%1))\n").arg(there.arg(QStringLiteral("features")));
  return out + QStringLiteral("      writer.write(example.SerializeToString())\n");
}

}  // namespace weft::app
