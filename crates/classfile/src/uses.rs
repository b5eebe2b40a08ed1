//! What the code of a method uses: fields that it reads and writes, methods that it calls.

use crate::bytes::Reader;
use crate::flow::Code;
use crate::instructions::Landmarks;
use crate::{ClassFile, MethodIndex, Refusal, annotations};

/// One instruction that names a member of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use<'a> {
    pub how: How,
    /// As the file has them: `b"java/util/Map"`, `b"put"`, `b"(I)V"`.
    pub class: &'a [u8],
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    ReadsStatic,
    WritesStatic,
    Reads,
    Writes,
    Calls,
}

impl How {
    /// `invokedynamic` names no member.
    pub(crate) fn of(opcode: u8) -> Option<How> {
        match opcode {
            0xB2 => Some(How::ReadsStatic),
            0xB3 => Some(How::WritesStatic),
            0xB4 => Some(How::Reads),
            0xB5 => Some(How::Writes),
            0xB6..=0xB9 => Some(How::Calls),
            _ => None,
        }
    }
}

impl<'a> ClassFile<'a> {
    /// In the order of the code; nothing for a method without any. Of a class that was not changed.
    pub fn uses(&self, method: MethodIndex) -> Result<Vec<Use<'a>>, Refusal> {
        let method = self.methods.get(usize::from(method.0)).ok_or(Refusal::NoSuchMethod)?;
        let Some(attribute) = self.code_attribute(&method.info)? else { return Ok(Vec::new()) };
        let members = Landmarks::find(Code::parse(attribute)?.instructions)?.members;
        members
            .into_iter()
            .filter_map(|(opcode, index)| Some((How::of(opcode)?, index)))
            .map(|(how, index)| {
                let [class, name, descriptor] = self.pool.member(index)?;
                Ok(Use { how, class, name, descriptor })
            })
            .collect()
    }

    /// The types of a method's annotations that the VM can see, as descriptors: `b"Lorg/junit/Before;"`.
    pub fn annotations(&self, method: MethodIndex) -> Result<Vec<&'a [u8]>, Refusal> {
        let method = self.methods.get(usize::from(method.0)).ok_or(Refusal::NoSuchMethod)?;
        match self.attribute(&method.info, b"RuntimeVisibleAnnotations")? {
            Some(attribute) => annotations::types(attribute)?
                .into_iter()
                .map(|index| self.pool.utf8(index))
                .collect(),
            None => Ok(Vec::new()),
        }
    }

    /// The Code attribute of a `method_info`, if it has one.
    pub(crate) fn code_attribute<'m>(&self, info: &'m [u8]) -> Result<Option<&'m [u8]>, Refusal> {
        if self.has_ancient_code() {
            return Err(Refusal::AncientCode);
        }
        self.attribute(info, b"Code")
    }

    fn attribute<'m>(&self, info: &'m [u8], name: &[u8]) -> Result<Option<&'m [u8]>, Refusal> {
        let mut reader = Reader::new(info);
        reader.take(6)?; // access flags, name, descriptor
        for _ in 0..reader.u2()? {
            let named = reader.u2()?;
            let attribute = reader.take_with_u4_length()?;
            if self.pool.utf8(named)? == name {
                return Ok(Some(attribute));
            }
        }
        Ok(None)
    }
}
