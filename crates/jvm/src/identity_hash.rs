//! Hash codes that a VM gives to objects: HotSpot has several ways to make them up, and an option for them.

use surefoot_model::{IdentityHash, Launch};

/// The same launch with other hash codes. A VM that does not know the option starts all the same, with the usual ones.
pub fn with_identity_hash(launch: &Launch, hash: IdentityHash) -> Launch {
    let way = match hash {
        IdentityHash::Same => "-XX:hashCode=2",
        IdentityHash::Counted => "-XX:hashCode=3",
        IdentityHash::Moved => return launch.clone(),
    };
    // The last one counts, should the user have it too.
    let options = ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockExperimentalVMOptions", way];
    let options = launch.options.iter().cloned().chain(options.map(str::to_owned)).collect();
    Launch { options, ..launch.clone() }
}
