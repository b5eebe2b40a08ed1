//! Finds unreliable tests before they fail
