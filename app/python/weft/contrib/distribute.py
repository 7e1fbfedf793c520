"""tf.contrib.distribute: the strategies under their older names."""

from ..distribute import cross_device_ops, mirrored, one_device, strategy
from ..exports import export_value

export_value(mirrored.ContribMirroredStrategy, "contrib.distribute.MirroredStrategy")
export_value(one_device.ContribOneDeviceStrategy, "contrib.distribute.OneDeviceStrategy")
export_value(strategy.Strategy, "contrib.distribute.DistributionStrategy")
export_value(cross_device_ops.CrossDeviceOps, "contrib.distribute.CrossDeviceOps", "contrib.distribute.CrossTowerOps")
export_value(cross_device_ops.ReductionToOneDevice, "contrib.distribute.ReductionToOneDeviceCrossDeviceOps", "contrib.distribute.ReductionToOneDeviceCrossTowerOps")
export_value(cross_device_ops.AllReduceCrossDeviceOps, "contrib.distribute.AllReduceCrossDeviceOps", "contrib.distribute.AllReduceCrossTowerOps")
