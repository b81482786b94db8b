//! Artifacts as files of one folder. Names are made here: nothing that a tool or a model says becomes a path. Equal bytes
//! are one file, and no file has its name before the call that made it has succeeded.

use crate::outcome::artifact::{Artifact, ArtifactBody};
use crate::outcome::artifact_store::{ArtifactStore, Storing};
use crate::outcome::error::BoxError;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Keeps artifacts as files of one folder: each under the SHA-256 digest of its bytes and the artifact's name made safe,
/// so that equal bytes are stored once.
///
/// Files are for the user alone who runs the program (mode 0600, and 0700 for a folder that is made). A file appears whole,
/// and only once its call has succeeded: until then it is a hidden `.part` beside its place, which goes away with a call that
/// fails. What has appeared is never deleted: the folder belongs to the application, which may prune it.
///
/// Clones take in together what one store may.
#[derive(Clone, Debug)]
pub struct FolderStore {
    folder: PathBuf,
    max_bytes: u64,
    max_total_bytes: u64,
    max_files: usize,
    shelf: Arc<Mutex<Shelf>>,
}

impl FolderStore {
    /// Keeps files in a folder, which is made when the first one comes.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            max_bytes: 64 << 20,
            max_total_bytes: 1 << 30,
            max_files: 10_000,
            shelf: Arc::default(),
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

    /// Files that this store and its clones may take in. Default: 10,000.
    pub fn max_files(mut self, files: usize) -> Self {
        self.max_files = files;
        self
    }

    // Nothing leaves the shelf half changed; a poisoned one is as good as another.
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the part of an artifact, or finds the file that has its bytes. Blocks.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<Claim> {
        let digest = hex(&Sha256::digest(bytes));
        let claim = |uri| Claim { store: self.clone(), uri: Some(uri) };
        if let Some(uri) = self.shelf().join(&digest) {
            return Ok(claim(uri));
        }
        let size = bytes.len() as u64;
        let _coming = self.reserve(size)?;
        create_folder(&self.folder)?;
        let folder = fs::canonicalize(&self.folder)?;
        let part = folder.join(format!(".{}.part", unique()));
        if let Err(failure) = write_part(&part, bytes) {
            remove(&part);
            return Err(failure);
        }
        let mut shelf = self.shelf();
        // Somebody may have been faster with the same bytes.
        if let Some(uri) = shelf.join(&digest) {
            drop(shelf);
            remove(&part);
            return Ok(claim(uri));
        }
        let place = folder.join(format!("{digest}-{}", safe(name)));
        let uri = file_uri(&place);
        shelf.files.insert(digest, File { place, size, part: Some(Part { path: part, calls: 1 }) });
        drop(shelf);
        Ok(claim(uri))
    }

    /// Room for one more file, until it is on the shelf.
    fn reserve(&self, size: u64) -> io::Result<Coming<'_>> {
        let mut shelf = self.shelf();
        let is_full = |shelf: &Shelf| {
            shelf.files.len() + shelf.coming >= self.max_files
                || shelf.bytes().saturating_add(size) > self.max_total_bytes
        };
        if is_full(&shelf) {
            // What the application has pruned makes room.
            shelf.files.retain(|_, file| file.is_there());
            if is_full(&shelf) {
                return Err(io::Error::new(ErrorKind::StorageFull, "the store is full"));
            }
        }
        shelf.coming += 1;
        shelf.coming_bytes = shelf.coming_bytes.saturating_add(size);
        Ok(Coming { store: self, size })
    }
}

impl ArtifactStore for FolderStore {
    fn store<'a>(&'a self, artifact: &'a Artifact) -> Storing<'a> {
        Box::pin(async move {
            let bytes = match artifact.body() {
                ArtifactBody::Bytes(bytes) => bytes,
                _ => {
                    let uri = artifact.uri().await.map_err(|failure| failure.to_string())?;
                    return Ok(uri.unwrap_or_default().to_owned());
                }
            };
            if bytes.len() as u64 > self.max_bytes {
                let message = format!("the artifact is larger than {} bytes", self.max_bytes);
                return Err(io::Error::new(ErrorKind::FileTooLarge, message).into());
            }
            let mut claim = match tokio::runtime::Handle::try_current() {
                // Whoever drops this future drops the claim too, once the file is written.
                Ok(runtime) => {
                    let (store, name) = (self.clone(), artifact.name().to_owned());
                    let bytes = bytes.clone();
                    runtime.spawn_blocking(move || store.write(&name, &bytes)).await??
                }
                Err(_) => self.write(artifact.name(), bytes)?,
            };
            claim.uri.take().ok_or_else(|| "a claim is taken once".into())
        })
    }

    fn commit(&self, uri: &str) -> Result<(), BoxError> {
        let mut shelf = self.shelf();
        let file = shelf.files.get_mut(digest_of(uri)).ok_or("the stored file is gone")?;
        if let Some(part) = &file.part {
            fs::rename(&part.path, &file.place)?;
            file.part = None;
        }
        Ok(())
    }

    fn discard(&self, uri: &str) {
        let mut shelf = self.shelf();
        let digest = digest_of(uri);
        let Some(part) = shelf.files.get_mut(digest).and_then(|file| file.part.as_mut()) else {
            return;
        };
        part.calls = part.calls.saturating_sub(1);
        if part.calls == 0 {
            remove(&part.path);
            shelf.files.remove(digest);
        }
    }
}

/// What a store and its clones have taken in, by digest.
#[derive(Debug, Default)]
struct Shelf {
    files: HashMap<String, File>,
    /// Files that are being written, and their bytes.
    coming: usize,
    coming_bytes: u64,
}

#[derive(Debug)]
struct File {
    place: PathBuf,
    size: u64,
    /// Where the bytes are until the first call that wants them succeeds.
    part: Option<Part>,
}

#[derive(Debug)]
struct Part {
    path: PathBuf,
    /// Calls that want it and have not ended.
    calls: usize,
}

impl Shelf {
    fn bytes(&self) -> u64 {
        let sizes = self.files.values().map(|file| file.size);
        sizes.fold(self.coming_bytes, u64::saturating_add)
    }

    /// One more call that wants bytes which are here already: where they are found.
    fn join(&mut self, digest: &str) -> Option<String> {
        let file = self.files.get_mut(digest)?;
        if !file.is_there() {
            self.files.remove(digest);
            return None;
        }
        if let Some(part) = &mut file.part {
            part.calls += 1;
        }
        Some(file_uri(&file.place))
    }
}

impl File {
    /// Whether the bytes are where they were put: the application may have pruned the folder.
    fn is_there(&self) -> bool {
        let place = self.part.as_ref().map_or(&self.place, |part| &part.path);
        fs::symlink_metadata(place).is_ok_and(|found| found.is_file() && found.len() == self.size)
    }
}

/// Room that is held for a file until it is on the shelf.
struct Coming<'a> {
    store: &'a FolderStore,
    size: u64,
}

impl Drop for Coming<'_> {
    fn drop(&mut self) {
        let mut shelf = self.store.shelf();
        shelf.coming -= 1;
        shelf.coming_bytes -= self.size;
    }
}

/// A file that is on the shelf for a call which may be gone already: dropped with its URI inside, it is discarded.
struct Claim {
    store: FolderStore,
    uri: Option<String>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(uri) = &self.uri {
            self.store.discard(uri);
        }
    }
}

fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn write_part(part: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(part)?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// Removes a part. Best effort: it is hidden and of no use.
fn remove(part: &Path) {
    if let Err(failure) = fs::remove_file(part)
        && failure.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%failure, "a part of an artifact that nobody wants could not be removed");
    }
}

/// A name that no other part of the folder has: time, process and a count.
fn unique() -> String {
    static PARTS: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let count = PARTS.fetch_add(1, Ordering::Relaxed);
    format!("{:x}-{:x}-{count:x}", now.as_nanos(), std::process::id())
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// The digest at the start of a file's name. Digests and safe names stand in a URI as they are.
fn digest_of(uri: &str) -> &str {
    let name = uri.rsplit('/').next().unwrap_or(uri);
    name.split('-').next().unwrap_or(name)
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
