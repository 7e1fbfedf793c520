#include "kernel/async_kernel.h"

#include <chrono>
#include <new>

#include "runtime/executor.h"

namespace weft {
namespace {

using Begin = Result<AsyncKernel::Cancel> (*)(KernelContext&, const AsyncKernel::Done&);

class PlainAsyncKernel final : public AsyncKernel {
 public:
  explicit PlainAsyncKernel(Begin begin) : begin_(begin) {}
  Cancel start(KernelContext& c, Done given) override {
    // An element of a queue or staging area has the type with which it was enqueued, which may differ from the dequeuing node's attributes.
    const Done done = [types = c.node().outputTypes, given = std::move(given)](Result<Outputs> outputs) {
      for (size_t k = 0; outputs.ok() && k < outputs->size(); ++k) {
        const Tensor& t = (*outputs)[k];
        if (k >= types.size() || (t.hasValue() && t.dtype() != baseType(types[k]))) {
          outputs = invalidArgument("Component ", k, " is ", dtypeShortName(t.dtype()), ", expected ",
                                    k < types.size() ? dtypeShortName(baseType(types[k])) : "nothing");
        }
      }
      given(std::move(outputs));
    };
    auto begun = begin_(c, done);
    if (begun.ok()) return std::move(*begun);
    done(begun.error());
    return {};
  }

 private:
  const Begin begin_;
};

}  // namespace

KernelFactory asyncKernel(Begin begin) {
  return [begin](KernelInit&) -> Result<std::unique_ptr<Kernel>> { return std::unique_ptr<Kernel>(std::make_unique<PlainAsyncKernel>(begin)); };
}

AsyncKernel::Done Mailbox::slot(std::shared_ptr<Mailbox> box, int64_t number) {
  return [box = std::move(box), number](Result<AsyncKernel::Outputs> outputs) {
    const MutexLock lock(box->mutex_);
    box->letters_.push_back({number, std::move(outputs)});
    box->came_.notify_one();
  };
}

std::vector<Mailbox::Letter> Mailbox::take(int64_t ms) {
  std::vector<Letter> taken;
  const MutexLock lock(mutex_);
  if (ms > 0) came_.wait_for(mutex_, std::chrono::milliseconds(ms), [this]() WEFT_REQUIRES(mutex_) { return !letters_.empty(); });
  taken.swap(letters_);
  return taken;
}

AsyncKernel::Cancel startKernel(AsyncKernel& kernel, KernelContext& c, const AsyncKernel::Done& done) noexcept {
  try {
    return kernel.start(c, done);
  } catch (const std::bad_alloc&) {
    done(resourceExhausted("OOM when running ", c.node().op));
  } catch (const std::exception& e) {
    done(internalError(c.node().op, " failed: ", e.what()));
  }
  return {};
}

Status AsyncKernel::compute(KernelContext& c) {
  const auto box = std::make_shared<Mailbox>();
  const Cancel cancel = start(c, Mailbox::slot(box, 0));
  std::vector<Mailbox::Letter> letters = box->take();
  while (letters.empty()) {
    if (c.cancelled() && cancel) cancel();
    letters = box->take(kWakeMs);
  }
  WEFT_LET(Outputs outputs, std::move(letters.front().outputs));
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k].hasValue()) c.setOutput(int(k), std::move(outputs[k]));
    else c.setOutputDead(int(k));
  }
  return {};
}

}  // namespace weft
