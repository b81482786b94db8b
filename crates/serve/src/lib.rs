//! The command line of a user's binary.
