#include "graph_view/color_table.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <map>
#include <numeric>

#include "common/category_titles.h"
#include "common/format.h"

namespace weft::widgets {
namespace {

struct Labels {
  Q_DECLARE_TR_FUNCTIONS(weft::widgets::GraphView)
 public:
  static QString otherTypes() { return tr("other types"); }
  static QString noDevice() { return tr("unplaced"); }
  /// Shortens "/job:worker/replica:0/task:1/device:GPU:0" to "worker 1 GPU:0": legends are narrow.
  static QString device(const QString& name) {
    QStringList words;
    for (const QString& part : name.split(u'/', Qt::SkipEmptyParts)) {
      const QString kind = part.section(u':', 0, 0), value = part.section(u':', 1);
      if (kind == QLatin1String("replica") && value == QLatin1String("0")) continue;
      const bool plain = kind == QLatin1String("job") || kind == QLatin1String("task") || kind == QLatin1String("device");
      words << (plain ? value : part);
    }
    return words.isEmpty() ? name : words.join(u' ');
  }
  /// "conv · 6 alike": the first scope's title without its number.
  static QString structure(const QString& title, int uses) {
    QString name = title;
    while (name.size() > 1 && (name.back().isDigit() || name.back() == u'_')) name.chop(1);
    return tr("%1 · %n alike", nullptr, uses).arg(name);
  }
  static QString ownStructure() { return tr("no repetition"); }
};

// Classes are small numbers; a scope gets the class of most of its ops.
void fillByClass(const Scene& scene, const std::vector<int>& classOf, const std::vector<QColor>& colors, const QStringList& names, ColorTable& table) {
  const GraphModel& model = *scene.model();
  const size_t classes = colors.size();
  std::vector<std::map<int, int>> counts(static_cast<size_t>(scene.scopeCount()));
  std::vector<int> total(classes, 0);
  table.nodes.resize(classOf.size());
  for (size_t n = 0; n < classOf.size(); ++n) {
    table.nodes[n] = colors[static_cast<size_t>(classOf[n])];
    ++total[static_cast<size_t>(classOf[n])];
    if (const int s = scene.parentScope(Item::node(static_cast<int>(n))); s >= 0) ++counts[static_cast<size_t>(s)][classOf[n]];
  }
  // A variable drawn as a single node with its helpers inside shows its own class, not that of its initializer's ops.
  std::vector<int> own(counts.size(), -1);
  for (size_t n = 0; n < classOf.size(); ++n) {
    const int s = model.nodeScope(static_cast<int>(n));
    if (s >= 0 && model.scopeShape(s) == NodeShape::Variable && model.nodeShape(static_cast<int>(n)) == NodeShape::Variable && own[static_cast<size_t>(s)] < 0)
      own[static_cast<size_t>(s)] = classOf[n];
  }
  table.scopes.resize(counts.size());
  for (int at = scene.scopeCount(); at-- > 0;) {
    const auto s = static_cast<size_t>(scene.scopeAt(at));
    const auto best = std::max_element(counts[s].begin(), counts[s].end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    table.scopes[s] = own[s] >= 0 ? colors[static_cast<size_t>(own[s])] : best == counts[s].end() ? colors.back() : colors[static_cast<size_t>(best->first)];
    if (const int parent = scene.parentScope(Item::scope(static_cast<int>(s))); parent >= 0)
      for (const auto& [c, k] : counts[s]) counts[static_cast<size_t>(parent)][c] += k;
  }
  std::vector<size_t> order(classes);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&total](size_t a, size_t b) { return total[a] > total[b]; });
  for (const size_t c : order)
    if (total[c] > 0) table.legend.push_back({names[static_cast<qsizetype>(c)], colors[c]});
}

void fillByValue(const Scene& scene, const Theme& theme, ColorTable& table) {
  const GraphModel& model = *scene.model();
  const QColor none = theme.color(Role::Muted);
  const auto colorOf = [&](double heat) { return model.isHeatSigned() ? theme.diverging(2 * heat - 1) : theme.sequential(heat); };
  std::vector<double> sum(static_cast<size_t>(scene.scopeCount()), 0);
  std::vector<int> count(sum.size(), 0);
  table.nodes.resize(static_cast<size_t>(model.nodeCount()));
  for (int n = 0; n < model.nodeCount(); ++n) {
    const double heat = model.nodeHeat(n);
    table.nodes[static_cast<size_t>(n)] = heat < 0 ? none : colorOf(heat);
    if (const int s = scene.parentScope(Item::node(n)); s >= 0 && heat >= 0) {
      sum[static_cast<size_t>(s)] += heat;
      ++count[static_cast<size_t>(s)];
    }
  }
  table.scopes.resize(sum.size());
  for (int at = scene.scopeCount(); at-- > 0;) {
    const auto s = static_cast<size_t>(scene.scopeAt(at));
    table.scopes[s] = count[s] == 0 ? none : colorOf(sum[s] / count[s]);
    if (const int parent = scene.parentScope(Item::scope(static_cast<int>(s))); parent >= 0) {
      sum[static_cast<size_t>(parent)] += sum[s];
      count[static_cast<size_t>(parent)] += count[s];
    }
  }
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) table.legend.push_back({formatValue(t), colorOf(t)});
}

/// The task of `/job:ps/replica:0/task:1/device:GPU:0`, `ps:1`; without a task number, the job; empty: none, or that of a single process.
QString taskOf(const QString& device) {
  QString job, task;
  for (const QString& part : device.split(u'/', Qt::SkipEmptyParts)) {
    if (part.startsWith(QLatin1String("job:"))) job = part.mid(4);
    if (part.startsWith(QLatin1String("task:"))) task = part.mid(5);
  }
  if (job.isEmpty() || job == QLatin1String("localhost")) return {};
  return task.isEmpty() ? job : job + u':' + task;
}

/// By task if the nodes are on several, else by device. Tasks get their hues in the order of their names, as in the timeline.
void fillByDevice(const GraphModel& model, const Theme& theme, std::vector<int>& classOf, std::vector<QColor>& colors, QStringList& names) {
  QHash<QString, QString> taskOfDevice;
  QStringList tasks;
  for (size_t n = 0; n < classOf.size(); ++n) {
    const QString device = model.nodeDevice(static_cast<int>(n));
    if (taskOfDevice.contains(device)) continue;
    const QString task = taskOf(device);
    taskOfDevice.insert(device, task);
    if (!task.isEmpty() && !tasks.contains(task)) tasks << task;
  }
  std::sort(tasks.begin(), tasks.end());
  QHash<QString, int> seen;
  const auto classFor = [&](const QString& key, const QString& label) {
    auto it = seen.find(key);
    if (it == seen.end()) {
      it = seen.insert(key, static_cast<int>(names.size()));
      names << label;
      colors.push_back(key.isEmpty() ? theme.color(Role::Muted) : theme.categorical(static_cast<int>(colors.size())));
    }
    return *it;
  };
  if (tasks.size() > 1)
    for (const QString& task : tasks) classFor(task, task);
  for (size_t n = 0; n < classOf.size(); ++n) {
    const QString device = model.nodeDevice(static_cast<int>(n));
    const QString key = tasks.size() > 1 ? taskOfDevice.value(device) : device;
    classOf[n] = classFor(key, key.isEmpty() ? Labels::noDevice() : tasks.size() > 1 ? key : Labels::device(key));
  }
}

}  // namespace

ColorTable ColorTable::make(const Scene& scene, ColorMode mode, const Theme& theme) {
  ColorTable table;
  const GraphModel* model = scene.model();
  if (model == nullptr) return table;
  if (mode == ColorMode::Values) {
    fillByValue(scene, theme, table);
    return table;
  }
  std::vector<int> classOf(static_cast<size_t>(model->nodeCount()), 0);
  std::vector<QColor> colors;
  QStringList names;
  if (mode == ColorMode::Category) {
    for (int c = 0; c < kOpCategoryCount; ++c) {
      const auto category = static_cast<OpCategory>(c);
      colors.push_back(theme.opCategory(opCategoryName(category)));
      names << opCategoryTitle(opCategoryName(category));
    }
    for (size_t n = 0; n < classOf.size(); ++n) classOf[n] = static_cast<int>(model->nodeCategory(static_cast<int>(n)));
  } else if (mode == ColorMode::Device) {
    fillByDevice(*model, theme, classOf, colors, names);
  } else if (mode == ColorMode::Type) {
    // The most frequent types have their own hues, the rest share one.
    QHash<QString, int> uses;
    for (size_t n = 0; n < classOf.size(); ++n) ++uses[model->nodeOp(static_cast<int>(n))];
    QStringList types = uses.keys();
    std::sort(types.begin(), types.end(), [&uses](const QString& a, const QString& b) { return uses[a] != uses[b] ? uses[a] > uses[b] : a < b; });
    types = types.mid(0, theme.categoricalCount());
    for (qsizetype i = 0; i < types.size(); ++i) {
      names << types[i];
      colors.push_back(theme.categorical(static_cast<int>(i)));
    }
    names << Labels::otherTypes();
    colors.push_back(theme.color(Role::Muted));
    for (size_t n = 0; n < classOf.size(); ++n) {
      const qsizetype at = types.indexOf(model->nodeOp(static_cast<int>(n)));
      classOf[n] = static_cast<int>(at < 0 ? types.size() : at);
    }
  } else {
    // A node gets the class of the innermost scope around it whose structure is repeated.
    QHash<int, int> uses, classes;
    for (int s = 0; s < model->scopeCount(); ++s) ++uses[model->scopeStructure(s)];
    colors.push_back(theme.color(Role::Muted));
    names << Labels::ownStructure();
    for (size_t n = 0; n < classOf.size(); ++n)
      for (int s = model->nodeScope(static_cast<int>(n)); s >= 0; s = model->scopeParent(s)) {
        const int structure = model->scopeStructure(s);
        if (structure < 0 || uses.value(structure) < 2) continue;
        auto it = classes.find(structure);
        if (it == classes.end()) {
          it = classes.insert(structure, static_cast<int>(colors.size()));
          names << Labels::structure(model->scopeTitle(s), uses.value(structure));
          colors.push_back(theme.categorical(static_cast<int>(classes.size()) - 1));
        }
        classOf[n] = *it;
        break;
      }
  }
  if (colors.empty()) {
    colors.push_back(theme.color(Role::Muted));
    names << Labels::noDevice();
  }
  fillByClass(scene, classOf, colors, names, table);
  return table;
}

}  // namespace weft::widgets
