//! A class file (§4.1) as the runs of bytes between the few places that can change.

use std::borrow::Cow;

use crate::Refusal;
use crate::bytes::{Reader, Writer};
use crate::pool::{ConstantPool, modified_utf8};

const MAGIC: u32 = 0xCAFE_BABE;

/// A class that was read from `bytes: &'a [u8]` and borrows from them what it has not changed.
///
/// Names and descriptors are handed out as the file has them: bytes of modified UTF-8, with
/// slashes in class names (`b"java/lang/Object"`).
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    minor_version: u16,
    major_version: u16,
    pub(crate) pool: ConstantPool<'a>,
    access_flags: AccessFlags,
    name: &'a [u8],
    super_name: Option<&'a [u8]>,
    /// From the access flags to the last field.
    before_methods: &'a [u8],
    pub(crate) methods: Vec<Method<'a>>,
    /// The attributes of the class.
    after_methods: &'a [u8],
}

/// A method of a class.
#[derive(Debug, Clone)]
pub struct Method<'a> {
    access_flags: AccessFlags,
    name: &'a [u8],
    descriptor: &'a [u8],
    /// The whole `method_info` (§4.6).
    pub(crate) info: Cow<'a, [u8]>,
}

/// A field that a class declares.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    pub access_flags: AccessFlags,
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
}

/// Which of its class's methods a method is; means nothing in another class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodIndex(pub(crate) u16);

/// The access flags of a class, a field or a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessFlags(u16);

impl<'a> ClassFile<'a> {
    /// Reads a class file, up to the names of its methods; what is inside its attributes is not
    /// looked at.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let mut reader = Reader::new(bytes);
        if reader.u4() != Ok(MAGIC) {
            return Err(Refusal::NotAClassFile);
        }
        let minor_version = reader.u2()?;
        let major_version = reader.u2()?;
        let pool = ConstantPool::parse(&mut reader)?;
        let before_methods = reader.span(skip_to_methods)?;
        let mut header = Reader::new(before_methods);
        let access_flags = AccessFlags(header.u2()?);
        let name = pool.class_name(header.u2()?)?;
        let super_name = match header.u2()? {
            0 => None, // java/lang/Object and module-info
            index => Some(pool.class_name(index)?),
        };
        let count = reader.u2()?;
        let methods =
            (0..count).map(|_| Method::parse(&mut reader, &pool)).collect::<Result<_, _>>()?;
        let after_methods = reader.span(skip_attributes)?;
        reader.finish()?;
        Ok(Self {
            minor_version,
            major_version,
            pool,
            access_flags,
            name,
            super_name,
            before_methods,
            methods,
            after_methods,
        })
    }

    /// The class file; the very bytes that were parsed if nothing was changed.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let methods: usize = self.methods.iter().map(|method| method.info.len()).sum();
        let rest = 4 + 4 + self.before_methods.len() + 2 + self.after_methods.len();
        let mut writer = Writer::with_capacity(self.pool.written_length() + methods + rest);
        writer.u4(MAGIC);
        writer.u2(self.minor_version);
        writer.u2(self.major_version);
        self.pool.write(&mut writer);
        writer.raw(self.before_methods);
        // As many as were read, and their count had 16 bits.
        writer.u2(u16::try_from(self.methods.len()).unwrap_or(u16::MAX));
        for method in &self.methods {
            writer.raw(&method.info);
        }
        writer.raw(self.after_methods);
        writer.into_bytes()
    }

    /// The internal name of the class, such as `b"java/lang/Object"`.
    #[must_use]
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    /// The internal name of its superclass; only `java/lang/Object` and module descriptions have
    /// none.
    #[must_use]
    pub fn super_name(&self) -> Option<&'a [u8]> {
        self.super_name
    }

    #[must_use]
    pub fn access_flags(&self) -> AccessFlags {
        self.access_flags
    }

    /// 61 for Java 17, 69 for Java 25.
    #[must_use]
    pub fn major_version(&self) -> u16 {
        self.major_version
    }

    /// The methods in the order of the file.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = (MethodIndex, &Method<'a>)> {
        // There are as many methods as were read, and their count had 16 bits.
        (0..=u16::MAX).map(MethodIndex).zip(&self.methods)
    }

    /// The method `name` with the descriptor `descriptor`, such as `("run", "()V")`.
    #[must_use]
    pub fn find_method(&self, name: &str, descriptor: &str) -> Option<MethodIndex> {
        let (name, descriptor) = (modified_utf8(name), modified_utf8(descriptor));
        self.methods()
            .find(|(_, method)| *method.name == *name && *method.descriptor == *descriptor)
            .map(|(index, _)| index)
    }

    /// Whether the class itself declares this field, such as `("size", "I")`.
    #[must_use]
    pub fn has_field(&self, name: &str, descriptor: &str) -> bool {
        let (name, descriptor) = (modified_utf8(name), modified_utf8(descriptor));
        let is_it = |field: &Field<'_>| field.name == &*name && field.descriptor == &*descriptor;
        self.fields().is_ok_and(|fields| fields.iter().any(is_it))
    }

    /// The fields that the class itself declares.
    pub fn fields(&self) -> Result<Vec<Field<'a>>, Refusal> {
        let mut reader = Reader::new(self.before_methods);
        skip_to_fields(&mut reader)?;
        let count = reader.u2()?;
        let fields = (0..count).map(|_| {
            let mut field = Reader::new(reader.span(skip_member)?);
            Ok(Field {
                access_flags: AccessFlags(field.u2()?),
                name: self.pool.utf8(field.u2()?)?,
                descriptor: self.pool.utf8(field.u2()?)?,
            })
        });
        fields.collect()
    }

    /// Class, name and descriptor of every field that code of the class names, its own and those of others.
    pub fn named_fields(&self) -> impl Iterator<Item = [&'a [u8]; 3]> {
        self.pool.field_refs()
    }

    /// The same of every method.
    pub fn named_methods(&self) -> impl Iterator<Item = [&'a [u8]; 3]> {
        self.pool.method_refs()
    }

    /// Its string constants.
    pub fn strings(&self) -> impl Iterator<Item = &'a [u8]> {
        self.pool.strings()
    }

    /// What a lambda or a method reference runs, by the number of its bootstrap method (§4.7.23): the second of the static
    /// arguments of `LambdaMetafactory.metafactory`. None where it is linked in another way.
    pub(crate) fn linked(&self, bootstrap: u16) -> Result<Option<[&'a [u8]; 3]>, Refusal> {
        let mut reader = Reader::new(self.after_methods);
        for _ in 0..reader.u2()? {
            let name = reader.u2()?;
            let attribute = reader.take_with_u4_length()?;
            if self.pool.utf8(name)? != b"BootstrapMethods" {
                continue;
            }
            let mut methods = Reader::new(attribute);
            for number in 0..methods.u2()? {
                let handle = methods.u2()?;
                let arguments = usize::from(methods.u2()?);
                let mut arguments = Reader::new(methods.take(2 * arguments)?);
                if number == bootstrap {
                    let [class, ..] = self.pool.handle(handle)?;
                    arguments.take(2)?;
                    let makes_lambdas = class == b"java/lang/invoke/LambdaMetafactory";
                    let implementation = arguments.u2()?;
                    return makes_lambdas.then(|| self.pool.handle(implementation)).transpose();
                }
            }
        }
        Ok(None)
    }

    /// Before version 45.3 the numbers at the start of a Code attribute were narrower.
    pub(crate) fn has_ancient_code(&self) -> bool {
        (self.major_version, self.minor_version) < (45, 3)
    }
}

impl<'a> Method<'a> {
    fn parse(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<Self, Refusal> {
        let info = reader.span(skip_member)?;
        let mut reader = Reader::new(info);
        Ok(Self {
            access_flags: AccessFlags(reader.u2()?),
            name: pool.utf8(reader.u2()?)?,
            descriptor: pool.utf8(reader.u2()?)?,
            info: Cow::Borrowed(info),
        })
    }

    #[must_use]
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    #[must_use]
    pub fn descriptor(&self) -> &'a [u8] {
        self.descriptor
    }

    #[must_use]
    pub fn access_flags(&self) -> AccessFlags {
        self.access_flags
    }
}

impl AccessFlags {
    /// As they are in the file (§4.1, §4.6).
    #[must_use]
    pub fn bits(self) -> u16 {
        self.0
    }

    #[must_use]
    pub fn is_public(self) -> bool {
        self.0 & 0x0001 != 0
    }

    #[must_use]
    pub fn is_static(self) -> bool {
        self.0 & 0x0008 != 0
    }

    #[must_use]
    pub fn is_native(self) -> bool {
        self.0 & 0x0100 != 0
    }

    #[must_use]
    pub fn is_interface(self) -> bool {
        self.0 & 0x0200 != 0
    }

    #[must_use]
    pub fn is_abstract(self) -> bool {
        self.0 & 0x0400 != 0
    }
}

fn skip_to_fields(reader: &mut Reader) -> Result<(), Refusal> {
    reader.take(6)?; // access flags, this class, super class
    let interfaces = usize::from(reader.u2()?);
    reader.take(2 * interfaces).map(drop)
}

fn skip_to_methods(reader: &mut Reader) -> Result<(), Refusal> {
    skip_to_fields(reader)?;
    let fields = reader.u2()?;
    (0..fields).try_for_each(|_| skip_member(reader))
}

/// A field or a method, which are laid out alike (§4.5, §4.6).
fn skip_member(reader: &mut Reader) -> Result<(), Refusal> {
    reader.take(6)?; // access flags, name, descriptor
    skip_attributes(reader)
}

fn skip_attributes(reader: &mut Reader) -> Result<(), Refusal> {
    let count = reader.u2()?;
    for _ in 0..count {
        reader.take(2)?; // name
        reader.take_with_u4_length()?;
    }
    Ok(())
}
