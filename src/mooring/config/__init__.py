"""Files to configuration, and back."""
