//! Surefoot inside the user's JVM
