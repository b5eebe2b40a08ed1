//! Surefoot inside the user's JVM: a JVMTI agent.
//!
//! It sees a test framework's classes being loaded, weaves calls to a probe into the few methods that every test event
//! passes, and writes what the probes tell: to a file when it watches the user's own run, to a socket when it sits in a
//! worker. In a VM that loads no test framework it does nothing.
//!
//! It is a guest. Nothing here prints, aborts or unwinds into the VM; whatever fails is told outside as trouble, and the
//! tests go on. It knows no technique and keeps no opinion of what it sees.
//!
//! Start reading at [`callbacks`]: what the VM calls, in the order in which it does.

mod agent;
mod bundle;
mod callbacks;
mod choices;
mod course;
mod eager;
mod facts;
mod heap;
mod hooks;
mod initialisers;
mod jni;
mod jvmti;
mod models;
mod natives;
mod options;
mod percent;
mod place;
mod scopes;
mod sink;
mod tracker;
mod watcher;
mod weave;
