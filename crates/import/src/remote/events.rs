//! Server-sent events, as they come: each byte is looked at once, however small the pieces are.

/// Collects the data of events.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Option<String>,
    /// The last byte ended a line, and a line feed after it belongs to that end.
    carriage: bool,
}

impl Events {
    /// The data of every event that is whole with this piece.
    pub(super) fn feed(&mut self, piece: &[u8]) -> Vec<String> {
        let mut whole = Vec::new();
        for byte in piece {
            let second = std::mem::replace(&mut self.carriage, *byte == b'\r') && *byte == b'\n';
            match byte {
                b'\n' if second => {}
                b'\r' | b'\n' => whole.extend(self.end_of_line()),
                _ => self.line.push(*byte),
            }
        }
        whole
    }

    fn end_of_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self.data.take().filter(|data| !data.is_empty());
        }
        let text = String::from_utf8_lossy(&line);
        if let Some(more) = text.strip_prefix("data:") {
            let more = more.strip_prefix(' ').unwrap_or(more);
            match &mut self.data {
                None => self.data = Some(more.to_owned()),
                Some(data) => {
                    data.push('\n');
                    data.push_str(more);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Events;

    #[test]
    fn only_whole_events_count_however_they_are_cut() {
        let body: &[u8] =
            b": hello\r\n\r\nevent: message\r\nid: 1\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata:b\r\rdata: {\"half\"";
        assert_eq!(Events::default().feed(body), ["{\"a\":\n1}", "b"]);
        let mut events = Events::default();
        let single: Vec<String> = body.chunks(1).flat_map(|piece| events.feed(piece)).collect();
        assert_eq!(single, ["{\"a\":\n1}", "b"]);
    }
}
