import tensorflow as tf

cluster = tf.train.ClusterSpec({"worker": ["worker_task0:2222", "worker_task1:2222", "worker_task2:2222"], "ps": ["ps_task0:2222", "ps_task1:2222"]})
assert {job: len(tasks) for job, tasks in cluster.as_dict().items()} == {"worker": 3, "ps": 2}
assert cluster.job_tasks("worker")[2] == "worker_task2:2222"
