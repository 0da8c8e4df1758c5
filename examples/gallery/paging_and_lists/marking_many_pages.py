"""Marking is (2 H_k - 1)-competitive for more than k + 1 pages, against an oblivious adversary.

Source: Achlioptas, Chrobak and Noga, Theoretical Computer Science 234 (2000).

The source covers all k; here k <= 3 and n <= 5 are proven.
"""

from marking import Marking
from paging import harmonic


def theory(k, n):
    return 2 * harmonic(k) - 1


SYSTEM = Marking
SIZES = ({"k": 2, "n": 4}, {"k": 2, "n": 5}, {"k": 3, "n": 5})
KNOWN = "proven for these sizes"
