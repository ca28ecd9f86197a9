"""Pure values and functions: no I/O, no clock, no tasks, no environment."""
