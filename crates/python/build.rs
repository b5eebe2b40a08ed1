//! Builds the native part of the plug-in, which this crate carries.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    surefoot_carry::library("surefoot-python-agent", "state.so")
}
