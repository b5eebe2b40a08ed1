//! Reads a Java class file, puts a call at the start of a method, and writes it back.
//!
//! Everything that is not changed is kept as the bytes it was read from, so a class that was not
//! changed is written back byte for byte, and a class from a newer compiler with attributes nobody
//! here has heard of still passes through. The constant pool is only ever appended to: no index in
//! the rest of the file has to move.
//!
//! A *prologue* is put in front of a method's code without decoding its instructions. That is
//! sound because branches are relative and because the prologue is a multiple of four bytes long,
//! which keeps the padding of `tableswitch` and `lookupswitch` right. What holds absolute offsets
//! are the tables beside the code, and those are rewritten. A table this crate does not know is a
//! [`Refusal`], never a guess: a class that was refused is unchanged, and no input panics.
//!
//! It must not know which methods are worth a call, what the call is for, or that there is a
//! running VM. (A few methods bear no prologue for reasons only the VM knows, such as
//! `Object.finalize`, which must stay empty; leaving them alone is the caller's business.)
//!
//! Start reading at [`ClassFile`] (`class.rs`), then `prologue.rs`, which makes the instructions,
//! and `code.rs`, which makes room for them. Section numbers in comments are those of the Java
//! Virtual Machine Specification, Java SE 25.

mod annotations;
mod bytes;
mod class;
mod code;
mod descriptor;
mod frames;
mod pool;
mod prologue;
mod refusal;

pub use class::{AccessFlags, ClassFile, Method, MethodIndex};
pub use prologue::{Argument, Call};
pub use refusal::Refusal;
