"""What changes bots: registration and life, secrets, what the service has heard of them."""
