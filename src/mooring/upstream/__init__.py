"""Sessions to servers: dialled, spoken with, closed."""
