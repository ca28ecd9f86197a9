"""Texts as numbers that are near each other where the texts mean the same; an optional extra."""
