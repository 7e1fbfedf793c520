I = tf.keras.preprocessing.image
rng = np.random.RandomState(0)
x = (rng.rand(4, 6, 5, 3) * 255).astype("float32")
np.random.seed(3)
for mode in ("nearest", "constant", "reflect", "wrap"):
    for order in (0, 1):
        show(np.round(I.apply_affine_transform(x[0], theta=20, tx=1.3, ty=-0.7, shear=5, zx=0.8, zy=1.2, fill_mode=mode, cval=7.0, order=order)[::2, ::2, 0], 2).tolist())
show(np.round(I.random_shift(x[0], 0.2, 0.3, 0, 1, 2)[:2, :2, 0], 2).tolist(), np.round(I.random_rotation(x[0], 30, 0, 1, 2)[2, :, 1], 2).tolist(), np.round(I.random_zoom(x[0], (0.5, 1.5), 0, 1, 2)[2, :, 1], 2).tolist(),
     np.round(I.random_shear(x[0], 20, 0, 1, 2)[2, :, 1], 2).tolist(), np.round(I.random_channel_shift(x[0], 30, 2)[2, :, 1], 2).tolist())
g = I.ImageDataGenerator(rotation_range=15, width_shift_range=0.1, height_shift_range=2, zoom_range=0.2, horizontal_flip=True, vertical_flip=True, channel_shift_range=10.0, rescale=1 / 255., validation_split=0.25)
flow = g.flow(x, [0, 1, 0, 1], batch_size=3, seed=5)
for _ in range(3):
    a, b = next(flow)
    show(a.shape, np.round(a[:, 2, 2], 3).tolist(), b.tolist())
show(len(flow), np.round(flow[1][0][0, 1], 3).tolist(), g.get_random_transform((6, 5, 3), seed=1), sorted(g.flow(x, batch_size=2, subset="training", shuffle=False).index_generator.__class__.__name__))
s = I.ImageDataGenerator(featurewise_center=True, featurewise_std_normalization=True, samplewise_center=True)
s.fit(x)
show(np.round(s.mean, 2).tolist(), np.round(s.std, 2).tolist(), np.round(s.standardize(x[1].copy())[0, 0], 3).tolist(), np.round(s.random_transform(x[0], seed=2)[0, 0], 2).tolist())
show(raises(lambda: I.ImageDataGenerator(zoom_range=[1, 2, 3])), raises(lambda: I.ImageDataGenerator(validation_split=2)), raises(lambda: g.flow(x, [1])), raises(lambda: g.flow(x[0])), raises(lambda: s.fit(x[0])),
     raises(lambda: I.random_zoom(x[0], [1])), raises(lambda: I.ImageDataGenerator(brightness_range=3)), raises(lambda: flow[9]))
show(I.img_to_array(x[0][:, :, 0]).shape, I.img_to_array(x[0], "channels_first").shape, raises(lambda: I.img_to_array(x)))
