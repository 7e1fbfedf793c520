#include "adapters/palette_items.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "adapters/snippets.h"
#include "weft/api.h"
#include "weft/op.h"

namespace weft::app {
namespace {

// Order of the palette's headings: the first steps of a new graph come first. Headings not listed here follow in their own order.
constexpr const char* kHeadings[] = {
    QT_TRANSLATE_NOOP("Palette", "Inputs"),         QT_TRANSLATE_NOOP("Palette", "Layers"),         QT_TRANSLATE_NOOP("Palette", "Recurrent layers"),
    QT_TRANSLATE_NOOP("Palette", "Losses"),         QT_TRANSLATE_NOOP("Palette", "Metrics"),        QT_TRANSLATE_NOOP("Palette", "Training"),
    QT_TRANSLATE_NOOP("Palette", "Neural network"), QT_TRANSLATE_NOOP("Palette", "Activations"),    QT_TRANSLATE_NOOP("Palette", "Normalization"),
    QT_TRANSLATE_NOOP("Palette", "Math"),           QT_TRANSLATE_NOOP("Palette", "Reductions"),     QT_TRANSLATE_NOOP("Palette", "Linear algebra"),
    QT_TRANSLATE_NOOP("Palette", "Logic"),          QT_TRANSLATE_NOOP("Palette", "Arrays"),         QT_TRANSLATE_NOOP("Palette", "Segments"),
    QT_TRANSLATE_NOOP("Palette", "Quantized"),      QT_TRANSLATE_NOOP("Palette", "Decision trees"), QT_TRANSLATE_NOOP("Palette", "Random"),
    QT_TRANSLATE_NOOP("Palette", "Images"),         QT_TRANSLATE_NOOP("Palette", "Audio"),          QT_TRANSLATE_NOOP("Palette", "Signals"),
    QT_TRANSLATE_NOOP("Palette", "Strings"),        QT_TRANSLATE_NOOP("Palette", "Sparse"),         QT_TRANSLATE_NOOP("Palette", "Ragged tensors"),
    QT_TRANSLATE_NOOP("Palette", "Data"),           QT_TRANSLATE_NOOP("Palette", "Readers"),        QT_TRANSLATE_NOOP("Palette", "Files"),
    QT_TRANSLATE_NOOP("Palette", "Queues"),         QT_TRANSLATE_NOOP("Palette", "Staging areas"),  QT_TRANSLATE_NOOP("Palette", "Variables"),
    QT_TRANSLATE_NOOP("Palette", "State"),          QT_TRANSLATE_NOOP("Palette", "Tables"),         QT_TRANSLATE_NOOP("Palette", "Control flow"),
    QT_TRANSLATE_NOOP("Palette", "Python"),         QT_TRANSLATE_NOOP("Palette", "Tensor arrays"),  QT_TRANSLATE_NOOP("Palette", "Summaries"),
    QT_TRANSLATE_NOOP("Palette", "Debugging"),      QT_TRANSLATE_NOOP("Palette", "Checkpoints"),    QT_TRANSLATE_NOOP("Palette", "Quantization"),
    QT_TRANSLATE_NOOP("Palette", "Optimizers"),     QT_TRANSLATE_NOOP("Palette", "Accumulators"),   QT_TRANSLATE_NOOP("Palette", "Gradients")};

QString lastName(const std::string& dotted) { return text(std::string_view(dotted).substr(dotted.rfind('.') + 1)); }

widgets::OpCategory hueOf(const std::string& op, const std::string& category) {
  Node node;
  node.op = op;
  OpRecord fallback;
  fallback.categoryName = category;
  node.record = OpRegistry::instance().find(op);
  if (!node.record) node.record = &fallback;
  return categoryOf(node);
}

widgets::OpCategory hueOfApi(const ApiRecord& record) {
  const std::string& category = record.recipe->category;
  if (category == "Training") return widgets::OpCategory::GradientUpdate;
  if (category == "Losses" || category == "Metrics") return widgets::OpCategory::Math;
  if (category == "Inputs" || category == "Summaries" || category == "Data") return widgets::OpCategory::IoSummary;
  if (record.name.find("dropout") != std::string::npos) return widgets::OpCategory::Random;
  return widgets::OpCategory::Nn;
}

QVector<widgets::PaletteItem> make() {
  QVector<widgets::PaletteItem> items;
  const QString layer = QCoreApplication::translate("Palette", "layer"), loss = QCoreApplication::translate("Palette", "loss");
  const QString op = QCoreApplication::translate("Palette", "op");
  QHash<QString, int> order;
  for (const char* heading : kHeadings) order.insert(QLatin1String(heading), int(order.size()));
  struct Sorted {
    int place;
    bool built;
    widgets::PaletteItem item;
  };
  QVector<Sorted> all;
  QHash<QString, int> uses;  // `dropout` exists in two modules; such names are shown with their module
  for (const ApiRecord* record : ApiRegistry::instance().all())
    if (record->recipe && record->offered) ++uses[lastName(record->name)];
  const auto place = [&](const QString& heading) { return order.value(heading, int(order.size()) + (heading.isEmpty() ? 1 : int(heading[0].unicode()))); };
  for (const ApiRecord* record : ApiRegistry::instance().all()) {
    if (!record->recipe || !record->offered) continue;
    const QString heading = text(record->recipe->category);
    widgets::PaletteItem item;
    item.type = text(record->name);
    item.name = uses.value(lastName(record->name)) > 1 ? text(record->name) : lastName(record->name);
    item.group = QCoreApplication::translate("Palette", record->recipe->category.c_str());
    item.kind = heading == QLatin1String("Losses")                                                   ? loss
                : heading == QLatin1String("Layers") || heading == QLatin1String("Recurrent layers") ? layer
                                                                                                     : item.group;
    QStringList words;
    for (const std::string& alias : record->aliases) words << text(alias);
    item.keywords = text(record->name) + u' ' + words.join(u' ');
    item.summary = recordText(record->summary);
    item.hue = hueOfApi(*record);
    all.append({place(heading), true, item});
  }
  widgets::PaletteItem digits;
  digits.type = QStringLiteral("data");
  digits.name = QStringLiteral("digits");
  digits.group = QCoreApplication::translate("Palette", "Inputs");
  digits.kind = QCoreApplication::translate("Palette", "data");
  digits.keywords = QStringLiteral("data dataset images labels mnist");
  digits.summary = QCoreApplication::translate("Palette", "Inputs for the built-in data set of handwritten digits, already bound.");
  digits.hue = widgets::OpCategory::IoSummary;
  all.append({place(QStringLiteral("Inputs")), true, digits});
  for (const OpRecord* record : OpRegistry::instance().all()) {
    if (record->name.starts_with("_") || record->deprecatedSince > 0) continue;
    // `placeholder` makes a Placeholder: show one row that is found under either name, instead of two.
    const QString heading = QCoreApplication::translate("Palette", record->categoryName.c_str()), name = text(record->name);
    const auto twin = std::find_if(all.begin(), all.end(),
                                   [&](const Sorted& s) { return s.built && s.item.group == heading && s.item.name.compare(name, Qt::CaseInsensitive) == 0; });
    if (twin != all.end()) {
      twin->item.keywords += u' ' + name;
      continue;
    }
    widgets::PaletteItem item;
    item.type = text(record->name);
    item.name = item.type;
    item.group = QCoreApplication::translate("Palette", record->categoryName.c_str());
    item.kind = op;
    item.keywords = text(record->keywordText);
    item.summary = recordText(record->summaryText);
    item.hue = hueOf(record->name, record->categoryName);
    all.append({place(text(record->categoryName)), false, item});
  }
  // Under each heading, functions built from ops come before ops.
  std::stable_sort(all.begin(), all.end(), [](const Sorted& a, const Sorted& b) { return a.place != b.place ? a.place < b.place : a.built && !b.built; });
  for (const Sorted& entry : all) items << entry.item;
  return items;
}

}  // namespace

const QVector<widgets::PaletteItem>& paletteItems() {
  static QVector<widgets::PaletteItem> items;
  static QString language;
  static int snippets = -1;
  const QString now = QCoreApplication::translate("Palette", "Layers");
  if (items.isEmpty() || language != now || snippets != snippetGeneration()) {
    items = snippetItems() + make();
    language = now;
    snippets = snippetGeneration();
  }
  return items;
}

bool typeFacts(const QString& type, TypeFacts* facts) {
  const std::string name = type.toStdString();
  if (type == QLatin1String("data")) {
    *facts = {0, 1, QStringLiteral("composing")};
    return true;
  }
  if (type.startsWith(QLatin1String("group:"))) {
    *facts = {1, 1, QStringLiteral("groups")};
    return true;
  }
  if (isSnippet(type)) {
    *facts = {0, 1, QStringLiteral("composing")};
    return true;
  }
  if (const OpRecord* record = OpRegistry::instance().find(name)) {
    *facts = {int(record->inputs.size()), int(record->outputs.size()), QStringLiteral("op/") + type};
    return true;
  }
  const ApiRecord* record = ApiRegistry::instance().findLayer(name);
  if (!record) return false;
  facts->inputs = 0;
  for (const ApiParameter& p : record->parameters)
    if ((p.type == "tensor" || p.type == "tensors") && !p.otherwise) ++facts->inputs;
  facts->outputs = 1;
  facts->page = (ApiRegistry::instance().find(name) ? QStringLiteral("api/") : QStringLiteral("op/")) + type;
  return true;
}

}  // namespace weft::app
