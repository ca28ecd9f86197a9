"""Credentials: kept, used, forgotten."""
