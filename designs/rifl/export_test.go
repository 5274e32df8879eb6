package rifl

// Soaking says that tests may take minutes.
const Soaking = soaking
