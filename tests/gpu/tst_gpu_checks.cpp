#include <sys/wait.h>
#include <unistd.h>
#include <QTest>

#include "device/cuda/host/machine.h"
#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Each test plants a fault in device code, or in how the host uses a device, and expects the host build to find and name it. Its sound neighbour must pass.
namespace weft::cuda {
namespace {

/// Stays until the process ends, as devices do.
CudaDevice& device() {
  static CudaDevice* d = CudaDevice::open(0).value().release();
  return *d;
}

Tensor onDevice(const std::vector<float>& values) { return device().fromHost(Tensor::vector(values)).value(); }
Tensor empty(int64_t n) { return allocateTensor(device().allocator(), DType::Float, Shape{n}).value(); }
float* elements(Tensor& t) { return mutableDataOf<float>(t); }
const float* elements(const Tensor& t) { return dataOf<float>(t); }

/// What waiting for the device says; empty: all is well.
QString complaint() {
  const Status s = device().sync();
  return s.ok() ? QString() : QString::fromStdString(s.error().message);
}

class GpuChecksTest : public QObject {
  Q_OBJECT

 private:
  static void launchAs(const char* name) { host::nameLaunches(name); }

 private Q_SLOTS:
  void cleanup() {
    host::Machine& m = host::Machine::instance();
    const MutexLock lock(m.mutex());
    m.recover();
    m.setOthersGoOn(true);
  }

  void soundCodeRuns() {
    launchAs("Double");
    const Tensor x = onDevice({1, 2, 3});
    Tensor y = empty(3);
    const float* from = elements(x);
    float* to = elements(y);
    QVERIFY(forEach(device(), 3, [=](int64_t i) { to[i] = 2 * from[i]; }).ok());
    QCOMPARE(device().toHost(y).value().at<float>(2), 6.0f);
  }

  void writeBehindATensor() {
    launchAs("Spill");
    Tensor t = empty(5);
    float* to = elements(t);
    QVERIFY(forEach(device(), 6, [=](int64_t i) { to[i] = 1; }).ok());
    QVERIFY2(complaint().startsWith("CUDA: Spill wrote at byte 20 of a tensor of 20 bytes on GPU 0 (cudaStreamSynchronize(stream_)). "),
             qPrintable(complaint()));
  }

  void writeBeforeATensor() {
    launchAs("Underflow");
    Tensor t = empty(200);
    float* to = elements(t);
    QVERIFY(forEach(device(), 1, [=](int64_t) { to[-1] = 1; }).ok());
    QVERIFY2(complaint().contains("Underflow wrote"), qPrintable(complaint()));
  }

  void writeOutsideOfSharedMemory() {
    launchAs("Shared");
    QVERIFY(forEachBlock(device(), 2, [=](int64_t) {
              WEFT_SHARED(float, part, kThreads);
              part[threadIdx.x + 1] = 1;
            }).ok());
    QVERIFY2(complaint().contains("Shared: wrote outside of shared memory"), qPrintable(complaint()));
  }

  void readOfAnElementThatNobodyWrote() {
    launchAs("Half");
    Tensor t = empty(4);
    float* to = elements(t);
    QVERIFY(forEach(device(), 2, [=](int64_t i) { to[i] = 1; }).ok());
    const auto fetched = device().toHost(t);
    QVERIFY(!fetched.ok());
    QVERIFY2(fetched.error().message.find("copies uninitialised memory to the host, from byte 8 of 16") != std::string::npos, fetched.error().message.c_str());
  }

  void sumWithUninitialisedMemory() {
    launchAs("Sum");
    Tensor t = empty(4);
    const Tensor x = onDevice({1, 2, 3, 4}), never = empty(4);
    const float *a = elements(x), *b = elements(never);
    float* to = elements(t);
    QVERIFY(forEach(device(), 4, [=](int64_t i) { to[i] = a[i] + b[i]; }).ok());
    QVERIFY(!device().toHost(t).ok());
  }

  void sumOverABlock_data() {
    QTest::addColumn<bool>("waits");
    QTest::newRow("with its barriers") << true;
    QTest::newRow("without one of them") << false;
  }
  /// Threads run in varying order, so that a missing barrier gives a wrong sum or poison for some order.
  void sumOverABlock() {
    QFETCH(bool, waits);
    bool allRight = true;
    for (uint32_t seed = 1; seed <= 9; ++seed) {
      {
        host::Machine& m = host::Machine::instance();
        const MutexLock lock(m.mutex());
        m.recover();
        m.setChance(seed * 7919);
      }
      launchAs("Total");
      Tensor t = empty(1);
      float* to = elements(t);
      QVERIFY(forEachBlock(device(), 1, [=](int64_t) {
                WEFT_SHARED(float, part, kThreads);
                part[threadIdx.x] = float(threadIdx.x);
                if (waits) __syncthreads();
                for (unsigned half = kThreads / 2; half > 0; half /= 2) {
                  if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
                  __syncthreads();
                }
                if (threadIdx.x == 0) *to = part[0];
              }).ok());
      const auto sum = device().toHost(t);
      if (waits) QVERIFY2(sum.ok(), sum.ok() ? "" : sum.error().message.c_str());
      allRight &= sum.ok() && sum->at<float>(0) == kThreads * (kThreads - 1) / 2;
    }
    QCOMPARE(allRight, waits);
  }

  void barrierInALoopOverElements() {
    launchAs("Loop");
    QVERIFY(forEach(device(), 4, [=](int64_t) { __syncthreads(); }).ok());
    QVERIFY2(complaint().contains("Loop: __syncthreads() in code that was launched by forEach()"), qPrintable(complaint()));
  }

  void barrierThatSomeThreadsMiss() {
    launchAs("Diverge");
    QVERIFY(forEachBlock(device(), 1, [=](int64_t) {
              if (threadIdx.x < 100) __syncthreads();
            }).ok());
    QVERIFY2(complaint().contains("Diverge: __syncthreads() waits for 156 threads that have ended"), qPrintable(complaint()));
  }

  void sumOverAWarp() {
    launchAs("Warp");
    Tensor t = empty(kThreads);
    float* to = elements(t);
    QVERIFY(forEachBlock(device(), 1, [=](int64_t) {
              float v = float(threadIdx.x % kWarp);
              for (int by = kWarp / 2; by > 0; by /= 2) v += __shfl_xor_sync(0xffffffffu, v, by);
              to[threadIdx.x] = v;
            }).ok());
    const Tensor sums = device().toHost(t).value();
    for (int64_t i = 0; i < kThreads; ++i) QCOMPARE(sums.at<float>(i), 496.0f);
  }

  void exchangeWithAThreadThatNeverComes() {
    launchAs("Lonely");
    QVERIFY(forEachBlock(device(), 1, [=](int64_t) {
              if (threadIdx.x % kWarp < 16) __shfl_sync(0xffffffffu, 1.0f, 0);
            }).ok());
    QVERIFY2(complaint().contains("Lonely: a warp exchange waits for a thread that never comes"), qPrintable(complaint()));
  }

  void useAfterFree_data() {
    QTest::addColumn<bool>("writes");
    QTest::newRow("write") << true;
    QTest::newRow("read") << false;
  }
  void useAfterFree() {
    QFETCH(bool, writes);
    launchAs("Dangling");
    float* to = nullptr;
    {
      Tensor t = onDevice(std::vector<float>(3000, 1));  // a size that no other test uses
      to = elements(t);
    }
    Tensor result = empty(400);  // of another size: it gets other memory
    float* kept = elements(result);
    QVERIFY(forEach(device(), 400, [=](int64_t i) {
              kept[i] = writes ? 0 : to[i % 4];
              if (writes && i < 4) to[i] = 5;
            }).ok());
    if (writes) {
      const Tensor next = empty(3000);  // gets the block that was freed
      QVERIFY2(complaint().contains("finds that a free block of 12288 bytes was written to"), qPrintable(complaint()));
    } else {
      QVERIFY(!device().toHost(result).ok());
    }
  }

  void useOfAnotherStreamsResult_data() {
    QTest::addColumn<bool>("waits");
    QTest::newRow("after its event") << true;
    QTest::newRow("without the event") << false;
  }
  /// Nothing runs before somebody waits for it, so what is not ordered by an event has not happened yet.
  void useOfAnotherStreamsResult() {
    QFETCH(bool, waits);
    launchAs("Two streams");
    cudaStream_t other = nullptr;
    cudaEvent_t done = nullptr;
    QCOMPARE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    QCOMPARE(cudaEventCreateWithFlags(&done, cudaEventDisableTiming), cudaSuccess);
    Tensor x = empty(64);
    float* to = elements(x);
    QVERIFY(device().sync().ok());
    void* pinned = nullptr;
    QCOMPARE(cudaMallocHost(&pinned, x.bytes()), cudaSuccess);
    QVERIFY(forEach(device(), 64, [=](int64_t i) { to[i] = float(i); }).ok());
    QCOMPARE(cudaEventRecord(done, device().stream()), cudaSuccess);
    if (waits) QCOMPARE(cudaStreamWaitEvent(other, done), cudaSuccess);
    {
      host::Machine& m = host::Machine::instance();
      const MutexLock lock(m.mutex());
      m.setOthersGoOn(false);
    }
    QCOMPARE(cudaMemcpyAsync(pinned, x.raw(), x.bytes(), cudaMemcpyDeviceToHost, other), cudaSuccess);
    QCOMPARE(cudaStreamSynchronize(other) == cudaSuccess, waits);
    if (waits) QCOMPARE(static_cast<float*>(pinned)[63], 63.0f);
    cleanup();
    cudaStreamDestroy(other);
    cudaEventDestroy(done);
    cudaFreeHost(pinned);
  }

  void pinnedMemoryThatIsReusedTooEarly() {
    launchAs("Upload");
    void* pinned = nullptr;
    QCOMPARE(cudaMallocHost(&pinned, 16), cudaSuccess);
    float* numbers = static_cast<float*>(pinned);
    std::fill_n(numbers, 4, 1.0f);
    Tensor t = empty(4);
    QCOMPARE(cudaMemcpyAsync(t.mutableRaw(), pinned, 16, cudaMemcpyHostToDevice, device().stream()), cudaSuccess);
    std::fill_n(numbers, 4, 2.0f);  // before the copy has run
    QCOMPARE(device().toHost(t).value().at<float>(0), 2.0f);
    cudaFreeHost(pinned);
  }

  void copyBeyondAnAllocation() {
    const Tensor t = empty(4);
    void* pinned = nullptr;
    QCOMPARE(cudaMallocHost(&pinned, 1 << 20), cudaSuccess);
    cudaMemcpyAsync(pinned, t.raw(), 1 << 20, cudaMemcpyDeviceToHost, device().stream());
    QVERIFY2(complaint().contains("the copy to the host uses 1048576 bytes from byte 0 of an allocation of 512 bytes"), qPrintable(complaint()));
    cudaFreeHost(pinned);
  }

  /// A GPU's memory has no addresses for the host.
  void hostCodeThatTouchesDeviceMemory() {
    const Tensor t = onDevice({1, 2});
    QVERIFY(device().sync().ok());
    const pid_t child = fork();
    if (child == 0) {
      ::signal(SIGSEGV, SIG_DFL);
      volatile float x = *static_cast<const volatile float*>(t.raw());
      _exit(x == 1 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    QVERIFY(WIFSIGNALED(status) || WEXITSTATUS(status) > 1);  // a sanitizer ends the process with an exit status
  }

  void nothingRunsAfterAFault() {
    launchAs("First");
    Tensor t = empty(1);
    float* to = elements(t);
    QVERIFY(forEach(device(), 1, [=](int64_t) { to[1] = 1; }).ok());
    QVERIFY(complaint().contains("First wrote"));
    QVERIFY(!device().fromHost(Tensor::vector<float>({1})).ok() || complaint().contains("First wrote"));
  }
};

}  // namespace
}  // namespace weft::cuda

QTEST_GUILESS_MAIN(weft::cuda::GpuChecksTest)
#include "tst_gpu_checks.moc"
