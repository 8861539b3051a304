use std::collections::HashSet;

use tantivy::DocAddress;

use crate::best_companies::{BestCompanies, Hit};
use crate::best_hits::BestHits;
use crate::companies::Companies;
use crate::messages::{Filters, Question};
use crate::observations::Observations;

const HITS: usize = 200;
const OBSERVATIONS_PER_COMPANY: usize = 3;
/// Factor on what has no word of the query itself.
const UNANSWERING_FACTOR: f32 = 0.8;

/// Both indices, and what searches use again.
pub struct Searches {
    observations: Observations,
    companies: Companies,
    best_companies: BestCompanies,
    /// By company; zero but for those that the search at hand has found.
    gains: Vec<f32>,
}

impl Searches {
    pub fn new(observations: Observations, companies: Companies) -> Searches {
        let highest = observations.highest_company.max(companies.highest_id);
        Searches {
            best_companies: BestCompanies::new(HITS, OBSERVATIONS_PER_COMPANY, highest),
            gains: vec![0.0; highest as usize + 1],
            observations,
            companies,
        }
    }

    /// Ids of observations, the best first.
    pub fn answer(&mut self, question: &Question) -> tantivy::Result<Vec<u64>> {
        let hits = match question.with_context {
            true => self.best_companies(&question.words, &question.filters)?,
            false => self.best_observations(&question.words, &question.filters)?,
        };
        Ok(hits.into_iter().map(|at| self.observations.id_of(at)).collect())
    }

    /// By their own texts alone.
    fn best_observations(&self, words: &[String], filters: &Filters) -> tantivy::Result<Vec<DocAddress>> {
        let mut best = BestHits::new(HITS);
        self.observations
            .visit(words, filters, &mut |at, score| best.offer(at, score))?;
        Ok(best.take())
    }

    /// By their own texts and by what their companies are: of the best companies a few observations each.
    fn best_companies(&mut self, words: &[String], filters: &Filters) -> tantivy::Result<Vec<DocAddress>> {
        let described = self.companies.described(words)?;
        for (company, gain) in &described {
            self.gains[*company as usize] = *gain;
        }
        let found = self.find(words, filters, &described);
        for (company, _) in &described {
            self.gains[*company as usize] = 0.0;
        }
        let hits = self.best_companies.take();
        found?;
        Ok(hits.into_iter().map(|hit| hit.at).collect())
    }

    fn find(&mut self, words: &[String], filters: &Filters, described: &[(u64, f32)]) -> tantivy::Result<()> {
        let Searches {
            observations,
            best_companies,
            gains,
            ..
        } = self;
        let highest_gain = described.first().map_or(0.0, |(_, gain)| *gain);
        // A company may lift an observation by so much: nothing above that distance may be left out.
        observations.visit(words, filters, &mut |at, own| {
            let company = observations.company_of(at);
            best_companies.offer(Hit {
                at,
                company,
                score: own + gains[company as usize],
            });
            best_companies.threshold() - highest_gain
        })?;
        best_companies.thin_out();
        for (company, gain) in described {
            let score = gain * UNANSWERING_FACTOR;
            if score <= best_companies.threshold() {
                break;
            }
            let answering: HashSet<DocAddress> = best_companies
                .hits()
                .iter()
                .filter(|hit| hit.company == *company)
                .map(|hit| hit.at)
                .collect();
            observations.of_company(*company, filters, &mut |at| {
                if !answering.contains(&at) {
                    best_companies.offer(Hit {
                        at,
                        company: *company,
                        score,
                    });
                }
            })?;
        }
        Ok(())
    }
}
