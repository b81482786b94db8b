//! The table and the list of misses, as a person reads them.

use crate::run::{Miss, Row};
use std::fmt::Write;

const HEADINGS: [&str; 13] = [
    "server",
    "tools",
    "imported",
    "generated",
    "compiled",
    "calls",
    "accepted",
    "refused",
    "let in",
    "changed",
    "lines (code)",
    "gen s",
    "rustc s",
];

/// How many characters of one miss are shown: a rustc error may run over pages.
const SHOWN: usize = 1_200;

/// The whole report: one row a server, their sum, and every miss.
pub fn render(rows: &[Row]) -> String {
    let mut sum = Row { name: "all".to_owned(), ..Row::default() };
    for row in rows {
        add(&mut sum, row);
    }
    let cells: Vec<[String; 13]> = rows.iter().chain([&sum]).map(cells_of).collect();
    let mut widths = HEADINGS.map(str::len);
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    let headings = HEADINGS.map(str::to_owned);
    for row in [&headings].into_iter().chain(&cells) {
        for (index, (cell, width)) in row.iter().zip(widths).enumerate() {
            let padded =
                if index == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
            text.push_str(&padded);
        }
        text.push('\n');
    }
    for row in rows {
        for note in &row.notes {
            line(&mut text, &format!("note {}: {note}", row.name));
        }
    }
    for row in rows {
        for Miss { tool, what } in &row.misses {
            let shown: String = what.chars().take(SHOWN).collect();
            let cut = if shown.len() < what.len() { " [...]" } else { "" };
            line(&mut text, &format!("MISS {} {tool}: {shown}{cut}", row.name));
        }
    }
    let misses: usize = rows.iter().map(|row| row.misses.len()).sum();
    line(&mut text, &if misses == 0 { "no miss".to_owned() } else { format!("{misses} misses") });
    text
}

fn cells_of(row: &Row) -> [String; 13] {
    let mean = |lines: usize| {
        if row.generated == 0 { 0.0 } else { lines as f64 / row.generated as f64 }
    };
    [
        row.name.clone(),
        row.tools.to_string(),
        row.imported.to_string(),
        row.generated.to_string(),
        row.compiled.to_string(),
        row.calls.to_string(),
        row.accepted.to_string(),
        row.refused.to_string(),
        row.let_through.to_string(),
        row.changed.to_string(),
        format!("{:.1} ({:.1})", mean(row.lines.0), mean(row.lines.1)),
        format!("{:.2}", row.generating),
        format!("{:.1}", row.compiling),
    ]
}

fn add(sum: &mut Row, row: &Row) {
    sum.tools += row.tools;
    sum.imported += row.imported;
    sum.generated += row.generated;
    sum.compiled += row.compiled;
    sum.calls += row.calls;
    sum.accepted += row.accepted;
    sum.refused += row.refused;
    sum.let_through += row.let_through;
    sum.changed += row.changed;
    sum.lines.0 += row.lines.0;
    sum.lines.1 += row.lines.1;
    sum.generating += row.generating;
    sum.compiling += row.compiling;
}

fn line(text: &mut String, content: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{content}");
}
