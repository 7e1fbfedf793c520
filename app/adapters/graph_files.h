#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

struct TaskState;

/// A graph, or an error sentence.
struct OpenOutcome {
  std::shared_ptr<GraphContents> contents;
  QString error;
  QStringList warnings = {};  ///< What the graph of a model of another format does not say or computes otherwise.
};

/// Reads a .weft, .meta, .pb or .pbtxt file; its format is detected from the content. Any thread; blocks. The error names the file.
OpenOutcome openGraphFile(const QString& path, TaskState& task);
/// Makes a document from a template; "empty" has no nodes. Any thread; blocks.
OpenOutcome openTemplate(const QString& name);

/// One of the templates.
struct TemplateInfo {
  QString name;         ///< The name in `file.new`: "lenet-digits"
  QString title;        ///< translated
  QString description;  ///< translated, one line
  bool shown = false;   ///< Shown on the start page; the others are small.
  int seconds = 0;      ///< Approximate training time on two processors.
};
QVector<TemplateInfo> templates();

/// Writes the graph atomically, in the format that the extension of `path` implies; an unchanged graph in its original format is written as its original bytes.
/// `readFrom`: the file that it was read from; with the same extension the format is kept, even an unusual one (some .pb files hold text, or MetaGraphDefs).
/// Any thread. Returns an error, or empty.
QString saveGraph(const GraphContents& contents, const QString& path, const QString& readFrom = {});

/// The graph as a TensorFlow 1.x program, and as Graphviz.
QString pythonText(const GraphContents& contents);
QString dotText(const GraphContents& contents, const QString& title);

/// Computes a graph's arrays, totals and problems. Any thread.
GraphContentsPtr contentsOf(std::shared_ptr<const EngineGraph> graph);

/// The engine's version, and one line on each device ("/device:CPU:0").
QString engineVersionText();

}  // namespace weft::app
