//! Tantivy as another process that the bench of search asks; see README.md.

mod best_companies;
mod best_hits;
mod companies;
mod folder;
mod messages;
mod observations;
mod search;
mod segment_columns;
mod words;

use std::error::Error;
use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::time::Instant;

use companies::CompanyWriter;
use messages::{Answer, Finished, Message};
use observations::ObservationWriter;
use search::Searches;

/// A longer line ends the program.
const LINE_BYTES: u64 = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: tantivy-peer FOLDER")?;
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    let mut searches = fill(Path::new(&folder), &mut input, &mut output)?;
    while let Some(message) = read(&mut input)? {
        let Message::Search(question) = message else {
            return Err("a document after the end of all".into());
        };
        let begun = Instant::now();
        let ids = searches.answer(&question)?;
        let micros = begun.elapsed().as_secs_f64() * 1e6;
        write(&mut output, &Answer { ids, micros })?;
    }
    Ok(())
}

fn fill(folder: &Path, input: &mut impl BufRead, output: &mut impl Write) -> Result<Searches, Box<dyn Error>> {
    let observations = ObservationWriter::create(&folder.join("observations"))?;
    let companies = CompanyWriter::create(&folder.join("companies"))?;
    loop {
        match read(input)?.ok_or("the input ended before all documents had come")? {
            Message::Observation(observation) => observations.add(observation)?,
            Message::Company(company) => companies.add(company)?,
            Message::Finish => break,
            Message::Search(_) => return Err("a search before the end of all documents".into()),
        }
    }
    let observations = observations.finish()?;
    let companies = companies.finish()?;
    let finished = Finished {
        observations: observations.count(),
        companies: companies.count(),
        segments: observations.segments(),
    };
    write(output, &finished)?;
    Ok(Searches::new(observations, companies))
}

/// The next line; none at the end of the input.
fn read(input: &mut impl BufRead) -> Result<Option<Message>, Box<dyn Error>> {
    let mut line = Vec::new();
    input.take(LINE_BYTES).read_until(b'\n', &mut line)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(serde_json::from_slice(&line)?)),
        Some(_) => Err("a line is longer than it may be, or was broken off".into()),
    }
}

fn write(output: &mut impl Write, answer: &impl serde::Serialize) -> Result<(), Box<dyn Error>> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()?;
    Ok(())
}
