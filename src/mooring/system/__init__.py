"""What several rooms need from the outside world."""
