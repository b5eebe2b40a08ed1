//! Java class files, lossless
