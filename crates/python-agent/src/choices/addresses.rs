//! Objects lie elsewhere in memory than they usually do, and so have other ids and other hashes by identity.
//!
//! Of `id`: "This is an integer which is guaranteed to be unique and constant for this object during its lifetime." Nothing else is
//! promised: neither that a later object has the greater one, nor that it has another one than an object that is gone. CPython takes
//! an object's address. So small objects get their memory from CPython's own allocator a few at a time, and the one with the highest
//! address comes first, for as long as the process lives.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use super::interpreter;

/// `PyMemAllocatorEx`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Allocator {
    context: *mut c_void,
    malloc: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void,
    calloc: unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    realloc: unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void),
}

// SAFETY: the functions are CPython's own, and are called as CPython calls ours; the context is theirs.
unsafe impl Send for Allocator {}
// SAFETY: as above.
unsafe impl Sync for Allocator {}

// Public functions of every CPython from 3.4 on that the limited API leaves out; see `api.rs`.
unsafe extern "C" {
    fn PyMem_GetAllocator(domain: c_int, allocator: *mut Allocator);
    fn PyMem_SetAllocator(domain: c_int, allocator: *mut Allocator);
}

/// `PYMEM_DOMAIN_OBJ`.
const OBJECTS: c_int = 2;

/// Larger blocks are not kept in stock; CPython's own allocator leaves these to the system, too.
const LARGEST: usize = 512;

/// Sizes are rounded up to a multiple of this, which is how CPython aligns its blocks.
const STEP: usize = 16;

/// Blocks that are taken at a time.
const TAKEN: usize = 32;

type Stock = [Vec<usize>; LARGEST / STEP];

static ORIGINAL: OnceLock<Allocator> = OnceLock::new();

/// Blocks by size, lowest address first.
static STOCK: Mutex<Stock> = Mutex::new([const { Vec::new() }; LARGEST / STEP]);

/// Blocks in stock are those of one interpreter's allocator, which no other could take back. Where there is but one allocator for
/// all, nobody asks: code that has no interpreter at hand could always count on that.
static ONE_OF_SEVERAL: AtomicBool = AtomicBool::new(false);

/// From now on, until the process ends.
pub(crate) fn change() {
    if ORIGINAL.get().is_some() {
        return;
    }
    ONE_OF_SEVERAL.store(interpreter::may_have_own_memory(), Ordering::Relaxed);
    let mut ours = Allocator { context: null_mut(), malloc, calloc, realloc, free };
    let mut original = ours;
    // SAFETY: the GIL is held. What ours hand out comes from the original, so either can take back blocks of before and of after.
    unsafe {
        PyMem_GetAllocator(OBJECTS, &raw mut original);
        if ORIGINAL.set(original).is_ok() {
            PyMem_SetAllocator(OBJECTS, &raw mut ours);
        }
    }
}

/// As CPython itself would; null if there is no memory left.
fn plainly(size: usize) -> *mut c_void {
    // SAFETY: it is asked for what we were asked for.
    ORIGINAL
        .get()
        .map_or(null_mut(), |original| unsafe { (original.malloc)(original.context, size) })
}

fn is_for_another() -> bool {
    ONE_OF_SEVERAL.load(Ordering::Relaxed) && !interpreter::is_that_of_the_tests()
}

fn take(size: usize) -> *mut c_void {
    let rounded = size.max(1).next_multiple_of(STEP);
    if rounded > LARGEST || is_for_another() {
        return plainly(size);
    }
    // Nobody is at it who holds the GIL; for anybody else all is as usual.
    let Ok(mut stock) = STOCK.try_lock() else { return plainly(size) };
    let blocks = &mut stock[rounded / STEP - 1];
    if blocks.is_empty() {
        let more = (0..TAKEN).map(|_| plainly(rounded) as usize);
        blocks.extend(more.filter(|block| *block != 0));
        blocks.sort_unstable();
    }
    blocks.pop().map_or(null_mut(), |block| block as *mut c_void)
}

unsafe extern "C" fn malloc(_: *mut c_void, size: usize) -> *mut c_void {
    take(size)
}

unsafe extern "C" fn calloc(_: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let Some(all) = count.checked_mul(size) else { return null_mut() };
    let block = take(all);
    if !block.is_null() {
        // SAFETY: the block is at least that large.
        unsafe { block.cast::<u8>().write_bytes(0, all) };
    }
    block
}

unsafe extern "C" fn realloc(_: *mut c_void, block: *mut c_void, size: usize) -> *mut c_void {
    match ORIGINAL.get() {
        // SAFETY: the block is the original's.
        Some(original) if !block.is_null() => unsafe {
            (original.realloc)(original.context, block, size)
        },
        _ => take(size),
    }
}

unsafe extern "C" fn free(_: *mut c_void, block: *mut c_void) {
    if let Some(original) = ORIGINAL.get() {
        // SAFETY: as above.
        unsafe { (original.free)(original.context, block) };
    }
}
