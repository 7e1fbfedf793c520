"""tf.keras.preprocessing.image: batches of randomly transformed images."""

import os
import threading
import warnings

import numpy as np

from ..exports import export
from . import backend
from .names import Sequence
from .preprocessing_arrays import apply_affine_transform, apply_brightness_shift, apply_channel_shift, array_to_img, flip, img_to_array, load_img, picture_files

_HERE = "keras.preprocessing.image."


@export(_HERE + "Iterator")
class Iterator(Sequence):
    """Endless batches of sample indices; subclasses make the batches of samples."""

    def __init__(self, n, batch_size, shuffle, seed):
        self.n, self.batch_size, self.seed, self.shuffle = n, batch_size, seed, shuffle
        self.batch_index = self.total_batches_seen = 0
        self.lock = threading.Lock()
        self.index_array = None
        self.index_generator = self._flow_index()

    def _set_index_array(self):
        self.index_array = np.random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def _count(self):
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)

    def __getitem__(self, idx):
        if idx >= len(self):
            raise ValueError("Asked to retrieve element {idx}, but the Sequence has length {length}".format(idx=idx, length=len(self)))
        self._count()
        self.total_batches_seen += 1
        if self.index_array is None:
            self._set_index_array()
        return self._get_batches_of_transformed_samples(self.index_array[self.batch_size * idx:self.batch_size * (idx + 1)])

    def __len__(self):
        return (self.n + self.batch_size - 1) // self.batch_size

    def on_epoch_end(self):
        self._set_index_array()

    def reset(self):
        self.batch_index = 0

    def _flow_index(self):
        self.reset()
        while True:
            self._count()
            if self.batch_index == 0:
                self._set_index_array()
            first = self.batch_index * self.batch_size % self.n if self.n else 0
            self.batch_index = self.batch_index + 1 if self.n > first + self.batch_size else 0
            self.total_batches_seen += 1
            yield self.index_array[first:first + self.batch_size]

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self):
        with self.lock:
            numbers = next(self.index_generator)
        return self._get_batches_of_transformed_samples(numbers)

    def _get_batches_of_transformed_samples(self, index_array):
        raise NotImplementedError

    def _changed(self, x):
        generator = self.image_data_generator
        parameters = generator.get_random_transform(x.shape)
        return generator.standardize(generator.apply_transform(x, parameters))

    def _save(self, batch, numbers, most):
        if self.save_to_dir:
            for x, number in zip(batch, numbers):
                name = "%s_%d_%d.%s" % (self.save_prefix, number, np.random.randint(most), self.save_format)
                array_to_img(x, self.data_format, scale=True).save(os.path.join(self.save_to_dir, name))


@export(_HERE + "NumpyArrayIterator")
class NumpyArrayIterator(Iterator):
    """Batches of arrays."""

    def __init__(self, x, y, image_data_generator, batch_size=32, shuffle=False, sample_weight=None, seed=None, data_format=None, save_to_dir=None, save_prefix="",
                 save_format="png", subset=None, dtype=None):
        self.dtype = dtype or backend.floatx()
        self.data_format = backend.image_data_format() if data_format is None else data_format
        more = []
        if isinstance(x, (tuple, list)):
            more = [np.asarray(a) for a in (x[1] if isinstance(x[1], list) else [x[1]])]
            x = x[0]
            for a in more:
                if len(a) != len(x):
                    raise ValueError("All of the arrays in `x` should have the same length. Found a pair with: len(x[0]) = %s, len(x[?]) = %s" % (len(x), len(a)))
        for other, name, said in ((y, "y", "y` (labels)"), (sample_weight, "sample_weight", "sample_weight`")):
            if other is not None and len(x) != len(other):
                raise ValueError("`x` (images tensor) and `%s should have the same length. Found: x.shape = %s, %s.shape = %s" %
                                 (said, np.asarray(x).shape, name, np.asarray(other).shape))
        if subset is not None:
            if subset not in ("training", "validation"):
                raise ValueError("Invalid subset name:", subset, '; expected "training" or "validation".')
            cut = int(len(x) * image_data_generator._validation_split)
            part = slice(None, cut) if subset == "validation" else slice(cut, None)
            if y is not None and not np.array_equal(np.unique(y[:cut]), np.unique(y[cut:])):
                raise ValueError("Training and validation subsets have different number of classes after the split. If your numpy arrays are sorted by the label, you might "
                                 "want to shuffle them.")
            x, more, y = x[part], [a[part] for a in more], None if y is None else y[part]
        self.x, self.x_misc = np.asarray(x, dtype=self.dtype), more
        if self.x.ndim != 4:
            raise ValueError("Input data in `NumpyArrayIterator` should have rank 4. You passed an array with shape", self.x.shape)
        self.y = None if y is None else np.asarray(y)
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)
        self.image_data_generator = image_data_generator
        self.save_to_dir, self.save_prefix, self.save_format = save_to_dir, save_prefix, save_format
        super().__init__(self.x.shape[0], batch_size, shuffle, seed)

    def _get_batches_of_transformed_samples(self, index_array):
        batch = np.zeros((len(index_array),) + self.x.shape[1:], dtype=self.dtype)
        for i, j in enumerate(index_array):
            batch[i] = self._changed(self.x[j].astype(self.dtype))
        self._save(batch, index_array, 10 ** 4)
        made = ([batch] + [a[index_array] for a in self.x_misc] if self.x_misc else batch,)
        if self.y is None:
            return made[0]
        made += (self.y[index_array],)
        return made if self.sample_weight is None else made + (self.sample_weight[index_array],)


@export(_HERE + "DirectoryIterator")
class DirectoryIterator(Iterator):
    """Batches of images from a folder with one subfolder per class."""

    allowed_class_modes = {"categorical", "binary", "sparse", "input", None}

    def __init__(self, directory, image_data_generator, target_size=(256, 256), color_mode="rgb", classes=None, class_mode="categorical", batch_size=32, shuffle=True, seed=None,
                 data_format=None, save_to_dir=None, save_prefix="", save_format="png", follow_links=False, subset=None, interpolation="nearest", dtype=None):
        channels = {"rgb": 3, "rgba": 4, "grayscale": 1}
        if color_mode not in channels:
            raise ValueError("Invalid color mode:", color_mode, '; expected "rgb", "rgba", or "grayscale".')
        if class_mode not in self.allowed_class_modes:
            raise ValueError("Invalid class_mode: {}; expected one of: {}".format(class_mode, self.allowed_class_modes))
        if subset not in (None, "training", "validation"):
            raise ValueError('Invalid subset name: %s;expected "training" or "validation"' % (subset,))
        self.dtype, self.data_format = dtype or backend.floatx(), backend.image_data_format() if data_format is None else data_format
        self.directory, self.image_data_generator, self.color_mode, self.class_mode, self.interpolation = directory, image_data_generator, color_mode, class_mode, interpolation
        self.target_size = tuple(target_size)
        self.image_shape = self.target_size + (channels[color_mode],) if self.data_format == "channels_last" else (channels[color_mode],) + self.target_size
        self.save_to_dir, self.save_prefix, self.save_format = save_to_dir, save_prefix, save_format
        if not classes:
            classes = [name for name in sorted(os.listdir(directory)) if os.path.isdir(os.path.join(directory, name))]
        self.num_classes, self.class_indices = len(classes), dict(zip(classes, range(len(classes))))
        self.filenames, found = [], []
        for name in classes:
            files = list(picture_files(os.path.join(directory, name), follow_links))
            if subset is not None:
                split = image_data_generator._validation_split
                first, last = (0, split) if subset == "validation" else (split, 1)
                files = files[int(first * len(files)):int(last * len(files))]
            for root, file in files:
                self.filenames.append(os.path.join(name, os.path.relpath(os.path.join(root, file), os.path.join(directory, name))))
                found.append(self.class_indices[name])
        self.classes, self.samples = np.array(found, dtype="int32"), len(found)
        print("Found %d images belonging to %d classes." % (self.samples, self.num_classes))
        self.filepaths = [os.path.join(directory, name) for name in self.filenames]
        super().__init__(self.samples, batch_size, shuffle, seed)

    labels = property(lambda self: self.classes)

    def _get_batches_of_transformed_samples(self, index_array):
        batch = np.zeros((len(index_array),) + self.image_shape, dtype=self.dtype)
        for i, j in enumerate(index_array):
            picture = load_img(self.filepaths[j], color_mode=self.color_mode, target_size=self.target_size, interpolation=self.interpolation)
            batch[i] = self._changed(img_to_array(picture, data_format=self.data_format))
        self._save(batch, index_array, 10 ** 7)
        if self.class_mode is None:
            return batch
        if self.class_mode == "input":
            return batch, batch.copy()
        classes = self.classes[index_array]
        return batch, np.eye(self.num_classes, dtype=self.dtype)[classes] if self.class_mode == "categorical" else classes.astype(self.dtype)


@export(_HERE + "ImageDataGenerator")
class ImageDataGenerator:
    """Random transformations and normalization of images."""

    def __init__(self, featurewise_center=False, samplewise_center=False, featurewise_std_normalization=False, samplewise_std_normalization=False, zca_whitening=False,
                 zca_epsilon=1e-6, rotation_range=0, width_shift_range=0., height_shift_range=0., brightness_range=None, shear_range=0., zoom_range=0., channel_shift_range=0.,
                 fill_mode="nearest", cval=0., horizontal_flip=False, vertical_flip=False, rescale=None, preprocessing_function=None, data_format=None, validation_split=0.0,
                 dtype=None):
        given = dict(locals())
        for name in ("self", "data_format", "validation_split", "zoom_range", "dtype"):
            given.pop(name)
        self.__dict__.update(given)
        self.dtype, self.interpolation_order = dtype or backend.floatx(), 1
        self.data_format = backend.image_data_format() if data_format is None else data_format
        if self.data_format not in ("channels_last", "channels_first"):
            raise ValueError('`data_format` should be `"channels_last"` (channel after row and column) or `"channels_first"` (channel before row and column). Received: %s' %
                             self.data_format)
        self.channel_axis, self.row_axis, self.col_axis = (1, 2, 3) if self.data_format == "channels_first" else (3, 1, 2)
        if validation_split and not 0 < validation_split < 1:
            raise ValueError("`validation_split` must be strictly between 0 and 1.  Received: %s" % validation_split)
        self._validation_split = validation_split
        self.mean = self.std = self.principal_components = None
        if isinstance(zoom_range, (float, int)):
            self.zoom_range = [1 - zoom_range, 1 + zoom_range]
        elif len(zoom_range) == 2 and all(isinstance(v, (float, int)) for v in zoom_range):
            self.zoom_range = [zoom_range[0], zoom_range[1]]
        else:
            raise ValueError("`zoom_range` should be a float or a tuple or list of two floats. Received: %s" % (zoom_range,))
        if zca_whitening:
            self.featurewise_center, self.featurewise_std_normalization = True, False
        if self.featurewise_std_normalization:
            self.featurewise_center = True
        if samplewise_std_normalization:
            self.samplewise_center = True
        if brightness_range is not None and (not isinstance(brightness_range, (tuple, list)) or len(brightness_range) != 2):
            raise ValueError("`brightness_range should be tuple or list of two floats. Received: %s" % (brightness_range,))

    def flow(self, x, y=None, batch_size=32, shuffle=True, sample_weight=None, seed=None, save_to_dir=None, save_prefix="", save_format="png", subset=None):
        """Transformed batches of arrays."""
        return NumpyArrayIterator(x, y, self, batch_size, shuffle, sample_weight, seed, self.data_format, save_to_dir, save_prefix, save_format, subset, self.dtype)

    def flow_from_directory(self, directory, target_size=(256, 256), color_mode="rgb", classes=None, class_mode="categorical", batch_size=32, shuffle=True, seed=None,
                            save_to_dir=None, save_prefix="", save_format="png", follow_links=False, subset=None, interpolation="nearest"):
        """Transformed batches of images from a folder."""
        return DirectoryIterator(directory, self, target_size, color_mode, classes, class_mode, batch_size, shuffle, seed, self.data_format, save_to_dir, save_prefix, save_format,
                                 follow_links, subset, interpolation, self.dtype)

    def flow_from_dataframe(self, *args, **kwargs):
        raise NotImplementedError("ImageDataGenerator.flow_from_dataframe is not supported: flow or flow_from_directory")

    def standardize(self, x):
        """The array normalized with the generator's settings."""
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x *= self.rescale
        if self.samplewise_center:
            x -= np.mean(x, keepdims=True)
        if self.samplewise_std_normalization:
            x /= np.std(x, keepdims=True) + 1e-6
        for wanted, name, have in ((self.featurewise_center, "featurewise_center", self.mean), (self.featurewise_std_normalization, "featurewise_std_normalization", self.std),
                                   (self.zca_whitening, "zca_whitening", self.principal_components)):
            if wanted and have is None:
                warnings.warn("This ImageDataGenerator specifies `%s`, but it hasn't been fit on any training data. Fit it first by calling `.fit(numpy_data)`." % name)
        if self.featurewise_center and self.mean is not None:
            x -= self.mean
        if self.featurewise_std_normalization and self.std is not None:
            x /= self.std + 1e-6
        if self.zca_whitening and self.principal_components is not None:
            x = np.reshape(np.dot(np.reshape(x, (-1, np.prod(x.shape[-3:]))), self.principal_components), x.shape)
        return x

    @staticmethod
    def _shift(amount, size):
        if not amount:
            return 0
        try:
            shift = np.random.choice(amount)
            shift *= np.random.choice([-1, 1])
        except ValueError:
            shift = np.random.uniform(-amount, amount)
        return shift * size if np.max(amount) < 1 else shift

    def get_random_transform(self, img_shape, seed=None):
        """Random parameters of a transformation."""
        if seed is not None:
            np.random.seed(seed)
        draw = np.random.uniform
        theta = draw(-self.rotation_range, self.rotation_range) if self.rotation_range else 0
        tx = self._shift(self.height_shift_range, img_shape[self.row_axis - 1])
        ty = self._shift(self.width_shift_range, img_shape[self.col_axis - 1])
        shear = draw(-self.shear_range, self.shear_range) if self.shear_range else 0
        zx, zy = (1, 1) if self.zoom_range == [1, 1] else draw(self.zoom_range[0], self.zoom_range[1], 2)
        horizontal = (np.random.random() < 0.5) * self.horizontal_flip
        vertical = (np.random.random() < 0.5) * self.vertical_flip
        channel = draw(-self.channel_shift_range, self.channel_shift_range) if self.channel_shift_range != 0 else None
        brightness = draw(self.brightness_range[0], self.brightness_range[1]) if self.brightness_range is not None else None
        return {"theta": theta, "tx": tx, "ty": ty, "shear": shear, "zx": zx, "zy": zy, "flip_horizontal": horizontal, "flip_vertical": vertical,
                "channel_shift_intensity": channel, "brightness": brightness}

    def apply_transform(self, x, transform_parameters):
        p, row, column, channel = transform_parameters, self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        x = apply_affine_transform(x, p.get("theta", 0), p.get("tx", 0), p.get("ty", 0), p.get("shear", 0), p.get("zx", 1), p.get("zy", 1), row_axis=row, col_axis=column,
                                   channel_axis=channel, fill_mode=self.fill_mode, cval=self.cval, order=self.interpolation_order)
        if p.get("channel_shift_intensity") is not None:
            x = apply_channel_shift(x, p["channel_shift_intensity"], channel)
        if p.get("flip_horizontal", False):
            x = flip(x, column)
        if p.get("flip_vertical", False):
            x = flip(x, row)
        return apply_brightness_shift(x, p["brightness"]) if p.get("brightness") is not None else x

    def random_transform(self, x, seed=None):
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def fit(self, x, augment=False, rounds=1, seed=None):
        """Computes the mean, deviation or principal components of images."""
        x = np.array(x, dtype=self.dtype)
        if x.ndim != 4:
            raise ValueError("Input to `.fit()` should have rank 4. Got array with shape: " + str(x.shape))
        if seed is not None:
            np.random.seed(seed)
        if self.rescale:
            x *= self.rescale
        if augment:
            x = np.array([self.random_transform(one) for _ in range(rounds) for one in x], dtype=self.dtype)
        shape = [1, 1, 1]
        shape[self.channel_axis - 1] = x.shape[self.channel_axis]
        axes = (0, self.row_axis, self.col_axis)
        if self.featurewise_center:
            self.mean = np.reshape(np.mean(x, axis=axes), shape)
            x -= self.mean
        if self.featurewise_std_normalization:
            self.std = np.reshape(np.std(x, axis=axes), shape)
            x /= self.std + 1e-6
        if self.zca_whitening:
            flat = np.reshape(x, (x.shape[0], -1))
            u, s, _ = np.linalg.svd(np.dot(flat.T, flat) / flat.shape[0])
            self.principal_components = (u * (1.0 / np.sqrt(s[np.newaxis] + self.zca_epsilon))).dot(u.T)
