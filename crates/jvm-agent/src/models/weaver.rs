//! Puts the models into the JDK's classes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti_bindings::sys::jni::jclass;
use surefoot_classfile::{Call, ClassFile};
use surefoot_model::Declaration;

use super::{HELPERS, MODELS, Method, Model, Weaving, Woven, declared};
use crate::agent::Agent;
use crate::jni::Jni;
use crate::jvmti::Jvmti;
use crate::{bundle, weave};

thread_local! {
    /// What this thread does with the class files that the VM is about to hand it.
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Class files by class.
type Files = BTreeMap<String, Vec<u8>>;

#[derive(Debug)]
enum Session {
    Read(Files),
    Replace(Files),
    /// Classes in which methods are declared, each as it is.
    Declare,
}

/// The models that are in this VM's classes.
static WOVEN: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// Weaves the models of these names, or all. What is woven stays; it asks for an order only while a test is under way. A
/// model that does not fit this JDK is told of and left out.
pub(crate) fn weave(agent: &Agent, jvmti: Jvmti, jni: Jni, names: &[String]) -> Result<(), String> {
    define_helpers(jni)?;
    let wanted = wanted(names, &known());
    let mut classes: BTreeMap<&str, jclass> = BTreeMap::new();
    for name in wanted.iter().flat_map(|(_, model)| model.classes).map(|woven| woven.class) {
        if let Some(class) = jni.find_class(name) {
            classes.insert(name, class);
        }
    }
    let all: Vec<jclass> = classes.values().copied().collect();
    if all.is_empty() {
        return Ok(());
    }
    let mut read = session(Session::Read(Files::new()), || weave::retransform_all(jvmti, &all))?;
    let mut replaced: BTreeSet<String> = BTreeSet::new();
    let mut added = Vec::new();
    for (number, model) in wanted {
        match woven_files(model, number, &read) {
            Ok(files) => {
                replaced.extend(files.keys().cloned());
                // The next model may change the same class.
                read.extend(files);
                added.push(model.name);
            }
            Err(why) => agent.trouble(format!(
                "orders of {} are not changed: this JDK is not as expected: {why}",
                model.name
            )),
        }
    }
    let changed: Vec<jclass> = classes
        .iter()
        .filter(|(name, _)| replaced.contains(**name))
        .map(|(_, class)| *class)
        .collect();
    read.retain(|name, _| replaced.contains(name));
    session(Session::Replace(read), || weave::retransform_all(jvmti, &changed))?;
    known().extend(added);
    Ok(())
}

/// The models of these names that are not in yet, by their numbers; and those that are in and share a class with one of them,
/// since the VM starts from the class as it was.
fn wanted(names: &[String], known: &[&str]) -> Vec<(usize, &'static Model)> {
    let all = || MODELS.iter().copied().enumerate();
    let is_new = |model: &Model| {
        !known.contains(&model.name)
            && (names.is_empty() || names.iter().any(|name| name == model.name))
    };
    let classes: BTreeSet<&str> = all()
        .filter(|(_, model)| is_new(model))
        .flat_map(|(_, model)| model.classes)
        .map(|woven| woven.class)
        .collect();
    let shares = |model: &Model| {
        known.contains(&model.name)
            && model.classes.iter().any(|woven| classes.contains(woven.class))
    };
    all().filter(|(_, model)| is_new(model) || shares(model)).collect()
}

fn known() -> MutexGuard<'static, Vec<&'static str>> {
    WOVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the VM shows of a class that is being retransformed, in the thread that does so.
pub(crate) fn rewrite(agent: &Agent, bytes: &[u8]) -> Option<Vec<u8>> {
    SESSION.with_borrow_mut(|session| {
        let session = session.as_mut()?;
        let name = String::from_utf8_lossy(ClassFile::parse(bytes).ok()?.name()).into_owned();
        match session {
            Session::Read(files) => {
                files.insert(name, bytes.to_vec());
                None
            }
            Session::Replace(files) => files.remove(&name),
            Session::Declare => declared::woven(agent, &name, bytes),
        }
    })
}

/// Changes the methods that a user has declared, now and in classes that are loaded later.
pub(crate) fn declare(
    agent: &Agent,
    jvmti: Jvmti,
    declarations: &[Declaration],
) -> Result<(), String> {
    let loaded = declared::declare(agent, jvmti, declarations);
    if loaded.is_empty() {
        return Ok(());
    }
    session(Session::Declare, || weave::retransform_all(jvmti, &loaded)).map(|_| ())
}

/// The files that are left in the session when `work` is done.
fn session(session: Session, work: impl FnOnce() -> Result<(), String>) -> Result<Files, String> {
    SESSION.set(Some(session));
    let done = work();
    let files = match SESSION.take() {
        Some(Session::Read(files) | Session::Replace(files)) => files,
        Some(Session::Declare) | None => Files::new(),
    };
    done.map(|()| files)
}

/// All classes of a model, woven; or what is not as the model needs it.
fn woven_files(model: &Model, number: usize, read: &Files) -> Result<Files, String> {
    let number = i16::try_from(number).map_err(|_| "there are too many models")?;
    let mut files = Files::new();
    for woven in model.classes {
        let bytes = match read.get(woven.class) {
            Some(bytes) => bytes,
            None if woven.optional => continue,
            None => return Err(format!("there is no {}", woven.class)),
        };
        let methods = woven.methods();
        let mut class =
            ClassFile::parse(bytes).map_err(|refusal| format!("{}: {refusal}", woven.class))?;
        check(&class, woven, &methods)?;
        for method in &methods {
            put(&mut class, woven, method, number)
                .map_err(|why| format!("{}.{}: {why}", woven.class, method.name))?;
        }
        if !methods.is_empty() {
            files.insert(woven.class.to_owned(), class.to_bytes());
        }
    }
    Ok(files)
}

/// Whether the class is as the model knows it.
fn check(class: &ClassFile<'_>, woven: &Woven, methods: &[Method]) -> Result<(), String> {
    for (name, descriptor) in woven.fields {
        if !class.has_field(name, descriptor) {
            return Err(format!("{} has no field {name} of type {descriptor}", woven.class));
        }
    }
    for (name, descriptor) in woven.calls {
        if class.find_method(name, descriptor).is_none() {
            return Err(format!("{} has no method {name}{descriptor}", woven.class));
        }
    }
    if woven.others.is_empty() {
        return Ok(());
    }
    for (_, method) in class.methods() {
        let name = String::from_utf8_lossy(method.name());
        let known =
            woven.others.contains(&&*name) || methods.iter().any(|known| known.name == name);
        if method.access_flags().is_public() && !known {
            return Err(format!("{} has the new method {name}", woven.class));
        }
    }
    Ok(())
}

fn put(
    class: &mut ClassFile<'_>,
    woven: &Woven,
    method: &Method,
    number: i16,
) -> Result<(), String> {
    let Some(index) = class.find_method(method.name, method.descriptor) else {
        return if method.required { Err("there is no such method".to_owned()) } else { Ok(()) };
    };
    let call =
        |method_name, descriptor| Call { class: method.helper, method: method_name, descriptor };
    let helper = call(method.helper_method, method.helper_descriptor);
    let arguments: Vec<_> =
        method.passed.iter().map(|passed| passed.argument(woven, number)).collect();
    let put = match method.weaving {
        Weaving::Before => class.prepend_static_call(index, &helper, &arguments),
        Weaving::Returned => class.replace_returned(index, &helper, &arguments),
        Weaving::Substitute => class.prepend_substitute(index, &helper, &arguments),
        Weaving::Alternative { value, descriptor } => {
            class.prepend_alternative(index, &helper, &call(value, descriptor), &arguments)
        }
    };
    put.map_err(|refusal| refusal.to_string())
}

fn define_helpers(jni: Jni) -> Result<(), String> {
    for name in HELPERS {
        if jni.find_class(name).is_some() {
            continue;
        }
        let bytes = bundle::class(name).ok_or_else(|| format!("{name} is not in the agent"))?;
        jni.define_boot_class(name, bytes).ok_or_else(|| format!("the VM does not take {name}"))?;
    }
    Ok(())
}
