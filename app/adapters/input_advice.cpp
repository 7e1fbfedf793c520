#include "adapters/input_advice.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace weft::app {
namespace {

struct AdviceWords {
  Q_DECLARE_TR_FUNCTIONS(InputAdvice)
};

constexpr double kFitsMemory = 1000;  // MB
constexpr double kRecordFile = 100;   // MB; a good size for a TFRecord file
constexpr int kManyFiles = 1000;
constexpr double kSmallFile = 1;  // MB; many such files cost more to open than to read

const char* const kMemory =
    "import numpy as np\n"
    "import tensorflow as tf\n\n"
    "with np.load(\"data.npz\") as data:\n"
    "    all_features, all_labels = data[\"features\"], data[\"labels\"]\n"
    "# Placeholders keep the arrays out of the graph: a GraphDef may have at most 2 GB.\n"
    "features_in = tf.placeholder(all_features.dtype, all_features.shape)\n"
    "labels_in = tf.placeholder(all_labels.dtype, all_labels.shape)\n"
    "data = tf.data.Dataset.from_tensor_slices((features_in, labels_in))\n"
    "data = data.shuffle(len(all_labels)).repeat().batch(%1).prefetch(1)\n"
    "iterator = data.make_initializable_iterator()\n"
    "features, labels = iterator.get_next()\n"
    "# session.run(iterator.initializer, {features_in: all_features, labels_in: all_labels})\n";

const char* const kDataset =
    "import tensorflow as tf\n\n\n"
    "def read(path, label):\n"
    "    picture = tf.image.decode_jpeg(tf.read_file(path), channels=3)\n"
    "    return tf.image.resize_images(picture, [224, 224]) / 255.0, label\n\n\n"
    "paths, all_labels = [\"a.jpg\", \"b.jpg\"], [0, 1]\n"
    "data = tf.data.Dataset.from_tensor_slices((paths, all_labels))\n"
    "data = data.shuffle(len(paths)).repeat().map(read, num_parallel_calls=4).batch(%1).prefetch(1)\n"
    "features, labels = data.make_one_shot_iterator().get_next()\n";

const char* const kRecords =
    "import glob\n"
    "import tensorflow as tf\n\n\n"
    "def write(samples, count):\n"
    "    \"\"\"Writes (bytes, label) pairs to `count` files, one after the other.\"\"\"\n"
    "    writers = [tf.python_io.TFRecordWriter(\"data-%05d-of-%05d.tfrecord\" % (i, count)) for i in range(count)]\n"
    "    for i, (image, label) in enumerate(samples):\n"
    "        feature = {\"image\": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image])),\n"
    "                   \"label\": tf.train.Feature(int64_list=tf.train.Int64List(value=[label]))}\n"
    "        writers[i % count].write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())\n"
    "    for writer in writers:\n"
    "        writer.close()\n\n\n"
    "# write(samples, {files})\n"
    "def parse(record):\n"
    "    f = tf.parse_single_example(record, {\"image\": tf.FixedLenFeature([], tf.string), \"label\": tf.FixedLenFeature([], tf.int64)})\n"
    "    return tf.decode_raw(f[\"image\"], tf.uint8), f[\"label\"]\n\n\n"
    "files = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(\"data-*.tfrecord\"))).shuffle({files})\n"
    "data = files.interleave(tf.data.TFRecordDataset, cycle_length={cycle})\n"
    "data = data.shuffle(10000).repeat().map(parse, num_parallel_calls=4).batch({batch}).prefetch(1)\n"
    "features, labels = data.make_one_shot_iterator().get_next()\n";

const char* const kQueue =
    "import threading\n"
    "import numpy as np\n"
    "import tensorflow as tf\n\n"
    "queue = tf.RandomShuffleQueue(capacity={capacity}, min_after_dequeue={least}, dtypes=[tf.float32, tf.int64], shapes=[[10], []])\n"
    "feature_in, label_in = tf.placeholder(tf.float32, [10]), tf.placeholder(tf.int64, [])\n"
    "enqueue = queue.enqueue([feature_in, label_in])\n"
    "close = queue.close(cancel_pending_enqueues=True)\n"
    "features, labels = queue.dequeue_many({batch})\n\n\n"
    "def feed(session, source):\n"
    "    \"\"\"Puts what the source gives into the queue, until it is closed.\"\"\"\n"
    "    try:\n"
    "        for feature, label in source:\n"
    "            session.run(enqueue, {feature_in: feature, label_in: label})\n"
    "    except tf.errors.CancelledError:\n"
    "        pass\n\n\n"
    "# threading.Thread(target=feed, args=(session, source), daemon=True).start()\n";

int recordFilesOf(const InputFacts& f) { return std::max(1, int(std::lround(f.megabytes / kRecordFile))); }

}  // namespace

QString inputProgram(InputAdvice::Way way, const InputFacts& facts) {
  const int files = recordFilesOf(facts);
  switch (way) {
    case InputAdvice::Way::Memory: return QString::fromLatin1(kMemory).arg(facts.batch);
    case InputAdvice::Way::Dataset: return QString::fromLatin1(kDataset).arg(facts.batch);
    case InputAdvice::Way::Records:
      return QString::fromLatin1(kRecords)
          .replace(QLatin1String("{files}"), QString::number(files))
          .replace(QLatin1String("{cycle}"), QString::number(std::min(files, 4)))
          .replace(QLatin1String("{batch}"), QString::number(facts.batch));
    case InputAdvice::Way::Queue: break;
  }
  return QString::fromLatin1(kQueue)
      .replace(QLatin1String("{capacity}"), QString::number(1000 + 3 * facts.batch))
      .replace(QLatin1String("{least}"), QStringLiteral("1000"))
      .replace(QLatin1String("{batch}"), QString::number(facts.batch));
}

InputAdvice inputAdvice(const InputFacts& f) {
  InputAdvice out;
  const double each = f.megabytes / std::max(1, f.files);
  const bool manySmall = f.files >= kManyFiles && each < kSmallFile;
  if (f.online) {
    out.way = InputAdvice::Way::Queue;
    out.title = AdviceWords::tr("Put it into a queue");
    out.reasons << AdviceWords::tr(
        "New data arrives during training: a thread fills the queue, and training dequeues batches and waits only if the queue is empty.");
    out.reasons << AdviceWords::tr("min_after_dequeue determines how well the data is shuffled; “Shuffle quality” shows it.");
  } else if (f.megabytes <= kFitsMemory) {
    out.way = InputAdvice::Way::Memory;
    out.title = AdviceWords::tr("Load it into memory");
    out.reasons << AdviceWords::tr("Up to about 1 GB is read once, without cost afterwards, and can be shuffled as a whole.");
    if (f.megabytes > 200)
      out.reasons << AdviceWords::tr(
          "Above 200 MB, feed the arrays through placeholders as below: as constants they would be saved with the meta graph of each checkpoint.");
    if (manySmall) out.reasons << AdviceWords::tr("Combine the many small files into one array file (.npz) first: opening each takes longer than reading it.");
  } else if (f.pictures && !manySmall && f.files > 1 && f.megabytes <= 20 * kFitsMemory) {
    out.way = InputAdvice::Way::Dataset;
    out.title = AdviceWords::tr("Read the files with tf.data");
    out.reasons << AdviceWords::tr("The data does not fit into memory, and its files are large enough to be opened one by one.");
    out.reasons << AdviceWords::tr("Threads decode the next batch while the current one is computed.");
  } else {
    out.way = InputAdvice::Way::Records;
    out.recordFiles = recordFilesOf(f);
    out.title = AdviceWords::tr("Write %n TFRecord file(s) of about 100 MB", nullptr, out.recordFiles);
    out.reasons << AdviceWords::tr("The data does not fit into memory; sequential reads of records are the fastest on disks.");
    if (manySmall) out.reasons << AdviceWords::tr("Many small files: opening each takes longer than reading it.");
    out.reasons << AdviceWords::tr("Files of about 100 MB can be shuffled as a whole and read in parallel.");
  }
  out.program = inputProgram(out.way, f);
  return out;
}

}  // namespace weft::app
