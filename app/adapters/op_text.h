// Ops and their attributes in words for people. Only sources in app/adapters include this.
#pragma once

#include <QString>
#include <string_view>

#include "graph_view/graph_model.h"
#include "weft/graph.h"

namespace weft::app {

/// A sentence of a record (summary, documentation, why there is no gradient) in the user's language, as translations/records_*.ts have it; itself if
/// they do not.
QString recordText(const std::string& english);
/// Whether an op's name has `part` in it.
inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
/// The hue of a node.
widgets::OpCategory categoryOf(const Node& node);
/// Its outline on the canvas.
widgets::NodeShape shapeOf(const Node& node);
/// What is most worth knowing in one short line: `5×5 SAME`, `2×2 / 2`, the value of a constant, the shape of a variable, else the op's type
/// where the name does not say it, else the shape of its output.
QString telling(const Graph& graph, const Node& node);
/// What stands in a cell of a Markdown table: without bars and line ends.
inline QString tableCell(QString words) { return words.replace(u'|', QStringLiteral("\\|")).replace(u'\n', u' '); }
/// An attribute's value in one line, `[1 2 2 1]`, `SAME`, `float32`, `5×5×1×32`.
QString attrText(const Attr& attr);

}  // namespace weft::app
