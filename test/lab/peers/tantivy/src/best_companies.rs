use tantivy::DocAddress;

/// An observation that was found.
#[derive(Clone, Copy)]
pub struct Hit {
    pub at: DocAddress,
    pub company: u64,
    pub score: f32,
}

const NEVER: f32 = f32::NEG_INFINITY;
/// Companies are thinned out when there are so many times as many as are asked for.
const SPARE: usize = 4;

/// Keeps the companies of the best observations, and of each of these a few.
pub struct BestCompanies {
    companies: usize,
    observations: usize,
    /// By company.
    best: Vec<f32>,
    seen: Vec<u64>,
    hits: Vec<Hit>,
    threshold: f32,
}

impl BestCompanies {
    /// Ids of companies go from 0 to `highest_company`.
    pub fn new(companies: usize, observations: usize, highest_company: u64) -> BestCompanies {
        BestCompanies {
            companies,
            observations,
            best: vec![NEVER; highest_company as usize + 1],
            seen: Vec::new(),
            hits: Vec::new(),
            threshold: NEVER,
        }
    }

    /// What an observation must score above to have a say.
    pub fn threshold(&self) -> f32 {
        self.threshold
    }

    pub fn offer(&mut self, hit: Hit) {
        if hit.score <= self.threshold {
            return;
        }
        let best = &mut self.best[hit.company as usize];
        if *best == NEVER {
            self.seen.push(hit.company);
        }
        *best = best.max(hit.score);
        self.hits.push(hit);
        if self.seen.len() >= self.companies * SPARE {
            self.thin_out();
        }
    }

    /// Raises the threshold to the score of the last company that is still among the best.
    pub fn thin_out(&mut self) {
        if self.seen.len() > self.companies {
            let best = &mut self.best;
            self.seen.select_nth_unstable_by(self.companies - 1, |a, b| {
                best[*b as usize].total_cmp(&best[*a as usize])
            });
            self.threshold = best[self.seen[self.companies - 1] as usize];
            for company in self.seen.drain(self.companies..) {
                best[company as usize] = NEVER;
            }
        }
        let best = &self.best;
        self.hits.retain(|hit| best[hit.company as usize] != NEVER);
    }

    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The best first; ready for the next search afterwards.
    pub fn take(&mut self) -> Vec<Hit> {
        self.thin_out();
        let mut hits = std::mem::take(&mut self.hits);
        hits.sort_unstable_by(|a, b| b.score.total_cmp(&a.score));
        let mut left = std::collections::HashMap::new();
        hits.retain(|hit| {
            let left = left.entry(hit.company).or_insert(self.observations);
            let is_kept = *left > 0;
            *left = left.saturating_sub(1);
            is_kept
        });
        for company in self.seen.drain(..) {
            self.best[company as usize] = NEVER;
        }
        self.threshold = NEVER;
        hits
    }
}
