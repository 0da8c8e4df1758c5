"""Stock kinds of schedules, for a family in one file: file format, checker, driver and picture come with the class.

`Bins` puts items into bins, or jobs on machines; `Order` is a sequence; `Intervals` say who runs where from when to
when; `Shares` are amounts in slots. A family's own class says what a schedule is worth, ``objective(instance)``, and
its instance what the kind asks: the methods are listed at each. "Items" and "jobs" are the first list of the instance
whose entries have names.

>>> import schedproof as sp
>>> class Item(sp.Entity):
...     "What may go into the sack."
...     name: sp.Name
...     weight: sp.Positive
...     value: sp.Positive
>>> class Sack(sp.Instance):
...     "A sack that holds so much weight, and items of some value."
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
...     "The lightest first, as long as they fit."
...     items, held = sorted(sack.items, key=lambda item: item.weight), []
...     while items and sum(item.weight for item in held) + items[0].weight <= sack.capacity:
...         held.append(items.pop(0))
...     return [held]
>>> run = sp.policy("sack.lightest").run(sp.generate("sack", "tiny", seed=1))
>>> run.feasible
True
"""
