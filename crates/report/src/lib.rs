//! Findings and outcomes as text and JSON
