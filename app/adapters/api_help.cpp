#include "adapters/api_help.h"

#include <QCoreApplication>
#include <QHash>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "weft/api.h"

namespace weft::app {
namespace {

struct ApiHelp {
  Q_DECLARE_TR_FUNCTIONS(ApiHelp)
};

QString cell(const std::string& s) { return tableCell(text(s)); }

QString defaultText(const ApiParameter& p) {
  if (p.variadic) return ApiHelp::tr("any number");
  if (!p.otherwise) return ApiHelp::tr("required");
  if (std::holds_alternative<std::monostate>(*p.otherwise)) return QStringLiteral("`None`");
  if (const bool* b = std::get_if<bool>(&*p.otherwise)) return *b ? QStringLiteral("`True`") : QStringLiteral("`False`");
  if (const std::string* s = std::get_if<std::string>(&*p.otherwise)) return QStringLiteral("`'%1'`").arg(cell(*s));
  const QString words = cell(argumentToText(*p.otherwise));
  return words.isEmpty() ? QString() : QStringLiteral("`%1`").arg(words);
}

/// The signature as Python writes it: `tf.nn.relu(features, name=None)`.
QString signature(const ApiRecord& record) {
  QStringList words;
  for (const ApiParameter& p : record.parameters) {
    QString word = text(p.name);
    if (p.variadic) word.prepend(u'*');
    else if (p.otherwise) word += u'=' + defaultText(p).remove(u'`');
    words << word;
  }
  return QStringLiteral("tf.%1(%2)").arg(text(record.name), words.join(QStringLiteral(", ")));
}

QString meaning(const ApiParameter& p) {
  QString out = cell(p.doc);
  QStringList more;
  if (!p.unit.empty()) more << ApiHelp::tr("in %1").arg(text(p.unit));
  if (!p.choices.empty()) {
    QStringList choices;
    for (const std::string& c : p.choices) choices << QStringLiteral("`%1`").arg(cell(c));
    more << ApiHelp::tr("one of %1").arg(choices.join(QStringLiteral(", ")));
  }
  if (!p.aliases.empty()) {
    QStringList names;
    for (const std::string& a : p.aliases) names << QStringLiteral("`%1`").arg(text(a));
    more << ApiHelp::tr("older name: %1").arg(names.join(QStringLiteral(", ")));
  }
  if (!more.isEmpty()) out += (out.isEmpty() ? QString() : QStringLiteral(" ")) + QStringLiteral("(%1)").arg(more.join(QStringLiteral("; ")));
  return out;
}

}  // namespace

const QStringList& apiNames() {
  static const QStringList names = [] {
    QStringList list;
    for (const ApiRecord* record : ApiRegistry::instance().functions()) list << text(record->name);
    return list;
  }();
  return names;
}

bool hasApiPage(const QString& name) { return ApiRegistry::instance().find(name.toStdString()) != nullptr; }

QString apiSummary(const QString& name) {
  const ApiRecord* record = ApiRegistry::instance().find(name.toStdString());
  return record ? text(record->summary) : QString();
}

QString apiFormula(const QString& name) {
  static const QHash<QString, QString> formulas = {
      {QStringLiteral("metrics.accuracy"), QStringLiteral("Σ [y = p] / n")},
      {QStringLiteral("metrics.mean_squared_error"), QStringLiteral("Σ (y − p)² / n")},
      {QStringLiteral("metrics.root_mean_squared_error"), QStringLiteral("√( Σ (y − p)² / n )")},
      {QStringLiteral("metrics.mean_absolute_error"), QStringLiteral("Σ |y − p| / n")},
      {QStringLiteral("metrics.mean_relative_error"), QStringLiteral("Σ ( |y − p| / normalizer ) / n")},
      {QStringLiteral("metrics.precision"), QStringLiteral("TP / (TP + FP)")},
      {QStringLiteral("metrics.recall"), QStringLiteral("TP / (TP + FN)")},
      {QStringLiteral("metrics.mean_iou"), QStringLiteral("Σ over classes: TP / (TP + FP + FN), / number of classes that occur")},
      {QStringLiteral("losses.mean_squared_error"), QStringLiteral("Σ w (y − p)² / number of w ≠ 0")},
      {QStringLiteral("losses.absolute_difference"), QStringLiteral("Σ w |y − p| / number of w ≠ 0")},
      {QStringLiteral("losses.log_loss"), QStringLiteral("−( y log(p + ε) + (1 − y) log(1 − p + ε) ), mean")},
      {QStringLiteral("losses.hinge_loss"), QStringLiteral("max(0, 1 − (2y − 1) p), mean")},
  };
  return formulas.value(name);
}

QString apiHelpPage(const QString& name) {
  const ApiRecord* record = ApiRegistry::instance().find(name.toStdString());
  if (!record) return {};
  QString out = QStringLiteral("# tf.%1\n\n%2\n\n`%3`\n\n").arg(text(record->name), text(record->summary), signature(*record));
  if (const QString formula = apiFormula(text(record->name)); !formula.isEmpty())
    out += QStringLiteral("## %1\n\n`%2`\n\n").arg(ApiHelp::tr("Formula"), formula);
  if (!record->doc.empty()) out += text(record->doc) + QStringLiteral("\n\n");
  if (!record->parameters.empty()) {
    out += QStringLiteral("## %1\n\n| %2 | %3 | %4 | %5 |\n|---|---|---|---|\n")
               .arg(ApiHelp::tr("Parameters"), ApiHelp::tr("Name"), ApiHelp::tr("Type"), ApiHelp::tr("Default"), ApiHelp::tr("Meaning"));
    for (const ApiParameter& p : record->parameters)
      out += QStringLiteral("| `%1` | %2 | %3 | %4 |\n").arg(text(p.name), cell(p.type), defaultText(p), meaning(p));
    out += u'\n';
  }
  if (!record->returns.empty()) out += QStringLiteral("## %1\n\n%2\n\n").arg(ApiHelp::tr("Returns"), text(record->returns));
  const ApiExamplePtr example = knownApiExample(name);
  if (!example) {
    out += QStringLiteral("## %1\n\n%2\n\n").arg(ApiHelp::tr("Graph"), ApiHelp::tr("An example is being built…"));
  } else if (example->contents) {
    out += QStringLiteral("## %1\n\n`%2`\n\n![%1](api:%3)\n\n").arg(ApiHelp::tr("Graph"), example->call, text(record->name));
    QStringList links;
    for (const QString& op : example->ops) links << QStringLiteral("[%1](op/%1)").arg(op);
    out += ApiHelp::tr("Ops: %1").arg(links.join(QStringLiteral(", "))) + QStringLiteral("\n\n");
  }
  if (!record->aliases.empty()) {
    QStringList names;
    for (const std::string& a : record->aliases) names << QStringLiteral("`tf.%1`").arg(text(a));
    out += QStringLiteral("## %1\n\n%2\n\n").arg(ApiHelp::tr("Other names"), names.join(QStringLiteral(", ")));
  }
  if (!record->source.empty()) out += ApiHelp::tr("Based on: %1").arg(text(record->source)) + QStringLiteral("\n");
  return out;
}

}  // namespace weft::app
