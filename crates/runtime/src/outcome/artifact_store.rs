//! Where large results go. Names are made here; nothing that a tool or a model says becomes a path.

use crate::outcome::artifact::{Artifact, ArtifactBody};
use crate::outcome::error::BoxError;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A future of storing something: the URI under which it is found.
pub type Storing<'a> = Pin<Box<dyn Future<Output = Result<String, BoxError>> + Send + 'a>>;

/// Keeps artifacts and says where they are.
pub trait ArtifactStore: Send + Sync {
    /// Keeps an artifact and gives the URI under which it is found. One that is a reference already is not asked for.
    fn store<'a>(&'a self, artifact: &'a Artifact) -> Storing<'a>;
}

/// Keeps artifacts as files of one folder, under names of its own making that end in the artifact's name made safe.
///
/// A file appears whole: it is written beside its place and renamed into it. Nothing is ever deleted; the folder
/// belongs to the application.
#[derive(Clone, Debug)]
pub struct FolderStore {
    folder: PathBuf,
    max_bytes: u64,
    max_total_bytes: u64,
    written: Arc<AtomicU64>,
}

/// Names of stored files that this process made.
static STORED: AtomicU64 = AtomicU64::new(0);

impl FolderStore {
    /// Keeps files in a folder, which is made when the first one comes.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            max_bytes: 64 << 20,
            max_total_bytes: 1 << 30,
            written: Arc::new(AtomicU64::new(0)),
        }
    }

    /// Bytes that one artifact may have. Default: 64 MiB.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Bytes that all artifacts together may have which this store and its clones take in. Default: 1 GiB.
    pub fn max_total_bytes(mut self, bytes: u64) -> Self {
        self.max_total_bytes = bytes;
        self
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<String> {
        let size = bytes.len() as u64;
        if size > self.max_bytes {
            return Err(io::Error::other(format!(
                "the artifact is larger than {} bytes",
                self.max_bytes
            )));
        }
        let room =
            |written: u64| written.checked_add(size).filter(|all| *all <= self.max_total_bytes);
        let (order, then) = (Ordering::Relaxed, Ordering::Relaxed);
        if self.written.fetch_update(order, then, room).is_err() {
            return Err(io::Error::other("the store is full"));
        }
        let written = self.place(name, bytes);
        if written.is_err() {
            self.written.fetch_sub(size, Ordering::Relaxed);
        }
        written
    }

    fn place(&self, name: &str, bytes: &[u8]) -> io::Result<String> {
        fs::create_dir_all(&self.folder)?;
        let folder = fs::canonicalize(&self.folder)?;
        let name = format!("{}-{}", unique(), safe(name));
        let (partial, place) = (folder.join(format!(".{name}.part")), folder.join(&name));
        let written = fs::File::create_new(&partial)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_data()))
            .and_then(|()| fs::rename(&partial, &place));
        if let Err(failure) = written {
            // Best effort: the part is hidden and of no use.
            let _ = fs::remove_file(&partial);
            return Err(failure);
        }
        Ok(file_uri(&place))
    }
}

impl ArtifactStore for FolderStore {
    fn store<'a>(&'a self, artifact: &'a Artifact) -> Storing<'a> {
        Box::pin(async move {
            let bytes = match artifact.body() {
                ArtifactBody::Bytes(bytes) => bytes.clone(),
                ArtifactBody::Reference(uri) => return Ok(uri.clone()),
            };
            let (store, name) = (self.clone(), artifact.name().to_owned());
            let write = move || store.write(&name, &bytes);
            let written = match tokio::runtime::Handle::try_current() {
                Ok(runtime) => runtime.spawn_blocking(write).await?,
                Err(_) => write(),
            };
            Ok(written?)
        })
    }
}

/// A name that no other file of the folder has: time, process and a count.
fn unique() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let count = STORED.fetch_add(1, Ordering::Relaxed);
    format!("{:x}-{:x}-{count:x}", now.as_nanos(), std::process::id())
}

/// A name as the end of a file name: plain characters only, no leading dot, short.
fn safe(name: &str) -> String {
    let plain =
        |char: char| if char.is_ascii_alphanumeric() || "-_.".contains(char) { char } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_start_matches('.');
    // The end is what tells a file's kind.
    let start = name.len().saturating_sub(80);
    if name.is_empty() { "artifact".to_owned() } else { name[start..].to_owned() }
}

/// A path as a `file:` URI; what RFC 3986 does not leave unreserved is escaped.
fn file_uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_leave_the_folder() {
        assert_eq!(safe("../../etc/passwd"), "_.._etc_passwd");
        assert_eq!(safe("..\\..\\boot.ini"), "_.._boot.ini");
        assert_eq!(safe(""), "artifact");
        assert_eq!(safe("...."), "artifact");
        assert_eq!(safe("a\0b\n.csv"), "a_b_.csv");
        assert!(safe(&"x".repeat(10_000)).len() <= 80);
    }
}
