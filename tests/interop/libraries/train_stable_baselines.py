"""stable-baselines 2.10: DQN, A2C and PPO2 on a small environment, saved, loaded and trained further."""

import os
import tempfile
import warnings

warnings.filterwarnings("ignore")
import gym
import numpy as np
from stable_baselines import A2C, DQN, PPO2
from stable_baselines.common.callbacks import BaseCallback
from stable_baselines.common.vec_env import DummyVecEnv

import record


class Walk(gym.Env):
    """Four actions on a line of positions and speeds; the reward is larger near the middle."""

    observation_space = gym.spaces.Box(-2., 2., (3,), np.float32)
    action_space = gym.spaces.Discrete(3)

    def __init__(self):
        self._runs = 0

    def reset(self):
        self._runs += 1
        self._at, self._speed, self._steps = (self._runs % 7 - 3) / 3., 0., 0
        return self._seen()

    def _seen(self):
        return np.array([self._at, self._speed, self._steps / 10.], dtype=np.float32)

    def step(self, action):
        self._speed = 0.8 * self._speed + 0.1 * (int(action) - 1)
        self._at = float(np.clip(self._at + self._speed, -2, 2))
        self._steps += 1
        return self._seen(), 1. - abs(self._at), self._steps >= 10, {}


class Values(BaseCallback):
    """Reports a norm of the model's variables after each of its steps."""

    def _on_step(self):
        if self.num_timesteps % 20 == 0:
            record.loss(sum(float(np.abs(v).sum()) for v in self.model.get_parameters().values()))
        return True


def main():
    folder = tempfile.mkdtemp()
    seen = np.linspace(-1, 1, 12).reshape(4, 3).astype("float32")
    for kind, options in ((DQN, {"learning_starts": 20, "batch_size": 8, "target_network_update_freq": 30, "prioritized_replay": True, "buffer_size": 200}), (A2C, {"n_steps": 5}),
                          (PPO2, {"n_steps": 16, "nminibatches": 2, "noptepochs": 2})):
        name = kind.__name__
        environment = Walk() if kind is DQN else DummyVecEnv([Walk])
        model = kind("MlpPolicy", environment, seed=4, n_cpu_tf_sess=1, policy_kwargs={"layers": [12]} if kind is DQN else {"net_arch": [8, {"vf": [6], "pi": [6]}]}, **options)
        random = np.random.RandomState(1)  # orthogonal initial values depend on NumPy's library for linear algebra
        model.load_parameters({n: 0.3 * random.randn(*v.shape) for n, v in sorted(model.get_parameters().items())})
        model.learn(100, callback=Values(), log_interval=1000)
        before = model.predict(seen, deterministic=True)[0]
        record.result(name + " values", np.concatenate([np.ravel(v) for _, v in sorted(model.get_parameters().items())]))
        path = os.path.join(folder, name)
        model.save(path)
        again = kind.load(path, env=environment)
        record.same(name + " restored", before, again.predict(seen, deterministic=True)[0])
        record.result(name + " probabilities", again.action_probability(seen))
    record.done("2.10.2")


main()
