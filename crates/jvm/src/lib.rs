//! The JVM seen from outside: injection, watched VMs, worker processes
