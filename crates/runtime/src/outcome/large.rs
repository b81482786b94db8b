//! What is too large for a model: stored, with a preview and a reference in its place. What a model then reads is never
//! longer than the limit, the note about the rest included.

use crate::outcome::artifact::{Artifact, ArtifactBody};
use crate::outcome::artifact_store::{ArtifactStore, Stored, room};
use crate::outcome::content::{Content, ResourceLink};
use crate::outcome::error::{BoxError, Error};
use crate::outcome::{Code, Outcome};
use crate::run::limits;
use crate::tool::Tool;
use serde_json::Value;
use std::io;

/// Characters of a stored result that the model still sees.
const PREVIEW: usize = 1_000;

/// Whether an outcome holds anything for a store: bytes of artifacts, or more text than a model is to read.
pub(crate) fn is_to_be_stored(outcome: &Outcome, most: usize) -> bool {
    let is_of_bytes = |artifact: &Artifact| matches!(artifact.body(), ArtifactBody::Bytes(_));
    !outcome.is_error()
        && (outcome.artifacts.iter().any(is_of_bytes)
            || texts(outcome) > most
            || is_longer(outcome.value.as_ref(), most.checked_sub(texts(outcome))))
}

/// Stores what is too large for a model, and artifacts of bytes. Everything is stored, or nothing.
///
/// # Errors
///
/// The store's own.
pub(crate) async fn store(
    store: &dyn ArtifactStore,
    most: usize,
    tool: &Tool,
    outcome: &mut Outcome,
) -> Result<(), BoxError> {
    let mut stored = Stored::new(store);
    for artifact in &mut outcome.artifacts {
        if let ArtifactBody::Bytes(_) = artifact.body() {
            let uri = stored.store(artifact).await?;
            artifact.refer(uri);
        }
    }
    if texts(outcome) > most {
        let link = store_text(&mut stored, tool, "txt", outcome.text_of_parts()).await?;
        outcome.content.retain(|part| !matches!(part, Content::Text(_)));
        link.show(outcome, most);
    }
    let room = most.checked_sub(texts(outcome));
    if let Some(value) = outcome.value.as_ref().filter(|value| is_longer(Some(value), room)) {
        let link = store_text(&mut stored, tool, "json", value.to_string()).await?;
        outcome.is_stored = true;
        link.show(outcome, room.unwrap_or(0).saturating_sub(1));
    }
    stored.commit()
}

/// A text that is stored, and what a model sees of it.
struct Large {
    preview: String,
    link: ResourceLink,
}

async fn store_text(
    stored: &mut Stored<'_>,
    tool: &Tool,
    ending: &str,
    text: String,
) -> Result<Large, BoxError> {
    let media_type =
        if ending == "json" { "application/json" } else { "text/plain; charset=utf-8" };
    let (name, size) = (format!("{}.{ending}", tool.name()), text.len() as u64);
    let preview = text.chars().take(PREVIEW).collect();
    let artifact = Artifact::bytes(name.clone(), media_type, text);
    let uri = stored.store(&artifact).await?;
    let media_type = Some(media_type.to_owned());
    let link = ResourceLink { uri, name, media_type, size: Some(size), ..ResourceLink::default() };
    Ok(Large { preview, link })
}

impl Large {
    /// Puts the preview and the reference into an outcome. The note is shorter where the room is, down to nothing: the
    /// reference alone always stands there.
    fn show(self, outcome: &mut Outcome, room: usize) {
        let Self { preview, link } = self;
        let size = link.size.unwrap_or_default();
        let note = format!("...\n\nThe whole result ({size} bytes) is stored at {}", link.uri);
        let note = match room.checked_sub(note.len()) {
            Some(left) => format!("{}{note}", limits::cut(&preview, left)),
            None => limits::cut(&format!("stored: {size} bytes"), room).to_owned(),
        };
        if !note.is_empty() {
            outcome.content.insert(0, Content::Text(note));
        }
        outcome.content.push(Content::ResourceLink(link));
    }
}

/// Bytes of the text parts that a model would read.
fn texts(outcome: &Outcome) -> usize {
    let texts = outcome.content.iter().filter_map(|part| match part {
        Content::Text(text) => Some(text.len() + 1),
        _ => None,
    });
    // One line end less than there are parts.
    texts.sum::<usize>().saturating_sub(1)
}

/// Whether a value's JSON text is longer than the room there is. It is written nowhere; escapes and digits count as they are.
fn is_longer(value: Option<&Value>, room: Option<usize>) -> bool {
    /// Counts what is written, and refuses what is too much.
    struct Room(usize);
    impl io::Write for Room {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    match (value, room) {
        (Some(value), Some(room)) => serde_json::to_writer(Room(room), value).is_err(),
        (value, None) => value.is_some(),
        (None, Some(_)) => false,
    }
}

/// The outcome of a call whose result could not be stored. Where the store has no room, the model can help itself by
/// asking for less; everything else is for the application to read.
pub(crate) fn unstored(failure: BoxError) -> Outcome {
    const TEXT: &str = "the result could not be stored";
    let (code, text) = match room(&failure) {
        Some(why) => (Code::ToolError, format!("{TEXT}: {why}")),
        None => (Code::Unexpected, TEXT.to_owned()),
    };
    Outcome::failed(code, text.clone()).because(Error::caused(text, failure))
}
