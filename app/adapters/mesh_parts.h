// Summaries of TensorBoard's plugin mesh as plain values for the panels. Any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <string_view>

#include "mesh/mesh_series.h"

namespace weft {
class Tensor;
}

namespace weft::app {

/// The kind, mesh and camera of the values of a tag, from the content of its metadata. nullopt: it is malformed, which `problem` says. Parts of the configuration that
/// are not used are named in `warnings`.
std::optional<widgets::MeshPart> meshPartOf(std::string_view content, const QString& tag, QStringList* warnings, QString* problem);

/// Fills a part with the values of `tensor`, [samples, count, 3]. Returns what is wrong with them in one sentence, or empty.
QString fillMeshPart(const Tensor& tensor, const QString& tag, widgets::MeshPart* part);

}  // namespace weft::app
