ironic_processes() { :; }
