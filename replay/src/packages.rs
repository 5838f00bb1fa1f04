//! The list of packages whose releases are compared: `corpus/packages.toml`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Error;

/// The whole list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packages {
    /// Debian suites that the `apt` packages' versions are spread over.
    pub apt_suites: Vec<String>,
    /// The packages, in the order of the file.
    #[serde(rename = "package")]
    pub packages: Vec<Package>,
}

/// Two releases of one package.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// The client that brings it.
    pub ecosystem: Ecosystem,
    /// Its name there.
    pub name: String,
    /// The older upstream version.
    pub old: String,
    /// The newer upstream version.
    pub new: String,
    /// Languages whose files are kept, as [`crate::language_of`] names them.
    pub languages: Vec<String>,
    /// The half it belongs to.
    pub half: Half,
}

/// A package client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ecosystem {
    /// Debian source packages.
    Apt,
    /// Python wheels.
    Pip,
    /// npm tarballs.
    Npm,
    /// Rust crates.
    Cargo,
}

/// Which half of the packages: the one that is looked at, or the one that keeps the figures honest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// Looked at case by case.
    Tune,
    /// Looked at only in totals.
    Held,
}

impl Half {
    /// Gives the name used in the list and in tables.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tune => "tune",
            Self::Held => "held",
        }
    }
}

impl Package {
    /// Gives the name of its folder in the cache: the package's name without separators.
    #[must_use]
    pub fn folder(&self) -> String {
        self.name.trim_start_matches('@').replace('/', "-")
    }
}

impl Packages {
    /// Reads the list.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] and [`Error::Packages`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
        toml::from_str(&text).map_err(|error| Error::Packages { path: path.to_path_buf(), error: error.to_string() })
    }

    /// Finds the half of the package kept in `folder`.
    #[must_use]
    pub fn half_of(&self, folder: &str) -> Option<Half> {
        self.packages.iter().find(|package| package.folder() == folder).map(|package| package.half)
    }
}

/// Gives the folder that `cargo xtask pairs` fills: `$TREEGRAFT_CACHE`, else the platform's cache folder.
#[must_use]
pub fn cache_dir() -> PathBuf {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(dir) = var("TREEGRAFT_CACHE") {
        return dir;
    }
    let base = if cfg!(windows) {
        var("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        var("HOME").map(|home| home.join("Library/Caches"))
    } else {
        var("XDG_CACHE_HOME").or_else(|| var("HOME").map(|home| home.join(".cache")))
    };
    base.unwrap_or_else(std::env::temp_dir).join("treegraft").join("pairs")
}
