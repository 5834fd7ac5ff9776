"""A running average of a net's weights: steadier than the weights of the last step."""

from __future__ import annotations

from copy import deepcopy
from typing import Generic, TypeVar

import torch
from torch import nn

N = TypeVar("N", bound=nn.Module)


class Average(Generic[N]):
    """`net` is the average of all weights that were told, the last ones counting most."""

    def __init__(self, net: N, slow: float = 0.999) -> None:
        self.net: N = deepcopy(net)
        self.net.eval()
        self.slow = slow
        self.told = 0

    def tell(self, net: N) -> None:
        """The weights of one more step."""
        self.told += 1
        # At the beginning the average is short, or the first weights would stay in it for ever.
        part = 1 - min(self.slow, self.told / (self.told + 20))
        now = net.state_dict()
        with torch.no_grad():
            for name, kept in self.net.state_dict().items():
                if kept.dtype.is_floating_point:
                    kept.lerp_(now[name], part)
                else:
                    kept.copy_(now[name])
