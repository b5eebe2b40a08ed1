//! Where the classes that pandas has written in Cython keep what they hold: neither in a dict nor in slots that their class tells of.
//!
//! A sample is made of each, and looked through for what it was given. Making one runs C code of pandas alone.

use std::ffi::CStr;

use crate::api::{Object, Owned};
use crate::layout;

/// In which attributes objects of a class keep what a class above it (`base`, which is called `full`) has them keep, and where these lie in
/// each object; none of what is worked out from them.
pub(crate) fn slots(class: Object<'_>, base: Object<'_>, full: &str) -> Vec<(&'static str, usize)> {
    let Some((attributes, sample)) = sample(class, base, full) else { return Vec::new() };
    let place = |(attribute, name): &(&'static str, &CStr)| {
        let held = sample.attribute(name)?.get().address().to_ne_bytes();
        let words = layout::memory(sample.get()).chunks_exact(size_of::<usize>());
        let mut places = words.enumerate().filter(|(_, word)| *word == held);
        let (place, _) = places.next()?;
        // Behind the count of references and the class.
        let is_only_one = places.next().is_none();
        is_only_one.then_some((*attribute, size_of::<[usize; 2]>() + place * size_of::<usize>()))
    };
    // What lies in some other way is not read at all.
    attributes.iter().map(place).collect::<Option<_>>().unwrap_or_default()
}

type Attributes = &'static [(&'static str, &'static CStr)];

fn sample(class: Object<'_>, base: Object<'_>, full: &str) -> Option<(Attributes, Owned)> {
    const INTERNALS: &CStr = c"pandas._libs.internals";
    let base = base.to_owned();
    let text = Owned::import(c"builtins", c"__doc__")?;
    let row = |kind| Owned::import(c"builtins", kind)?.call(&[text.get()]);
    let array = || Owned::import(c"numpy", c"zeros")?.call(&[Owned::from_integer(1)?.get()]);
    Some(match full {
        "pandas._libs.internals.BlockManager" => {
            let (blocks, axes) = (row(c"tuple")?, row(c"list")?);
            (&[("blocks", c"blocks"), ("axes", c"axes")], base.call(&[blocks.get(), axes.get()])?)
        }
        "pandas._libs.internals.Block" | "pandas._libs.internals.NumpyBlock" => {
            let (array, one) = (array()?, Owned::from_integer(1)?);
            let place = Owned::import(INTERNALS, c"BlockPlacement")?.call(&[one.get()])?;
            // Whoever makes one refers to it weakly, which takes a class that is written in Python; it has no code of its own for that.
            let block = class.to_owned().call(&[array.get(), place.get(), one.get()])?;
            (&[("values", c"values")], block)
        }
        "pandas._libs.arrays.NDArrayBacked" => {
            let array = array()?;
            let kind = array.attribute(c"dtype")?;
            (&[("_ndarray", c"_ndarray")], base.call(&[array.get(), kind.get()])?)
        }
        _ => return None,
    })
}
