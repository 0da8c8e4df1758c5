"""Schedules by those who know all jobs beforehand: the other side of what deciding online costs."""
