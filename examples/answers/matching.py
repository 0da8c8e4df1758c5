"""Online matching: each user takes one free server of its choices, or none.

schedproof --plugin examples/answers/matching.py worst greedy --against optimum --preset tiny

Any greedy matching has at least half of the largest matching (Karp, Vazirani and Vazirani 1990).
"""

import schedproof as sp


class User(sp.Entity):
    name: sp.Name
    choices: tuple[sp.Count, ...]


class Users(sp.Instance):
    """Users that arrive one by one, and their possible servers."""

    users: tuple[User, ...]


class Matching(sp.Answers):
    """The server of each user, None for no server."""

    def allowed(view):
        return [None, *(server for server in dict.fromkeys(view.request.choices) if not view.given(server))]

    def value(view, answer):
        return int(answer is not None)


TINY = {"users": (1, 4), "users[*].choices": (1, 2), "users[*].choices[*]": (0, 2)}
MATCHING = sp.family(
    "matching", Users, Matching, sense="maximize", measure=sp.Measure("matched users"), presets={"tiny": TINY}
)


@MATCHING.policy
def greedy(view):
    """Match the user with its first free server."""
    return view.allowed[-1] if len(view.allowed) == 1 else view.allowed[1]


@MATCHING.optimum
def augmenting_paths(users):
    """Return the size of a largest matching."""
    taken = {}

    def place(user, seen):
        for server in set(user.choices) - seen:
            seen.add(server)
            if server not in taken or place(taken[server], seen):
                taken[server] = user
                return True
        return False

    return sum(place(user, set()) for user in users.users)


def computed():
    """Return the worst ratio of all instances with two users and two servers."""
    space = sp.Space(Users((User("a", (0, 1)), User("b", (0, 1)))), ["users[*].choices[*]=0..1"])
    return sp.worst(greedy, "matching.optimum", space).exact


THEORY = 2
