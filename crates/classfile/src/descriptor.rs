//! Method descriptors (§4.3.3), taken apart into the descriptors of their types.

use crate::Refusal;

/// What the parameters of a method may take together.
const MOST_SLOTS: usize = 255;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MethodDescriptor<'a> {
    pub(crate) parameters: Vec<&'a [u8]>,
    pub(crate) returns: &'a [u8],
}

impl<'a> MethodDescriptor<'a> {
    pub(crate) fn parse(descriptor: &'a [u8]) -> Result<Self, Refusal> {
        Self::split(descriptor)
            .ok_or_else(|| Refusal::BadDescriptor(String::from_utf8_lossy(descriptor).into_owned()))
    }

    fn split(descriptor: &'a [u8]) -> Option<Self> {
        let mut rest = descriptor.strip_prefix(b"(")?;
        let mut parameters = Vec::new();
        while !rest.starts_with(b")") {
            let (parameter, after) = rest.split_at_checked(length_of_type(rest)?)?;
            parameters.push(parameter);
            rest = after;
        }
        let returns = rest.strip_prefix(b")")?;
        let complete = returns == b"V" || length_of_type(returns)? == returns.len();
        let taken = parameters.iter().map(|parameter| slots(parameter)).sum::<usize>();
        (complete && taken <= MOST_SLOTS).then_some(Self { parameters, returns })
    }
}

/// How many local variable slots a value of this type takes (§2.6.1).
pub(crate) fn slots(field_type: &[u8]) -> usize {
    if matches!(field_type, b"J" | b"D") { 2 } else { 1 }
}

pub(crate) fn is_reference(field_type: &[u8]) -> bool {
    matches!(field_type.first(), Some(b'L' | b'['))
}

/// The length of the field descriptor at the start of `bytes`.
fn length_of_type(bytes: &[u8]) -> Option<usize> {
    let dimensions = bytes.iter().take_while(|&&byte| byte == b'[').count();
    let element = bytes.get(dimensions..)?;
    let length = match element.first()? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => 1,
        b'L' => element.iter().position(|&byte| byte == b';').filter(|&end| end > 1)? + 1,
        _ => return None,
    };
    Some(dimensions + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_apart() {
        let descriptor = MethodDescriptor::parse(b"(IJ[[DLjava/lang/Object;[La/B;Z)[I").unwrap();
        let parameters: [&[u8]; 6] = [b"I", b"J", b"[[D", b"Ljava/lang/Object;", b"[La/B;", b"Z"];
        assert_eq!(descriptor.parameters, parameters);
        assert_eq!(descriptor.returns, b"[I");
        assert_eq!(slots(b"J") + slots(b"D") + slots(b"[J") + slots(b"I"), 6);
        assert!(is_reference(b"[I") && is_reference(b"La;") && !is_reference(b"I"));
    }

    #[test]
    fn parameters_take_255_slots_at_most() {
        let parameters = |of: &str, count| format!("({})V", of.repeat(count));
        assert!(MethodDescriptor::parse(parameters("I", 255).as_bytes()).is_ok());
        assert!(MethodDescriptor::parse(parameters("I", 256).as_bytes()).is_err());
        assert!(MethodDescriptor::parse(parameters("J", 128).as_bytes()).is_err());
    }

    #[test]
    fn what_is_no_method_descriptor_is_refused() {
        let broken = ["", "I", "(", "()", "(V)V", "(I", "(L;)V", "(La)V", "([)V", "()VV", "()["];
        for text in broken {
            let refusal = Refusal::BadDescriptor(text.to_owned());
            assert_eq!(MethodDescriptor::parse(text.as_bytes()), Err(refusal));
        }
    }
}
