"""Record the product's output item by item, to compare two versions of the code.

``python -m tests.recorder compare [SECTION ...]`` computes the items of the current tree, or of ``--tree``, and names
each one that differs from ``tests/recorded/digests``. ``record [SECTION ...]`` writes them there. An item is stored as
the first digits of the SHA-256 of its canonical JSON text, without times and versions. ``--full FOLDER`` keeps the
items when recording, and prints the changes when comparing. Slow items are omitted by name. Compare certificates,
models and schedules that went through doubles on one machine; `test_recording` checks the portable sections.
"""
