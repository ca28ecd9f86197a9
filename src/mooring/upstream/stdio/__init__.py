"""Local servers: a program that we start, spoken with through its pipes."""
