#include "adapters/op_help.h"

#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "adapters/machine.h"
#include "adapters/op_text.h"
#include "weft/op.h"

namespace weft::app {
namespace {

struct OpHelp {
  Q_DECLARE_TR_FUNCTIONS(OpHelp)
};

QString recordCell(const std::string& s) { return tableCell(recordText(s)); }

QString arguments(const std::vector<ArgSpec>& args) {
  QString out = QStringLiteral("| %1 | %2 | %3 |\n|---|---|---|\n").arg(OpHelp::tr("Name"), OpHelp::tr("Type"), OpHelp::tr("Meaning"));
  for (const ArgSpec& arg : args) {
    std::string type = arg.typeAttr.empty() ? std::string(dtypeName(arg.type)) : arg.typeAttr;
    if (arg.isTypeList) type = "list(" + type + ")";
    if (arg.isRef) type = "Ref(" + type + ")";
    if (!arg.numberAttr.empty()) type = arg.numberAttr + " × " + type;
    out += QStringLiteral("| `%1` | `%2` | %3 |\n").arg(recordCell(arg.name), recordCell(type), recordCell(arg.doc));
  }
  return out + u'\n';
}

}  // namespace

const QStringList& opNames() {
  static const QStringList names = [] {
    QStringList list;
    for (const OpRecord* record : OpRegistry::instance().all()) list << text(record->name);
    return list;
  }();
  return names;
}

QString opSummary(const QString& op) {
  const OpRecord* record = OpRegistry::instance().find(op.toStdString());
  return record ? recordText(record->summaryText) : QString();
}

QString opHelpPage(const QString& op) {
  const OpRecord* record = OpRegistry::instance().find(op.toStdString());
  if (!record) return {};
  QString out = QStringLiteral("# %1\n\n%2\n\n").arg(op, recordText(record->summaryText));
  if (!record->descriptionText.empty()) out += recordText(record->descriptionText) + QStringLiteral("\n\n");
  if (!record->categoryName.empty())
    out += OpHelp::tr("Category: %1").arg(QCoreApplication::translate("Palette", record->categoryName.c_str())) + QStringLiteral("\n\n");
  if (!record->inputs.empty()) out += QStringLiteral("## %1\n\n").arg(OpHelp::tr("Inputs")) + arguments(record->inputs);
  if (!record->outputs.empty()) out += QStringLiteral("## %1\n\n").arg(OpHelp::tr("Outputs")) + arguments(record->outputs);
  if (!record->attrs.empty()) {
    out += QStringLiteral("## %1\n\n| %2 | %3 | %4 | %5 |\n|---|---|---|---|\n")
               .arg(OpHelp::tr("Attributes"), OpHelp::tr("Name"), OpHelp::tr("Type"), OpHelp::tr("Default"), OpHelp::tr("Meaning"));
    for (const AttrSpec& attr : record->attrs) {
      out += QStringLiteral("| `%1` | `%2` | %3 | %4 |\n")
                 .arg(recordCell(attr.name), recordCell(attr.type), attr.defaultValue ? QStringLiteral("`%1`").arg(attrText(*attr.defaultValue)) : QString(),
                      recordCell(attr.doc));
    }
    out += u'\n';
  }
  out += QStringLiteral("## %1\n\n").arg(OpHelp::tr("Gradient"));
  if (record->gradientFunction) out += OpHelp::tr("Gradients flow through this op.");
  else
    out +=
        record->noGradientReason.empty() ? OpHelp::tr("It has no gradient.") : OpHelp::tr("It has no gradient: %1").arg(recordText(record->noGradientReason));
  out += QStringLiteral("\n\n");
  if (record->isStateful)
    out += OpHelp::tr("It has state or side effects: constant folding and common-subexpression elimination skip it.") + QStringLiteral("\n\n");
  if (devicesKnown()) {
    QStringList devices;
    for (const KernelRecord& kernel : record->kernels) {
      if (!devices.contains(text(kernel.device))) devices << text(kernel.device);
    }
    out += devices.isEmpty() ? OpHelp::tr("No device of this machine can run it.") : OpHelp::tr("Runs on: %1").arg(devices.join(QStringLiteral(", ")));
  } else {
    out += OpHelp::tr("Devices of this machine are still being detected.");
  }
  out += QStringLiteral("\n\n`%1`\n").arg(text(record->signature()));
  return out;
}

}  // namespace weft::app
