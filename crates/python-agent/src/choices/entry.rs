//! What the plug-in calls to have choices made.

use std::ffi::c_void;
use std::sync::Mutex;

use pyo3_ffi::{self as ffi, Py_ssize_t, PyObject};
use surefoot_model::ChoiceKind;

use super::hooks::{Convention, ManyNamed, Original, Tuple, convention, tried};
use super::{directories, sets, values};
use crate::api::{Object, Owned};
use crate::entry::{guarded, json};

/// `sqlite3.connect` of either convention, and what the plug-in does with a new connection.
static CONNECT: Original = Original::new();
static CONNECTED: Mutex<Option<Owned>> = Mutex::new(None);

fn arguments<'a>(tuple: *mut PyObject) -> Vec<Object<'a>> {
    // SAFETY: Python hands over a tuple that lives until the call returns.
    let tuple = unsafe { Object::borrowed(tuple) };
    tuple.into_iter().flat_map(Object::tuple_items).collect()
}

/// `choose_begin(wanted, entries)`: what could not be changed, as a list in JSON.
pub(crate) unsafe extern "C" fn begin(_: *mut PyObject, tuple: *mut PyObject) -> *mut PyObject {
    guarded(|| {
        let [wanted, entries] = arguments(tuple)[..] else {
            return Err("choose_begin takes two arguments".to_owned());
        };
        let wanted: super::Wanted = serde_json::from_str(wanted.text().ok_or("no text")?)
            .map_err(|error| error.to_string())?;
        let mut troubles = super::begin(wanted);
        troubles.extend(directories::hook(entries.to_owned()));
        troubles.extend(sets::hook());
        Ok(json(Some(troubles).filter(|troubles| !troubles.is_empty())))
    })
}

/// `choose_connections(connect, connected)`: from now on, `connected` is called with what `connect` returns.
pub(crate) unsafe extern "C" fn connections(
    _: *mut PyObject,
    tuple: *mut PyObject,
) -> *mut PyObject {
    guarded(|| {
        let [connect, connected] = arguments(tuple)[..] else {
            return Err("choose_connections takes two arguments".to_owned());
        };
        if let Ok(mut known) = CONNECTED.lock() {
            *known = Some(connected.to_owned());
        }
        let connect = connect.to_owned();
        let (convention, ours) = match convention(&connect) {
            Some(Convention::ManyNamed) => (Convention::ManyNamed, connect_many as *mut c_void),
            Some(Convention::Tuple) => (Convention::Tuple, connect_tuple as *mut c_void),
            _ => return Err("sqlite3.connect is not as expected".to_owned()),
        };
        // SAFETY: each is of the type of its convention, and hands on to the original.
        unsafe { CONNECT.stand_before(&connect, c"connect", convention, ours)? };
        Ok(None)
    })
}

pub(crate) unsafe extern "C" fn test_starts(
    _: *mut PyObject,
    address: *mut PyObject,
) -> *mut PyObject {
    guarded(|| {
        // SAFETY: the caller holds it.
        let address = unsafe { Object::borrowed(address) };
        super::test_starts(&address.map(Object::any_text).unwrap_or_default());
        Ok(None)
    })
}

/// `choose_pause(paused)`
pub(crate) unsafe extern "C" fn pause(_: *mut PyObject, paused: *mut PyObject) -> *mut PyObject {
    guarded(|| {
        // SAFETY: the caller holds it; it is True or False.
        super::pause(unsafe { paused == ffi::Py_True() });
        Ok(None)
    })
}

pub(crate) unsafe extern "C" fn test_ends(_: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    guarded(|| Ok(json(super::test_ends())))
}

/// `choose(model, api, elements)`: which of the elements comes at which place, as a list in JSON; None: as usual.
///
/// `choose(name, name, elements, kind)` is for functions that a user has declared: what holds the same is the same.
pub(crate) unsafe extern "C" fn choose(_: *mut PyObject, tuple: *mut PyObject) -> *mut PyObject {
    guarded(|| {
        let (model, api, elements, kind) = match arguments(tuple)[..] {
            [model, api, elements] => (model, api, elements, None),
            [model, api, elements, kind] => (model, api, elements, Some(kind.any_text())),
            _ => return Err("choose takes three or four arguments".to_owned()),
        };
        let (model, api) = (model.any_text(), api.any_text());
        let elements: Vec<Owned> = elements.list_items().map(Object::to_owned).collect();
        let Some(place) = super::place(&model, &api, true) else { return Ok(None) };
        let order = match kind {
            None => super::order(&model, &place, &elements, None),
            Some(kind) => {
                let known = ChoiceKind::ALL.into_iter().find(|known| known.name() == kind);
                let kind = known.ok_or("there is no such kind")?;
                let sorted = values::sorted(&elements);
                super::chosen(kind, &model, &place, &elements, sorted.as_ref())
            }
        };
        Ok(json(order))
    })
}

fn connected(connection: *mut PyObject) -> *mut PyObject {
    if !connection.is_null() && super::is_under_way() {
        tried(|| {
            // SAFETY: it is a new reference, which the caller will own.
            let connection = unsafe { Object::borrowed(connection) }?;
            let known = CONNECTED.lock().ok()?.as_ref().map(|known| known.get().to_owned());
            known?.call(&[connection])
        });
    }
    connection
}

unsafe extern "C" fn connect_many(
    module: *mut PyObject,
    arguments: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: it is what we stand before, with the arguments that it is called with.
    connected(unsafe { CONNECT.get::<ManyNamed>()(module, arguments, count, names) })
}

unsafe extern "C" fn connect_tuple(
    module: *mut PyObject,
    arguments: *mut PyObject,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as above.
    connected(unsafe { CONNECT.get::<Tuple>()(module, arguments, names) })
}
