//! Reads a Java class file, puts calls at the start and the end of methods, and writes it back.
//!
//! Everything that is not changed is kept as the bytes it was read from, so a class that was not
//! changed is written back byte for byte, and a class from a newer compiler with attributes nobody
//! here has heard of still passes through. The constant pool is only ever appended to: no index in
//! the rest of the file has to move.
//!
//! A *prologue* ([`ClassFile::prepend_static_call`]) is put in front of a method's code without
//! decoding its instructions. That is sound because branches are relative and because the prologue
//! is a multiple of four bytes long, which keeps the padding of `tableswitch` and `lookupswitch`
//! right. An *epilogue* ([`ClassFile::append_static_call`]) is put in front of every instruction
//! that returns, such as those at the end of `<clinit>`. It is a multiple of four bytes long as
//! well, so no instruction changes its length, but those that jump are found and led to where
//! their targets went.
//!
//! A call in either place can also take the place of what the method does: of what it returns
//! ([`ClassFile::replace_returned`]), or of all of it ([`ClassFile::prepend_substitute`],
//! [`ClassFile::prepend_alternative`]). The latter put a jump into the prologue, and with it a frame
//! to jump to.
//!
//! The tables beside the code hold absolute offsets, and are rewritten for both. A table or an
//! instruction this crate does not know is a [`Refusal`], never a guess, and so is a branch that
//! would become too long: a class that was refused is unchanged, and no input panics.
//!
//! It must not know which methods are worth a call, what the call is for, or that there is a
//! running VM. (A few methods bear no call for reasons only the VM knows, such as
//! `Object.finalize`, which must stay empty; leaving them alone is the caller's business.)
//!
//! [`ClassFile::uses`] tells what a method's code uses, [`ClassFile::flow`] also where the values come from. They change
//! nothing.
//!
//! Start reading at [`ClassFile`] (`class.rs`), then `weave.rs`, which puts in the instructions
//! that `call.rs` makes, `code.rs`, which makes room for them, and `relocation.rs`, which says where
//! everything goes. Section numbers in comments are those of the Java Virtual Machine
//! Specification, Java SE 25.

mod annotations;
mod bytes;
mod call;
mod class;
mod code;
mod descriptor;
mod epilogue;
mod flow;
mod frames;
mod instructions;
mod pool;
mod refusal;
mod relocation;
mod uses;
mod weave;

pub use call::{Argument, Call};
pub use class::{AccessFlags, ClassFile, Field, Method, MethodIndex};
pub use flow::{Action, Flow, Source, Sources, Step};
pub use refusal::Refusal;
pub use uses::{How, Use};
