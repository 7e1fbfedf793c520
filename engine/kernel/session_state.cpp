#include "kernel/session_state.h"

#include "kernel/functions.h"

namespace weft {

SessionState::Key SessionState::keyOf(std::type_index type, std::string_view container, std::string_view name) {
  return {std::string(container.empty() ? kDefaultContainer : container), std::string(name), type};
}

std::shared_ptr<SessionResource> SessionState::findAny(std::type_index type, std::string_view container, std::string_view name) const {
  if (SessionState* const k = keeper()) return k->findAny(type, container, name);
  const Key key = keyOf(type, container, name);
  const MutexLock lock(mutex_);
  const auto it = resources_.find(key);
  return it == resources_.end() ? nullptr : it->second;
}

Result<std::shared_ptr<SessionResource>> SessionState::lookupOrCreateAny(std::type_index type, std::string_view container, std::string_view name,
                                                                         const std::function<Result<std::shared_ptr<SessionResource>>()>& make) {
  if (SessionState* const k = keeper()) return k->lookupOrCreateAny(type, container, name, make);
  Key key = keyOf(type, container, name);
  const MutexLock lock(mutex_);
  if (const auto it = resources_.find(key); it != resources_.end()) return it->second;
  WEFT_LET(auto made, make());
  resources_.emplace(std::move(key), made);
  return made;
}

Status SessionState::erase(std::type_index type, std::string_view container, std::string_view name) {
  if (SessionState* const k = keeper()) return k->erase(type, container, name);
  std::shared_ptr<SessionResource> dying;
  const MutexLock lock(mutex_);
  const auto it = resources_.find(keyOf(type, container, name));
  if (it == resources_.end()) return notFound("Resource ", container.empty() ? kDefaultContainer : container, "/", name, " does not exist.");
  dying = std::move(it->second);
  resources_.erase(it);
  return {};
}

Status SessionState::erase(const SessionResource& object, std::string_view container, std::string_view name) {
  if (SessionState* const k = keeper()) return k->erase(object, container, name);
  std::shared_ptr<SessionResource> dying;
  const std::string_view in = container.empty() ? kDefaultContainer : container;
  const MutexLock lock(mutex_);
  for (auto it = resources_.begin(); it != resources_.end(); ++it) {
    if (it->second.get() != &object || std::get<0>(it->first) != in || std::get<1>(it->first) != name) continue;
    dying = std::move(it->second);
    resources_.erase(it);
    return {};
  }
  return notFound("Resource ", in, "/", name, " does not exist.");
}

void SessionState::clearContainer(std::string_view container) {
  if (SessionState* const k = keeper()) return k->clearContainer(container);
  clearings_.fetch_add(1);
  const std::string wanted(container.empty() ? kDefaultContainer : container);
  std::vector<std::shared_ptr<SessionResource>> dying;
  const MutexLock lock(mutex_);
  for (auto it = resources_.begin(); it != resources_.end();) {
    if (std::get<0>(it->first) == wanted) {
      dying.push_back(std::move(it->second));
      it = resources_.erase(it);
    } else {
      ++it;
    }
  }
}

void SessionState::clear() {
  if (SessionState* const k = keeper()) return k->clear();
  clearings_.fetch_add(1);
  std::map<Key, std::shared_ptr<SessionResource>> dying;  // freed outside the lock: its destructor may look up other resources
  const MutexLock lock(mutex_);
  dying.swap(resources_);
}

std::vector<std::shared_ptr<Variable>> SessionState::variables() const {
  if (SessionState* const k = keeper()) return k->variables();
  std::vector<std::shared_ptr<Variable>> found;
  const MutexLock lock(mutex_);
  for (const auto& [key, resource] : resources_)
    if (std::get<2>(key) == std::type_index(typeid(Variable))) found.push_back(std::static_pointer_cast<Variable>(resource));
  return found;
}

void SessionState::forEach(const std::function<void(const std::string&, const std::string&, SessionResource&)>& f) const {
  if (SessionState* const k = keeper()) return k->forEach(f);
  std::map<Key, std::shared_ptr<SessionResource>> all;
  {
    const MutexLock lock(mutex_);
    all = resources_;
  }
  for (const auto& [key, resource] : all) f(std::get<0>(key), std::get<1>(key), *resource);
}

std::shared_ptr<NodeState> SessionState::nodeState(const std::string& node, const std::function<std::shared_ptr<NodeState>()>& make) {
  if (nodeKeeper_) return nodeKeeper_->nodeState(node, make);
  if (!ownNodes_) return parent_->nodeState(scope_ + node, make);
  const MutexLock lock(mutex_);
  auto& slot = nodes_[node];
  if (!slot) {
    slot = make();
    if (const auto it = pending_.find(node); it != pending_.end()) {
      slot->restore(it->second);
      pending_.erase(it);
    }
  }
  return slot;
}

std::map<std::string, std::string> SessionState::saveStreams() const {
  if (nodeKeeper_) return nodeKeeper_->saveStreams();
  const MutexLock lock(mutex_);
  std::map<std::string, std::string> positions = pending_;
  for (const auto& [name, state] : nodes_)
    if (std::string position = state->save(); !position.empty()) positions[name] = std::move(position);
  return positions;
}

void SessionState::restoreStreams(const std::map<std::string, std::string>& positions) {
  if (nodeKeeper_) return nodeKeeper_->restoreStreams(positions);
  const MutexLock lock(mutex_);
  for (const auto& [name, position] : positions) {
    if (const auto it = nodes_.find(name); it != nodes_.end()) it->second->restore(position);
    else pending_[name] = position;
  }
}

std::shared_ptr<FunctionRuntime> SessionState::functions() const {
  if (parent_) return parent_->functions();
  const MutexLock lock(mutex_);
  return functions_;
}

void SessionState::setFunctions(std::shared_ptr<FunctionRuntime> functions) {
  if (parent_) return parent_->setFunctions(std::move(functions));
  const MutexLock lock(mutex_);
  functions_.swap(functions);
}

void SessionState::noteRounded(const std::string& node) {
  if (parent_) return parent_->noteRounded(node);
  const MutexLock lock(mutex_);
  rounded_.insert(node);
}

std::vector<std::string> SessionState::roundedNodes() const {
  const MutexLock lock(mutex_);
  return {rounded_.begin(), rounded_.end()};
}

}  // namespace weft
