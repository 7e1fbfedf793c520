// Growing arrays of plain values: small ones, those with their own pages, copies.
#include <QTest>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

#include "common/growing_array.h"

using weft::widgets::GrowingArray;
using weft::widgets::GrowingBytes;

class TestGrowingArray : public QObject {
  Q_OBJECT

 private slots:
  void keepsItsValuesWhileItGrows() {
    GrowingArray<double> array;
    QVERIFY(array.empty());
    for (int i = 0; i < 300000; ++i) array.push_back(i);  // well beyond the size at which it moves to its own pages
    QCOMPARE(array.size(), std::size_t{300000});
    for (std::size_t i = 0; i < array.size(); ++i) QCOMPARE(array[i], double(i));
    QCOMPARE(array.back(), 299999.0);
    QCOMPARE(array.end() - array.begin(), std::ptrdiff_t{300000});
  }

  void takesManyAtOnce() {
    std::vector<int> values(100000);
    std::iota(values.begin(), values.end(), 7);
    GrowingArray<int> array;
    array.append({});
    QVERIFY(array.empty());
    for (int i = 0; i < 3; ++i) array.append(values);
    QCOMPARE(array.size(), 3 * values.size());
    QCOMPARE(array[2 * values.size()], 7);
    QCOMPARE(array.back(), values.back());
  }

  void aValueOfItsOwnMayBeAdded() {
    GrowingArray<int> array;
    array.push_back(5);
    for (int i = 0; i < 200000; ++i) array.push_back(array[0]);  // while its memory moves
    QCOMPARE(std::accumulate(array.begin(), array.end(), 0), 5 * 200001);
  }

  void shrinksAndGrowsAgainWithFreshValues() {
    GrowingArray<int> array;
    array.resize(3);
    QCOMPARE(array[2], 0);
    array.push_back(9);
    array.resize(2);
    array.resize(5);
    QCOMPARE(array[3], 0);  // not the 9 that was there
    array.clear();
    QVERIFY(array.empty());
    array.push_back(1);
    QCOMPARE(array.front(), 1);
  }

  void copiesAreTheirOwn() {
    GrowingArray<int> a;
    for (int i = 0; i < 100000; ++i) a.push_back(i);
    GrowingArray<int> b = a;
    b.push_back(-1);
    b[0] = 42;
    QCOMPARE(a.size(), std::size_t{100000});
    QCOMPARE(a[0], 0);
    GrowingArray<int> c = std::move(b);
    QCOMPARE(c[0], 42);
    QCOMPARE(c.size(), std::size_t{100001});
    a = c;
    QCOMPARE(a.back(), -1);
    a = GrowingArray<int>();
    QVERIFY(a.empty());
    QCOMPARE(c.back(), -1);
  }

  void whatCannotBeHadIsSaidAndNothingIsLost() {
    GrowingArray<int> array;
    for (int i = 0; i < 100000; ++i) array.push_back(i);
    QVERIFY_EXCEPTION_THROWN(array.resize(std::numeric_limits<std::size_t>::max() / 8), std::bad_alloc);
    QCOMPARE(array.size(), std::size_t{100000});
    QCOMPARE(array.back(), 99999);
    GrowingBytes bytes;
    QVERIFY_EXCEPTION_THROWN(bytes.reserve(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  }
};

QTEST_APPLESS_MAIN(TestGrowingArray)
#include "tst_growing_array.moc"
