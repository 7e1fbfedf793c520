#include "kernel/rendezvous.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace weft {

Status checkReceived(const Received& received, DType declared, const std::string& node) {
  if (received.dead || received.value.dtype() == declared) return {};
  return internalError("Output 0 of type ", dtypeShortName(received.value.dtype()), " does not match declared output type ", dtypeShortName(declared),
                       " for node {{node ", node, "}}");
}

LocalRendezvous::~LocalRendezvous() { abort(cancelledError("The step has ended.")); }

Status LocalRendezvous::send(const std::string& key, Tensor value, bool dead) {
  Done done;
  {
    const MutexLock lock(state_->mutex);
    if (!state_->ended.ok()) return state_->ended;
    const auto [it, fresh] = state_->items.try_emplace(key);
    if (fresh) {
      it->second.arrived = {std::move(value), dead};
      return {};
    }
    if (!it->second.waiting) return abortedError("Duplicated send: ", key);
    done = std::move(it->second.waiting);
    state_->items.erase(it);
  }
  done(Received{std::move(value), dead});
  return {};
}

Rendezvous::Cancel LocalRendezvous::receive(const std::string& key, Done done) {
  Result<Received> outcome = Received{};
  {
    const MutexLock lock(state_->mutex);
    if (!state_->ended.ok()) {
      outcome = state_->ended.error();
    } else {
      const auto [it, fresh] = state_->items.try_emplace(key);
      if (fresh) {
        const uint64_t number = it->second.waiter = ++state_->waiters;
        it->second.waiting = std::move(done);
        return [state = state_, key, number] {
          Done waiting;
          {
            const MutexLock again(state->mutex);
            const auto item = state->items.find(key);
            if (item == state->items.end() || !item->second.waiting || item->second.waiter != number) return;
            waiting = std::move(item->second.waiting);
            state->items.erase(item);
          }
          waiting(cancelledError("The receive of ", key, " was cancelled."));
        };
      }
      if (it->second.waiting) {
        outcome = abortedError("Duplicated recv: ", key);
      } else {
        outcome = std::move(it->second.arrived);
        state_->items.erase(it);
      }
    }
  }
  done(std::move(outcome));
  return {};
}

void LocalRendezvous::abort(Error why) {
  std::unordered_map<std::string, Item> left;
  {
    const MutexLock lock(state_->mutex);
    if (!state_->ended.ok()) return;
    state_->ended = why;
    left.swap(state_->items);
  }
  for (auto& [key, item] : left) {
    if (item.waiting) item.waiting(why);
  }
}

std::string RendezvousKey::text() const {
  char hex[16];
  for (int i = 0; i < 16; ++i) hex[i] = "0123456789abcdef"[incarnation >> (60 - 4 * i) & 15];
  return concat(sendDevice, ";", std::string_view(hex, 16), ";", recvDevice, ";", tensor, ";", frame, ":", iteration);
}

std::string RendezvousKey::ofEdge(const AttrMap& attrs) {
  const std::string send = attrs.text("send_device"), recv = attrs.text("recv_device"), tensor = attrs.text("tensor_name");
  RendezvousKey key;
  key.sendDevice = send;
  key.incarnation = uint64_t(attrs.integer("send_device_incarnation"));
  key.recvDevice = recv;
  key.tensor = tensor;
  return key.text();
}

Result<RendezvousKey> RendezvousKey::parse(std::string_view text) {
  RendezvousKey key;
  std::string_view rest = text;
  const auto next = [&](char end) {
    const size_t at = std::min(rest.find(end), rest.size());
    const std::string_view part = rest.substr(0, at);
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return part;
  };
  const auto number = [](std::string_view digits, auto& value, int base) {
    const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    return r.ec == std::errc() && r.ptr == digits.data() + digits.size();
  };
  key.sendDevice = next(';');
  const std::string_view incarnation = next(';');
  key.recvDevice = next(';');
  key.tensor = next(';');
  const std::string_view frame = next(':');
  if (key.sendDevice.empty() || key.recvDevice.empty() || key.tensor.empty() || !number(incarnation, key.incarnation, 16) || !number(frame, key.frame, 10) ||
      !number(rest, key.iteration, 10)) {
    return invalidArgument("Invalid  rendezvous key: ", text);
  }
  return key;
}

}  // namespace weft
