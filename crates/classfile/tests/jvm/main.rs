//! Tests on classes of real compilers, and in a real VM.
//!
//! They need a JDK (`JAVA_HOME`, else what is on the `PATH`), as building the project does, and
//! fail without one.

mod assembled;
mod flow;
mod jdk;
mod never_panics;
mod refusals;
mod round_trip;
mod uses;
mod verifier;
mod weave;
