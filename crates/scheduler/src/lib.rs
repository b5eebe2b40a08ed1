//! Runs experiments on a pool of workers
