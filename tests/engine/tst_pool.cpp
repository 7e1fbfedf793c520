// The compute threads: teams of every size, parts, teams within teams, many masters at once, exceptions; and that oneDNN's calls come to them.
#include <QtTest>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/openmp_calls.h"
#include "base/parallel.h"
#include "base/pool.h"
#include "device/cpu/gemm.h"
#include "weft/tensor.h"

using namespace weft;

namespace {

/// The expected product of a matrix of ones and one of small numbers, for oneDNN's given thread count.
bool productIsRight(int threads, int64_t m = 192, bool transposeB = false) {
  setThreadParallelism(threads);
  const int64_t k = 160, n = 225;
  std::vector<float> a(size_t(m * k)), b(size_t(k * n), 1.f), c(size_t(m * n), -1.f);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i / size_t(k) % 7);  // row r is r mod 7 throughout
  cpu::gemm({m, k, n, false, transposeB}, a.data(), b.data(), c.data());
  setThreadParallelism(0);
  for (int64_t r = 0; r < m; ++r) {
    for (int64_t j = 0; j < n; ++j) {
      if (c[size_t(r * n + j)] != float(r % 7 * k)) return false;
    }
  }
  return true;
}

class TestPool : public QObject {
  Q_OBJECT

 private slots:
  void init() { setThreadParallelism(0); }

  void aTeamHasEveryThreadAtOnce_data() {
    QTest::addColumn<int>("threads");
    for (const int n : {1, 2, 3, 4, 5, 8, 13, 16, 70}) QTest::newRow(qPrintable(QString::number(n))) << n;
  }
  void aTeamHasEveryThreadAtOnce() {
    QFETCH(int, threads);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::thread::id> ids(static_cast<size_t>(threads));
      std::vector<int> sizes(size_t(threads), 0), numbers(size_t(threads), -1);
      std::barrier all(threads);  // would wait for ever if two numbers shared a thread
      pool::fork(threads, [&](int i) {
        all.arrive_and_wait();
        ids[size_t(i)] = std::this_thread::get_id();
        sizes[size_t(i)] = pool::size();
        numbers[size_t(i)] = pool::index();
      });
      QCOMPARE(std::set<std::thread::id>(ids.begin(), ids.end()).size(), size_t(threads));
      QVERIFY(ids[0] == std::this_thread::get_id());
      for (int i = 0; i < threads; ++i) {
        QCOMPARE(sizes[size_t(i)], threads);
        QCOMPARE(numbers[size_t(i)], i);
      }
    }
    QVERIFY(pool::workers() >= threads - 1);
    QCOMPARE(pool::size(), 1);
    QCOMPARE(pool::index(), 0);
    QVERIFY(!pool::inTeam());
  }

  void workersAreTakenAgain() {
    pool::fork(4, [](int) {});
    const int before = pool::workers();
    for (int i = 0; i < 2000; ++i) pool::fork(4, [](int) {});
    QCOMPARE(pool::workers(), before);
  }

  void aBarrierHoldsEveryRound() {
    for (const int threads : {2, 3, 7}) {
      std::atomic<int> arrived{0};
      std::atomic<bool> early{false};
      pool::fork(threads, [&](int) {
        for (int round = 1; round <= 200; ++round) {
          ++arrived;
          pool::barrier();
          if (arrived.load() < round * threads) early = true;
          pool::barrier();
        }
      });
      QVERIFY(!early);
      QCOMPARE(arrived.load(), 200 * threads);
    }
    pool::barrier();  // of one: no wait
  }

  void partsAreEachDoneOnce() {
    for (const int parts : {0, 1, 2, 3, 10, 1000}) {
      std::vector<std::atomic<int>> done(static_cast<size_t>(parts));
      pool::share(parts, [&](int p) { ++done[size_t(p)]; });
      for (const auto& d : done) QCOMPARE(d.load(), 1);
    }
  }

  void parallelForCoversEverythingOnce() {
    for (const int threads : {1, 2, 3, 4, 9}) {
      setThreadParallelism(threads);
      for (const int64_t n : {0, 1, 15, 16, 17, 100, 1023, 4096, 50001}) {
        for (const int64_t grain : {1, 7, 1000}) {
          std::vector<std::atomic<int>> done(static_cast<size_t>(n));
          std::atomic<int> parts{0};
          parallelFor(n, grain, [&](int64_t begin, int64_t end) {
            ++parts;
            for (int64_t i = begin; i < end; ++i) ++done[size_t(i)];
          });
          for (const auto& d : done) QCOMPARE(d.load(), 1);
          QVERIFY(parts.load() <= threads);
        }
      }
    }
  }

  void whatATeamCallsRunsInline() {
    setThreadParallelism(4);
    QCOMPARE(parallelism(), 4);
    std::atomic<int> wrong{0}, inner{0};
    pool::fork(3, [&](int) {
      const auto self = std::this_thread::get_id();
      if (parallelism() != 1 || !pool::inTeam()) ++wrong;
      pool::fork(5, [&](int i) {
        ++inner;
        if (i != 0 || pool::size() != 1 || pool::index() != 0 || !pool::inTeam() || parallelism() != 1 || std::this_thread::get_id() != self) ++wrong;
        pool::barrier();
        pool::fork(2, [&](int) {
          if (std::this_thread::get_id() != self) ++wrong;
        });
      });
      parallelFor(100, 1, [&](int64_t begin, int64_t end) {
        if (begin != 0 || end != 100 || std::this_thread::get_id() != self) ++wrong;
      });
      pool::share(7, [&](int) {
        if (std::this_thread::get_id() != self) ++wrong;
      });
      if (pool::size() != 3) ++wrong;
    });
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(inner.load(), 3);
    QCOMPARE(parallelism(), 4);
  }

  void whatABodyThrowsIsThrownToTheCaller() {
    for (int thrower = 0; thrower < 3; ++thrower) {
      std::atomic<int> ran{0};
      try {
        pool::fork(3, [&](int i) {
          ++ran;
          if (i == thrower) throw std::runtime_error("number " + std::to_string(i));
        });
        QFAIL("nothing was thrown");
      } catch (const std::runtime_error& e) {
        QCOMPARE(std::string(e.what()), "number " + std::to_string(thrower));
      }
      QCOMPARE(ran.load(), 3);
    }
    setThreadParallelism(4);
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, parallelFor(100, 1, [](int64_t begin, int64_t) {
                               if (begin > 0) throw std::bad_alloc();
                             }));
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, pool::fork(1, [](int) { throw std::bad_alloc(); }));
    QVERIFY(!pool::inTeam());
    QCOMPARE(parallelism(), 4);
    int sum = 0;  // and the threads work on
    pool::fork(2, [&](int i) {
      if (i == 0) sum = 1;
    });
    QCOMPARE(sum, 1);
  }

  void manyMastersAtOnce() {
    std::atomic<int64_t> wrong{0};
    std::vector<std::thread> masters;
    for (int m = 0; m < 6; ++m) {
      masters.emplace_back([&, m] {
        setThreadParallelism(m % 3 + 1);
        for (int round = 0; round < 300; ++round) {
          std::vector<int> sums(3, 0);
          pool::fork(3, [&](int i) {
            pool::barrier();
            sums[size_t(i)] = m + i;
            pool::barrier();
            if (sums[0] + sums[1] + sums[2] != 3 * m + 3) ++wrong;
          });
          std::vector<int> marks(500, 0);
          parallelFor(500, 1, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) ++marks[size_t(i)];
          });
          if (std::accumulate(marks.begin(), marks.end(), 0) != 500) ++wrong;
        }
      });
    }
    for (std::thread& t : masters) t.join();
    QCOMPARE(wrong.load(), int64_t(0));
  }

  void sleepersAreWoken() {
    for (int round = 0; round < 5; ++round) {
      pool::fork(3, [](int i) {
        if (i == 2) QThread::msleep(5);
      });  // the caller sleeps, and so do workers
      std::atomic<int> ran{0};
      QThread::msleep(5);
      pool::fork(3, [&](int i) {
        if (i == 1) QThread::msleep(3);
        pool::barrier();
        ++ran;
      });
      QCOMPARE(ran.load(), 3);
    }
  }

  void workersHaveTheCallersModes() {
    const unsigned before = __builtin_ia32_stmxcsr();
    for (const unsigned mode : {before & ~0x8040u, before | 0x8040u}) {
      __builtin_ia32_ldmxcsr(mode);
      std::vector<unsigned> seen(3, 0);
      pool::fork(3, [&](int i) { seen[size_t(i)] = __builtin_ia32_stmxcsr(); });
      __builtin_ia32_ldmxcsr(before);
      for (const unsigned s : seen) QCOMPARE(s & 0x8040u, mode & 0x8040u);
    }
  }

  void aForkedProcessHasItsOwn() {
#ifdef WEFT_TSAN
    QSKIP("ThreadSanitizer ends processes that fork with threads and then start some");
#endif
    pool::fork(3, [](int) {});
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      std::atomic<int> ran{0};
      pool::fork(3, [&](int) { ++ran; });
      ::_exit(ran.load() == 3 ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
  }

  void oneDnnCallsComeHere() {
    if (qEnvironmentVariableIsSet("WEFT_TEST_LIBGOMP_FIRST")) {
      QVERIFY(!openmp::answered());
    } else {
      QVERIFY(openmp::answered());
      const int64_t before = openmp::forks();
      QVERIFY(productIsRight(2));
      QVERIFY(openmp::forks() > before);
    }
  }

  void oneDnnIsRightWithAnyThreads() {
    for (const int threads : {1, 2, 3, 4}) {
      for (const int64_t m : {48, 192}) {
        for (const bool transposeB : {false, true}) QVERIFY(productIsRight(threads, m, transposeB));
      }
    }
    std::atomic<int> wrong{0};
    std::vector<std::thread> masters;
    for (int m = 0; m < 4; ++m) {
      masters.emplace_back([&, m] {
        for (int round = 0; round < 10; ++round) {
          if (!productIsRight(m + 1)) ++wrong;
        }
      });
    }
    for (std::thread& t : masters) t.join();
    QCOMPARE(wrong.load(), 0);
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestPool)
#include "tst_pool.moc"
