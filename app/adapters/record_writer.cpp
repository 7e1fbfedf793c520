#include "adapters/record_writer.h"

namespace weft::app {
namespace {

QString quoted(QString name) { return u'\'' + name.replace(u'\\', QLatin1String("\\\\")).replace(u'\'', QLatin1String("\\'")).replace(u'\n', QLatin1String("\\n")) + u'\''; }

QString helperOf(const QString& type) { return type == QLatin1String("int64") ? QStringLiteral("ints") : type == QLatin1String("float") ? QStringLiteral("floats") : QStringLiteral("strings"); }

/// A line of a feature dictionary; a feature of one value may be given as that value.
QString entry(const FeatureColumn& c) {
  const QString value = QStringLiteral("s[%1]").arg(quoted(c.name)), helper = helperOf(c.type);
  const QString made = c.isSequence                        ? QStringLiteral("tf.train.FeatureList(feature=[%1(step) for step in %2])").arg(helper, value)
                       : c.lengths == QLatin1String("1")   ? QStringLiteral("%1([%2])").arg(helper, value)
                                                           : QStringLiteral("%1(%2)").arg(helper, value);
  QString note = c.isSequence || c.lengths == QLatin1String("1") ? c.content : c.lengths + QStringLiteral(" values") + (c.content.isEmpty() ? QString() : QStringLiteral(", ") + c.content);
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
  out += QStringLiteral("  ints = lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v))\n"
                        "  floats = lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v))\n"
                        "  strings = lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v))\n"
                        "  with tf.python_io.TFRecordWriter(path%1) as writer:\n    for s in samples:  # dicts\n")
             .arg(options);
  const bool sequence = records.form() == QLatin1String("SequenceExample");
  QString context, lists;
  for (const FeatureColumn& c : records.columns()) (c.isSequence ? lists : context) += QStringLiteral("          ") + entry(c);
  if (sequence) {
    out += QStringLiteral("      example = tf.train.SequenceExample(\n        context=tf.train.Features(feature={\n") + context +
           QStringLiteral("        }),\n        feature_lists=tf.train.FeatureLists(feature_list={\n") + lists + QStringLiteral("        }))\n");
  } else {
    out += QStringLiteral("      example = tf.train.Example(features=tf.train.Features(feature={\n") + context + QStringLiteral("      }))\n");
  }
  return out + QStringLiteral("      writer.write(example.SerializeToString())\n");
}

}  // namespace weft::app
