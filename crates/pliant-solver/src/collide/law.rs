//! [`Laws`]: friction, restitution and compliance of every pair of bodies.

use pliant_kernel::Scalar;

use super::collider::Collider;
use crate::describe::contact_pair::ContactPair;

/// How two bodies meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Law<T> {
    /// Coefficients of friction, for sticking and for sliding.
    pub(super) friction: [T; 2],
    /// Share of the velocity of approach that an impact gives back.
    pub(super) restitution: T,
    /// How far a contact gives way, m/N.
    pub(super) compliance: T,
}

/// The laws of all pairs.
pub(super) struct Laws<T> {
    of_body: Vec<Law<f64>>,
    /// Pairs with laws of their own, in order.
    of_pairs: Vec<([u32; 2], Law<f64>)>,
    /// The pair that was asked for last.
    last: Option<([u32; 2], Law<T>)>,
}

impl<T: Scalar> Laws<T> {
    /// The laws of these bodies, of which some pairs, checked and by ascending places, have their own.
    pub(super) fn new(colliders: &[Collider], pairs: &[([u32; 2], ContactPair)]) -> Self {
        let of_body = colliders
            .iter()
            .map(|Collider { collide, .. }| Law {
                friction: [collide.static_friction, collide.kinetic_friction],
                restitution: collide.restitution,
                compliance: collide.compliance,
            })
            .collect();
        let mut laws = Self { of_body, of_pairs: Vec::new(), last: None };
        for (places, pair) in pairs {
            let usual = laws.find(*places);
            let own = Law {
                friction: pair.friction.unwrap_or(usual.friction),
                restitution: pair.restitution.unwrap_or(usual.restitution),
                compliance: pair.compliance.unwrap_or(usual.compliance),
            };
            // What is said later counts.
            match laws.of_pairs.binary_search_by_key(places, |(known, _)| *known) {
                Ok(at) => laws.of_pairs[at].1 = own,
                Err(at) => laws.of_pairs.insert(at, (*places, own)),
            }
        }
        laws
    }

    /// Whether a pair may give velocity back.
    pub(super) fn bounce(&self) -> bool {
        self.all().any(|law| law.restitution > 0.0)
    }

    /// Whether a pair may give way.
    pub(super) fn give_way(&self) -> bool {
        self.all().any(|law| law.compliance > 0.0)
    }

    fn all(&self) -> impl Iterator<Item = &Law<f64>> {
        self.of_body.iter().chain(self.of_pairs.iter().map(|(_, law)| law))
    }

    /// The law of two bodies; the same two are often asked for again.
    pub(super) fn between(&mut self, a: u32, b: u32) -> Law<T> {
        let pair = [a.min(b), a.max(b)];
        match self.last {
            Some((known, law)) if known == pair => law,
            _ => {
                let law = self.find(pair);
                let law = Law {
                    friction: law.friction.map(T::splat),
                    restitution: T::splat(law.restitution),
                    compliance: T::splat(law.compliance),
                };
                self.last = Some((pair, law));
                law
            }
        }
    }

    /// Geometric means of coefficients, and the sum of compliances: those of springs in a row.
    fn find(&self, pair: [u32; 2]) -> Law<f64> {
        if let Ok(at) = self.of_pairs.binary_search_by_key(&pair, |(known, _)| *known) {
            return self.of_pairs[at].1;
        }
        let [a, b] = pair.map(|body| &self.of_body[body as usize]);
        let mean = |a: f64, b: f64| (a * b).sqrt();
        Law {
            friction: [mean(a.friction[0], b.friction[0]), mean(a.friction[1], b.friction[1])],
            restitution: mean(a.restitution, b.restitution),
            compliance: a.compliance + b.compliance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::collide::Collide;

    #[test]
    fn a_pair_has_means_unless_it_has_its_own() {
        let collider = |friction: f64, restitution: f64, compliance: f64| Collider {
            number: 0,
            name: String::new(),
            first: 0,
            triangles: Vec::new(),
            radius: 0.001,
            collide: Collide::new().friction(friction).restitution(restitution).compliance(compliance),
        };
        let colliders = [collider(0.9, 0.5, 1e-4), collider(0.4, 0.5, 2e-4), collider(0.0, 0.0, 0.0)];
        let own = ContactPair::new("a", "c").friction_of(0.5, 0.25);
        let mut laws = Laws::<f64>::new(&colliders, &[([0, 2], own)]);
        let law = laws.between(1, 0);
        assert!((law.friction[0] - 0.6).abs() < 1e-12 && (law.restitution - 0.5).abs() < 1e-12);
        assert!((law.compliance - 3e-4).abs() < 1e-15);
        let law = laws.between(2, 0);
        assert_eq!((law.friction, law.restitution, law.compliance), ([0.5, 0.25], 0.0, 1e-4));
        assert_eq!(laws.between(1, 2).friction, [0.0; 2]);
        assert!(laws.bounce() && laws.give_way());
    }
}
