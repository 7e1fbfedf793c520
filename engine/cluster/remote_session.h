#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cluster/master_link.h"

namespace weft::cluster {

/// A session whose steps the master of a TensorFlow server runs: the client's side of MasterService.
class RemoteSession final : public Session {
 public:
  /// Sends the graph and waits until the master has reached its workers.
  static Result<std::unique_ptr<Session>> connect(Graph graph, SessionOptions options);
  ~RemoteSession() override;

  Result<std::vector<Tensor>> run(const std::vector<std::pair<std::string, Tensor>>& feeds, const std::vector<std::string>& fetches,
                                  const std::vector<std::string>& targets, const RunOptions& options, RunReport* report) override;
  Result<Callable> prepare(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) override;
  Result<std::string> partialRunSetup(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                      const std::vector<std::string>& targets) override;
  Result<std::vector<Tensor>> partialRun(const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                         const std::vector<std::string>& fetches) override;
  std::shared_ptr<const Graph> graph() const override;
  Status extend(Graph graph) override;
  std::map<std::string, Tensor> variables() const override;
  Status setVariable(const std::string& name, const Tensor& value) override;
  std::map<std::string, std::string> opStates() const override { return {}; }
  void restoreOpStates(const std::map<std::string, std::string>&) override {}
  std::string target() const override { return link_->options().target; }
  std::vector<std::string> devices() const override;
  Result<std::vector<Placement>> placements() const override;
  void close() override;

 private:
  explicit RemoteSession(std::shared_ptr<MasterLink> link) : link_(std::move(link)) {}
  const std::shared_ptr<MasterLink> link_;  ///< Shared with its Callables.
};

}  // namespace weft::cluster
