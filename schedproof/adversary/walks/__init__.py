"""The largest ratio of two costs over the walks of a graph, exactly."""
