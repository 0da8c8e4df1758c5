"""The placement family: ``from schedproof.placement import exact, minimum``."""

from schedproof.core.api.facade import Attribute, facade
from schedproof.core.base.untyped import AnyFamily, Loaded, Value

__getattr__: Attribute
__getattr__, __dir__ = facade("placement")


def parallel_env(of: str | AnyFamily, *, window: int = 10, **settings: Value) -> Loaded:
    """PettingZoo's `ParallelEnv`: `schedproof.online.placement.gym.Parallel`."""
    from schedproof.online.placement.gym import Parallel

    return Parallel(of, window=window, **settings)


def sequential_env(of: str | AnyFamily, *, window: int = 10, **settings: Value) -> Loaded:
    """Gymnasium's `Env`: `schedproof.online.placement.gym.Sequential`."""
    from schedproof.online.placement.gym import Sequential

    return Sequential(of, window=window, **settings)
