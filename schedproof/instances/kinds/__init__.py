"""Stock kinds of schedules, each with a file format, checker, driver and picture.

`Bins` puts items into bins, or jobs on machines. `Order` is a sequence of jobs. `Intervals` runs jobs on machines over
time. `Shares` has amounts in slots. `Answers` has one answer for each request. A family's subclass defines
``objective(instance)``. Each kind lists the methods that the instance needs. "Items" and "jobs" are the first list of
the instance whose entries have names.

>>> import schedproof as sp
>>> class Item(sp.Entity):
...     "An item of the knapsack."
...     name: sp.Name
...     weight: sp.Positive
...     value: sp.Positive
>>> class Sack(sp.Instance):
...     "A knapsack and its items."
...     capacity: sp.Positive
...     items: tuple[Item, ...]
>>> class Packing(sp.Bins):
...     most, every = 1, False
...     def sizes(sack, item):
...         return (item.weight,)
...     def objective(self, sack):
...         return sum(sack.items[i].value for held in self.bins for i in held)
>>> SACK = sp.family("sack", Sack, Packing, sense="maximize", presets={"tiny": {"capacity": 9, "items": 4}})
>>> @SACK.policy
... def lightest(sack):
...     "Pack the lightest items while they fit."
...     items, held = sorted(sack.items, key=lambda item: item.weight), []
...     while items and sum(item.weight for item in held) + items[0].weight <= sack.capacity:
...         held.append(items.pop(0))
...     return [held]
>>> run = sp.policy("sack.lightest").run(sp.generate("sack", "tiny", seed=1))
>>> run.feasible
True
"""
