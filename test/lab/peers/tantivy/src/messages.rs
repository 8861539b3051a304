use serde::{Deserialize, Serialize};

/// One line of the input; all documents come before `finish`, all searches after it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    Observation(Observation),
    Company(Company),
    Finish,
    Search(Question),
}

#[derive(Deserialize)]
pub struct Observation {
    pub id: u64,
    pub company: u64,
    pub kind: u64,
    pub country: u64,
    /// Milliseconds since 1970.
    pub occurred: i64,
    pub text: String,
}

#[derive(Deserialize)]
pub struct Company {
    pub id: u64,
    pub profile: String,
}

#[derive(Deserialize)]
pub struct Question {
    pub words: Vec<String>,
    /// Whether what profiles say of companies counts too, and the best companies are asked for instead of the best observations.
    pub with_context: bool,
    #[serde(flatten)]
    pub filters: Filters,
}

#[derive(Deserialize)]
pub struct Filters {
    /// Milliseconds since 1970.
    pub since: Option<i64>,
    pub kind: Option<u64>,
    pub country: Option<u64>,
}

/// What `finish` is answered with.
#[derive(Serialize)]
pub struct Finished {
    pub observations: u64,
    pub companies: u64,
    pub segments: usize,
}

/// What `search` is answered with.
#[derive(Serialize)]
pub struct Answer {
    /// Of observations, the best first.
    pub ids: Vec<u64>,
    /// What the search took here, without reading the question and writing the answer.
    pub micros: f64,
}
