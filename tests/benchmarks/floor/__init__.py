"""The bare view that moves are measured against; installed by the benchmark's settings alone."""
