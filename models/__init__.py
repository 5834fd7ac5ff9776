"""The trained models and board fingerprints that `vision` loads."""
