mistral_processes() { :; }
