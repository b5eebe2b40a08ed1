//! Every reason for which a class file is not read or not changed.

/// Why a class was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    // The bytes are not a class file that this crate can read.
    #[error("the bytes do not begin with the class file magic 0xCAFEBABE")]
    NotAClassFile,
    #[error("the class file ends before one of its structures does")]
    Truncated,
    #[error("a structure of the class file is followed by bytes that do not belong to it")]
    TrailingBytes,
    #[error("constant {index} is not a {expected}")]
    WrongConstant { index: u16, expected: &'static str },
    #[error("tag {tag} is not a known {of}")]
    UnknownTag { of: &'static str, tag: u8 },
    #[error("{0:?} is not a method descriptor")]
    BadDescriptor(String),

    // The method cannot take a call.
    #[error("the class has no method with this index")]
    NoSuchMethod,
    #[error("the method is abstract")]
    Abstract,
    #[error("the method is native")]
    Native,
    #[error("the method has {0} Code attributes instead of one")]
    NotOneCode(usize),
    #[error("the class is older than version 45.3 and lays out its code differently")]
    AncientCode,
    #[error("the code carries the StackMap attribute of Java ME")]
    OldStackMap,
    #[error("the code carries the attribute {0:?}, which may hold code offsets")]
    UnknownCodeAttribute(String),
    #[error("the code would be {0} bytes long, and 65535 are allowed")]
    CodeTooLong(usize),
    #[error("a table of the code points far outside the code")]
    OffsetOutOfRange,
    #[error("a branch would be longer than its two bytes can say")]
    BranchTooFar,
    #[error("the method has no instruction that returns")]
    NoReturn,
    #[error("the operand stack would be deeper than 65535")]
    StackTooDeep,
    #[error("an attribute would be longer than its length field can say")]
    AttributeTooLong,

    #[error("the code takes what is not on its stack, or in no variable")]
    UnsoundCode,

    // The call cannot be made from there.
    #[error("the called method returns a value, which nobody would take from the stack")]
    CallNotVoid,
    #[error("the called method does not return what is needed in its place")]
    CallReturns,
    #[error("the method returns neither a reference nor an int or a long")]
    ReturnsNoReference,
    #[error("the class has no field {0:?} of this type")]
    NoSuchField(&'static str),
    #[error("the called method takes {takes} arguments, and {given} were given")]
    ArgumentCount { takes: usize, given: usize },
    #[error("argument {position} (counted from 0) is not of the type that the called method takes")]
    ArgumentType { position: usize },
    #[error("local variable {0} does not hold a reference when the method is entered")]
    NotAReference(u8),
    #[error("local variable {0} may hold something else by the time the method returns")]
    LocalAtReturn(u8),
    #[error("a constructor cannot pass `this` on, or return, before it has called super()")]
    ThisBeforeSuper,
    #[error("a name is longer than the 65535 bytes that a constant can hold")]
    NameTooLong,
    #[error("the constant pool is full")]
    PoolFull,
}
