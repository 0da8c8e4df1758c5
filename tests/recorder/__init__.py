"""What the product says and writes, item by item, so that two versions of the code can be compared.

``python -m tests.recorder compare [SECTION ...]`` computes the items of the package in the current tree, or in another
one with ``--tree``, and names each one that differs from ``tests/recorded/digests``. ``record [SECTION ...]`` writes
them there, for a change that is meant. An item is stored as the first digits of the SHA-256 of its canonical JSON text,
without seconds and versions. ``--full FOLDER`` keeps the items themselves when recording, and prints what changed when
comparing. What takes longer than a few seconds is left out by name.

Certificates, models and schedules that went through doubles are compared on one machine; `test_recording` looks at the
sections that are the same on every processor.
"""
