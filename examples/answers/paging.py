"""Paging: a cache holds k pages, a request for another page evicts one.

schedproof --plugin examples/answers/paging.py worst lru --against optimum --preset tiny

LRU and FIFO have at most k times the faults of the optimum plus a constant (Sleator and Tarjan 1985). The optimum
evicts the page whose next request is latest (Belady 1966).
"""

import schedproof as sp


class Request(sp.Entity):
    name: sp.Name
    page: sp.Count


class Pages(sp.Instance):
    """Requests for pages, and the number of pages that the cache holds."""

    cache: sp.Positive
    requests: tuple[Request, ...]


def held(view):
    """Return the cached pages, the oldest first."""
    pages = []
    for request, evicted in view.past:
        pages = [page for page in pages if page != evicted]
        pages += [request.page] if request.page not in pages else []
    return pages


class Evictions(sp.Answers):
    """The evicted page of each request, None for a hit or a free place."""

    def allowed(view):
        pages = held(view)
        return [None] if view.request.page in pages or len(pages) < view.system.cache else pages

    def value(view, answer):
        return int(view.request.page not in held(view))


TINY = {"cache": 2, "requests": (1, 9), "requests[*].page": (0, 2)}
PAGING = sp.family("paging", Pages, Evictions, measure=sp.Measure("faults"), presets={"tiny": TINY})


@PAGING.policy
def lru(view):
    """LRU: evict the page whose last request is earliest."""
    last = {request.page: n for n, (request, _) in enumerate(view.past)}
    return min(view.allowed, key=lambda page: last.get(page, -1))


@PAGING.policy
def fifo(view):
    """FIFO: evict the oldest page."""
    return view.allowed[0]


@PAGING.optimum
def belady(pages):
    """Return the faults if the page whose next request is latest is evicted."""
    cache, faults, ahead = set(), 0, [request.page for request in pages.requests]
    while ahead:
        page, *ahead = ahead
        if page not in cache:
            faults += 1
            if len(cache) == pages.cache:
                cache.remove(max(cache, key=lambda p: ahead.index(p) if p in ahead else len(ahead)))
            cache.add(page)
    return faults


def computed():
    """Return the faults that another cycle of three pages costs LRU and the optimum with a cache of two."""
    short, long = (Pages(2, tuple(Request(f"r{n}", n % 3) for n in range(3 * m))) for m in (2, 4))
    return (sp.policy(lru).run(long).objective - sp.policy(lru).run(short).objective) / (belady(long) - belady(short))


THEORY = 2  # k
