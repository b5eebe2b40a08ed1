//! The .surefoot directory
