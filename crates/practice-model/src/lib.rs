//! A scripted stand-in for a model.
