"""What a package index shows: the README, pictures as their words, and no links to files of the repository."""

import re
from pathlib import Path

from setuptools import setup

readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
readme = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"*Picture: \1.*", readme)
readme = re.sub(r"\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", readme)
setup(long_description=readme, long_description_content_type="text/markdown")
