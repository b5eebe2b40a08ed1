//! Builds the agent, which this crate carries.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    surefoot_carry::library("surefoot-jvm-agent", "agent.so")
}
