"""`GET /doc`: every route that is served, what it takes and what it answers."""
