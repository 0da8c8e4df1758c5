"""``python -m schedproof``."""

from schedproof.cli import main

main()
