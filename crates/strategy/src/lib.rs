//! Which experiments to run, and what their outcomes mean
