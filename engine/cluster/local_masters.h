#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/session.h"

namespace weft::cluster {

class Master;

/// The masters of this process, by the addresses at which they listen ("localhost:2222"). A session whose master is here runs its steps without a connection: its
/// feeds and fetches are not copied, as in TensorFlow (LocalMaster).
class LocalMasters {
 public:
  /// Known as long as this lives.
  class Entry {
   public:
    Entry(std::vector<std::string> addresses, std::weak_ptr<Master> master);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    const std::vector<std::string> addresses_;
  };
  /// Null: there is none.
  static std::shared_ptr<Master> find(const std::string& address);
};

/// Cancels `to`, within some 10 ms, when `from` is cancelled or the time is over, as long as it lives.
class CancellationRelay {
 public:
  /// `timeoutMs` 0: none.
  CancellationRelay(const CancellationToken& from, const CancellationToken& to, int64_t timeoutMs);
  CancellationRelay(const CancellationRelay&) = delete;
  CancellationRelay& operator=(const CancellationRelay&) = delete;
  bool late() const;  ///< Whether the time is over.

 private:
  struct Watched;
  static void look(const std::weak_ptr<const Watched>& watched);
  const std::shared_ptr<const Watched> watched_;
};

}  // namespace weft::cluster
