"""Workloads: random instances as the papers' evaluations draw them, and traces.

A family's ``generate(preset, seed, settings)`` gives the JSON object of an instance's file, the same for the same
arguments: ``preset`` is one of its ``PRESETS``; ``seed`` that of numpy's PCG64, the only source of randomness;
``settings`` are values as text for any of its ``settings.NAMES``, described at its ``settings.Settings``. The preset
``tiny`` keeps the shape and shrinks every range, so that exact programs and brute force end in a blink.

A trace's ``load(files, seed, options)`` gives such an object and a report of what was read, dropped and drawn:
``files`` are each plain or gzip, and where they come in any order, told apart by content; ``seed`` is that of what is
drawn; ``options`` are values as text.

Both raise UnknownName for a preset, setting, option or choice that there is not, and InputError for a value that is
malformed, impossible or without effect, for a file that is not what it should be, with its name and the line, and where
no job or machine is left of all files.
"""
