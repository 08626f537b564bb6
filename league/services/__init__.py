"""What changes the league's rows. Each public function is one durable transaction."""
