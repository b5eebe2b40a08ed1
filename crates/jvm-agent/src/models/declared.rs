//! Methods that a user declares to promise less than they keep, of any class that a VM loads.
//!
//! Such a class is changed when it is loaded, or retransformed if it is there already. It may come from any loader, and more
//! than once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti_bindings::sys::jni::jclass;
use surefoot_classfile::{Argument, Call, ClassFile, MethodIndex};
use surefoot_model::{ChoiceKind, Declaration};

use super::MODELS;
use crate::agent::Agent;
use crate::jvmti::Jvmti;

const HELPER: &str = "java/util/SurefootDeclared";

/// In the order of their numbers, which go on where those of the models end.
static DECLARED: Mutex<Vec<Declared>> = Mutex::new(Vec::new());

#[derive(Debug, Clone)]
pub(super) struct Declared {
    /// `com.acme.Catalog.names`
    pub(super) name: String,
    pub(super) kind: ChoiceKind,
    /// `com/acme/Catalog`
    class: String,
    method: String,
}

/// Takes in what is new. The classes that are loaded already, and are to be changed now.
pub(super) fn declare(agent: &Agent, jvmti: Jvmti, declarations: &[Declaration]) -> Vec<jclass> {
    let mut added = Vec::new();
    for Declaration { method: name, kind } in declarations {
        let Some((class, method)) = name.rsplit_once('.') else { continue };
        let declared = Declared {
            name: name.clone(),
            kind: *kind,
            class: class.replace('.', "/"),
            method: method.to_owned(),
        };
        if MODELS.iter().flat_map(|model| model.classes).any(|woven| woven.class == declared.class)
        {
            agent.trouble(format!("{name} is left as it is: Surefoot has a model of its class"));
            continue;
        }
        let mut known = locked();
        if known.iter().all(|one| one.name != *name) {
            added.push(format!("L{};", declared.class));
            known.push(declared);
        }
    }
    if added.is_empty() {
        return Vec::new();
    }
    let is_added = |class: &jclass| {
        let wanted = |signature: &str| added.iter().any(|one| one == signature);
        jvmti.with_signature(*class, wanted) == Some(true)
    };
    jvmti.loaded_classes().unwrap_or_default().into_iter().filter(is_added).collect()
}

/// The one with this number.
pub(super) fn find(number: usize) -> Option<Declared> {
    locked().get(number.checked_sub(MODELS.len())?).cloned()
}

/// Whether it is one of these methods; the class as in `com/acme/Catalog`.
pub(crate) fn is_declared(class: &str, method: &str) -> bool {
    locked().iter().any(|one| one.class == class && one.method == method)
}

/// A class as it is loaded or retransformed: what it is to be instead, if any of its methods is declared.
pub(crate) fn woven(agent: &Agent, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let wanted: Vec<(usize, Declared)> = {
        let known = locked();
        let of_class = known.iter().cloned().enumerate().filter(|(_, one)| one.class == name);
        of_class.collect()
    };
    if wanted.is_empty() {
        return None;
    }
    let left = |declared: &Declared, why: &dyn std::fmt::Display| {
        agent.trouble(format!("{} is left as it is: {why}", declared.name));
    };
    let mut class = match ClassFile::parse(bytes) {
        Ok(class) => class,
        Err(refusal) => {
            wanted.iter().for_each(|(_, declared)| left(declared, &refusal));
            return None;
        }
    };
    for (index, declared) in &wanted {
        if let Err(why) = put(&mut class, declared, MODELS.len() + index) {
            left(declared, &why);
        }
    }
    Some(class.to_bytes())
}

/// Into every method of that name that returns what the kind is about.
fn put(class: &mut ClassFile<'_>, declared: &Declared, number: usize) -> Result<(), String> {
    let number = i16::try_from(number).map_err(|_| "there are too many declarations")?;
    let methods: Vec<(MethodIndex, bool, String)> = class
        .methods()
        .filter(|(_, method)| method.name() == declared.method.as_bytes())
        .map(|(index, method)| {
            let descriptor = String::from_utf8_lossy(method.descriptor()).into_owned();
            let returned = descriptor.rsplit(')').next().unwrap_or_default().to_owned();
            (index, method.access_flags().is_static(), returned)
        })
        .collect();
    if methods.is_empty() {
        return Err(format!("{} has no method {}", declared.class, declared.method));
    }
    let mut done = 0;
    let mut why = String::new();
    for (index, is_static, returned) in methods {
        let Some((method, descriptor)) = helper(declared.kind, &returned) else {
            why = format!(
                "it returns {returned}, and {} is for {}",
                declared.kind,
                fit(declared.kind)
            );
            continue;
        };
        let target = if is_static { Argument::Null } else { Argument::Local(0) };
        let call = Call { class: HELPER, method, descriptor };
        match class.replace_returned(index, &call, &[target, Argument::Int(number)]) {
            Ok(()) => done += 1,
            Err(refusal) => why = refusal.to_string(),
        }
    }
    if done == 0 { Err(why) } else { Ok(()) }
}

/// What makes another value of one of this type; none if there is nothing to choose.
fn helper(kind: ChoiceKind, returned: &str) -> Option<(&'static str, &'static str)> {
    const ARRAY: &str = "([Ljava/lang/Object;Ljava/lang/Object;I)[Ljava/lang/Object;";
    let is_array = returned.starts_with("[L") || returned.starts_with("[[");
    match kind {
        ChoiceKind::Permute if is_array => Some(("array", ARRAY)),
        ChoiceKind::Permute => {
            const COLLECTIONS: &[&str] = &[
                "Ljava/util/Collection;",
                "Ljava/util/List;",
                "Ljava/util/Map;",
                "Ljava/util/Set;",
                "Ljava/lang/Iterable;",
            ];
            COLLECTIONS.contains(&returned).then_some((
                "collection",
                "(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;",
            ))
        }
        ChoiceKind::Extend => is_array.then_some(("extended", ARRAY)),
        ChoiceKind::Random if returned == "I" => Some(("random", "(ILjava/lang/Object;I)I")),
        ChoiceKind::Random if returned == "J" => Some(("random", "(JLjava/lang/Object;I)J")),
        ChoiceKind::Random => None,
    }
}

fn fit(kind: ChoiceKind) -> &'static str {
    match kind {
        ChoiceKind::Permute => "arrays of objects, List, Set, Map, Collection and Iterable",
        ChoiceKind::Extend => "arrays of objects",
        ChoiceKind::Random => "int and long",
    }
}

fn locked() -> MutexGuard<'static, Vec<Declared>> {
    DECLARED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_for_what_it_can_change() {
        assert!(helper(ChoiceKind::Permute, "[Lcom/acme/Item;").is_some());
        assert!(helper(ChoiceKind::Permute, "Ljava/util/List;").is_some());
        assert!(helper(ChoiceKind::Permute, "Ljava/util/ArrayList;").is_none());
        assert!(helper(ChoiceKind::Permute, "[I").is_none());
        assert!(helper(ChoiceKind::Extend, "[[I").is_some());
        assert!(helper(ChoiceKind::Extend, "Ljava/util/List;").is_none());
        assert!(helper(ChoiceKind::Random, "J").is_some());
        assert!(helper(ChoiceKind::Random, "Ljava/lang/String;").is_none());
    }
}
