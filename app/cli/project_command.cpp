#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/arrays.h"
#include "weft/checkpoint.h"
#include "weft/embedding.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

Result<Points> pointsFrom(const std::string& path, const std::optional<std::string>& variable) {
  if (!variable) return loadPoints(path);
  WEFT_LET(const auto reader, CheckpointReader::open(path));
  WEFT_LET(const Tensor tensor, reader->read(*variable));
  auto points = pointsOf(tensor);
  if (!points.ok()) return invalidArgument(*variable, ": ", points.error().message).inFile(path);
  return points;
}

Result<EmbeddingOptions> optionsFrom(const Arguments& args) {
  EmbeddingOptions o;
  const std::string method = args.value("--method").value_or("pca"), metric = args.value("--metric").value_or("euclidean");
  if (method == "pca") o.method = EmbeddingMethod::Pca;
  else if (method == "tsne") o.method = EmbeddingMethod::Tsne;
  else if (method == "umap") o.method = EmbeddingMethod::Umap;
  else return invalidArgument("--method is '", method, "'; pca, tsne or umap is expected");
  if (metric == "cosine") o.metric = PointMetric::Cosine;
  else if (metric != "euclidean") return invalidArgument("--metric is '", metric, "'; euclidean or cosine is expected");
  WEFT_LET(const int64_t dimensions, args.integer("--dimensions", o.dimensions, 2, 3));
  WEFT_LET(const int64_t seed, args.integer("--seed", int64_t(o.seed), 0));
  WEFT_LET(const int64_t threads, args.integer("--threads", 0, 0, 1024));
  WEFT_LET(o.perplexity, args.number("--perplexity", o.perplexity));
  WEFT_LET(o.learningRate, args.number("--learning-rate", 0));
  WEFT_LET(const int64_t neighbors, args.integer("--neighbors", o.neighbors, 1));
  WEFT_LET(o.minimumDistance, args.number("--min-dist", o.minimumDistance));
  WEFT_LET(const int64_t steps, args.integer("--steps", -1, 0, kMostSteps));
  if (steps >= 0) o.steps = o.epochs = int(std::min<int64_t>(steps, std::numeric_limits<int>::max()));
  o.dimensions = int(dimensions);
  o.seed = uint64_t(seed);
  o.threads = int(threads);
  o.neighbors = int(neighbors);
  o.cancellation = interruption();
  return o;
}

/// Prints the number of the step on a terminal.
class Progress : public EmbeddingObserver {
 public:
  void progressed(const EmbeddingProgress& p) override {
    if (!stderrIsTerminal() || p.steps == 0) return;
    std::cerr << "\rstep " << p.step << " of " << p.steps << (p.step == p.steps ? "\n" : "") << std::flush;
  }
};

/// The share of the nearest neighbours that the approximate search finds, over `rows` rows.
Result<double> recallOf(const PointsView& points, int count, int64_t rows, const EmbeddingOptions& o, double* seconds) {
  const auto start = std::chrono::steady_clock::now();
  WEFT_LET(const Neighbors found, findNeighbors(points, {count, o.metric, false, o.seed, o.threads, o.cancellation}));
  *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  int64_t hits = 0, all = 0;
  rows = std::min(rows, points.rows);
  for (int64_t k = 0; k < rows; ++k) {
    const int64_t i = points.rows * k / rows;
    WEFT_LET(const Neighbors exact, neighborsOf(points, i, count, o.metric));
    const auto own = std::span(found.index).subspan(size_t(i * found.count), size_t(found.count));
    for (const int32_t j : exact.index) hits += std::find(own.begin(), own.end(), j) != own.end();
    all += exact.count;
  }
  return all > 0 ? double(hits) / double(all) : 1;
}

int runProject(std::span<const std::string> raw) {
  auto arguments = Arguments::parse(raw, {{"--method", true},
                                          {"--metric", true},
                                          {"--dimensions", true},
                                          {"--seed", true},
                                          {"--threads", true},
                                          {"--perplexity", true},
                                          {"--learning-rate", true},
                                          {"--neighbors", true},
                                          {"--min-dist", true},
                                          {"--steps", true},
                                          {"--tensor", true},
                                          {"--out", true},
                                          {"--save-neighbors", true},
                                          {"--recall", true},
                                          {"--exact"},
                                          {"--json"}});
  if (!arguments.ok()) return usageError("project", arguments.error().message);
  const Arguments& args = *arguments;
  if (args.positional().size() != 1) return usageError("project", "one file with points is expected");
  catchInterrupts();
  const auto options = optionsFrom(args);
  if (!options.ok()) return usageError("project", options.error().message);
  const auto recallRows = args.integer("--recall", 0, 1);
  if (!recallRows.ok()) return usageError("project", recallRows.error().message);
  const auto points = pointsFrom(args.positional()[0], args.value("--tensor"));
  if (!points.ok()) return complain(points.error());
  Progress progress;
  const auto embedding = embed(points->view(), *options, &progress);
  if (!embedding.ok())
    return complain(Error(embedding.error()).inFile(args.positional()[0]), embedding.error().code == Code::Cancelled ? kInterrupted : kFailed);
  if (const auto path = args.value("--out")) {
    const Tensor out = Tensor::of(embedding->positions, {embedding->rows, embedding->dimensions});
    if (const Status saved = saveNpy(*path, out); !saved.ok()) return complain(saved.error());
  }
  Json j = {{"rows", embedding->rows},
            {"columns", points->view().columns},
            {"method", args.value("--method").value_or("pca")},
            {"dimensions", embedding->dimensions},
            {"seconds", embedding->seconds}};
  if (options->method == EmbeddingMethod::Pca) j["variance"] = embedding->varianceShares;
  if (options->method != EmbeddingMethod::Pca) j["neighbors"] = embedding->neighbors, j["neighbor_seconds"] = embedding->neighborSeconds;
  if (options->method == EmbeddingMethod::Tsne) j["perplexity"] = embedding->perplexity, j["divergence"] = embedding->divergence;
  if (const auto path = args.value("--save-neighbors")) {
    const auto found =
        findNeighbors(points->view(), {options->neighbors, options->metric, args.has("--exact"), options->seed, options->threads, options->cancellation});
    if (!found.ok()) return complain(found.error());
    if (const Status saved = saveNpy(*path, Tensor::of(found->index, {found->rows, found->count})); !saved.ok()) return complain(saved.error());
  }
  if (*recallRows > 0) {
    double seconds = 0;
    const auto recall = recallOf(points->view(), options->neighbors, *recallRows, *options, &seconds);
    if (!recall.ok()) return complain(recall.error());
    j["recall"] = *recall;
    j["recall_neighbors"] = options->neighbors;
    j["recall_seconds"] = seconds;
  }
  if (args.has("--json")) {
    std::cout << j.dump() << "\n";
    return kDone;
  }
  for (const auto& [name, value] : j.items())
    std::cout << std::left << std::setw(18) << name << (value.is_string() ? value.get<std::string>() : value.dump()) << "\n";
  return kDone;
}

}  // namespace

extern const Command kProjectCommand;
const Command kProjectCommand = {
    "project", "place points of many dimensions in two or three: PCA, t-SNE, UMAP",
    "usage: weft project FILE [options]\n\n"
    "FILE: an array (.npy), a table of comma-separated (.csv) or tab-separated numbers, or a checkpoint.\n"
    "  --tensor NAME          a variable of the checkpoint FILE; its first dimension counts points\n"
    "  --method pca|tsne|umap (pca)\n"
    "  --metric euclidean|cosine   of the neighbours (euclidean)\n"
    "  --dimensions 2|3       (2)\n"
    "  --perplexity P         t-SNE (30)\n"
    "  --learning-rate R      t-SNE (points / exaggeration)\n"
    "  --neighbors K          UMAP, and of --recall and --save-neighbors (15)\n"
    "  --min-dist D           UMAP (0.1)\n"
    "  --steps N              steps of t-SNE after the exaggerated ones (500), epochs of UMAP (500, or 200 above 10,000 points)\n"
    "  --seed N               (42); the same seed gives the same positions at any number of threads\n"
    "  --threads N            (all processors)\n"
    "  --out FILE.npy         writes the positions\n"
    "  --save-neighbors FILE.npy  writes the nearest neighbours of all points, as row numbers\n"
    "  --exact                compares all pairs for --save-neighbors\n"
    "  --recall ROWS          measures the share of true neighbours that the search finds, by comparing ROWS points with all others\n"
    "  --json                 prints one JSON document\n",
    runProject};

}  // namespace weft::cli
