// Edits of a network's training settings, and of the results of a training.
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "adapters/builtin_datasets.h"
#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/checkpoint.h"
#include "weft/freeze.h"
#include "weft/train.h"

namespace weft::app {
namespace {

constexpr qint64 kMostSteps = qint64(1) << 53;  // still exact as a double

Status wholeNumber(const QString& name, const QString& text, qint64 least, qint64 most, int64_t* to) {
  bool ok = false;
  const qint64 value = text.trimmed().toLongLong(&ok);
  if (!ok || value < least || value > most)
    return outOfRange(name.toStdString(), " is ", text.isEmpty() ? "\"\"" : text.toStdString(), ", expected a whole number from ", least, " to ", most);
  *to = value;
  return {};
}

Status number(const QString& name, const QString& text, double least, double most, double* to) {
  bool ok = false;
  const double value = text.trimmed().toDouble(&ok);
  if (!ok || !(value >= least && value <= most))  // also rejects NaN
    return outOfRange(name.toStdString(), " is ", text.isEmpty() ? "\"\"" : text.toStdString(), ", expected a number from ", least, " to ", most);
  *to = value;
  return {};
}

Status wholeOption(const EditWords& w, const QString& name, qint64 least, qint64 most, int64_t* to) {
  return wholeNumber(name, w.option(name), least, most, to);
}
Status numberOption(const EditWords& w, const QString& name, double least, double most, double* to) { return number(name, w.option(name), least, most, to); }

}  // namespace

GraphEdit addTrainingEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Add training"), [w](LayerEditor& layers, EditOutcome&) -> Status {
    LayerEditor::Training t;
    if (!w.names().isEmpty()) t.loss = tensorNamed(layers, w.names()[0]);
    if (const QString o = w.option(QStringLiteral("optimizer")); !o.isEmpty()) t.optimizer = o.toStdString();
    if (const QString v = w.option(QStringLiteral("lr")); !v.isEmpty()) t.parameters.emplace_back("learning_rate", v.toStdString());
    if (const QString v = w.option(QStringLiteral("clip")); !v.isEmpty()) t.parameters.emplace_back("clip_global_norm", v.toStdString());
    if (const QString v = w.option(QStringLiteral("accuracy")); !v.isEmpty()) t.accuracy = tensorNamed(layers, v);
    t.decay = w.option(QStringLiteral("decay")).toStdString();
    if (w.has(QStringLiteral("decay-steps"))) WEFT_TRY(numberOption(w, QStringLiteral("decay-steps"), 1, kMostSteps, &t.decaySteps));
    if (w.has(QStringLiteral("decay-rate"))) WEFT_TRY(numberOption(w, QStringLiteral("decay-rate"), 0, kMostSteps, &t.decayRate));
    if (w.has(QStringLiteral("epochs"))) WEFT_TRY(wholeOption(w, QStringLiteral("epochs"), 0, kMostSteps, &t.epochs));
    if (w.has(QStringLiteral("steps"))) WEFT_TRY(wholeOption(w, QStringLiteral("steps"), 0, kMostSteps, &t.steps));
    for (const auto& [key, value] : w.settings()) t.parameters.emplace_back(key.toStdString(), value.toStdString());
    // Further losses, each for the variables of one scope, with the same kind of optimizer.
    for (const QString& other : w.all(QStringLiteral("other"))) {
      const qsizetype equal = other.indexOf(u'=');
      if (equal <= 0) return invalidArgument("--other ", other.toStdString(), ": expected LOSS=SCOPE");
      TextAttrs own = t.parameters;
      std::erase_if(own, [](const auto& parameter) { return parameter.first == "variables"; });
      own.emplace_back("variables", other.mid(equal + 1).toStdString());
      t.others.push_back({tensorNamed(layers, other.left(equal)), t.optimizer, std::move(own)});
    }
    return layers.addTraining(t);
  });
}

/// Sets a training's length, batch size and precision, which leave the graph unchanged, and its optimizer.
GraphEdit setTrainingEdit(const EditWords& w) {
  const auto asked = [&w](const char* name) { return w.option(QLatin1String(name)); };
  const QString text = w.has(QStringLiteral("optimizer"))   ? GraphEdits::tr("Train with %1").arg(asked("optimizer"))
                       : w.has(QStringLiteral("precision")) ? GraphEdits::tr("Set precision to %1").arg(asked("precision"))
                       : w.has(QStringLiteral("batch"))     ? GraphEdits::tr("Set batch size to %1").arg(asked("batch"))
                       : w.has(QStringLiteral("epochs"))    ? GraphEdits::tr("Set epochs to %1").arg(asked("epochs"))
                                                            : GraphEdits::tr("Set steps to %1").arg(asked("steps"));
  return makeEdit(text, [w](LayerEditor& layers, EditOutcome&) -> Status {
    constexpr qint64 kMostBatch = std::numeric_limits<int32_t>::max();
    MetaGraph& meta = layers.editor().meta();
    if (w.has(QStringLiteral("optimizer"))) WEFT_TRY(layers.setOptimizer(w.option(QStringLiteral("optimizer")).toStdString()));
    WEFT_LET(TrainingSettings settings, trainingSettingsOf(meta));
    int64_t epochs = 0, steps = 0, batch = 0;
    if (w.has(QStringLiteral("epochs"))) WEFT_TRY(wholeOption(w, QStringLiteral("epochs"), 1, kMostSteps, &epochs));
    if (w.has(QStringLiteral("steps"))) WEFT_TRY(wholeOption(w, QStringLiteral("steps"), 1, kMostSteps, &steps));
    if (w.has(QStringLiteral("batch"))) WEFT_TRY(wholeOption(w, QStringLiteral("batch"), 1, kMostBatch, &batch));
    if (w.has(QStringLiteral("precision"))) {
      const std::string name = w.option(QStringLiteral("precision")).toStdString();
      const auto precision = precisionNamed(name);
      if (!precision.ok()) return invalidArgument("--precision ", name, ": expected float32 or bf16");
      settings.precision = *precision;
      setTrainingSettings(meta, settings);
    }
    if (epochs > 0 || steps > 0) {
      settings.epochs = epochs;
      settings.steps = steps;
      setTrainingSettings(meta, settings);
    }
    if (batch > 0) {
      WEFT_LET(std::vector<DatasetBinding> bindings, datasetBindingsOf(meta));
      if (bindings.empty()) return failedPrecondition("No data feed this graph, so there is no batch: bind data first");
      for (DatasetBinding& binding : bindings) binding.batchSize = int(batch);
      setDatasetBindings(meta, bindings);
    }
    return {};
  });
}

QStringList optimizerNames() {
  QStringList names;
  for (const ApiRecord* record : ApiRegistry::instance().all()) {
    if (record->name.starts_with("train.") && record->name.ends_with("Optimizer"))
      names << lastPart(text(record->name)).chopped(qsizetype(std::size("Optimizer")) - 1).section(u'.', -1);
  }
  return names;
}

GraphEdit stripTrainingEdit(const EditWords&) {
  return makeEdit(GraphEdits::tr("Remove training"), [](LayerEditor& layers, EditOutcome&) -> Status {
    WEFT_LET(const bool any, layers.removeTraining());
    return any ? Status() : Status(failedPrecondition("There is no training in this graph"));
  });
}

GraphEdit initializeEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Initialise %1").arg(lastPart(w.names()[0])), [names = w.names()](LayerEditor& layers, EditOutcome&) -> Status {
    for (const QString& n : names) WEFT_TRY(layers.initialize(n.toStdString()));
    return {};
  });
}

GraphEdit addGlobalStepEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Add global_step"),
                  [name = w.names()[0].toStdString()](LayerEditor& layers, EditOutcome&) { return addGlobalStep(layers, name); });
}

GraphEdit switchTrainingEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Link %1 to training mode").arg(lastPart(w.names()[0])),
                  [names = w.names()](LayerEditor& layers, EditOutcome&) { return switchByTraining(layers, strings(names)); });
}

Status bindingFromWords(const EditWords& w, DatasetBinding* binding) {
  constexpr qint64 kMostBatch = std::numeric_limits<int32_t>::max();
  const auto batch = [&](const QString& text) -> Status {
    int64_t size = 0;
    WEFT_TRY(wholeNumber(QStringLiteral("batch"), text, 1, kMostBatch, &size));
    binding->batchSize = int(size);
    return {};
  };
  const auto validation = [&](const QString& text) { return number(QStringLiteral("validation"), text, 0, 1, &binding->validationFraction); };
  const auto seed = [&](const QString& text) {
    return wholeNumber(QStringLiteral("seed"), text, std::numeric_limits<qint64>::min(), std::numeric_limits<qint64>::max(), &binding->seed);
  };
  for (const auto& [key, value] : w.settings()) {
    const std::string text = value.toStdString();
    if (key == QLatin1String("builtin")) binding->builtin = text, binding->kind = "builtin";
    else if (key == QLatin1String("kind")) binding->kind = text;
    else if (key == QLatin1String("path")) binding->path = text;
    else if (key == QLatin1String("batch")) WEFT_TRY(batch(value));
    else if (key == QLatin1String("validation")) WEFT_TRY(validation(value));
    else if (key == QLatin1String("seed")) WEFT_TRY(seed(value));
    else if (key == QLatin1String("shuffle")) {
      if (value != QLatin1String("true") && value != QLatin1String("false"))
        return invalidArgument("shuffle is ", value.toStdString(), ", expected true or false");
      binding->shuffle = value == QLatin1String("true");
    } else if (key == QLatin1String("placeholders")) continue;
    else if (key.contains(u'/') || key.contains(u':') || w.columns) binding->placeholders[key.toStdString()] = text;
    else binding->options[key.toStdString()] = text;
  }
  if (w.has(QStringLiteral("batch"))) WEFT_TRY(batch(w.option(QStringLiteral("batch"))));
  if (w.has(QStringLiteral("validation"))) WEFT_TRY(validation(w.option(QStringLiteral("validation"))));
  if (w.has(QStringLiteral("seed"))) WEFT_TRY(seed(w.option(QStringLiteral("seed"))));
  if (const QString v = w.option(QStringLiteral("kind")); !v.isEmpty()) binding->kind = v.toStdString();
  if (const QString v = w.option(QStringLiteral("path")); !v.isEmpty()) binding->path = v.toStdString();
  for (const QString& option : w.all(QStringLiteral("option"))) {
    const qsizetype equal = option.indexOf(u'=');
    if (equal <= 0) return invalidArgument("--option ", option.toStdString(), ": expected NAME=VALUE");
    binding->options[option.left(equal).toStdString()] = option.mid(equal + 1).toStdString();
  }
  if (w.has(QStringLiteral("no-shuffle"))) binding->shuffle = false;
  if (binding->batchSize <= 0) return invalidArgument("The batch size must be at least 1");
  return {};
}

DatasetBinding bindingFor(const MetaGraph& meta, const QString& source) {
  const std::string name = source.toStdString();
  if (const auto bindings = datasetBindingsOf(meta); bindings.ok() && !bindings->empty()) {
    const DatasetBinding& first = bindings->front();
    if (name == (first.builtin.empty() ? first.path : first.builtin)) return first;
  }
  DatasetBinding binding;
  if (!source.contains(u'.') && !source.contains(u'/')) {
    binding.builtin = name;
    return binding;
  }
  binding.path = name;
  binding.kind = dataKindOf(name);
  if (source.endsWith(QLatin1String(".tsv"), Qt::CaseInsensitive)) binding.options.emplace("delimiter", "\\t");
  return binding;
}

GraphEdit bindDataEdit(const EditWords& w) {
  return makeEdit(GraphEdits::tr("Bind data %1").arg(QFileInfo(w.positional[0]).fileName()), [w](LayerEditor& layers, EditOutcome&) -> Status {
    DatasetBinding binding = bindingFor(layers.editor().meta(), w.positional[0]);
    binding.placeholders.clear();
    WEFT_TRY(bindingFromWords(w, &binding));
    return layers.bindData(binding, w.folder.toStdString());
  });
}

QStringList builtinDatasets() { return QDir(text(builtinDatasetFolder())).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name); }

GraphEdit freezeEdit(const EditWords& w) {
  const QString prefix = w.option(QStringLiteral("restore"));
  return makeEdit(GraphEdits::tr("Freeze %1").arg(lastPart(w.names()[0])), [names = w.names(), prefix](LayerEditor& layers, EditOutcome& out) -> Status {
    if (prefix.isEmpty()) return failedPrecondition("There are no values to freeze yet: train the network, or name a checkpoint");
    FreezeOptions options;
    for (const QString& n : names) {
      const std::string tensor = tensorNamed(layers, n);
      options.outputs.push_back(tensor.substr(0, tensor.rfind(':')));
      out.select << text(options.outputs.back());
    }
    MetaGraph& meta = layers.editor().meta();
    WEFT_LET(const std::string bytes, serializeGraph(meta, GraphFormat::MetaBinary));
    WEFT_LET(const auto reader, CheckpointReader::open(prefix.toStdString()));
    WEFT_LET(std::string frozen, freezeGraph(bytes, valuesFromCheckpoint(*reader), options));
    WEFT_LET(LoadedGraph loaded, loadGraphBytes(std::make_shared<const std::string>(std::move(frozen)), std::string()));
    // Layers with variables become plain ops, because freezing replaces the variables; the others stay layers.
    std::vector<Recipe> recipes = layers.recipes();
    std::erase_if(recipes, [&](const Recipe& r) {
      if (r.trains()) return true;
      const auto there = [&](const std::string& tensor) { return tensor.empty() || loaded.meta.graph.findOutput(tensor).ok(); };
      if (!std::all_of(r.inputs.begin(), r.inputs.end(), there) || !std::all_of(r.outputs.begin(), r.outputs.end(), there)) return true;
      for (int id = 0; id < meta.graph.size(); ++id)
        if (const Node* n = meta.graph.node(id); n && isVariable(*n) && n->name.starts_with(r.scope + "/")) return true;
      return false;
    });
    std::set<std::string> gone;
    for (int id = 0; id < meta.graph.size(); ++id)
      if (const Node* n = meta.graph.node(id); n && !loaded.meta.graph.find(n->name)) gone.insert(n->name);
    // Of the document's own collections, places, notes and data stay.
    std::erase_if(meta.collections,
                  [](const auto& c) { return c.first != "weft/document" && c.first != "weft/canvas" && c.first != "weft/dataset" && c.first != "weft/notes"; });
    removeReferences(meta, gone);
    meta.graph = std::move(loaded.meta.graph);
    meta.saver.reset();
    layers.editor().problems() = std::move(loaded.problems);
    setRecipes(meta, recipes);
    return {};
  });
}

}  // namespace weft::app
