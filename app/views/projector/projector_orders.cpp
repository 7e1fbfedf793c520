// The view's orders by words, and its state as JSON: what commands and scripts use.
#include <QAction>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "document/workspace.h"
#include "scatter/scatter_plot.h"
#include "views/projector/projector_view.h"

namespace weft::app {
namespace {

constexpr qsizetype kMostReported = 1000;

const char* const kMethods[] = {"pca", "tsne", "umap"};
const char* const kTools[] = {"move", "rectangle", "lasso"};

int indexIn(const char* const (&names)[3], const QString& name) {
  const auto found = std::find_if(std::begin(names), std::end(names), [&](const char* n) { return name == QLatin1String(n); });
  return found == std::end(names) ? -1 : int(found - std::begin(names));
}

}  // namespace

QString ProjectorView::setOption(const QString& name, const QString& value) {
  ProjectionOptions o = choices_->options();
  bool ok = false;
  const double number = value.toDouble(&ok);
  const auto within = [&](double low, double high) {
    return ok && number >= low && number <= high ? QString() : tr("%1 is %2; a number from %3 to %4 is expected.").arg(name, value).arg(low).arg(high);
  };
  QString error;
  if (name == QLatin1String("perplexity")) error = within(1, 1000), o.perplexity = number;
  else if (name == QLatin1String("neighbors")) error = within(2, 1000), o.neighbors = int(number);
  else if (name == QLatin1String("distance")) error = within(0, 1), o.minimumDistance = number;
  else if (name == QLatin1String("steps")) error = within(0, 100000), o.steps = int(number);
  else if (name == QLatin1String("seed")) error = within(0, 1e15), o.seed = quint64(number);
  else if (name == QLatin1String("metric") && (value == QLatin1String("euclidean") || value == QLatin1String("cosine")))
    o.cosine = value == QLatin1String("cosine");
  else if (name == QLatin1String("metric")) error = tr("%1 is %2; euclidean or cosine is expected.").arg(name, value);
  else error = tr("There is no option %1; there are perplexity, neighbors, distance, steps, seed and metric.").arg(name);
  if (!error.isEmpty()) return error;
  if (name == QLatin1String("metric")) selection_->setCosine(o.cosine);
  choices_->setOptions(o);
  return {};
}

QString ProjectorView::selectWords(const QStringList& words) {
  if (!points_) return tr("No points are shown.");
  std::vector<int32_t> rows;
  for (const QString& word : words.join(u',').split(u',', Qt::SkipEmptyParts)) {
    bool ok = false;
    const int row = word.toInt(&ok);
    if (!ok || row < 0 || row >= points_->rows) return tr("%1 is no row; rows go from 0 to %2.").arg(word).arg(points_->rows - 1);
    rows.push_back(row);
  }
  plot_->setSelection(rows);
  plot_->setCurrent(rows.size() == 1 ? rows.front() : -1);
  return {};
}

QString ProjectorView::give(const QStringList& words) {
  const QString order = words.value(0), first = words.value(1), second = words.value(2);
  error_.clear();
  if (order == QLatin1String("open")) return load({first, second, false}, false), QString();
  if (order == QLatin1String("trained")) return load({{}, first, false}, false), error_;
  if (order == QLatin1String("method")) {
    ProjectionOptions o = choices_->options();
    const int method = indexIn(kMethods, first);
    if (method < 0) return tr("There is no method %1; there are pca, tsne and umap.").arg(first);
    if (!second.isEmpty() && second != QLatin1String("2") && second != QLatin1String("3")) return tr("%1 dimensions cannot be shown; 2 or 3 can.").arg(second);
    o.method = ProjectionOptions::Method(method);
    if (!second.isEmpty()) o.dimensions = second.toInt();
    choices_->setOptions(o);
    return {};
  }
  if (order == QLatin1String("set")) return setOption(first, second);
  if (order == QLatin1String("follow")) {
    follows_ = first.isEmpty() ? !follows_ : first == QLatin1String("on");
    updateSources();
    return {};
  }
  if (order == QLatin1String("stop")) return context_.workspace.tasks().cancel(projectTask_), QString();
  if (order == QLatin1String("tool")) {
    const int tool = indexIn(kTools, first);
    if (tool < 0) return tr("There is no tool %1; there are move, rectangle and lasso.").arg(first);
    tools_[tool]->trigger();
    return {};
  }
  if (!points_) return tr("No points are shown.");
  if (order == QLatin1String("run")) return project(false), QString();
  if (order == QLatin1String("select")) return selectWords(words.mid(1));
  if (order == QLatin1String("search")) return search(-1, words.mid(1).join(u' '), false), QString();
  if (order == QLatin1String("fit")) return plot_->fit(), QString();
  if (order == QLatin1String("export")) return exportTo(first);
  if (order == QLatin1String("cell")) {
    if (points_->actual.isEmpty()) return tr("The points are no test samples of a classifier.");
    std::vector<int32_t> rows;
    for (int i = 0; i < points_->actual.size(); ++i)
      if (QString::number(points_->actual[i]) == first && QString::number(points_->predicted[i]) == second) rows.push_back(i);
    plot_->setSelection(rows);
    return {};
  }
  if (order == QLatin1String("color")) {
    const int column = int(points_->labelColumns.indexOf(words.mid(1).join(u' ')));
    if (column < 0 && first != QLatin1String("none"))
      return tr("There is no column %1; there are %2.").arg(words.mid(1).join(u' '), points_->labelColumns.join(QStringLiteral(", ")));
    choices_->setColumns(points_->labelColumns, column);
    return colorBy(column), QString();
  }
  return tr("%1 is no order for the projector.").arg(order);
}

QString ProjectorView::exportTo(const QString& path) const {
  if (!projection_.cloud) return tr("There are no positions yet.");
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return tr("%1 cannot be written: %2").arg(path, file.errorString());
  QByteArray out = projection_.dimensions == 3 ? "row,x,y,z" : "row,x,y";
  const auto quoted = [](const QString& text) { return '"' + QString(text).replace(u'"', QStringLiteral("\"\"")).toUtf8() + '"'; };
  for (const QString& column : points_->labelColumns) out += ',' + quoted(column);
  out += '\n';
  for (int row = 0; row < points_->rows; ++row) {
    out += QByteArray::number(row);
    for (int d = 0; d < projection_.dimensions; ++d)
      out += ',' + QByteArray::number(double(projection_.positions[size_t(row * projection_.dimensions + d)]), 'g', 9);
    for (int c = 0; c < points_->labelColumns.size(); ++c) out += ',' + quoted(points_->label(row, c));
    out += '\n';
  }
  return file.write(out) == out.size() && file.flush() ? QString() : tr("%1 cannot be written: %2").arg(path, file.errorString());
}

QString ProjectorView::report() const {
  QJsonArray selection, at;
  for (size_t i = 0; i < std::min(plot_->selection().size(), size_t(kMostReported)); ++i) selection << plot_->selection()[i];
  if (const auto pixel = plot_->pixelOf(plot_->current())) at = {pixel->x(), pixel->y()};
  QJsonArray shares;
  for (const double share : projection_.varianceShares) shares << share;
  return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("tensor"), points_ ? points_->name : QString()},
                                                     {QStringLiteral("rows"), points_ ? points_->rows : 0},
                                                     {QStringLiteral("columns"), points_ ? points_->columns : 0},
                                                     {QStringLiteral("labels"), points_ ? QJsonArray::fromStringList(points_->labelColumns) : QJsonArray()},
                                                     {QStringLiteral("pictures"), points_ && points_->hasPictures()},
                                                     {QStringLiteral("step"), points_ ? points_->step : -1},
                                                     {QStringLiteral("method"), QLatin1String(kMethods[int(shown_.method)])},
                                                     {QStringLiteral("dimensions"), projection_.dimensions},
                                                     {QStringLiteral("positions"), qint64(projection_.positions.size())},
                                                     {QStringLiteral("variance"), shares},
                                                     {QStringLiteral("divergence"), projection_.divergence},
                                                     {QStringLiteral("selected"), qint64(plot_->selection().size())},
                                                     {QStringLiteral("selection"), selection},
                                                     {QStringLiteral("current"), plot_->current()},
                                                     {QStringLiteral("current_at"), at},
                                                     {QStringLiteral("color"), column_},
                                                     {QStringLiteral("state"), stateText()},
                                                     {QStringLiteral("error"), error_}})
                               .toJson(QJsonDocument::Compact));
}

}  // namespace weft::app
