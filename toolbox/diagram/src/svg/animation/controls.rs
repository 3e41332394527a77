//! An animation that its viewer can stop and step through.

use super::{Animation, GLIDE};
use std::fmt::Write;

/// SMIL itself has no pause, so this is a script. Within an `<img>` it does not run, and the image
/// moves as without it. A step leads to the moment after the piece has arrived.
const SCRIPT: &str = r#"
const svg = document.currentScript.closest("svg");
const place = () => Math.min(last, Math.floor(svg.getCurrentTime() % total / pace));
const toggle = () => svg.animationsPaused() ? svg.unpauseAnimations() : svg.pauseAnimations();
const go = (to) => {
  svg.pauseAnimations();
  svg.setCurrentTime((Math.max(0, Math.min(last, to)) + arrived) * pace);
};
const keys = {
  " ": toggle,
  ArrowLeft: () => go(place() - 1),
  ArrowRight: () => go(place() + 1),
  Home: () => go(0),
  End: () => go(last),
};
svg.addEventListener("click", toggle);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
"#;

impl Animation {
    /// The animation with a script: a click or the space bar pauses and resumes it, the arrow keys
    /// step through it, Home and End go to its start and end.
    pub fn svg_with_controls(&self) -> String {
        let mut svg = self.svg();
        let end = svg.len() - "</svg>".len();
        svg.truncate(end);
        let (pace, last, total) = (self.pace(), self.steps.len(), self.total());
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<script><![CDATA[(() => {{const pace = {pace}, last = {last}, total = {total}, \
             arrived = {};{SCRIPT}}})();]]></script></svg>",
            f64::midpoint(GLIDE, 1.0)
        );
        svg
    }
}
