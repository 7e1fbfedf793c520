// Texts on ops and their attributes for the user. Only sources in app/adapters include this.
#pragma once

#include <QString>
#include <string_view>

#include "graph_view/graph_model.h"
#include "weft/graph.h"

namespace weft::app {

/// Translates a sentence of a record (summary, documentation, reason for no gradient) with translations/records_*.ts; unknown sentences are returned unchanged.
QString recordText(const std::string& english);
/// Whether `text` contains `part`.
inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
/// The category of a node, which sets its colour.
widgets::OpCategory categoryOf(const Node& node);
/// The outline of a node on the canvas.
widgets::NodeShape shapeOf(const Node& node);
/// The most useful short fact on a node: `5×5 SAME`, `2×2 / 2`, the value of a constant, the shape of a variable; else the op's type, where the name does not
/// tell it; else the shape of the output.
QString keyAttribute(const Graph& graph, const Node& node);
/// Escapes the text for a cell of a Markdown table: bars and line ends.
inline QString tableCell(QString words) { return words.replace(u'|', QStringLiteral("\\|")).replace(u'\n', u' '); }
/// An attribute's value in one line, `[1 2 2 1]`, `SAME`, `float32`, `5×5×1×32`.
QString attrText(const Attr& attr);

}  // namespace weft::app
