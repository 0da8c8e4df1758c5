"""``python -m schedproof``."""

from schedproof.launch import main

main()
