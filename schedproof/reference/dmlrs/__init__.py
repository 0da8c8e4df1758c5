"""The dmlrs family's algorithms again: schedules by enumeration, Algorithms 1 to 3, FIFO and DRF."""
